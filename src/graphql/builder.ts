import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import PrismaPlugin from '@pothos/plugin-prisma';
import type { Need } from '../platform/access/needs.ts';
import type { Call } from '../platform/call/call.ts';
import type PrismaTypes from '../generated/pothos.ts';
import { getDatamodel } from '../generated/pothos.ts';
import type { Decimal } from '../kernel/money.ts';
import { SideTable } from '../kernel/side-table.ts';
import { Refusal } from '../kernel/refusal.ts';
import { shapes } from './input/shapes.ts';
import { type Access, access } from './plugins/access.ts';
import { refuseBeyond } from './plugins/complexity.ts';
import { known } from './plugins/known.ts';
import { partial } from './plugins/partial.ts';
import { repetitions } from './plugins/repetitions.ts';
import { ByteScalar, DateScalar, DateTimeScalar, DecimalScalar, JsonScalar, MetadataScalar } from './scalars.ts';

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
  Scalars: {
    Decimal: { Input: Decimal; Output: Decimal };
    DateTime: { Input: Date; Output: Date };
    Date: { Input: Date; Output: Date };
    JSON: { Input: unknown; Output: unknown };
    Metadata: { Input: unknown; Output: Readonly<Record<string, string>> };
    Byte: { Input: Buffer; Output: Buffer };
  };
}

/** Points of complexity that an operation has used so far. */
interface Meter {
  asked: number;
}

/** Calls whose operation is known to be within the bounds; null for documents of our own, which have none. */
export const meters = new SideTable<object, Meter | null>();

/**
 * Charges an operation for what a field is about to read, where only the field knows how much that is. Refuses what is
 * beyond the bounds. What asks the schema without a price, as REST does, is not charged.
 */
export function charge(call: object, points: number): void {
  const meter = meters.get(call);
  if (!meter) return;
  meter.asked += Math.ceil(points);
  const [asked, most] = [meter.asked, OPERATION_LIMITS.complexity].map((count) => count.toLocaleString('en'));
  if (meter.asked > OPERATION_LIMITS.complexity)
    throw new Refusal(
      'validation_failed',
      `The operation costs ${asked} points so far, and may cost ${most}: ask for fewer figures at a time, or for a shorter span`,
    );
}

/** Fields resolve by SQL, so that no server loads Prisma's client: decision 3. */
function refuseToRead(): never {
  throw new Error('Fields of the graph read by SQL, not by `prismaField` or `t.relation`');
}

export const builder = new SchemaBuilder<SchemaTypes>({
  plugins: [access, ComplexityPlugin, PrismaPlugin, partial, shapes, known, repetitions],
  defaultFieldNullability: false,
  prisma: { client: refuseToRead, dmmf: getDatamodel(), exposeDescriptions: false },
  complexity: {
    defaultComplexity: 1,
    defaultListMultiplier: 10,
    complexityError: refuseBeyond,
    limit: (call) => (meters.get(call) === undefined ? OPERATION_LIMITS : {}),
  },
});

builder.addScalarType('Decimal', DecimalScalar);
builder.addScalarType('DateTime', DateTimeScalar);
builder.addScalarType('Date', DateScalar);
builder.addScalarType('JSON', JsonScalar);
builder.addScalarType('Metadata', MetadataScalar);
builder.addScalarType('Byte', ByteScalar);

/** Declares what a field needs, and how many people a mutation takes. It is refused before its input is looked at. */
export function needs(need: Need, more: Pick<Access, 'people' | 'outside' | 'missing' | 'alone'> = {}) {
  return { access: { need, ...more } satisfies Access };
}

/**
 * Declares that a field is open to everyone, so many times a minute an address; each naming of it in an operation
 * counts. Where an argument names whose request it is, that request can be repeated safely.
 */
export function limitByAddress(more: Pick<Access, 'namedBy' | 'addressLimit'> = {}) {
  return { access: { addressLimit: 'address', ...more } satisfies Access };
}

/** Declares that a field is open to everyone except some of its input, which names what may be missing. */
export function openInPart() {
  return { access: { openInPart: true, missing: true } satisfies Access };
}

/**
 * Declares that a field is open to everyone whose request itself proves who sent it. Its verb counts those that do
 * not, by their address.
 */
export function trustProof() {
  return { access: { provenByItself: true } satisfies Access };
}

/** Declares that a field is open to everyone, who all get the same of it while its version stays what it is. */
export function versionedBy(readVersion: (call: Call) => Promise<string>) {
  return { access: { readVersion } satisfies Access };
}

/** Declares that a field is open to everyone, and answered for those of these who show a credential. */
export function welcome(whom: 'integrators' | 'staff') {
  return { access: { welcomes: whom } satisfies Access };
}

builder.queryType({
  description:
    'All queries. An error has its code in `extensions.code`: one of `ErrorCode`, which `errorCodes` explains.',
});
builder.mutationType({
  description:
    'All changes. With an `Idempotency-Key` header, a mutation runs once: the same request sent again within 24 hours returns the same response.',
});
