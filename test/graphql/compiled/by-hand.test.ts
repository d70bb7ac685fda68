import {
  GraphQLBoolean,
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLEnumType,
  GraphQLError,
  GraphQLFloat,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLInterfaceType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLResolveInfo,
  GraphQLSchema,
  GraphQLString,
  GraphQLUnionType,
  execute,
  parse,
  validate,
} from 'graphql';
import { tracingChannel } from 'node:diagnostics_channel';
import { describe, expect, it } from 'vitest';
import { countCompiledFields, execute as executeCompiled } from '../../../src/graphql/compiled/execute.ts';

const required = <T extends ConstructorParameters<typeof GraphQLNonNull>[0]>(type: T) => new GraphQLNonNull(type);
const later = <T>(value: T): Promise<T> => new Promise((done) => setImmediate(done, value));
const fail = (message: string): never => {
  throw new Error(message);
};

const Named = new GraphQLInterfaceType({
  name: 'Named',
  fields: { name: { type: GraphQLString } },
  resolveType: (value: { kind: unknown }) => value.kind as string,
});
const Size = new GraphQLEnumType({ name: 'Size', values: { SMALL: { value: 1 }, LARGE: { value: 2 } } });
const Range = new GraphQLInputObjectType({
  name: 'Range',
  fields: { from: { type: GraphQLInt, defaultValue: 1 }, to: { type: required(GraphQLInt) } },
});
const args = {
  text: { type: GraphQLString, defaultValue: 'none' },
  size: { type: Size, defaultValue: 2 },
  list: { type: new GraphQLList(required(GraphQLInt)) },
  range: { type: Range },
  must: { type: required(GraphQLInt), defaultValue: 7 },
};
const Cat: GraphQLObjectType = new GraphQLObjectType({
  name: 'Cat',
  interfaces: [Named],
  fields: () => ({
    name: { type: GraphQLString },
    lives: { type: required(GraphQLInt), resolve: ({ lives }) => lives as number },
    livesLater: { type: required(GraphQLInt), resolve: ({ lives }) => later(lives as number) },
    size: { type: Size, resolve: () => 2 },
    odd: { type: Size, resolve: () => 3 },
    kin: { type: required(new GraphQLList(required(Cat))), resolve: () => [{ lives: 1 }, later({ lives: null })] },
    kinOrNone: {
      type: new GraphQLList(Cat),
      resolve: () => later([{ lives: 1 }, { lives: null }, null, later({ lives: 3 })]),
    },
  }),
});
const Dog = new GraphQLObjectType({
  name: 'Dog',
  interfaces: [Named],
  isTypeOf: ({ kind }) => later(kind === 'Dog'),
  fields: { name: { type: GraphQLString }, loud: { type: GraphQLBoolean } },
});
const Pet = new GraphQLUnionType({ name: 'Pet', types: [Cat, Dog], resolveType: ({ kind }) => later(kind as string) });

/** Members as they are: nothing resolves them. */
const Box: GraphQLObjectType = new GraphQLObjectType({
  name: 'Box',
  fields: () => ({
    text: { type: GraphQLString },
    none: { type: required(GraphQLString) },
    promised: { type: required(GraphQLString) },
    broken: { type: GraphQLString },
    trap: { type: GraphQLString },
    size: { type: Size },
    inner: { type: Box },
    items: { type: new GraphQLList(required(Box)) },
    place: { type: GraphQLString },
    length: { type: GraphQLInt },
    thrown: { type: GraphQLString, resolve: ({ text }) => fail(text as string) },
    rejected: { type: required(GraphQLString), resolve: ({ text }) => later(0).then(() => fail(text as string)) },
  }),
});
const box = (text: string): object => ({
  text,
  promised: later(text),
  broken: new GraphQLError('broken'),
  get trap() {
    return fail('trap');
  },
  size: 7,
  items: [{ text: 1, inner: { text: null } }, later({ text: { no: 'text' } })],
  place: (_args: unknown, _context: unknown, { path }: GraphQLResolveInfo) => JSON.stringify(path),
});

