import { type Role, isRole, isScope } from '../../platform/access/needs.ts';
import { builder, limitByAddress, needs, welcome } from '../../graphql/builder.ts';
import { defineEnum } from '../../graphql/enums.ts';
import { connection, defineConnection } from '../../graphql/graph/connection.ts';
import { follow, followIfAny } from '../../graphql/graph/edge.ts';
import { NodeType, defineNode } from '../../graphql/graph/node.ts';
import { LogOutType } from '../../accounts/sessions/schema.ts';
import { ScopeEnum } from '../../accounts/keys/scopes-schema.ts';
import { mdaLoader } from '../../collection/catalogue/find.ts';
import { listReasons } from '../../kernel/reasons.ts';
import { agencyCode, email, freeText, requiredText } from '../../graphql/input/forms.ts';
import { LONGEST_LABEL, LONGEST_NAME } from '../../kernel/text/free-text.ts';
import { type StaffStatus, type StaffUser, getStaff, listStaff, staffLoader } from './find.ts';
import { logIn } from './login/log-in.ts';
import { type LogInStep, beginLogIn, completeLogIn } from './login/two-steps.ts';
import { logOutStaff } from './login/log-out.ts';
import { type Whoami, identifyCaller } from './whoami.ts';

/** Addresses, and what cookies hold. */
const LONGEST_TO = 8_000;

export const RoleEnum = defineEnum<Role>('Role', 'A role of staff.', {
  clerk: 'Serves at a counter: registers, assesses and collects.',
  supervisor: 'Supervises counters: decides on variances and cancels.',
  admin: 'Operates the rail, and may do all that supervisors may.',
  system_manager: 'Operates the rail: accounts, keys, connections and settings.',
  oversight: 'Reads revenue, figures and anomalies, without personal data, and what operators see.',
  finance_officer: 'Reads payments, shifts and what agencies were told of payments.',
  auditor: 'Reads who looked at which citizen, and what operators did.',
});

/** What is answered where there is nothing to show but that it was done. */
export const MessageType = builder
  .objectRef<{ readonly message: string; readonly returnTo?: string | null }>('StaffMessage')
  .implement({
    description: 'The result of a change to a login of staff.',
    fields: (t) => ({
      message: t.exposeString('message', { description: 'A message for the user.' }),
      returnTo: t.string({
        nullable: true,
        description:
          'Of the use of a link that was mailed: the path of this host that its holder was on their way to when they asked for it. Null where they said none, and of everything else.',
        resolve: ({ returnTo }) => returnTo ?? null,
      }),
    }),
  });

const StaffStatusEnum = defineEnum<StaffStatus>('StaffStatus', 'The status of a member of staff.', {
  Invited: 'Invited, and yet to choose a password.',
  Active: 'They can log in.',
  Deactivated: 'Cannot log in, until an operator takes that back.',
});

const is = (role: Role) => (who: Whoami) => who.roles?.includes(role) ?? null;

/** Who may see the record of a member of staff that others refer to. */
export const STAFF_SEEN_BY =
  'Null too for callers other than admins, system managers, the oversight role and themselves.';

export const StaffType = builder.objectRef<StaffUser>('Staff').implement({
  description: 'A member of staff: somebody who works at a counter, supervises counters or operates the rail.',
  interfaces: [NodeType],
  fields: (t) => ({
    id: t.exposeID('email', { description: 'The unique identifier: the e-mail address.' }),
    email: t.exposeString('email', { description: 'The e-mail address, in lower case, by which they log in.' }),
    fullName: t.exposeString('fullName', { description: 'The full name, as operators entered it.' }),
    roles: t.field({
      type: [RoleEnum],
      description: 'The roles, which say what they may do.',
      resolve: ({ roles }) => roles.filter(isRole),
    }),
    agencyIds: t.field({
      type: ['ID'],
      description: 'The codes of the agencies that they are bound to, in alphabetical order. Empty: all agencies.',
      resolve: ({ agencies }) => agencies.toSorted(),
    }),
    agencies: t.field({
      type: ['Mda'],
      description: 'The agencies that they are bound to, in alphabetical order of their codes. Empty: all agencies.',
      resolve: ({ agencies }, _args, call, info) =>
        Promise.all(agencies.toSorted().map((mda) => follow(call, info, mdaLoader, mda))),
    }),
    active: t.exposeBoolean('active', { description: 'Whether they can log in, and sessions of theirs hold.' }),
    status: t.expose('status', { type: StaffStatusEnum, description: 'The status: whether they can log in.' }),
    hasSecondFactor: t.exposeBoolean('hasSecondFactor', {
      description: 'Whether they have enrolled a second factor, of which each login requires a code.',
    }),
    breakGlass: t.exposeBoolean('breakGlass', {
      description:
        'Whether they may log in by password although staff sign in at an identity provider: for emergencies. Each such login raises the anomaly `break_glass_login`.',
    }),
    adminPending: t.exposeBoolean('adminPending', {
      description: 'Whether somebody has asked that they be made an admin, which nobody has decided yet.',
    }),
    invitedAt: t.expose('invitedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When they were last invited; null if they never were.',
    }),
    deactivatedAt: t.expose('deactivatedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When they were deactivated; null if they are not.',
    }),
    deactivatedReason: t.exposeString('deactivatedReason', {
      nullable: true,
      description: 'Why they were deactivated; null if they are not.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the record was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When the record was last changed.' }),
  }),
});

