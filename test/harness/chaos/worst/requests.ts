import { isListType, isNonNullType } from 'graphql';
import { loadEndpoints } from '../../../../rest/load.ts';
import { schema } from '../../../../src/app/schema.ts';
import type { Actor } from '../../flow.ts';
import type { TestRail } from '../../rail.ts';
import type { StaffActor } from '../../people/staff.ts';
import { measureLongestTurn } from '../held.ts';
import { type Heavy, worstOfHeaders, worstOfPages } from './pages.ts';

/** As much as a body may have, less what surrounds it. */
const ROOM = 250 * 1024;
const QUERY_ROOM = 12 * 1024;

const filled = (piece: string, room = ROOM) => piece.repeat(Math.floor(room / piece.length));
const list = (item: string) => `[${filled(`${item},`)}${item}]`;

const TEXTS = { letters: filled('x'), blanks: `${filled(' ')}x`, patterns: filled('%_'), wide: filled('é') };
const LISTS = {
  numbers: list('1'),
  nulls: list('null'),
  texts: list('"x"'),
  objects: list('{}'),
  lists: list('[]'),
  wrong: list('{"service":1.5,"count":"x"}'),
};
const DEEP = {
  deep: `${'['.repeat(ROOM / 2)}${']'.repeat(ROOM / 2)}`,
  nested: `${filled('{"a":', ROOM * 0.8)}1${'}'.repeat(Math.floor((ROOM * 0.8) / 5))}`,
};
const MEMBERS = `{${Array.from({ length: 24_000 }, (_, index) => `"m${index}":1`).join(',')}}`;

/** The worst of each endpoint: for every member of its input what is long, deep or many. */
function worstOfRest(): Heavy[] {
  return loadEndpoints(schema).endpoints.flatMap(({ method, path, parameters, handler }) => {
    const at = path.replace(/\{\w+\}/g, 'X');
    const post = (what: string, body: string): Heavy => ({
      name: `${method} ${path} ${what}`,
      path: at,
      ask: { method, body },
    });
    const get = (what: string, query: string): Heavy => ({
      name: `${method} ${path} ${what}`,
      path: `${at}?${query}`,
      ask: { method },
    });
    const inBody = parameters.filter(({ source }) => source === 'body');
    const bodies = inBody.flatMap(({ name, type }) => {
      const plain = isNonNullType(type) ? type.ofType : type;
      const values = isListType(plain)
        ? { ...LISTS, ...DEEP }
        : { text: JSON.stringify(TEXTS.letters), list: LISTS.numbers, deep: DEEP.deep };
      return Object.entries(values).map(([what, value]) => post(`${name}: ${what}`, `{"${name}":${value}}`));
    });
    const queries = parameters
      .filter(({ source }) => source === 'query')
      .flatMap(({ name }) => [
        get(`${name}: text`, `${name}=${filled('x', QUERY_ROOM)}`),
        get(`${name}: list`, `${name}=${filled('x,', QUERY_ROOM)}`),
      ]);
    const others =
      inBody.length > 0 || handler.body.raw
        ? [post('members', MEMBERS), post('blanks', `{}${TEXTS.blanks.slice(0, -1)}`)]
        : [];
    return [...bodies, ...queries, ...others];
  });
}

