import { type GraphQLObjectType, getNamedType } from 'graphql';
import { beforeAll, expect } from 'vitest';
import { schema } from '../../../src/app/schema.ts';
import type { HistoryOptions } from '../../../src/sandbox/history.ts';
import { DAY_MS } from '../../../src/kernel/time.ts';
import { seedHistory } from '../../../src/sandbox/history.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { railWithYear } from '../revenue/filled.ts';
import { type TestRail, testRail } from '../../harness/rail.ts';

/** A day before all that happened in a made-up history, within what may be asked of any figures at once. */
export const BEFORE_ALL = new Date(Date.now() - 570 * DAY_MS).toISOString().slice(0, 10);

export type Row = Readonly<Record<string, unknown>>;

/** A rail with a made-up history, of its own where that is said, and how an auditor asks it. */
export function railWithHistory(history: Pick<HistoryOptions, 'events' | 'agencies'> | null = null) {
  const rail: TestRail = history ? testRail() : railWithYear();
  let key = '';
  beforeAll(async () => {
    key = (await rail.key('oversight.read')).plaintext;
    if (history) for await (const _ of seedHistory(rail.rail, { years: 1, seed: 5, ...history }));
  });
  /** The rows that a field of oversight answers. */
  const ask = async (field: string): Promise<Row[]> => {
    const { json } = await rail.ask('/graphql', { key, body: { query: `{ oversight { asked: ${askRows(field)} } }` } });
    if (json.errors) throw new Error(JSON.stringify(json.errors));
    return rowsOf(json.data.oversight.asked);
  };
  /** A group of measures for each row, with its key; nulls for a withheld row, which must say why. */
  const figures = async (group: string, measures: readonly string[], asked: Partial<Asked> = {}): Promise<Row[]> => {
    const { by = [], slice = {}, days = { fromDate: BEFORE_ALL }, orderBy = null } = asked;
    const { json } = await rail.ask('/graphql', {
      key,
      body: {
        query: `query ($by: [FigureDimension!]!, $slice: SliceInput, $days: FigureDaysInput!, $orderBy: FigureMeasure) {
          oversight { figures(by: $by, span: { days: $days }, slice: $slice, timeZone: UTC, orderBy: [{ measure: $orderBy }], first: 10000) {
            nodes { key { currency ${by.map(keyOf).join(' ')} } ${group} { ${measures.join(' ')} } hidden { figures reason } } } } }`,
        variables: { by, slice, days, orderBy },
      },
    });
    if (json.errors) throw new Error(JSON.stringify(json.errors));
    const nodes = json.data.oversight.figures.nodes as { key: Row; hidden: Row[]; [group: string]: unknown }[];
    return nodes.map((node) => {
      if (!node[group]) expect(node.hidden).toEqual([{ figures: group, reason: 'few_people' }]);
      return {
        ...node.key,
        ...((node[group] as Row | null) ?? Object.fromEntries(measures.map((one) => [one, null]))),
      };
    });
  };
  /** The rows that a named operation answers. */
  const askByName = async (name: string, variables: object = {}): Promise<Row[]> => {
    const path = `/graphql?operation=${name}&variables=${encodeURIComponent(JSON.stringify(variables))}`;
    const { json } = await rail.ask(path, { key });
    if (json.errors) throw new Error(JSON.stringify(json.errors));
    return rowsOf(Object.values(json.data.oversight as Record<string, Answer>)[0]!);
  };
  return { rail, ask, askByName, figures };
}

interface Asked {
  readonly by: readonly string[];
  readonly slice: Readonly<Record<string, unknown>>;
  readonly days: { readonly fromDate: string; readonly toDate?: string };
  readonly orderBy: string;
}

/** The member of a key that names a dimension. */
export const keyOf = (dimension: string) =>
  /^(agency|service)$/.test(dimension) ? `${dimension}Id` : dimension.replace('_y', 'Y');

const { Oversight } = schema.getTypeMap() as { Oversight: GraphQLObjectType };

/** A field with what is selected of its rows, which are the nodes of a list that pages. */
function askRows(field: string): string {
  const { type } = Oversight.getFields()[/^\w+/.exec(field)![0]]!;
  return isPaged(getNamedType(type).name) ? `${field.replace(/(\)\s*|^\w+\s*)\{/, '$1{ nodes {')} }` : field;
}

const isPaged = (type: string) => type.endsWith('Connection') || type === 'FigureAnswer';

/** A row of figures with what it is about and its groups of measures in one object. */
function flat(row: Row): Row {
  const groups = Object.entries(row).map(([name, value]): Row => {
    const isGroup = value !== null && typeof value === 'object' && !Array.isArray(value);
    return isGroup && name !== 'agency' && name !== 'service' ? flat(value as Row) : { [name]: value };
  });
  return Object.assign({}, ...groups) as Row;
}

type Answer = Row[] | { readonly nodes: Row[] };

function rowsOf(answer: Answer): Row[] {
  return 'nodes' in answer ? answer.nodes.map((row) => ({ ...row, ...flat(row) })) : answer;
}

/** The members of rows that a test compares, in the order of their text; amounts as numbers. */
export function pick(rows: readonly Row[], ...members: string[]): Row[] {
  return rows
    .map((row) => Object.fromEntries(members.map((member) => [member, plain(row[member] ?? null)])))
    .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

function plain(value: unknown): unknown {
  if (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  return value !== null && typeof value === 'object' && 'toNumber' in value ? Number(value) : value;
}

/** Waits until the copy has all that is written by now: making it anew may take longer than a question waits. */
export async function awaitCopy(rail: TestRail): Promise<void> {
  const [row] = await rail.rows<{ now: Date }>(sql`select clock_timestamp() as now`);
  await expect.poll(async () => (await rail.rail.analytics.asOf()) >= row!.now).toBe(true);
}
