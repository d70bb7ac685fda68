import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import PrismaPlugin from '@pothos/plugin-prisma';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import type { Need } from '../platform/access/needs.ts';
import { findRefusal, refuseAllButStaff, showsBearer } from '../platform/access/viewer.ts';
import type { Call } from '../platform/call/call.ts';
import type PrismaTypes from '../generated/pothos.ts';
import { getDatamodel } from '../generated/pothos.ts';
import type { Decimal } from '../kernel/money.ts';
import { Refusal } from '../kernel/refusal.ts';
import { shapes } from './input/shapes.ts';
import { partial } from './plugins/partial.ts';
import { repetitions } from './plugins/repetitions.ts';
import { ByteScalar, DateScalar, DateTimeScalar, DecimalScalar, JsonScalar } from './scalars.ts';

/** Bounds of one GraphQL operation. */
export const OPERATION_LIMITS = {
  definitions: 50,
  nesting: 64,
  depth: 24,
  breadth: 400,
  complexity: 20_000,
  aliases: 30,
  tokens: 4_000,
} as const;

export interface SchemaTypes {
  Context: Call;
  PrismaTypes: PrismaTypes;
  Objects: { [Model in keyof PrismaTypes]: PrismaTypes[Model]['Shape'] };
  DefaultFieldNullability: false;
  AuthScopes: { need: Need };
  Scalars: {
    Decimal: { Input: Decimal; Output: Decimal };
    DateTime: { Input: Date; Output: Date };
    Date: { Input: Date; Output: Date };
    JSON: { Input: unknown; Output: unknown };
    Byte: { Input: Buffer; Output: Buffer };
  };
}

/** Calls whose operation is known to be within the bounds: its price is not worked out again. */
export const priced = new WeakSet<object>();

export const builder = new SchemaBuilder<SchemaTypes>({
  plugins: [ScopeAuthPlugin, ComplexityPlugin, PrismaPlugin, partial, shapes, repetitions],
  defaultFieldNullability: false,
  prisma: { client: (call) => call.prisma, dmmf: getDatamodel(), exposeDescriptions: false },
  scopeAuth: {
    authorizeOnSubscribe: true,
    authScopes: (call) => ({ need: (need) => findRefusal(call.viewer, need) === null }),
    unauthorizedError: (_parent, call, info) => refuseAccess(call, info.parentType.getFields()[info.fieldName]),
  },
  complexity: {
    defaultComplexity: 1,
    defaultListMultiplier: 10,
    limit: (call) => (priced.has(call) ? {} : OPERATION_LIMITS),
  },
});

builder.addScalarType('Decimal', DecimalScalar);
builder.addScalarType('DateTime', DateTimeScalar);
builder.addScalarType('Date', DateScalar);
builder.addScalarType('JSON', JsonScalar);
builder.addScalarType('Byte', ByteScalar);

/**
 * What a field declares of its access: for the GraphQL resolvers, and, in the schema's extensions, for the REST layer
 * and its description.
 */
export interface Access {
  readonly need?: Need;
  /** Open to everyone, but counted by the address that asks. */
  readonly addressLimit?: boolean;
  /** The argument that names the address or account whose request it is, where no credential does. */
  readonly namedBy?: string;
  /** Open to everyone whose request proves by itself who sent it; those that do not are counted by its verb. */
  readonly provenByItself?: boolean;
  /** Open to everyone, and answered for whoever of these shows a credential. */
  readonly welcomes?: 'integrators' | 'staff';
  /** Asks a system outside the rail, which may fail or be too slow. */
  readonly outside?: boolean;
  /** Looks for something that its input names, and may not find it. */
  readonly missing?: boolean;
  /** Asks for more than the record that it is a field of: whoever may not see it sees the rest. */
  readonly alone?: boolean;
  /** Open to everyone, who all get the same of it while this answers the same. */
  readonly readVersion?: (call: Call) => Promise<string>;
}

/** What a field of the schema declares of its access. */
export function accessOf(field: { readonly extensions?: Readonly<Record<string, unknown>> } | undefined): Access {
  return field?.extensions?.['access'] ?? {};
}

/** Declares what a field needs. It is refused before its input is looked at. */
export function needs<const N extends Need>(need: N, more: Pick<Access, 'outside' | 'missing' | 'alone'> = {}) {
  return { authScopes: { need }, extensions: { access: { need, ...more } satisfies Access } };
}

/**
 * Declares that a field is open to everyone, so many times a minute an address; each naming of it in an operation
 * counts. Where an argument names whose request it is, that request can be repeated safely.
 */
export function limitByAddress(named: Pick<Access, 'namedBy'> = {}) {
  const authScopes = async (_parent: unknown, _args: unknown, call: Call): Promise<boolean> => {
    if (!call.admitted) await call.limits.countAddress(call.source.address);
    return true;
  };
  return { authScopes, extensions: { access: { addressLimit: true, ...named } satisfies Access } };
}

/**
 * Declares that a field is open to everyone whose request proves by itself who sent it. Its verb counts those that do
 * not, by their address.
 */
export function trustProof() {
  return { extensions: { access: { provenByItself: true } satisfies Access } };
}

/** Declares that a field is open to everyone, who all get the same of it while its version stays what it is. */
export function versionedBy(readVersion: (call: Call) => Promise<string>) {
  return { extensions: { access: { readVersion } satisfies Access } };
}

/** Declares that a field is open to everyone, and answered for whoever of these shows a credential. */
export function welcome(whom: 'integrators' | 'staff') {
  // A bearer key or token is no session of staff, and is told so rather than taken for nobody.
  const authScopes = (_parent: unknown, _args: unknown, { viewer }: Call): boolean =>
    whom !== 'staff' || !showsBearer(viewer);
  return { authScopes, extensions: { access: { welcomes: whom } satisfies Access } };
}

/** What to tell a viewer who may not use a field that declares its need. */
function refuseAccess(call: Call, field: Parameters<typeof accessOf>[0]): Refusal {
  const { need, welcomes: whom } = accessOf(field);
  if (whom === 'staff') return refuseAllButStaff();
  return (need && findRefusal(call.viewer, need)) ?? new Refusal('forbidden', 'Not allowed');
}

builder.queryType({
  description:
    'All queries. An error has its code in `extensions.code`: one of `ErrorCode`, which `errorCodes` explains.',
});
builder.mutationType({
  description:
    'All changes. With an `Idempotency-Key` header, a mutation runs once: the same request sent again within 24 hours returns the same response.',
});
