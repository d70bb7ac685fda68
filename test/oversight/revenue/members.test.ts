import { beforeAll, describe, expect, it } from 'vitest';
import { isEnumType, isObjectType, visit } from 'graphql';
import { loadEndpoints } from '../../../rest/load.ts';
import { schema } from '../../../src/app/schema.ts';
import { narrow } from '../../../src/graphql/files/narrow.ts';
import { railWithBusyHistory } from './busy-history.ts';

const rail = railWithBusyHistory();
let key: string;
beforeAll(async () => {
  key = (await rail.key('oversight.read', 'oversight.audit')).plaintext;
});

type Row = Readonly<Record<string, unknown>>;

const valuesOf = (name: string): string[] => {
  const type = schema.getType(name);
  return isEnumType(type) ? type.getValues().map((value) => value.name) : [];
};
const record = schema.getType('FigureRecord');
const FIELDS = isObjectType(record) ? Object.keys(record.getFields()) : [];
const columnOf = (field: string) => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The rows over GraphQL with all their fields, of which REST leaves out those that are null. */
async function askWhole(by: string, measures: readonly string[]): Promise<readonly Row[] | string> {
  const question = `figureRecords(by: [${by}], measures: [${measures.join()}], preset: this_fiscal_year, first: 20)`;
  const { json } = await rail.ask('/graphql', {
    key,
    body: { query: `{ oversight { ${question} { nodes { ${FIELDS.join(' ')} } } } }` },
  });
  if (json.errors) return json.errors[0].extensions.code;
  return json.data.oversight.figureRecords.nodes.map((row: Row) =>
    Object.fromEntries(
      Object.entries(row)
        .filter(([, value]) => value !== null)
        .map(([field, value]) => [columnOf(field), value]),
    ),
  );
}

async function askOverRest(by: string, measures: readonly string[]): Promise<readonly Row[] | string> {
  const question = `by=${by}&measures=${measures.join()}&preset=this_fiscal_year&limit=20`;
  const { json } = await rail.ask(`/v1/oversight/figures?${question}`, { key });
  return json.error?.code ?? json.data;
}

/** Dimensions of which this history has nothing. */
const WITHOUT_ROWS = new Set([
  'anomaly',
  'cause',
  'ground',
  'refund_method',
  'refund_reason',
  'severity',
  'source',
  'status',
]);

/** The fields of a row that REST selects for a question. */
function selected(by: readonly string[], measures: readonly string[]): Set<string> {
  const { prepared } = loadEndpoints(schema).endpoints.find(({ name }) => name === 'OversightFigures')!;
  const fields = new Set<string>();
  visit(narrow(prepared, { by, measures }).document, { Field: ({ name }) => void fields.add(name.value) });
  return fields;
}

describe('a row of figures over REST has all members with values', () => {
  it.each(valuesOf('FigureDimension'))('by %s', async (by) => {
    // At least one of these is kept by each dimension.
    const kept = ['net', 'payments', 'anomalies', 'unpaidAssessments', 'attempts', 'refunds', 'waived', 'missing'];
    const measures = [...kept, 'shifts', 'registered', 'statements'];
    const rows = await askOverRest(by, measures);
    expect(rows).toEqual(await askWhole(by, measures));
    expect(rows.length > 0).toBe(!WITHOUT_ROWS.has(by));
  });

  it('of dimensions and measures that have no rows here', () => {
    for (const by of valuesOf('FigureDimension'))
      expect(selected([by], ['net'])).toContain(by.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()));
    const all = selected(valuesOf('FigureDimension'), valuesOf('FigureMeasure'));
    expect(FIELDS.filter((field) => !all.has(field))).toEqual([]);
    expect(selected(['agency'], ['net'])).not.toContain('payments');
  });

  it('of each measure', async () => {
    const all = valuesOf('FigureMeasure');
    let filled = 0;
    for (let from = 0; from < all.length; from += 20) {
      const rows = await askOverRest('agency', all.slice(from, from + 20));
      expect(rows).toEqual(await askWhole('agency', all.slice(from, from + 20)));
      filled += typeof rows === 'string' ? 0 : new Set(rows.flatMap((row) => Object.keys(row))).size;
    }
    expect(filled).toBeGreaterThan(20);
  });
});
