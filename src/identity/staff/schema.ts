import { type Role, isRole } from '../../platform/access/needs.ts';
import { builder, needs } from '../../graphql/builder.ts';
import { defineEnum } from '../../graphql/enums.ts';
import { connection, defineConnection } from '../../graphql/graph/connection.ts';
import { follow } from '../../graphql/graph/edge.ts';
import { NodeType, defineNode } from '../../graphql/graph/node.ts';
import { agencyLoader } from '../../collection/catalogue/find.ts';
import { agencyCode, email, freeText } from '../../graphql/input/forms.ts';
import { LONGEST_NAME } from '../../kernel/text/free-text.ts';
import { type StaffStatus, type StaffUser, getStaff, listStaff, staffLoader } from './find.ts';

export const RoleEnum = defineEnum<Role>('Role', 'A role of staff.', {
  clerk: 'Serves at a counter: registers, assesses and collects.',
  supervisor: 'Supervises counters: decides on variances and cancels.',
  admin: 'Operates the rail, and may do all that supervisors may.',
  system_manager: 'Operates the rail: accounts, keys, connections and settings.',
  oversight: 'Reads revenue, figures and anomalies, without personal data, and what operators see.',
  finance_officer: 'Reads payments, shifts and notices of payments to agencies.',
  auditor: 'Reads who looked at which citizen, and what operators did.',
});

/** Answer that only confirms that something was done. */
export const MessageType = builder
  .objectRef<{ readonly message: string; readonly returnTo?: string | null }>('StaffMessage')
  .implement({
    description: 'The result of a change to a login of staff.',
    fields: (t) => ({
      message: t.exposeString('message', { description: 'A message for the user.' }),
      returnTo: t.string({
        nullable: true,
        description:
          'Path on this host that the holder of a mailed link asked for; null if they gave none, and for everything else.',
        resolve: ({ returnTo }) => returnTo ?? null,
      }),
    }),
  });

const StaffStatusEnum = defineEnum<StaffStatus>('StaffStatus', 'The status of a member of staff.', {
  Invited: 'Invited, and yet to choose a password.',
  Active: 'They can log in.',
  Deactivated: 'Cannot log in, until an operator takes that back.',
});

/** Viewers of the record of a member of staff that others refer to. */
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
      type: ['Agency'],
      description: 'The agencies that they are bound to, in alphabetical order of their codes. Empty: all agencies.',
      resolve: ({ agencies }, _args, call, info) =>
        Promise.all(agencies.toSorted().map((mda) => follow(call, info, agencyLoader, mda))),
    }),
    active: t.exposeBoolean('active', { description: 'True if they can log in, and sessions of theirs hold.' }),
    status: t.expose('status', { type: StaffStatusEnum, description: 'The status: whether they can log in.' }),
    hasSecondFactor: t.exposeBoolean('hasSecondFactor', {
      description: 'True if they have a second factor, an authenticator app or a passkey, which each login asks for.',
    }),
    hasAuthenticatorApp: t.exposeBoolean('hasAuthenticatorApp', {
      description: 'True if one of their second factors is an authenticator app.',
    }),
    breakGlass: t.exposeBoolean('breakGlass', {
      description:
        'True if they may log in by password although staff sign in at an identity provider: for emergencies. Each such login raises the anomaly `break_glass_login`.',
    }),
    adminPending: t.exposeBoolean('adminPending', {
      description: 'True if somebody has asked that they be made an admin, which nobody has decided yet.',
    }),
    invitedAt: t.expose('invitedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which they were last invited; null if they never were.',
    }),
    deactivatedAt: t.expose('deactivatedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which they were deactivated; null if they are not.',
    }),
    deactivatedReason: t.exposeString('deactivatedReason', {
      nullable: true,
      description: 'Reason why they were deactivated; null if they are not.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time at which the record was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time at which the record last changed.' }),
  }),
});

defineNode({
  typename: 'Staff',
  needs: ['staff'],
  matches: (id) => id.includes('@'),
  loader: staffLoader,
});

const StaffConnection = defineConnection('Staff', StaffType, 'members of staff');

builder.queryFields((t) => ({
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
