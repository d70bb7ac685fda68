import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { TWO_LINES_TOTAL, createConfirmed, makeActor } from '../../harness/flow.ts';
import { type StaffActor, makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();
let key: string;
let admin: StaffActor;
const runs: string[] = [];

const graphql = async (query: string) => {
  const { json, text } = await rail.ask('/graphql', { key, body: { query } });
  if (json.errors) throw new Error(JSON.stringify(json.errors));
  expect(text).not.toMatch(/PI-\d|X-CANARY|TXN-CANARY|@/);
  return json.data.oversight;
};

beforeAll(async () => {
  // At noon of Kampala: a statement's day is its provider's, and figures here are asked by days of UTC.
  rail.advance((33 - rail.rail.now().getUTCHours()) % 24);
  key = (await rail.key('oversight.read')).plaintext;
  admin = await makeStaff(rail, 'admin');
  const actor = await makeActor(rail);
  const intents: string[] = [];
  for (let index = 0; index < 4; index++) intents.push((await createConfirmed(rail, actor)).intent);
  const [matched, differs, twice] = intents;
  const rows: [string, number][] = [
    [matched!, TWO_LINES_TOTAL],
    [differs!, TWO_LINES_TOTAL - 1],
    [twice!, TWO_LINES_TOTAL],
    [twice!, TWO_LINES_TOTAL],
    ['X-CANARY', 9_000],
  ];
  const day = rail.rail.now().toISOString().slice(0, 10);
  const csv = [
    'External Transaction Id,Amount,Currency,Status,Id,Date',
    ...rows.map(([name, amount]) => `${name},${amount},UGX,SUCCESSFUL,TXN-CANARY,${day} 00:00:00`),
  ].join('\n');
  const sent = await admin.ask(`/v1/ops/reconciliation/statements?provider=mtn_momo&from_date=${day}&to_date=${day}`, {
    body: csv,
    headers: { 'content-type': 'text/csv' },
  });
  runs.push(sent.data.name);
  runs.push((await admin.post(`/v1/ops/reconciliation/runs/${sent.data.name}:rerun`)).data.name);
});

describe('settlement', () => {
  it('stands beside what is recorded, by provider, each statement as it was reconciled last', async () => {
    const { json } = await rail.ask('/graphql?operation=settlement', { key });
    const { figures } = json.data.oversight;
    const [expected] = await rail.rows<{ settled: number; recorded: number }>(sql`
      select (select sum(statement_amount)::float8 from reconciliation_item
          where run = ${runs[1]} and outcome <> 'duplicate') as settled,
        (select sum(amount)::float8 from payment_intent where status = 'Confirmed' and aggregator = 'mtn_momo') as recorded`);
    expect(figures.nodes).toEqual([
      {
        key: { provider: 'mtn_momo', currency: 'UGX' },
        settlements: {
          statements: 1,
          ...expected!,
          difference: expected!.settled - expected!.recorded,
          matched: 2,
          missingHere: 1,
          missingThere: 1,
          amountDiffers: 1,
          duplicate: 1,
        },
      },
    ]);
    expect(expected).toEqual({ settled: 3 * TWO_LINES_TOTAL - 1 + 9_000, recorded: 4 * TWO_LINES_TOTAL });
  });

  it('is listed by statement with what came of its rows, as plain SQL adds it up, and without what names a payment', async () => {
    const { settlements } = await graphql(`
      {
        oversight {
          settlements {
            nodes {
              id
              provider
              from
              to
              rerunOfId
              rerunOf {
                ignored
                rerunOfId
              }
              latest
              ignored
              outcomes {
                outcome
                currency
                count
                settled
                recorded
              }
            }
          }
        }
      }
    `);
    const outcomes = await rail.rows(sql`
      select outcome, 'UGX' as currency, count(*)::int as count, sum(statement_amount)::float8 as settled,
        sum(recorded_amount)::float8 as recorded
      from reconciliation_item where run = ${runs[0]} group by 1 order by 1`);
    expect(settlements.nodes).toMatchObject([
      {
        id: runs[1],
        provider: 'mtn_momo',
        rerunOfId: runs[0],
        rerunOf: { ignored: 0, rerunOfId: null },
        latest: true,
        outcomes,
      },
      { id: runs[0], rerunOfId: null, rerunOf: null, latest: false, ignored: 0, outcomes },
    ]);
    const latest = await graphql('{ oversight { settlements(latest: true, toDate: "2020-01-01") { nodes { id } } } }');
    expect(latest.settlements.nodes).toEqual([]);
  });

  it('is told of whole statements within the days alone, and of whichever span', async () => {
    const of = async (days: string, more = '') => {
      const { figures } = await graphql(`{ oversight { figures(span: { days: { ${days} } }, timeZone: UTC ${more}) {
        nodes { settlements { statements recorded settled } } } } }`);
      return figures.nodes;
    };
    const [row] = await of('fromDate: "2000-01-01"');
    expect(row.settlements).toMatchObject({ statements: 1, recorded: 4 * TWO_LINES_TOTAL });
    expect(await of('toDate: "2000-01-01"')).toEqual([]);
    expect(await of('fromDate: "2000-01-01"', 'slice: { provider: ["airtel_money"] }')).toEqual([]);
  });

  it('counts no statement any more whose last comparison came to nothing', async () => {
    await rail.rows(sql`
      insert into reconciliation_run (name, provider, from_at, to_at, source_hash, rows, ignored, matched, missing_here,
        missing_there, amount_differs, duplicate, created_by, created_at)
      select 'RECON-2099-01-000001', provider, from_at, to_at, source_hash, '[]', 0, 0, 0, 0, 0, 0, 'x', created_at + interval '1 s'
      from reconciliation_run where name = ${runs[1]}`);
    const { figures, settlements } = await graphql(`
      {
        oversight {
          figures(timeZone: UTC) {
            nodes {
              settlements {
                statements
                settled
              }
            }
          }
          settlements(latest: true) {
            nodes {
              id
              outcomes {
                count
              }
            }
          }
        }
      }
    `);
    expect(figures.nodes).toEqual([{ settlements: { statements: 0, settled: 0 } }]);
    expect(settlements.nodes).toEqual([{ id: 'RECON-2099-01-000001', outcomes: [] }]);
  });
});