const WhoamiType = builder.objectRef<Whoami>('Whoami').implement({
  description: 'The member of staff who is logged in. All fields but the first are null if nobody is.',
  fields: (t) => ({
    authenticated: t.exposeBoolean('authenticated', {
      description: 'Whether the request came with a session of staff that holds.',
    }),
    staffId: t.exposeID('email', {
      nullable: true,
      description: 'The e-mail address, which is the ID of their record.',
    }),
    staff: t.field({
      type: StaffType,
      nullable: true,
      description: 'The record of the member of staff; null if nobody is logged in.',
      resolve: ({ email: id }, _args, call, info) => followIfAny(call, info, staffLoader, id),
    }),
    email: t.exposeString('email', { nullable: true, description: 'The e-mail address by which they logged in.' }),
    fullName: t.exposeString('fullName', { nullable: true, description: 'The full name, as operators entered it.' }),
    roles: t.field({
      type: [RoleEnum],
      nullable: true,
      description: 'The roles, as of when they logged in or last sent a request.',
      resolve: ({ roles }) => roles && [...roles],
    }),
    agencyIds: t.field({
      type: ['ID'],
      nullable: true,
      description: 'The codes of the agencies that they are bound to, in alphabetical order. Empty: all agencies.',
      resolve: ({ agencies }) => agencies?.toSorted() ?? null,
    }),
    agencies: t.field({
      type: ['Mda'],
      nullable: true,
      description: 'The agencies that they are bound to, in alphabetical order of their codes. Empty: all agencies.',
      resolve: ({ agencies }, _args, call, info) =>
        agencies && Promise.all(agencies.toSorted().map((mda) => follow(call, info, mdaLoader, mda))),
    }),
    scopes: t.field({
      type: [ScopeEnum],
      nullable: true,
      description: 'The scopes that the roles include: what they may do beyond the pages for staff.',
      resolve: ({ scopes }) => scopes && scopes.filter(isScope),
    }),
    isClerk: t.boolean({ nullable: true, description: 'Whether `clerk` is among their roles.', resolve: is('clerk') }),
    isSupervisor: t.boolean({
      nullable: true,
      description: 'Whether `supervisor` is among their roles.',
      resolve: is('supervisor'),
    }),
    isAdmin: t.boolean({ nullable: true, description: 'Whether `admin` is among their roles.', resolve: is('admin') }),
    isSystemManager: t.boolean({
      nullable: true,
      description: 'Whether `system_manager` is among their roles.',
      resolve: is('system_manager'),
    }),
    isOversight: t.boolean({
      nullable: true,
      description: 'Whether `oversight` is among their roles.',
      resolve: is('oversight'),
    }),
    isFinanceOfficer: t.boolean({
      nullable: true,
      description: 'Whether `finance_officer` is among their roles.',
      resolve: is('finance_officer'),
    }),
    isAuditor: t.boolean({
      nullable: true,
      description: 'Whether `auditor` is among their roles.',
      resolve: is('auditor'),
    }),
    secondFactorRequired: t.exposeBoolean('secondFactorRequired', {
      nullable: true,
      description:
        'True if their roles require a second factor that this session was not opened with: until they enrol one, it may do nothing else. Null otherwise.',
    }),
  }),
});

defineNode({
  typename: 'Staff',
  needs: ['staff'],
  matches: (id) => id.includes('@'),
  loader: staffLoader,
});

const LogInStepType = builder.objectRef<LogInStep>('StaffLogInStep').implement({
  description: 'A step of a login by password in a browser.',
  fields: (t) => ({
    location: t.exposeString('location', {
      description: 'The path of this host that the browser goes to next: where it was going, or the page for the code.',
    }),
    codeRequired: t.exposeBoolean('codeRequired', {
      description: 'Whether the login waits for a code of the second factor.',
    }),
  }),
});

