import { builder, limitByAddress, needs } from '../../graphql/builder.ts';
import { REASON, freeText } from '../../graphql/input/forms.ts';
import { listReasons } from '../../kernel/reasons.ts';
import { getStaff } from '../staff/find.ts';
import { StaffType } from '../staff/schema.ts';
import { beginSignOn } from './begin.ts';
import { setBreakGlass } from './break-glass.ts';
import { completeSignOn } from './complete.ts';

/** Codes, states and what providers add of their own. */
const LONGEST_QUERY = 8_000;

const StepType = builder.objectRef<{ readonly location: string }>('SingleSignOnStep').implement({
  description: 'A step of a sign-in at the identity provider.',
  fields: (t) => ({
    location: t.exposeString('location', { description: 'The address that the browser goes to next.' }),
  }),
});

builder.mutationFields((t) => ({
  beginSingleSignOn: t.field({
    type: StepType,
    description:
      'Begins to sign a member of staff in at the identity provider, as `GET /signin/sso` does: sets the cookie `sign_on`, and answers where the browser goes. No authentication required. `not_found` if staff log in by password; `adapter_failed` or `adapter_timeout` if the provider is away.',
    ...limitByAddress(),
    args: {
      returnTo: t.arg.string({
        description: 'Path on this host to go to once signed in. Default, and instead of any other: `/work`.',
        ...freeText(LONGEST_QUERY),
      }),
    },
    resolve: (_root, args, call) => beginSignOn(call, args),
  }),
  completeSingleSignOn: t.field({
    type: StepType,
    description:
      'Ends it, as `GET /signin/sso/callback` does: opens a session for the member of staff that the provider names, with the roles and agencies of their groups. Each sign-in ends once, within 10 minutes, in the browser that began it: `unauthenticated` otherwise.' +
      listReasons('sign_on_unmapped', 'sign_on_unverified', 'sign_on_closed', 'sign_on_denied'),
    ...limitByAddress(),
    args: {
      attempt: t.arg.string({
        required: true,
        description: 'The value of the cookie `sign_on`.',
        ...freeText(LONGEST_QUERY),
      }),
      query: t.arg.string({
        required: true,
        description: 'The query of the address that the provider sent the browser back to.',
        ...freeText(LONGEST_QUERY),
      }),
    },
    resolve: (_root, args, call) => completeSignOn(call, args),
  }),
  setBreakGlass: t.field({
    type: StaffType,
    description:
      'Says whether a member of staff may log in by password although staff sign in at an identity provider: for emergencies. At the provider they can then not sign in; where it is taken away, their sessions end. For admins; nobody decides it of themselves.' +
      listReasons('own_account', 'admins_only', 'no_password'),
    ...needs('admin.grant', { people: 'alone', missing: true }),
    args: {
      id: t.arg.id({ required: true, description: 'The e-mail address of the member of staff.' }),
      breakGlass: t.arg.boolean({ required: true, description: 'True if they may log in then.' }),
      reason: t.arg.string(REASON),
    },
    resolve: (_root, args, call) => setBreakGlass(call, args),
    answerAgain: getStaff,
  }),
}));
