import { builder, needs } from '../../graphql/builder.ts';
import { REASON, agencyList, email, freeText, requiredText } from '../../graphql/input/forms.ts';
import { shape } from '../../graphql/input/shapes.ts';
import { listReasons } from '../../kernel/reasons.ts';
import { LONGEST_NAME, LONGEST_REASON } from '../../kernel/text/free-text.ts';
import { getStaff } from '../staff/find.ts';
import { RoleEnum, StaffType } from '../staff/schema.ts';
import { inviteStaff } from './invite.ts';
import { deactivateStaff, reactivateStaff } from './leave.ts';
import { endStaffSessions, resetSecondFactor } from './reset.ts';
import { updateStaff } from './update.ts';

const WRITERS = 'For admins and system managers; only admins manage admins and system managers.';
const ADMINS =
  'The role `admin`, and on a live rail `system_manager`, `supervisor`, `finance_officer` and `clerk`, and more agencies for these, are asked for (`pendingApproval`), and given once somebody independent approves (`grantApproval`).';
const AGENCIES = 'The codes of the agencies to which they are bound. Empty, or `*`: every agency.';

const roleList = shape({ minItems: 1, maxItems: 20 });

/** Person to act on, and the reason. */
const reasonedArgs = builder.args((t) => ({
  id: t.id({ required: true, description: 'The e-mail address of the member of staff.', ...email }),
  reason: t.string(REASON),
}));

builder.mutationFields((t) => ({
  inviteStaff: t.field({
    type: StaffType,
    description:
      `Invites somebody to work with the rail, by a link that works once, within 24 hours. Somebody who has not accepted is invited again, and the earlier link stops working. ${ADMINS} ${WRITERS} \`duplicate_email\` if they are a member of staff already.` +
      listReasons('admins_only'),
    ...needs('operations.write', { people: 'two where it widens' }),
    args: {
      email: t.arg.string({ required: true, description: 'The e-mail address, by which they will log in.', ...email }),
      name: t.arg.string({
        required: true,
        description: 'The full name, at most 200 characters.',
        ...requiredText(LONGEST_NAME),
      }),
      roles: t.arg({ type: [RoleEnum], required: true, description: 'The roles, at least one.', ...roleList }),
      agencies: t.arg.stringList({ description: AGENCIES, ...agencyList }),
    },
    resolve: (_root, args, call) => inviteStaff(call, args),
    answerAgain: getStaff,
  }),
  updateStaff: t.field({
    type: StaffType,
    description:
      `Changes the name, roles or agencies of a member of staff, from their very next request on. Values that are left out stay. ${ADMINS} ${WRITERS}` +
      listReasons('own_account', 'admins_only', 'last_admin'),
    ...needs('operations.write', { people: 'two where it widens' }),
    args: {
      id: t.arg.id({ required: true, description: 'The e-mail address of the member of staff.', ...email }),
      name: t.arg.string({ description: 'The full name, at most 200 characters.', ...requiredText(LONGEST_NAME) }),
      roles: t.arg({ type: [RoleEnum], description: 'All roles they are to have, at least one.', ...roleList }),
      agencies: t.arg.stringList({ description: AGENCIES, ...agencyList }),
      reason: t.arg.string({ description: 'The reason, at most 280 characters.', ...freeText(LONGEST_REASON) }),
    },
    resolve: (_root, args, call) => updateStaff(call, args),
    answerAgain: getStaff,
  }),
  deactivateStaff: t.field({
    type: StaffType,
    description:
      `Keeps a member of staff out, from their very next request on: their sessions end, and their links stop working. ${WRITERS}` +
      listReasons('own_account', 'admins_only', 'last_admin', 'staff_not_active'),
    ...needs('operations.write', { people: 'alone' }),
    args: reasonedArgs,
    resolve: (_root, args, call) => deactivateStaff(call, args),
    answerAgain: getStaff,
  }),
  reactivateStaff: t.field({
    type: StaffType,
    description:
      `Lets a deactivated member of staff log in again. ${ADMINS} ${WRITERS}` +
      listReasons('own_account', 'admins_only', 'staff_active'),
    ...needs('operations.write', { people: 'two where it widens' }),
    args: reasonedArgs,
    resolve: (_root, args, call) => reactivateStaff(call, args),
    answerAgain: getStaff,
  }),
  resetSecondFactor: t.field({
    type: StaffType,
    description:
      `Removes the second factor of a member of staff who has lost it; their sessions end, and they are told by e-mail. ${WRITERS}` +
      listReasons('own_account', 'admins_only', 'second_factor_not_enrolled'),
    ...needs('operations.write', { people: 'alone' }),
    args: reasonedArgs,
    resolve: (_root, args, call) => resetSecondFactor(call, args),
    answerAgain: getStaff,
  }),
  endStaffSessions: t.field({
    type: StaffType,
    description:
      `Ends all sessions of a member of staff, from their very next request on. ${WRITERS}` +
      listReasons('admins_only'),
    ...needs('operations.write', { people: 'alone' }),
    args: reasonedArgs,
    resolve: (_root, args, call) => endStaffSessions(call, args),
    answerAgain: getStaff,
  }),
}));
