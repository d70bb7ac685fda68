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
    const { settlementComparison } = await graphql(`
      {
        oversight {
          settlementComparison {
            provider
            currency
            statements
            settled
            recorded
            difference
            matched
            missingHere
            missingThere
            amountDiffers
            duplicate
          }
        }
      }
    `);
    const [expected] = await rail.rows<{ settled: number; recorded: number }>(sql`
      select (select sum(statement_amount)::float8 from reconciliation_item
          where run = ${runs[1]} and outcome <> 'duplicate') as settled,
        (select sum(amount)::float8 from payment_intent where status = 'Confirmed' and aggregator = 'mtn_momo') as recorded`);
    expect(settlementComparison).toEqual([
      {
        provider: 'mtn_momo',
        currency: 'UGX',
        statements: 1,
        ...expected!,
        difference: expected!.settled - expected!.recorded,
        matched: 2,
        missingHere: 1,
        missingThere: 1,
        amountDiffers: 1,
        duplicate: 1,
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

  it('422: more than a year at a time', async () => {
    await expect(
      graphql('{ oversight { settlementComparison(fromDate: "2020-01-01") { provider } } }'),
    ).rejects.toThrow(/validation_failed/);
  });
});
