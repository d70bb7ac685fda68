import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import PrismaPlugin from '@pothos/plugin-prisma';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import type { Scope } from '../access/viewer.ts';
import { refusalFor } from '../access/viewer.ts';
import type { Call } from '../call.ts';
import type PrismaTypes from '../generated/pothos.ts';
import { getDatamodel } from '../generated/pothos.ts';
import type { Decimal } from '../money.ts';
import { Refusal } from '../refusal.ts';
import { ByteScalar, DateScalar, DateTimeScalar, DecimalScalar, JsonScalar } from './scalars.ts';

/** Bounds of one GraphQL operation. */
export const OPERATION_LIMITS = { depth: 10, breadth: 400, complexity: 20_000, aliases: 30, tokens: 4_000 } as const;

export interface SchemaTypes {
  Context: Call;
  PrismaTypes: PrismaTypes;
  DefaultFieldNullability: false;
  AuthScopes: { scope: Scope };
  Scalars: {
    Decimal: { Input: Decimal; Output: Decimal };
    DateTime: { Input: Date; Output: Date };
    Date: { Input: Date; Output: Date };
    JSON: { Input: unknown; Output: unknown };
    Byte: { Input: Buffer; Output: Buffer };
  };
}

export const builder = new SchemaBuilder<SchemaTypes>({
  plugins: [ScopeAuthPlugin, ComplexityPlugin, PrismaPlugin],
  defaultFieldNullability: false,
  prisma: { client: (call) => call.prisma, dmmf: getDatamodel(), exposeDescriptions: false },
  scopeAuth: {
    authScopes: (call) => ({ scope: (scope) => refusalFor(call.viewer, scope) === null }),
    unauthorizedError: (_parent, call, info) => accessRefusal(call, info.parentType.getFields()[info.fieldName]?.extensions),
  },
  complexity: { defaultComplexity: 1, defaultListMultiplier: 10, limit: OPERATION_LIMITS },
});

builder.addScalarType('Decimal', DecimalScalar);
builder.addScalarType('DateTime', DateTimeScalar);
builder.addScalarType('Date', DateScalar);
builder.addScalarType('JSON', JsonScalar);
builder.addScalarType('Byte', ByteScalar);

/**
 * Declares the scope that a field needs: for the GraphQL resolvers, and, in the schema's extensions, for the REST layer, which
 * refuses before it looks at the input, and for its description.
 */
export function needs<const S extends Scope>(scope: S) {
  return { authScopes: { scope }, extensions: { scope } };
}

/** What to tell a viewer who may not use a field that declares its scope. */
function accessRefusal(call: Call, extensions: { readonly scope?: unknown } | undefined): Refusal {
  const refusal = refusalFor(call.viewer, extensions?.scope as Scope);
  return refusal ?? new Refusal('forbidden', 'Not allowed');
}

builder.queryType({ description: 'What can be read.' });
builder.mutationType({
  description:
    'What can be changed. With an `Idempotency-Key` header a mutation runs once: the same request again within 24 hours gets the same answer.',
});
