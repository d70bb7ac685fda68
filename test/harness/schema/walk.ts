import { type GraphQLField, type GraphQLNamedType, getNamedType, isObjectType, isUnionType } from 'graphql';
import { schema } from '../../../src/app/schema.ts';
import { accessOf } from '../../../src/graphql/plugins/access.ts';
import { needsOfRecord } from '../../../src/graphql/graph/node.ts';
import { NO_GRANTS } from '../../../src/platform/access/grants.ts';
import { AGENCY_SCOPES, KEY_SCOPES, ROLES, type Scope } from '../../../src/platform/access/needs.ts';
import {
  type Viewer,
  findRefusal,
  viewAgency,
  viewKey,
  viewPayer,
  viewSession,
  viewStaff,
} from '../../../src/platform/access/viewer.ts';

/** A key with some scopes and no grants. */
export function keyWith(...scopes: Scope[]): Viewer {
  return viewKey({ ...NO_GRANTS, name: 'KEY-1', lineage: 'KEY-1', integrator: 'A-1', scopes, issuedBy: null });
}

/** Every kind of caller: a key with each single scope, the token of an agency, that of a payment link, a session of an account, and staff of each role. */
export const CALLERS: readonly (readonly [string, Viewer])[] = [
  ...KEY_SCOPES.map((scope) => [`a key with ${scope}`, keyWith(scope)] as const),
  ['a key without scopes', keyWith()],
  ['an agency', viewAgency({ mda: 'URA', key: 'AGENCY-KEY-1', scopes: [...AGENCY_SCOPES] })],
  ['a payer', viewPayer({ link: 'LINK-1', token: 'pay_' })],
  ['an account', viewSession({ id: 'S-1', integrator: 'A-1' })],
  ...ROLES.map(
    (role) =>
      [
        `staff: ${role}`,
        viewStaff({ id: 'S-1', email: 'someone@example.go.ug', roles: [role], agencies: [] }),
      ] as const,
  ),
];

/** True if a viewer may read a field, according to its declaration. */
export function isOpenTo(viewer: Viewer, field: GraphQLField<unknown, unknown>): boolean {
  const { need, welcomes } = accessOf(field);
  if (welcomes) return welcomes === 'staff' ? viewer.kind === 'staff' : viewer.integrator !== null;
  return need === undefined || findRefusal(viewer, need) === null;
}

/** True if a viewer may look up records of a type by their IDs; also for types that are no records. */
export function mayLookUp(viewer: Viewer, typename: string): boolean {
  const needs = needsOfRecord(typename) ?? [];
  return needs.length === 0 || needs.some((need) => findRefusal(viewer, need) === null);
}

/** A way through the schema: fields from a root on, by their coordinates. */
export type Way = readonly string[];

/** All types that a viewer reaches from some, each with a shortest way to it, and the ways that end at a refusal. */
export function walkFrom(viewer: Viewer, starts: readonly GraphQLNamedType[]) {
  const reached = new Map<GraphQLNamedType, Way>();
  const refused: { readonly way: Way; readonly type: GraphQLNamedType }[] = [];
  const queue = starts.map((type): readonly [GraphQLNamedType, Way] => [type, []]);
  for (let next = queue.shift(); next; next = queue.shift()) {
    const [type, way] = next;
    if (reached.has(type)) continue;
    reached.set(type, way);
    // Members of a union are found as `node` finds them, with the needs of their type.
    if (isUnionType(type))
      for (const one of type.getTypes())
        if (mayLookUp(viewer, one.name)) queue.push([one, [...way, `... on ${one.name}`]]);
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const further = [...way, `${type.name}.${field.name}`];
      const leadsTo = getNamedType(field.type);
      if (isOpenTo(viewer, field)) queue.push([leadsTo, further]);
      else refused.push({ way: further, type: leadsTo });
    }
  }
  return { reached, refused };
}

/** The type that a root field answers. */
export function typeOfRoot(kind: 'query' | 'subscription', field: string): GraphQLNamedType {
  const root = kind === 'query' ? schema.getQueryType()! : schema.getSubscriptionType()!;
  return getNamedType(root.getFields()[field]!.type);
}
