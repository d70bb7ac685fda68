import { type Role, isScope } from '../../platform/access/needs.ts';
import { ScopeEnum } from '../../accounts/keys/scopes-schema.ts';
import { LogOutType } from '../../accounts/sessions/schema.ts';
import { agencyLoader } from '../../collection/catalogue/find.ts';
import { builder, limitByAddress, welcome } from '../../graphql/builder.ts';
import { follow, followIfAny } from '../../graphql/graph/edge.ts';
import { email, freeText } from '../../graphql/input/forms.ts';
import { listReasons } from '../../kernel/reasons.ts';
import { LONGEST_LABEL } from '../../kernel/text/free-text.ts';
import { staffLoader } from '../staff/find.ts';
import { RoleEnum, StaffType } from '../staff/schema.ts';
import { type Whoami, identifyCaller } from './whoami.ts';
import { PASSKEY } from '../second-factor/schema.ts';
import { logIn } from './log-in.ts';
import { logOutStaff } from './log-out.ts';
import { type LogInStep, beginLogIn, completeLogIn, requestPasskey } from './two-steps.ts';

/** The longest password that is compared. */
const LONGEST_PASSWORD = 10_000;

/** The longest path that a browser may be on its way to. */
const LONGEST_PATH = 8_000;

/** The longest value of a cookie that is read. */
const LONGEST_COOKIE = 8_000;

const is = (role: Role) => (who: Whoami) => who.roles?.includes(role) ?? null;

const WhoamiType = builder.objectRef<Whoami>('Whoami').implement({
  description: 'The member of staff who is logged in. All fields but the first are null if nobody is.',
  fields: (t) => ({
    authenticated: t.exposeBoolean('authenticated', {
      description: 'True if the request came with a valid session of staff.',
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
      type: ['Agency'],
      nullable: true,
      description: 'The agencies that they are bound to, in alphabetical order of their codes. Empty: all agencies.',
      resolve: ({ agencies }, _args, call, info) =>
        agencies && Promise.all(agencies.toSorted().map((mda) => follow(call, info, agencyLoader, mda))),
    }),
    scopes: t.field({
      type: [ScopeEnum],
      nullable: true,
      description: 'The scopes that the roles include: what they may do beyond the pages for staff.',
      resolve: ({ scopes }) => scopes && scopes.filter(isScope),
    }),
    isClerk: t.boolean({ nullable: true, description: 'True if `clerk` is among their roles.', resolve: is('clerk') }),
    isSupervisor: t.boolean({
      nullable: true,
      description: 'True if `supervisor` is among their roles.',
      resolve: is('supervisor'),
    }),
    isAdmin: t.boolean({ nullable: true, description: 'True if `admin` is among their roles.', resolve: is('admin') }),
    isSystemManager: t.boolean({
      nullable: true,
      description: 'True if `system_manager` is among their roles.',
      resolve: is('system_manager'),
    }),
    isOversight: t.boolean({
      nullable: true,
      description: 'True if `oversight` is among their roles.',
      resolve: is('oversight'),
    }),
    isFinanceOfficer: t.boolean({
      nullable: true,
      description: 'True if `finance_officer` is among their roles.',
      resolve: is('finance_officer'),
    }),
    isAuditor: t.boolean({
      nullable: true,
      description: 'True if `auditor` is among their roles.',
      resolve: is('auditor'),
    }),
    secondFactorRequired: t.exposeBoolean('secondFactorRequired', {
      nullable: true,
      description:
        'True if their roles require a second factor that this session was not opened with: until they enrol one, it may do nothing else. Null otherwise.',
    }),
  }),
});