/** Documents and variables that are as large as they may be. */
function worstOfGraphql(): Heavy[] {
  const query = (name: string, text: string, variables = '{}'): Heavy => ({
    name: `GraphQL ${name}`,
    path: '/graphql',
    ask: { body: `{"query":${JSON.stringify(text)},"variables":${variables}}` },
  });
  const issue = 'mutation ($v: [Scope!]!) { issueKey(label: "x", scopes: $v) { plaintext } }';
  const create = 'mutation ($v: [AssessmentLineInput!]!) { createAssessment(citizen: "x", lines: $v) { id } }';
  const find = 'query ($v: String) { services(q: $v) { nodes { id } } }';
  const many = (count: number, make: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => make(index)).join(' ');
  return [
    ...[issue, create, find].flatMap((text, at) => [
      ...Object.entries({ ...LISTS, ...DEEP }).map(([what, value]) =>
        query(`variable ${at}: ${what}`, text, `{"v":${value}}`),
      ),
      ...Object.entries(TEXTS).map(([what, value]) =>
        query(`variable ${at}: ${what}`, text, `{"v":${JSON.stringify(value)}}`),
      ),
      query(`variable ${at}: members`, text, MEMBERS),
    ]),
    query('tokens', `{ ${filled('a ', ROOM * 0.9)} }`),
    query('fields', `{ agencies { nodes { ${many(3_900, () => 'id')} } } }`),
    query('different fields', `{ ${many(1_300, (index) => `f${index} { x }`)} }`),
    query('arguments', `{ ${many(430, () => 'agencies(first: 1, offset: 2) { nodes { id } }')} }`),
    query(
      'fragments',
      `{ agencies { nodes { ${many(700, (index) => `...F${index}`)} } } } ${many(380, (index) => `fragment F${index} on Agency { id }`)}`,
    ),
    query(
      'fragments in fragments',
      `{ agencies { nodes { ...F0 } } } ${many(360, (index) => `fragment F${index} on Agency { id ...F${index + 1} }`)} fragment F360 on Agency { id }`,
    ),
    query('inline fragments', `{ agencies { nodes { ${many(560, () => '... on Agency { id }')} } } }`),
    query(
      'inline fragments in each other',
      `{ agencies { nodes { ${'... on Agency { '.repeat(60)} id ${'}'.repeat(60)} } } }`,
    ),
    query(
      'operations',
      many(560, (index) => `query Q${index} { agencies { nodes { id } } }`),
    ),
    query('variables', `query (${many(900, (index) => `$v${index}: Int`)}) { agencies { nodes { id } } }`),
    query('directives', `{ agencies { nodes { ${many(430, () => 'id @include(if: true)')} } } }`),
    query('literals', `{ services(q: [${many(3_900, () => '1')}]) { nodes { id } } }`),
    query('text', `{ services(q: ${JSON.stringify(TEXTS.letters)}) { nodes { id } } }`),
    query('blocks', `{ services(q: """${filled('\\n  x', ROOM / 3)}""") { nodes { id } } }`),
    query('comments', `# ${filled('x#')}\n{ agencies(first: 1) { nodes { id } } }`),
    query('commas', `{ agencies(first: 1) { nodes { id${filled(',')} } } }`),
    query(
      'wide',
      `{ ${many(12, (index) => `a${index}: agencies(first: 500) { nodes { id services { nodes { id } } } }`)} }`,
    ),
    query('deep', `{ ${'agencies { nodes { services { nodes { agency '.repeat(20)}`),
  ];
}

/** For how long a single request may keep others waiting. */
export const AIM_MS = 50;
/**
 * The limit of a test that runs among others: far above the aim, since other work on the machine and the client in this
 * process take part of the measured time. Code that needs more steps than its input has bytes takes seconds.
 */
export const BEARABLE_MS = 250;
const TRIES = 12;

export interface Held {
  readonly name: string;
  /** Time for which nothing else could be answered. */
  readonly ms: number;
  readonly status: number;
}

/**
 * Sends the heaviest requests, or of all but those to GraphQL one of so many, one after another, and measures for how long
 * the process could do nothing else: the longest of the shortest of some tries, since others use the machine too.
 */
export async function findHeaviest(
  rail: TestRail,
  who: { readonly integrator: Actor; readonly staff: StaffActor },
  every = 1,
): Promise<Held[]> {
  const held: Held[] = [];
  for (const { name, path, ask } of [
    ...[...worstOfRest(), ...worstOfPages(), ...worstOfHeaders()].filter((_one, index) => index % every === 0),
    ...worstOfGraphql(),
  ]) {
    const isPage = !/^\/(v1|graphql)/.test(path);
    const asking = isPage || /^\/v1\/(work|ops)\//.test(path) ? who.staff : who.integrator;
    let best: Held | null = null;
    for (let tries = 0; tries < TRIES && (best === null || best.ms > AIM_MS); tries++) {
      let status = 0;
      const longest = await measureLongestTurn(async () => {
        // A connection that the rail closes on what is too large has no answer.
        status = await asking.ask(path, ask).then(
          (answer) => answer.status,
          () => 0,
        );
      });
      const ms = Math.round(longest);
      if (best === null || ms < best.ms) best = { name, status, ms };
    }
    held.push(best!);
  }
  return held.toSorted((a, b) => b.ms - a.ms);
}
