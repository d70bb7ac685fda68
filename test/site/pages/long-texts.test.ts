import { globSync, readFileSync } from 'node:fs';
import {
  type GraphQLArgument,
  type GraphQLInputType,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isRequiredArgument,
} from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadEndpoints } from '../../../rest/load.ts';
import { schema } from '../../../src/app/schema.ts';
import { KEY_SCOPES } from '../../../src/platform/access/needs.ts';
import { longestOf } from '../../../src/site/addresses.ts';
import { type Visitor, readDocuments } from '../../../src/site/operations/documents.ts';
import { sizeOf } from '../../harness/chaos/size.ts';
import { type Ask, testRail } from '../../harness/rail.ts';
import { type Visitors, exampleOf, fillPages } from './every-page.ts';

const rail = testRail({ DEV_REVEAL: 'on' });
const { pages, actions, arrivals, downloads, files } = readDocuments(schema);
const { endpoints } = loadEndpoints(schema);

/** As many words of one letter as fit: what takes each by itself has most to do. */
const ofLength = (length: number) => 'a b c d e f g h i '.repeat(900).slice(0, length);
const LONG = ofLength(15_000);
/** Each long text that a request has as it is written in an address, a form or JSON, made a short one. */
const shorten = (text: string) => text.replaceAll(/(?:[a-i][-+ ]){5,}[a-i]?/g, 'a');
const shortenIn = (value: unknown): unknown => JSON.parse(shorten(JSON.stringify(value ?? null))) ?? undefined;
/**
 * Most CPU time of this thread that the text may add to an answer: twice the aim, for machines that are half as fast.
 */
const MOST_CPU_MS = 2 * 50;
/** Tries in all, since one may include compilation or garbage collection. */
const TRIES = 4;
/**
 * One of this many pages is tried with all its parameters and all that any page reads; the others, with those that
 * their template reads.
 */
const WIDE = sizeOf({ fast: 30, long: 1 });

/** The names that a file reads of the address of a page. */
const namesIn = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/\b(?:get|getAll|all|said|asked)\('([\w.]+)'/g)].map(([, name]) => name!);
const READ = new Set(globSync('src/site/**/*.{ts,eta}').flatMap(namesIn));

/** Most findings that are reported. */
const MOST_NAMED = 3;
/** Long texts in one form. */
const TEXTS_OF_A_FORM = 3;
/** The endpoints that staff use. */
const OF_STAFF: ReadonlySet<string> = new Set(['counter', 'console', 'oversight']);

type Asked = readonly [what: string, path: string, ask: Ask];

let visitors: Visitors;
let key: string;

beforeAll(async () => {
  visitors = await fillPages(rail, { days: 1 });
  key = (await rail.key(...KEY_SCOPES)).plaintext;
});

const visit = (who: Visitor): Ask => ({ headers: { cookie: visitors[who] ?? visitors.STAFF!, accept: 'text/html' } });

/** A path with a text for each of its parameters. */
const fill = (path: string, text = LONG.replaceAll(' ', '-')) => {
  const names = path.split('{').length - 1;
  return path.replaceAll(/\{\w+\}/g, text.slice(0, LONG.length / names));
};

const inGroups = (names: readonly string[], size: number) =>
  names.flatMap((_name, index) => (index % size === 0 ? [names.slice(index, index + size)] : []));

/** A value of a type with the text in each place for one; null where it has none. */
function write(type: GraphQLInputType, deep = 2): string | null {
  const plain = getNullableType(type);
  if (isListType(plain)) {
    const of = write(plain.ofType, deep);
    return of && `[${of}]`;
  }
  if (isInputObjectType(plain) && deep > 0) {
    const members = Object.values(plain.getFields()).flatMap(({ name, type: of }) => {
      const value = write(of, deep - 1);
      return value === null ? [] : [`${name}: ${value}`];
    });
    return members.length > 0 ? `{ ${members.join(', ')} }` : null;
  }
  return isLeafType(plain) && /^(String|ID)$/.test(plain.name) ? JSON.stringify(LONG) : null;
}

/** A value where one is required: the first of an enum, or a small one of another type. */
function fillIn({ type }: GraphQLArgument): string {
  const named = getNamedType(type);
  const value = isEnumType(named) ? named.getValues()[0]!.name : '1';
  return write(type) ?? (isListType(getNullableType(type)) ? `[${value}]` : value);
}

/** Each argument of the fields of a type that takes texts, with the field that it is asked of. */
function askFields(type: GraphQLObjectType) {
  return Object.values(type.getFields()).flatMap((field) =>
    field.args.flatMap((argument) => {
      const value = write(argument.type);
      const others = field.args.filter((other) => other !== argument && isRequiredArgument(other));
      const given = [...others.map((other) => `${other.name}: ${fillIn(other)}`), `${argument.name}: ${value}`];
      const selection = isLeafType(getNamedType(field.type)) ? '' : '{ __typename }';
      const what = `${type.name}.${field.name}(${argument.name})`;
      return value === null ? [] : [[what, `${field.name}(${given.join(', ')}) ${selection}`] as const];
    }),
  );
}

