// A copy of the rail's schema whose resolvers answer what follows from a seed and from their place in the answer.
import {
  GraphQLError,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLLeafType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLScalarType,
  coerceInputLiteral,
  coerceInputValue,
  extendSchema,
  getNullableType,
  isAbstractType,
  isEnumType,
  isInterfaceType,
  isIntrospectionType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  parse,
  parseConstValue,
  responsePathAsArray,
} from 'graphql';
import { schema as original } from '../../../src/app/schema.ts';

/** Another schema with types of its own: what becomes of its resolvers changes nobody else's. */
export const schema = extendSchema(original, parse('type MadeForTests { nothing: Int }'));

/** The arguments of a resolver or a type resolver. */
export interface Handed {
  readonly source: unknown;
  readonly args: Readonly<Record<string, unknown>>;
  readonly info: GraphQLResolveInfo;
}

/** One run: what it was handed, and what it waits for. */
export class MockedRun {
  readonly handed = new Map<string, Handed>();
  readonly seed: number;
  readonly #waiting = new Map<string, () => void>();

  constructor(seed: number) {
    this.seed = seed;
  }

  /** A number that is the same in each run with the seed. */
  choose(place: string, count: number): number {
    // FNV-1a, and what spreads it over all bits.
    let hash = 2_166_136_261 ^ this.seed;
    for (let at = 0; at < place.length; at++) hash = Math.imul(hash ^ place.charCodeAt(at), 16_777_619);
    hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_507);
    hash = Math.imul(hash ^ (hash >>> 13), 3_266_489_909);
    return ((hash ^ (hash >>> 16)) >>> 0) % count;
  }

  note(what: string, handed: Handed): void {
    const place = `${what} ${responsePathAsArray(handed.info.path).join('.')}`;
    let key = place;
    // As often as it is asked.
    for (let times = 2; this.handed.has(key); times++) key = `${place} #${times}`;
    this.handed.set(key, handed);
  }

  /** Something that comes or fails in an order of its own. */
  inTime(place: string, make: () => unknown): Promise<unknown> {
    const promise = new Promise((done, fail) => {
      const settle = () => {
        try {
          done(make());
        } catch (error) {
          fail(error);
        }
      };
      let key = place;
      while (this.#waiting.has(key)) key += '+';
      this.#waiting.set(key, settle);
    });
    return unheard(promise);
  }

  /** Has one thing after another come until there is nothing more to wait for. */
  async settle(): Promise<void> {
    await new Promise(setImmediate);
    while (this.#waiting.size > 0) {
      const [first] = [...this.#waiting.keys()].toSorted(
        (one, other) =>
          this.choose(`order ${one}`, 1_000) - this.choose(`order ${other}`, 1_000) || (one < other ? -1 : 1),
      );
      const settle = this.#waiting.get(first!)!;
      this.#waiting.delete(first!);
      settle();
      await new Promise(setImmediate);
    }
  }
}

/** Marks a promise as handled. If a list comes once all else is answered, neither executor waits for its items. */
function unheard(promise: Promise<unknown>): Promise<unknown> {
  promise.catch(() => {});
  return promise;
}

/** Stands for a record. It knows its run and its place under names that no field has. */
class Source {
  readonly $run: MockedRun;
  readonly $place: string;

  constructor(run: MockedRun, place: string) {
    this.$run = run;
    this.$place = place;
  }

  /** As messages name it. */
  toJSON(): string {
    return this.$place;
  }
}

const VALUES: readonly unknown[] = [
  'text',
  7,
  -0.5,
  true,
  '2026-01-31',
  '2026-01-31T10:00:00Z',
  new Date(86_400_000),
  '10.50',
  'a@example.com',
  'https://example.com/',
  'UGX',
  'UG',
  'UGA',
  '256700000001',
  '+256700000001',
  '00000000-0000-4000-8000-000000000000',
  '09:30',
  'Africa/Kampala',
  12n,
  { some: ['thing'] },
];

