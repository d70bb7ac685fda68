import { deepStrictEqual } from 'node:assert/strict';
import pg from 'pg';
import type { Client } from '../clients.ts';
import { median } from '../measure.ts';
import type { Report } from '../report.ts';

/** Least times that the copy must be faster than PostgreSQL. On a short history both take next to no time. */
const TIMES_FASTER = 10;
const ROUNDS = 5;

const QUESTION = `{ oversight { figures(
  by: [agency, month], span: { days: { fromDate: "2000-01-01" } }, timeZone: UTC, first: 10000
) { nodes { key { agencyId month currency } revenue { net payments } } } } }`;
const PLAIN = `
  select mda as agency, to_char(occurred_at at time zone 'utc', 'YYYY-MM') as month, currency, sum(amount)::float as net,
    (count(distinct (intent, mda)) filter (where kind = 'payment'))::int as payments
  from payment_event group by 1, 2, 3`;

interface Answer {
  readonly errors?: readonly { readonly message: string }[];
  readonly data: {
    readonly oversight: {
      readonly figures: {
        readonly nodes: readonly {
          readonly key: { readonly agencyId: string; readonly month: string; readonly currency: string };
          readonly revenue: { readonly net: number; readonly payments: number };
        }[];
      };
    };
  };
}

interface Row {
  readonly agency: string;
  readonly month: string;
  readonly currency: string;
  readonly net: number;
  readonly payments: number;
}

/** Revenue by agency and month of all time beside a plain GROUP BY, which has to say the same. */
export async function measurePlain(report: Report, client: Client, url: string, isLong: boolean): Promise<void> {
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  try {
    const ask = async () => rowsOf(await client.post('/graphql', { query: QUESTION }));
    const query = async () => (await db.query<Row>(PLAIN)).rows;
    deepStrictEqual(linesOf(await ask()), linesOf(await query()), 'The rail and a plain GROUP BY answer differently');
    const [ours, plain] = [await msOf(ask), await msOf(query)];
    report.table(
      ['revenue by agency and month of all time', 'ms'],
      [
        ['rail', ours],
        ['a plain GROUP BY', plain],
      ],
    );
    report.judge({
      what: 'plain GROUP BY ÷ rail',
      figure: plain / ours,
      unit: '×',
      target: isLong ? { atLeast: TIMES_FASTER } : { none: true },
    });
  } finally {
    await db.end();
  }
}

function rowsOf(answer: unknown): Row[] {
  const { data, errors } = answer as Answer;
  if (errors) throw new Error(JSON.stringify(errors));
  return data.oversight.figures.nodes.map(({ key: { agencyId: agency, ...key }, revenue }) => ({
    agency,
    ...key,
    ...revenue,
  }));
}

function linesOf(rows: readonly Row[]): string[] {
  return rows.map((row) => [row.agency, row.month, row.currency, row.net, row.payments].join(' ')).toSorted();
}

async function msOf(once: () => Promise<unknown>): Promise<number> {
  const took: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const from = performance.now();
    await once();
    took.push(performance.now() - from);
  }
  return median(took);
}