const pets = [
  { kind: 'Cat', name: 'Tom', lives: 9 },
  { kind: 'Dog', name: 'Rex', loud: true },
  { kind: 'Cow', name: 'Berta' },
];
const Query: GraphQLObjectType = new GraphQLObjectType({
  name: 'Query',
  fields: () => ({
    echo: { type: GraphQLString, args, resolve: (_root, given) => JSON.stringify(given) },
    path: {
      type: GraphQLString,
      resolve: (_root, _args, _context, { path, variableValues }) => JSON.stringify([path, variableValues.coerced]),
    },
    half: { type: GraphQLFloat, resolve: () => 0.5 },
    whole: { type: GraphQLInt, resolve: () => 0.5 },
    cat: {
      type: Cat,
      args: { lives: { type: GraphQLInt } },
      resolve: (_root, given: { lives?: number }) => ({ name: 'Tom', ...given }),
    },
    must: { type: required(Cat), resolve: () => later({ name: 'Kit' }) },
    pets: { type: new GraphQLList(Pet), resolve: () => pets },
    named: { type: new GraphQLList(Named), resolve: () => later(pets) },
    list: { type: new GraphQLList(GraphQLInt), resolve: () => new Set([1, 2]) },
    noList: { type: new GraphQLList(GraphQLString), resolve: () => 'abc' },
    matrix: { type: new GraphQLList(new GraphQLList(required(GraphQLInt))), resolve: () => [[1], [null], null] },
    error: { type: GraphQLInt, resolve: () => new GraphQLError('told', { extensions: { code: 'x' } }) },
    thrown: { type: GraphQLInt, resolve: () => fail('thrown') },
    thrownLater: { type: required(GraphQLInt), resolve: () => later(0).then(() => fail('later')) },
    box: { type: Box, resolve: () => Object.assign(box('outer'), { inner: box('inner') }) },
    odd: { type: Box, resolve: () => (_one: unknown, _other: unknown) => 0 },
    deep: { type: Query, resolve: () => ({}) },
  }),
});
const changes: string[] = [];
const Mutation = new GraphQLObjectType({
  name: 'Mutation',
  fields: {
    slow: { type: GraphQLString, resolve: () => later('').then(() => String(changes.push('slow'))) },
    fast: { type: GraphQLString, resolve: () => String(changes.push('fast')) },
    must: { type: required(GraphQLString), resolve: () => null },
    broken: { type: GraphQLString, resolve: () => later(0).then(() => fail(String(changes.push('broken')))) },
    gone: { type: required(GraphQLString), resolve: () => later(null) },
  },
});
const schema = new GraphQLSchema({ query: Query, mutation: Mutation, types: [Cat, Dog] });

const DOCUMENTS: [document: string, ...variables: Record<string, unknown>[]][] = [
  ['{ echo a: echo(text: "x", size: SMALL, list: [1, 2], range: {to: 3}) b: echo(list: 4, text: null) }'],
  [
    'query ($t: String, $s: Size, $l: [Int!], $r: Range, $m: Int! = 3) { echo(text: $t, size: $s, list: $l, range: $r, must: $m) }',
    {},
    { t: 'x', s: 'SMALL', l: [1], r: { to: 1 }, m: 5 },
    { t: null, s: null, l: 3 },
    { s: 'HUGE' },
    { r: {} },
    { m: null },
    { l: [null], m: 'x' },
  ],
  [
    'query ($to: Int!, $t: Int = 1) { echo(range: {from: $t, to: $to}, list: [1, $t]) path }',
    { to: 2 },
    {},
    { to: 1, t: null },
  ],
  [
    'query ($yes: Boolean!, $no: Boolean = false) { half @include(if: $yes) whole @skip(if: $yes) ...F @include(if: $no) list @skip(if: false) } fragment F on Query { list half }',
    { yes: true },
    { yes: false, no: true },
    { yes: true, no: null },
    {},
  ],
  [
    '{ cat(lives: 3) { lives ...A size odd } cat(lives: 3) { name __typename livesLater } } fragment A on Named { name ... on Cat { also: lives } ... on Dog { loud } }',
  ],
  ['{ cat { name lives } half }', {}],
  ['{ cat { name livesLater } half whole }'],
  ['{ must { livesLater } half }'],
  ['{ must { livesLater lives } half }'],
  ['{ cat(lives: 1) { kinOrNone { livesLater kin { livesLater } kinOrNone { livesLater name lives } } livesLater } }'],
  ['{ must { lives } cat { lives livesLater } }'],
  ['{ cat(lives: 1) { kin { lives } kinOrNone { lives livesLater } } }'],
  ['{ pets { __typename ... on Cat { name lives } ... on Dog { loud } } named { name ... on Cat { lives } } }'],
  ['{ list noList matrix error thrown }'],
  ['{ half thrownLater deep { half thrownLater } }'],
  ['{ deep { deep { thrownLater path } path } }'],
  ['{ box { text promised broken trap size inner { place size text } items { text inner { text } } place } }'],
  ['{ box { text inner { none text } items { none } thrown } odd { length text } }'],
  ['{ box { inner { text rejected } items { text place thrown } } half }'],
  ['query A { half } query B { whole }'],
  ['mutation { slow fast a: slow b: fast }'],
  ['mutation { slow must fast }'],
  ['mutation { slow broken a: slow gone fast }'],
  ['{ __schema { queryType { name } } __type(name: "Cat") { fields { name } } __typename }'],
  ['{ __proto__: half constructor: half }'],
];

