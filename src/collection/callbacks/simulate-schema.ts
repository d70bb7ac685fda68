import { builder, needs } from '../../graphql/builder.ts';
import { defineEnum } from '../../graphql/enums.ts';
import { docnameArg } from '../../graphql/input/forms.ts';
import { listReasons } from '../../kernel/reasons.ts';
import { getIntent } from '../payments/find.ts';
import { SIMULATIONS, type Simulation, simulate } from './simulate.ts';

const SimulationEnum = defineEnum<Simulation>('Simulation', 'Outcome of a payment of a sandbox.', SIMULATIONS);

builder.mutationFields((t) => ({
  simulatePayment: t.field({
    type: 'PaymentIntent',
    description:
      'Has something happen to one of your payments in a sandbox, as the aggregator would report it. A Pending intent is initiated first. Requires a session or a key. `not_found` on a live rail.' +
      listReasons('sandbox_only', 'not_pending'),
    ...needs('account'),
    args: {
      id: t.arg.id(docnameArg('intent')),
      outcome: t.arg({ type: SimulationEnum, required: true, description: 'Outcome to give the payment.' }),
    },
    resolve: (_root, { id, outcome }, call) => simulate(call, id, outcome),
    answerAgain: getIntent,
  }),
}));