const worksWith = (attempt: () => unknown): boolean => {
  try {
    return (attempt() ?? null) !== null;
  } catch {
    return false;
  }
};
const remembered = <Key extends object, Value>(make: (key: Key) => Value) => {
  const known = new WeakMap<Key, { value: Value }>();
  return (key: Key): Value => {
    const found = known.get(key) ?? { value: make(key) };
    known.set(key, found);
    return found.value;
  };
};

/** Values that resolvers may return for a type: those that fit, or all. */
const outputsOf = remembered((type: GraphQLLeafType) => {
  const candidates = isEnumType(type) ? type.getValues().map(({ value }): unknown => value) : VALUES;
  return candidates.filter((value) => worksWith(() => type.coerceOutputValue(value)));
});

const LITERALS = VALUES.filter((value) => typeof value !== 'object' && typeof value !== 'bigint').map((value) =>
  JSON.stringify(value),
);
/** Literals of a scalar in a document. */
export const literalsOf = remembered((type: GraphQLScalarType) =>
  LITERALS.filter((text) => worksWith(() => coerceInputLiteral(parseConstValue(text), type))),
);
export const inputsOf = remembered((type: GraphQLScalarType) =>
  VALUES.filter((value) => typeof value !== 'bigint' && !(value instanceof Date)).filter((value) =>
    worksWith(() => coerceInputValue(value, type)),
  ),
);

/** The answer of a resolver: mostly one that fits, in all forms that a value can have. */
function answer(run: MockedRun, type: GraphQLOutputType, place: string, depth = 0): unknown {
  const way = run.choose(`way ${place}`, 40);
  const fail = (): never => {
    throw way % 2 === 0 ? new Error(`failed at ${place}`) : new GraphQLError(`told at ${place}`);
  };
  if (way === 0) return fail();
  if (way === 1) return new GraphQLError(`answered at ${place}`, { extensions: { way } });
  if (way === 2) return run.inTime(place, fail);
  if (way === 3) return unheard(Promise.reject(new Error(`refused at ${place}`)));
  if (way <= 5) return way === 4 ? null : undefined;
  if (way <= 7) return run.inTime(place, () => (way === 6 ? null : new Error(`came at ${place}`)));
  if (way <= 16) return run.inTime(place, () => plain(run, type, place, depth));
  if (way <= 20) return Promise.resolve(plain(run, type, place, depth));
  if (way === 21) return VALUES[run.choose(`any ${place}`, VALUES.length)];
  return plain(run, type, place, depth);
}

function plain(run: MockedRun, type: GraphQLOutputType, place: string, depth: number): unknown {
  const of = getNullableType(type) as GraphQLOutputType;
  if (isLeafType(of)) {
    const values = outputsOf(of);
    return values[run.choose(`value ${place}`, values.length)];
  }
  if (isListType(of)) return list(run, of.ofType, place, depth);
  const shared = new (isObjectType(of) ? sourceClassOf(of) : Source)(run, place);
  return shared;
}

function list(run: MockedRun, type: GraphQLOutputType, place: string, depth: number): unknown {
  const length = [1, 2, 0, 3][run.choose(`length ${place}`, 4)]!;
  const items = Array.from({ length }, (_, index) => () => answer(run, type, `${place}.${index}`, depth + 1));
  function* each() {
    for (const item of items) yield item();
  }
  async function* eachInTime() {
    for (const [index, item] of items.entries()) yield run.inTime(`${place} item ${index}`, item);
  }
  const form = run.choose(`form ${place}`, 20);
  // For items that must not be null, graphql-js itself leaves rejections unhandled while more items are to come.
  if (form === 0 && !isNonNullType(type)) return eachInTime();
  if (form === 1) return each();
  return form === 2 ? new Set(each()) : [...each()];
}