const textOf = ({ data, errors }: ExecutionResult) =>
  JSON.stringify({ data, errors: errors?.map((error) => JSON.stringify(error)).toSorted() });

describe('a compiled operation', () => {
  it.each(DOCUMENTS)('answers %s as graphql-js does', async (text, ...given) => {
    const document = parse(text);
    expect(validate(schema, document)).toEqual([]);
    for (const variableValues of given.length > 0 ? given : [{}]) {
      for (const operationName of [undefined, 'B', 'C']) {
        const asked = { schema, document, operationName, variableValues };
        changes.length = 0;
        const expected = textOf(await execute(asked));
        for (let times = 0; times < 2; times++) {
          changes.length = 0;
          expect(textOf(await executeCompiled(asked))).toBe(expected);
        }
      }
    }
  });

  it('answers at once where nothing takes time', () => {
    expect(executeCompiled({ schema, document: parse('{ half list }') })).toEqual({
      data: { half: 0.5, list: [1, 2] },
    });
  });

  it('leaves to graphql-js what only that can', () => {
    const isCompiled = (text: string, more: Partial<ExecutionArgs> = {}) => {
      const document = parse(text);
      void executeCompiled({ schema, document, ...more });
      return countCompiledFields(document) > 0;
    };
    expect(isCompiled('{ half }')).toBe(true);
    expect(isCompiled('{ half }', { rootValue: {} })).toBe(false);
    expect(isCompiled('{ half }', { abortSignal: new AbortController().signal })).toBe(false);
    expect(isCompiled('query @experimental_disableErrorPropagation { half }')).toBe(false);
    expect(isCompiled('query A { half } query B { half }')).toBe(false);
    const conditions = Array.from({ length: 6 }, (_, index) => `$c${index}: Boolean = true`).join(', ');
    const used = Array.from({ length: 6 }, (_, index) => `a${index}: half @skip(if: $c${index})`).join(' ');
    expect(isCompiled(`query (${conditions}) { ${used} half }`)).toBe(false);
  });

  it('leaves to graphql-js what somebody traces', async () => {
    const traced: unknown[] = [];
    const channel = tracingChannel('graphql:resolve');
    const subscribers = { start: (said: unknown) => void traced.push(said) };
    channel.subscribe(subscribers as never);
    try {
      await executeCompiled({ schema, document: parse('{ half }') });
    } finally {
      channel.unsubscribe(subscribers as never);
    }
    expect(traced).toHaveLength(1);
  });

  it('answers for the schema that it is asked for, whichever was asked for its document before', async () => {
    const document = parse('{ half }');
    const query = new GraphQLObjectType({
      name: 'Query',
      fields: { half: { type: GraphQLFloat, resolve: () => 0.25 } },
    });
    const other = new GraphQLSchema({ query });
    for (const [of, half] of [
      [schema, 0.5],
      [other, 0.25],
      [schema, 0.5],
    ] as const)
      expect(executeCompiled({ schema: of, document })).toEqual({ data: { half } });
  });

  it('fails with an item that has to be there while more are to come', async () => {
    async function* items() {
      yield Promise.reject(new Error('first'));
      await later(0);
      yield 2;
    }
    async function* failing() {
      yield later(null);
      await later(0);
      yield 2;
    }
    const type = new GraphQLList(required(GraphQLInt));
    const query = new GraphQLObjectType({
      name: 'Query',
      fields: { items: { type, resolve: () => items() }, failing: { type, resolve: () => failing() } },
    });
    const asked = { schema: new GraphQLSchema({ query }), document: parse('{ items failing }') };
    expect(JSON.parse(textOf(await executeCompiled(asked)))).toMatchObject({ data: { items: null, failing: null } });
  });

  it('waits for nothing of a list that has failed', async () => {
    const query = new GraphQLObjectType({
      name: 'Query',
      fields: {
        list: {
          type: new GraphQLList(required(GraphQLInt)),
          // A rejection that nobody hears of ends the test run.
          resolve: () => [Promise.reject(new Error('before')), null, Promise.reject(new Error('after'))],
        },
      },
    });
    const asked = { schema: new GraphQLSchema({ query }), document: parse('{ list }') };
    expect(textOf(await executeCompiled(asked))).toBe(textOf(await execute(asked)));
    await later(0);
  });

  it('ends the signal that resolvers may heed with the run, and not before', async () => {
    const signals: AbortSignal[] = [];
    const query = new GraphQLObjectType({
      name: 'Query',
      fields: {
        a: {
          type: GraphQLBoolean,
          resolve: async (_root, _args, _context, { getAbortSignal }) => {
            signals.push(getAbortSignal()!);
            return later(signals[0]!.aborted);
          },
        },
      },
    });
    const asked = { schema: new GraphQLSchema({ query }), document: parse('{ a }') };
    expect(await executeCompiled(asked)).toEqual({ data: { a: false } });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });
});
