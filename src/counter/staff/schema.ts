import type { Role } from '../../platform/access/viewer.ts';
import { builder, limitedByAddress, needs, welcomes } from '../../graphql/builder.ts';
import { email, freeText, someText } from '../../graphql/input/forms.ts';
import { pageArgs } from '../../graphql/paging.ts';
import { type StaffUser, listStaff } from './find.ts';
import { logIn, logOutStaff } from './login.ts';
import { type OpenSession, endSession, getSession, listSessions } from './sessions.ts';
import { type Whoami, whoami } from './whoami.ts';
import { LONGEST_ADDRESS, LONGEST_REASON } from '../../kernel/text.ts';

const is = (role: Role) => (who: Whoami) => who.roles?.includes(role) ?? null;

const WhoamiType = builder.objectRef<Whoami>('Whoami').implement({
  description: 'Who is logged in at a counter or console; all but the first is null for nobody.',
  fields: (t) => ({
    authenticated: t.exposeBoolean('authenticated', { description: 'Whether somebody is.' }),
    email: t.exposeString('email', { nullable: true, description: 'Their address.' }),
    fullName: t.exposeString('fullName', { nullable: true, description: 'Their name.' }),
    roles: t.field({ type: ['String'], nullable: true, description: 'What they are.', resolve: ({ roles }) => roles && [...roles] }),
    scopes: t.field({
      type: ['String'],
      nullable: true,
      description: 'What they may do with the API.',
      resolve: ({ scopes }) => scopes && [...scopes],
    }),
    isClerk: t.boolean({ nullable: true, description: 'Whether they are a clerk.', resolve: is('clerk') }),
    isSupervisor: t.boolean({ nullable: true, description: 'Whether they are a supervisor.', resolve: is('supervisor') }),
    isAdmin: t.boolean({ nullable: true, description: 'Whether they are an admin.', resolve: is('admin') }),
    isSystemManager: t.boolean({ nullable: true, description: 'Whether they are a system manager.', resolve: is('system_manager') }),
    isOversight: t.boolean({ nullable: true, description: 'Whether they have the oversight role.', resolve: is('oversight') }),
  }),
});

const StaffType = builder.objectRef<StaffUser>('Staff').implement({
  description: 'A member of staff.',
  fields: (t) => ({
    name: t.exposeID('name', { description: 'Their address, by which lists go on.' }),
    email: t.exposeString('email', { description: 'Their address.' }),
    fullName: t.exposeString('fullName', { description: 'Their name.' }),
    roles: t.field({ type: ['String'], description: 'What they are.', resolve: ({ roles }) => [...roles] }),
    active: t.exposeBoolean('active', { description: 'Whether they can log in.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When they were entered.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When they were last changed.' }),
  }),
});

const SessionKind = builder.enumType('OpenSessionKind', {
  description: 'Whose a session is.',
  values: { staff: { description: "A member of staff's." }, integrator: { description: "An integrator's." } } as const,
});

const OpenSessionType = builder.objectRef<OpenSession>('OpenSession').implement({
  description: 'A session, as operators see it.',
  fields: (t) => ({
    name: t.exposeID('name', { description: 'Its docname, `SESSION-<uuid>`.' }),
    kind: t.expose('kind', { type: SessionKind, description: 'Whose it is.' }),
    owner: t.exposeString('owner', { description: 'The address of the member of staff, or the code of the integrator.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it began.' }),
    lastSeenAt: t.expose('lastSeenAt', { type: 'DateTime', nullable: true, description: 'When staff last used it, to half a minute.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When it ends at the latest.' }),
    endedAt: t.expose('endedAt', { type: 'DateTime', nullable: true, description: 'When it was ended.' }),
  }),
});

const LoggedOutType = builder.objectRef<{ message: string }>('StaffLogOut').implement({
  description: 'That a session of staff has ended.',
  fields: (t) => ({ message: t.exposeString('message', { description: 'For people.' }) }),
});

builder.queryFields((t) => ({
  whoami: t.field({
    type: WhoamiType,
    description: 'Who is logged in. Open to everyone.',
    ...welcomes('staff'),
    resolve: (_root, _args, call) => whoami(call),
  }),
  staff: t.field({
    type: [StaffType],
    description: 'Staff, newest first. For admins, system managers and the oversight role.',
    ...needs('operations.read'),
    args: pageArgs(100, 500),
    complexity: (args) => ({ field: 1, multiplier: args.limit }),
    resolve: (_root, args, call) => listStaff(call, args),
  }),
  openSessions: t.field({
    type: [OpenSessionType],
    description: 'Sessions, newest first. For admins, system managers and the oversight role.',
    ...needs('operations.read'),
    args: {
      owner: t.arg.string({ description: 'Only those of this member of staff or integrator.', ...freeText(LONGEST_ADDRESS) }),
      ended: t.arg.boolean({ required: true, defaultValue: false, description: 'Whether to show those that are over too.' }),
      ...pageArgs(50, 200),
    },
    complexity: (args) => ({ field: 1, multiplier: args.limit }),
    resolve: (_root, args, call) => listSessions(call, args, args),
  }),
}));

builder.mutationFields((t) => ({
  staffLogIn: t.field({
    type: WhoamiType,
    description:
      'Opens a session of staff: 12 hours at most, 30 minutes without a request. Open to everyone. `invalid_credentials`: wrong, or locked for 15 minutes after 5 wrong ones.',
    ...limitedByAddress(),
    args: {
      email: t.arg.string({ required: true, description: 'The address.', ...email }),
      password: t.arg.string({ required: true, description: 'The password.', ...freeText(10_000) }),
    },
    resolve: (_root, args, call) => logIn(call, args),
  }),
  staffLogOut: t.field({
    type: LoggedOutType,
    description: 'Ends the session of staff. Open to everyone: without one there is nothing to end.',
    ...welcomes('staff'),
    resolve: (_root, _args, call) => logOutStaff(call),
  }),
  endSession: t.field({
    type: OpenSessionType,
    description: "Ends somebody's session at once. For admins and system managers.",
    ...needs('operations.write'),
    args: {
      name: t.arg.id({ required: true, description: 'Its docname, `SESSION-<uuid>`.' }),
      reason: t.arg.string({ required: true, description: 'Why, at most 280 characters.', ...someText(LONGEST_REASON) }),
    },
    resolve: (_root, args, call) => endSession(call, args),
    answerAgain: getSession,
  }),
}));
