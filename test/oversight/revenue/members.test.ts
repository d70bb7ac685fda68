import { beforeAll, describe, expect, it } from 'vitest';
import { isEnumType, isObjectType } from 'graphql';
import { schema } from '../../../src/app/schema.ts';
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

describe('a row of figures over REST has all members with values', () => {
  it.each(valuesOf('FigureDimension'))('by %s', async (by) => {
    const measures = ['net', 'payments', 'anomalies', 'unpaid', 'failed_attempts'].filter((one) =>
      valuesOf('FigureMeasure').includes(one),
    );
    expect(await askOverRest(by, measures)).toEqual(await askWhole(by, measures));
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
