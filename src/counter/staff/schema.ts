import { type Role, isRole, isScope } from '../../platform/access/needs.ts';
import { builder, limitByAddress, needs, welcome } from '../../graphql/builder.ts';
import { defineEnum } from '../../graphql/enums.ts';
import { connection, defineConnection } from '../../graphql/graph/connection.ts';
import { followIfAny } from '../../graphql/graph/edge.ts';
import { NodeType, defineNode } from '../../graphql/graph/node.ts';
import { LogOutType } from '../../accounts/sessions/schema.ts';
import { ScopeEnum } from '../../accounts/keys/scopes-schema.ts';
import { email, freeText, requiredText } from '../../graphql/input/forms.ts';
import { type StaffUser, listStaff, staffLoader } from './find.ts';
import { logIn, logOutStaff } from './login.ts';
import { type OpenSession, endSession, getSession, listSessions, sessionLoader } from './sessions.ts';
import { type Whoami, identifyCaller } from './whoami.ts';
import { LONGEST_ADDRESS } from '../../kernel/text/contact.ts';
import { LONGEST_REASON } from '../../kernel/text/free-text.ts';

const RoleEnum = defineEnum<Role>('Role', 'A role of staff.', {
  clerk: 'Serves at a counter: registers, assesses and collects.',
  supervisor: 'Supervises counters: decides on variances and cancels.',
  admin: 'Operates the rail, and may do all that supervisors may.',
  system_manager: 'Operates the rail: accounts, keys, connections and settings.',
  oversight: 'Reads revenue, figures and anomalies, without personal data, and what operators see.',
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
    active: t.exposeBoolean('active', { description: 'Whether they can log in, and sessions of theirs hold.' }),
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
  }),
});

defineNode({
  typename: 'Staff',
  needs: ['staff'],
  matches: (id) => id.includes('@'),
  loader: staffLoader,
});

const StaffConnection = defineConnection('Staff', StaffType, 'members of staff');

const SessionKind = builder.enumType('OpenSessionKind', {
  description: 'The kind of session.',
  values: {
    staff: { description: 'A session of a member of staff.' },
    integrator: { description: 'A session of an integrator.' },
  } as const,
});

/** What a session is called. */
const SESSION_NAME = /^SESSION-[0-9a-f-]{36}$/;

const OpenSessionType = builder.objectRef<OpenSession>('OpenSession').implement({
  description: 'A session, as shown to operators.',
  interfaces: [NodeType],
  fields: (t) => ({
    id: t.exposeID('name', { description: 'The unique identifier (docname), `SESSION-<uuid>`.' }),
    kind: t.expose('kind', {
      type: SessionKind,
      description: 'Whether a member of staff or an integrator is signed in.',
    }),
    owner: t.exposeString('owner', {
      description: 'The e-mail address of the member of staff, or the code of the integrator.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the session began.' }),
    lastSeenAt: t.expose('lastSeenAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When a member of staff last used the session, accurate to half a minute.',
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When the session expires.' }),
    endedAt: t.expose('endedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the session was ended; null if it was not.',
    }),
  }),
});

defineNode({
  typename: 'OpenSession',
  needs: ['operations.read'],
  matches: (id) => SESSION_NAME.test(id),
  loader: sessionLoader,
});

const SessionConnection = defineConnection('OpenSession', OpenSessionType, 'sessions');

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
    ...connection(StaffConnection, { most: 500, args: {} }),
    resolve: (_root, args, call) => listStaff(call, args),
  }),
  openSessions: t.field({
    description: 'Sessions, newest first. For admins, system managers and the oversight role.',
    ...needs('operations.read'),
    ...connection(SessionConnection, {
      most: 200,
      args: {
        owner: t.arg.string({
          description: 'Filter by owner: a staff e-mail address or an integrator code.',
          ...freeText(LONGEST_ADDRESS),
        }),
        ended: t.arg.boolean({
          required: true,
          defaultValue: false,
          description: 'Whether to include sessions that have ended.',
        }),
      },
    }),
    resolve: (_root, args, call) => listSessions(call, args, args),
  }),
}));

builder.mutationFields((t) => ({
  staffLogIn: t.field({
    type: WhoamiType,
    description:
      'Logs a member of staff in, for at most 12 hours or until 30 minutes without a request. No authentication required. `invalid_credentials` if the credentials are wrong or the login is locked: for 15 minutes after 5 failed attempts.',
    ...limitByAddress(),
    args: {
      email: t.arg.string({ required: true, description: 'The e-mail address of the member of staff.', ...email }),
      password: t.arg.string({
        required: true,
        description: 'The password; only a hash of it is stored.',
        ...freeText(10_000),
      }),
    },
    resolve: (_root, args, call) => logIn(call, args),
  }),
  staffLogOut: t.field({
    type: LogOutType,
    description: 'Ends the staff session. No authentication required: without a session nothing happens.',
    ...welcome('staff'),
    resolve: (_root, _args, call) => logOutStaff(call),
  }),
  endSession: t.field({
    type: OpenSessionType,
    description: 'Ends a session immediately. For admins and system managers.',
    ...needs('operations.write'),
    args: {
      id: t.arg.id({ required: true, description: 'The unique identifier (docname), `SESSION-<uuid>`.' }),
      reason: t.arg.string({
        required: true,
        description: 'The reason, at most 280 characters.',
        ...requiredText(LONGEST_REASON),
      }),
    },
    resolve: (_root, args, call) => endSession(call, args),
    answerAgain: getSession,
  }),
}));
