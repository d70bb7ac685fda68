import { builder, needs } from '../../graphql/builder.ts';
import { defineEnum } from '../../graphql/enums.ts';
import { agencyCode } from '../../graphql/input/forms.ts';
import { listReasons } from '../../kernel/reasons.ts';
import { getAgency } from '../catalogue/find.ts';
import { BEHAVIOURS, type Behaviour, setBehaviour } from './behaviour.ts';

const BehaviourEnum = defineEnum<Behaviour>(
  'AgencyBehaviour',
  "Behaviour of a sandbox's agency towards notices of payments.",
  BEHAVIOURS,
);

builder.mutationFields((t) => ({
  setAgencyBehaviour: t.field({
    type: 'Agency',
    description:
      'Sets how an agency of a sandbox answers notices of your payments, and of yours alone. Requires a session or a key. `not_found` on a live rail.' +
      listReasons('sandbox_only'),
    ...needs('account'),
    args: {
      agency: t.arg.id({ required: true, description: 'The code of the agency.', ...agencyCode }),
      behaviour: t.arg({ type: BehaviourEnum, required: true, description: 'Its behaviour from now on.' }),
    },
    resolve: (_root, { agency, behaviour }, call) => setBehaviour(call, agency, behaviour),
    answerAgain: getAgency,
  }),
}));