/** Classes of sources, whose members are what fields without a resolver read. */
const sourceClassOf = remembered((type: GraphQLObjectType) => {
  const members = class extends Source {};
  for (const field of Object.values(type.getFields()))
    Object.defineProperty(members.prototype, field.name, {
      get(this: Source) {
        const place = `${this.$place}.${field.name}`;
        if (this.$run.choose(`member ${place}`, 8) > 0) return answer(this.$run, field.type, place);
        return (args: Handed['args'], run: MockedRun, info: GraphQLResolveInfo) =>
          resolve(field, this, args, run, info);
      },
    });
  return members;
});

function resolve(
  field: GraphQLField<unknown, unknown>,
  source: unknown,
  args: Handed['args'],
  run: MockedRun,
  info: GraphQLResolveInfo,
): unknown {
  // As they are now, before the run changes them.
  run.note(field.name, { source, args: { ...args }, info });
  return answer(run, field.type, responsePathAsArray(info.path).join('.'));
}

/** Resolvers with each number of parameters, and some that take more than they seem to; `undefined` reads a member. */
const RESOLVERS: ((field: GraphQLField<unknown, unknown>) => GraphQLFieldResolver<unknown, unknown> | undefined)[] = [
  resolverOf,
  (field) =>
    (source, ...[args, run, info]) =>
      resolve(field, source, args, run as MockedRun, info),
  (field) => (_source, _args, run) => answer(run as MockedRun, field.type, `three ${field.name}`),
  (field) => (source) =>
    source instanceof Source ? answer(source.$run, field.type, `${source.$place}.${field.name}`) : null,
  () => undefined,
  () => undefined,
];

function resolverOf(field: GraphQLField<unknown, unknown>): GraphQLFieldResolver<unknown, unknown> {
  return (source, args: Handed['args'], run, info) => resolve(field, source, args, run as MockedRun, info);
}

const fixed = new MockedRun(0);

function mock(type: GraphQLNamedType): void {
  if (isIntrospectionType(type)) return;
  if (isAbstractType(type)) {
    const possible = schema.getPossibleTypes(type);
    const other = isInterfaceType(type) ? schema.getQueryType()! : possible[0]!;
    type.resolveType = (value, context, info) => {
      const run = context as MockedRun;
      const place = value instanceof Source ? value.$place : String(value);
      run.note(`type of ${place}`, { source: value, args: {}, info });
      const named = possible[run.choose(`type ${place}`, possible.length)]!.name;
      const wrong = [other.name, 'Nothing', type.name, null, 7][run.choose(`wrong type ${place}`, 100)];
      const say = () => (wrong === undefined ? named : (wrong as string));
      if (run.choose(`fails ${place}`, 50) === 0) throw new Error(`no type of ${place}`);
      return run.choose(`when ${place}`, 3) === 0 ? (run.inTime(`type ${place}`, say) as Promise<string>) : say();
    };
  }
  if (!isObjectType(type)) return;
  if (fixed.choose(type.name, 4) === 0)
    type.isTypeOf = (value, context, info) => {
      const run = context as MockedRun;
      const place = value instanceof Source ? value.$place : String(value);
      run.note(`is ${type.name} ${place}`, { source: value, args: {}, info });
      const say = () => run.choose(`is ${place}`, 30) > 0;
      return run.choose(`when is ${place}`, 3) === 0 ? (run.inTime(`is ${place}`, say) as Promise<boolean>) : say();
    };
  for (const field of Object.values(type.getFields())) {
    const make = RESOLVERS[fixed.choose(`${type.name}.${field.name}`, RESOLVERS.length)]!;
    field.resolve = isRoot(type) ? resolverOf(field) : make(field);
  }
}

const isRoot = (type: GraphQLObjectType) => [schema.getQueryType(), schema.getMutationType()].includes(type);

for (const type of Object.values(schema.getTypeMap())) mock(type);

/** The identity of a source, which is equal between two runs. */
export const placeOf = (source: unknown): unknown => (source instanceof Source ? source.$place : source);