/** CPU time of this thread that an answer takes, in ms. */
async function measure(what: string, path: string, ask: Ask) {
  const before = process.threadCpuUsage();
  const { status } = await rail.ask(path, ask);
  const { user, system } = process.threadCpuUsage(before);
  expect([what, status < 500 || status]).toEqual([what, true]);
  return (user + system) / 1_000;
}

/**
 * The first requests that take too much: the least of a few times, in ms, and as much for a short text. Both are
 * measured in turns, since other work on the machine, or a large heap, makes everything take longer.
 */
async function findCostly(asked: readonly Asked[]): Promise<unknown[]> {
  const costly: unknown[] = [];
  for (const [what, path, ask] of asked) {
    let long = await measure(what, path, ask);
    let short = 0;
    for (let tried = 1; tried < TRIES && long - short > MOST_CPU_MS; tried++) {
      const body = typeof ask.body === 'string' ? shorten(ask.body) : shortenIn(ask.body);
      const taken = await measure(what, shorten(path), { ...ask, body });
      short = tried === 1 ? taken : Math.min(short, taken);
      long = Math.min(long, await measure(what, path, ask));
    }
    if (long - short > MOST_CPU_MS && costly.push([what, long, short]) === MOST_NAMED) break;
  }
  return costly;
}

describe('a text of 15,000 characters', () => {
  it('takes little work on each page, in each parameter of its address', async () => {
    const asked: Asked[] = [];
    const add = (who: Visitor, path: string, name: string, text = LONG) =>
      asked.push([`${path} ${name}`, `${path}?${new URLSearchParams({ [name]: text })}`, visit(who)]);
    for (const [index, page] of pages.entries()) {
      const path = await exampleOf(rail, page.path);
      const own = namesIn(`src/site/pages/${page.name}.eta`);
      const wide = index % WIDE === 0 ? [...READ, ...page.operation.fields.map(({ name }) => name)] : [];
      for (const name of new Set([...own, ...wide])) add(page.who, path, name);
      for (const name of new Set(own)) add(page.who, path, name, ofLength(longestOf(name)));
      if (path !== page.path) asked.push([page.path, fill(page.path), visit(page.who)]);
    }
    for (const { path, who, steps } of arrivals) for (const { name } of steps[0]!.fields) add(who, path, name);
    for (const { path, who, fields } of files.slice(0, WIDE === 1 ? undefined : 3))
      for (const { name } of fields) add(who, `${path}.csv`, name);
    for (const { path } of downloads) asked.push([path, fill(path), visit('EVERYBODY')]);
    expect(asked.length).toBeGreaterThan(300);
    expect(await findCostly(asked)).toEqual([]);
  });

  it('takes little work in each form, and in the address of the page that sent it', async () => {
    const asked = actions.flatMap(({ path, who, steps }) => {
      const names = steps[0]!.fields.map(({ name }) => name).filter((name) => !path.includes(`{${name}}`));
      const { headers } = visit(who);
      const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
      return inGroups(names, TEXTS_OF_A_FORM).map((group): Asked => {
        const filled = Object.fromEntries(group.map((name) => [name, LONG]));
        const body = `${new URLSearchParams({ ...filled, _page: `/docs/search?${new URLSearchParams({ q: LONG })}` })}`;
        return [`${path} ${group.join(' ')}`, fill(path, 'x'), { method: 'POST', body, headers: form }];
      });
    });
    expect(asked.length).toBeGreaterThan(100);
    expect(await findCostly(asked)).toEqual([]);
  });

  it('takes little work in each argument of each query of the graph', async () => {
    const { Query, Oversight } = schema.getTypeMap() as Record<'Query' | 'Oversight', GraphQLObjectType>;
    const within = askFields(Oversight).map(([what, field]) => [what, `oversight { ${field} }`] as const);
    const asked = [...askFields(Query), ...within].map(([what, field]): Asked => {
      const body = { query: `{ ${field} }` };
      return [what, '/graphql', { headers: { cookie: visitors.STAFF! }, body }];
    });
    expect(asked.length).toBeGreaterThan(200);
    expect(await findCostly(asked)).toEqual([]);
  });

  it('takes little work in each parameter of each endpoint', async () => {
    const asked = endpoints.flatMap(({ method, path, audience, parameters }): Asked[] => {
      const from = (wanted: string) => parameters.filter(({ source }) => source === wanted).map(({ name }) => name);
      const who = OF_STAFF.has(audience) ? { headers: { cookie: visitors.STAFF! } } : { key };
      const body = method === 'GET' ? undefined : Object.fromEntries(from('body').map((name) => [name, LONG]));
      const what = `${method} ${path}`;
      return [
        ...(path.includes('{') || body ? [[what, fill(path), { ...who, method, body }] as const] : []),
        ...(path.includes('{') && body
          ? [[`${what}, its body`, fill(path, 'x'), { ...who, method, body }] as const]
          : []),
        ...from('query').map(
          (name) =>
            [
              `${what} ${name}`,
              `${fill(path, 'x')}?${new URLSearchParams({ [name]: LONG })}`,
              { ...who, method, body },
            ] as const,
        ),
      ];
    });
    expect(asked.length).toBeGreaterThan(500);
    expect(await findCostly(asked)).toEqual([]);
  });
});
