import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { closeShift, openShift } from '../../harness/people/counter.ts';
import { type StaffActor, makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();
let key: string;
const clerks: StaffActor[] = [];

const FIELDS =
  'agencyId counter currency material unresolved materialShortage materialSurplus shifts withVariance variance mostByOneClerk';
async function variancesOf(args = 'least: 1'): Promise<Record<string, unknown>[]> {
  const { json } = await rail.ask('/graphql', {
    key,
    body: { query: `{ oversight { counterVariances(${args}) { nodes { ${FIELDS} } } } }` },
  });
  if (json.errors) throw new Error(JSON.stringify(json.errors));
  return json.data.oversight.counterVariances.nodes;
}

/** A shift of a clerk at a counter that closes with a variance. */
async function work(clerk: number, label: string, variance: number, mda = 'URA'): Promise<void> {
  const shift = await openShift(clerks[clerk]!, { mda, counter_label: label, opening_float: 100_000 });
  const answer = await closeShift(clerks[clerk]!, shift, {
    cash_counted: 100_000 + variance,
    ...(variance !== 0 && { variance_reason: 'canary reason' }),
  });
  if (answer.status !== 200) throw new Error(answer.text);
}

beforeAll(async () => {
  key = (await rail.key('oversight.read')).plaintext;
  for (let index = 0; index < 6; index++) clerks.push(await makeStaff(rail, 'clerk'));
});

describe('counterVariances', () => {
  it('count material variances of any counter, and nothing else of one where few work', async () => {
    for (const variance of [-50_000, -60_000, 20_000, -100]) await work(0, 'Window 1', variance);
    const unknown = { shifts: null, withVariance: null, variance: null, mostByOneClerk: null };
    expect(await variancesOf()).toEqual([
      {
        agencyId: 'URA',
        counter: 'Window 1',
        currency: 'UGX',
        material: 3,
        unresolved: 3,
        materialShortage: 110_000,
        materialSurplus: 20_000,
        ...unknown,
      },
    ]);
    expect(await variancesOf('least: 4')).toEqual([]);
    for (let clerk = 1; clerk < 4; clerk++) await work(clerk, 'Window 1', 0);
    expect((await variancesOf())[0]).toMatchObject(unknown);
  });

  it('say of one where enough clerks work how often cash differed, and how often with one and the same', async () => {
    await work(4, 'Window 1', -200);
    await work(0, 'Window 1', -300);
    const [row] = await variancesOf();
    const [expected] = await rail.rows<object>(sql`
      with own as (select * from counter_shift where counter_label = 'Window 1')
      select count(*)::int as shifts, count(*) filter (where variance <> 0)::int as "withVariance",
        sum(variance)::float8 as variance,
        (select max(n)::int from (select count(*) as n from own where variance <> 0 group by clerk) c) as "mostByOneClerk"
      from own`);
    expect(row).toMatchObject({ counter: 'Window 1', material: 3, ...expected });
    expect(row).toMatchObject({ mostByOneClerk: 5, withVariance: 6 });
  });

  it('say nothing of that counter either once what the agency has beside it is of few', async () => {
    await work(5, 'Window 2', -50_000);
    const shown = await variancesOf();
    expect(shown.map(({ counter }) => counter)).toEqual(['Window 1', 'Window 2']);
    for (const row of shown) expect(row).toMatchObject({ shifts: null, variance: null, mostByOneClerk: null });
    expect(JSON.stringify(shown)).not.toMatch(/canary|@|SHIFT-/);
  });
});