const StaffConnection = defineConnection('Staff', StaffType, 'members of staff');

builder.queryFields((t) => ({
  whoami: t.field({
    type: WhoamiType,
    description: 'Returns which member of staff is logged in. No authentication required.',
    ...welcome('staff'),
    resolve: (_root, _args, call) => identifyCaller(call),
  }),
  staff: t.field({
    description: 'Staff, newest first. For admins, system managers and the oversight role.',
    ...needs('operations.read'),
    ...connection(StaffConnection, {
      most: 500,
      args: {
        q: t.arg.string({
          description: 'Search by part of the name or e-mail address; not case-sensitive.',
          ...freeText(LONGEST_NAME),
        }),
        role: t.arg({ type: RoleEnum, description: 'Only staff with this role.' }),
        agency: t.arg.string({ description: 'Only staff who are bound to this agency, by its code.', ...agencyCode }),
        status: t.arg({ type: StaffStatusEnum, description: 'Only staff in this status. Default: in any.' }),
      },
    }),
    resolve: (_root, args, call) => listStaff(call, args, args),
  }),
  staffMember: t.field({
    type: StaffType,
    description: 'Returns a member of staff. For admins, system managers and the oversight role.',
    ...needs('operations.read'),
    args: { id: t.arg.id({ required: true, description: 'The e-mail address that they log in by.', ...email }) },
    resolve: (_root, { id }, call) => getStaff(call, id),
  }),
}));

builder.mutationFields((t) => ({
  staffLogIn: t.field({
    type: WhoamiType,
    description:
      'Logs a member of staff in, for at most 12 hours or until 30 minutes without a request. No authentication required. `invalid_credentials` if the credentials are wrong or the login is locked: for 15 minutes after 5 failed attempts, wrong codes among them; where staff sign in at an identity provider, also for everybody but accounts kept for emergencies (`breakGlass`); its `details[0].code` is `second_factor_code_required` where a code is required too. While it is locked, the header `Retry-After` says when to try again.',
    ...limitByAddress(),
    args: {
      email: t.arg.string({ required: true, description: 'The e-mail address of the member of staff.', ...email }),
      password: t.arg.string({
        required: true,
        description: 'The password; only a hash of it is stored.',
        ...freeText(10_000),
      }),
      code: t.arg.string({
        description: 'A code of the second factor, if they have one, or a recovery code. Each counts once.',
        ...freeText(LONGEST_LABEL),
      }),
    },
    resolve: (_root, args, call) => logIn(call, args),
  }),
  beginStaffLogIn: t.field({
    type: LogInStepType,
    description:
      'Begins to log a member of staff in, in a browser: as `staffLogIn` where no code is required; otherwise sets the cookie `log_in`, for which `completeStaffLogIn` takes the code within 5 minutes. No authentication required. `invalid_credentials` if the credentials are wrong or the login is locked.',
    ...limitByAddress(),
    args: {
      email: t.arg.string({ required: true, description: 'The e-mail address of the member of staff.', ...email }),
      password: t.arg.string({
        required: true,
        description: 'The password; only a hash of it is stored.',
        ...freeText(10_000),
      }),
      returnTo: t.arg.string({
        description: 'Where to go once logged in: a path of this host. Default, and instead of any other: `/work`.',
        ...freeText(LONGEST_TO),
      }),
    },
    resolve: (_root, args, call) => beginLogIn(call, args),
  }),
  completeStaffLogIn: t.field({
    type: WhoamiType,
    description:
      'Ends it: opens the session of a login that waits for a code in this browser. No authentication required. `invalid_credentials` if the code is wrong, which leaves it waiting and counts towards the lock, or while the login is locked.' +
      listReasons('log_in_lapsed'),
    ...limitByAddress(),
    args: {
      attempt: t.arg.string({
        required: true,
        description: 'The value of the cookie `log_in`.',
        ...freeText(LONGEST_TO),
      }),
      code: t.arg.string({
        required: true,
        description: 'A code of the second factor, or a recovery code. Each counts once.',
        ...requiredText(LONGEST_LABEL),
      }),
    },
    resolve: (_root, args, call) => completeLogIn(call, args),
  }),
  staffLogOut: t.field({
    type: LogOutType,
    description: 'Ends the staff session. No authentication required: without a session nothing happens.',
    ...welcome('staff'),
    resolve: (_root, _args, call) => logOutStaff(call),
  }),
}));