const LogInStepType = builder.objectRef<LogInStep>('StaffLogInStep').implement({
  description: 'A step of a login by password in a browser.',
  fields: (t) => ({
    location: t.exposeString('location', {
      description: 'The path of this host that the browser goes to next: where it was going, or the page for the code.',
    }),
    codeRequired: t.exposeBoolean('codeRequired', {
      description: 'True if the login waits for a code of the second factor, or a passkey.',
    }),
    attempt: t.exposeString('attempt', {
      nullable: true,
      description:
        'The value of the cookie `log_in` (`__Host-log_in` over HTTPS), for `completeStaffLogIn` within 5 minutes. Null if the login waits for nothing.',
    }),
    passkeyRequest: t.expose('passkeyRequest', {
      type: 'JSON',
      nullable: true,
      description:
        'Options with which a browser asks for a passkey: for `PublicKeyCredential.parseRequestOptionsFromJSON`. Valid for 5 minutes; its challenge can be answered once. Null if the member of staff has no passkey.',
    }),
  }),
});

const credentialArgs = builder.args((t) => ({
  email: t.string({ required: true, description: 'The e-mail address of the member of staff.', ...email }),
  password: t.string({
    required: true,
    description: 'The password; only a hash of it is stored.',
    ...freeText(LONGEST_PASSWORD),
  }),
}));

builder.queryFields((t) => ({
  whoami: t.field({
    type: WhoamiType,
    description: 'Returns which member of staff is logged in. No authentication required.',
    ...welcome('staff'),
    resolve: (_root, _args, call) => identifyCaller(call),
  }),
  passkeyRequest: t.field({
    type: 'JSON',
    nullable: true,
    description:
      'Returns what a browser asks for a passkey with, `PublicKeyCredentialRequestOptionsJSON`: of the waiting login, or of the member of staff who is logged in. Valid for 5 minutes; its challenge can be answered once. Null if there is no passkey to ask for. No authentication required.',
    ...welcome('staff'),
    args: {
      attempt: t.arg.string({
        description: 'The value of the cookie `log_in`, of a login that waits.',
        ...freeText(LONGEST_COOKIE),
      }),
    },
    resolve: (_root, args, call) => requestPasskey(call, args),
  }),
}));

builder.mutationFields((t) => ({
  staffLogIn: t.field({
    type: WhoamiType,
    description:
      'Logs a member of staff in, for at most 12 hours or until 30 minutes without a request. No authentication required. `invalid_credentials` if the credentials are wrong or the login is locked. 5 failed attempts or wrong codes lock it for 15 minutes. With an identity provider, only accounts kept for emergencies (`breakGlass`) can log in. Its `details[0].code` is `second_factor_code_required` if a code is required too. It is `second_factor_locked` after 50 wrong codes without a right one, until the password is reset by a mailed link. While it is locked, the header `Retry-After` says when to try again.',
    ...limitByAddress(),
    args: {
      ...credentialArgs,
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
      'Begins to log a member of staff in, in a browser. If no code is required, it works like `staffLogIn`. Otherwise it sets the cookie `log_in`, and `completeStaffLogIn` takes the code or passkey within 5 minutes. No authentication required. `invalid_credentials` if the credentials are wrong or the login is locked.',
    ...limitByAddress(),
    args: {
      ...credentialArgs,
      returnTo: t.arg.string({
        description: 'Path on this host to go to once logged in. Default, and instead of any other: `/work`.',
        ...freeText(LONGEST_PATH),
      }),
    },
    resolve: (_root, args, call) => beginLogIn(call, args),
  }),
  completeStaffLogIn: t.field({
    type: WhoamiType,
    description:
      'Ends it: opens the session of a login that waits for a code or a passkey in this browser. No authentication required. `invalid_credentials` if what is shown is wrong, which leaves it waiting and counts towards the lock. Also while the login is locked, or the second factor (`details[0].code` is `second_factor_locked`).' +
      listReasons('log_in_lapsed'),
    ...limitByAddress(),
    args: {
      attempt: t.arg.string({
        required: true,
        description: 'The value of the cookie `log_in`.',
        ...freeText(LONGEST_COOKIE),
      }),
      code: t.arg.string({
        description: 'A code of the second factor, or a recovery code. Each counts once.',
        ...freeText(LONGEST_LABEL),
      }),
      passkey: t.arg({ type: 'JSON', description: PASSKEY }),
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
