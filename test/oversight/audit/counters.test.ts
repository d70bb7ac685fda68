import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { remakeCopies } from '../../../src/platform/analytics/feed.ts';
import { createConfirmed, makeActor } from '../../harness/flow.ts';
import { closeShift, openShift } from '../../harness/people/counter.ts';
import { type StaffActor, makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();
let key: string;
const clerks: StaffActor[] = [];

/** Counters with at least this many variances. */
async function variancesOf(least = 1): Promise<Record<string, unknown>[]> {
  const variables = encodeURIComponent(JSON.stringify({ least }));
  // Asks for fresh figures, not remembered ones.
  const headers = { 'cache-control': 'no-cache' };
  const { json } = await rail.ask(`/graphql?operation=repeated-variances&variables=${variables}`, { key, headers });
  if (json.errors) throw new Error(JSON.stringify(json.errors));
  return json.data.oversight.figures.nodes;
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

describe('figures of counters', () => {
  it('count material variances of any counter, and nothing else of one where few work', async () => {
    for (const variance of [-50_000, -60_000, 20_000, -100]) await work(0, 'Window 1', variance);
    expect(await variancesOf()).toEqual([
      {
        key: { agencyId: 'URA', counter: { label: 'Window 1' }, currency: 'UGX' },
        variances: { material: 3, unresolved: 3, materialShortage: 110_000, materialSurplus: 20_000 },
        shifts: null,
      },
    ]);
    expect(await variancesOf(4)).toEqual([]);
    for (let clerk = 1; clerk < 4; clerk++) await work(clerk, 'Window 1', 0);
    expect(await variancesOf()).toMatchObject([{ shifts: null }]);
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
    expect(row).toMatchObject({
      key: { counter: { label: 'Window 1' } },
      variances: { material: 3 },
      shifts: expected,
    });
    expect(row).toMatchObject({ shifts: { mostByOneClerk: 5, withVariance: 6 } });
    expect([await variancesOf(6), await variancesOf(7)]).toEqual([[row], []]);
  });

  it('say nothing of that counter either once what the agency has beside it is of few', async () => {
    const before = await variancesOf();
    await work(5, 'Window 2', -50_000);
    // Work of a single clerk is hidden, except for anomalies.
    expect(await variancesOf()).toMatchObject([
      before[0]!,
      { key: { counter: { label: 'Window 2' } }, variances: { material: 1 }, shifts: null },
    ]);
    await rail.rows(sql`delete from people_waiting`);
    const shown = await variancesOf();
    expect(shown).toMatchObject([
      { key: { counter: { label: 'Window 1' } }, shifts: null },
      { key: { counter: { label: 'Window 2' } }, shifts: null },
    ]);
    expect(JSON.stringify(shown)).not.toMatch(/canary|@|SHIFT-/);
  });
});

describe('whoever looks for clerks in what is told of counters and days', () => {
  it('finds none by taking what is told off one another, however shifts fall', async () => {
    let state = 7;
    const draw = (below: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((state / 2_147_483_648) * below);
    };
    const rows = Array.from({ length: 400 }, (_, index) => {
      const few = draw(3) === 0;
      return {
        name: `SHIFT-2026-09-01-${String(index + 100)}`,
        mda: ['KCCA', 'NIRA', 'MOH'][draw(3)]!,
        clerk: `clerk${few ? draw(3) : draw(9)}@example.com`,
        counter: `Window ${draw(4)}`,
        at: `2026-0${8 + draw(2)}-${String(1 + draw(28)).padStart(2, '0')}T09:00:00Z`,
        variance: draw(4) === 0 ? -100 : 0,
      };
    });
    await rail.rows(sql`
      insert into counter_shift (name, mda, clerk, counter_label, status, currency, opening_float, cash_counted, variance,
        variance_reason, variance_status, opened_at, closed_at, created_at, updated_at)
      select name, mda, clerk, counter, 'Closed', 'UGX', 1000, 1000 + variance, variance,
        case when variance <> 0 then 'x' end, case when variance <> 0 then 'Pending' end::variance_status, at, at, at, at
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as r (name text, mda text, clerk text, counter text, at timestamptz, variance numeric)`);
    // Days are told of agencies that have takings.
    await createConfirmed(rail, await makeActor(rail));
    await rail.rail.transaction(async (db) => {
      await db.rows(sql`set local session_replication_role = replica`);
      await db.rows(sql`
        insert into payment_event (name, intent, assessment, mda, amount, currency, channel, kind, aggregator_reference,
          occurred_at, created_at)
        select 'PEV-2026-08-00000' || n, intent, assessment, m, amount, currency, channel, kind, aggregator_reference,
          '2026-08-01', '2026-08-01'
        from (select * from payment_event limit 1) e cross join unnest(array['KCCA', 'NIRA', 'MOH']) with ordinality as t (m, n)`);
      await remakeCopies(db);
    });
    let [shown, hidden] = [0, 0];
    for (const month of ['2026-08', '2026-09']) {
      const span = `fromDate: "${month}-01", toDate: "${month}-28"`;
      const query = `{ oversight { figures(by: [agency, counter], span: { days: { ${span} } }) {
        nodes { key { counter { id } } shifts { shifts } variances { variances } } }
        dailyCloses(${span}, first: 200) { nodes { agencyId day shifts { shifts } } } } }`;
      const { json } = await rail.ask('/graphql', { key, body: { query } });
      const { figures, dailyCloses } = json.data.oversight;
      const visible = new Map<string, number>();
      for (const { key: of, shifts, variances } of figures.nodes) {
        if (shifts) visible.set(of.counter.id, shifts.shifts);
        // Variances that are no anomalies are counted only for counters whose shifts are shown.
        else expect(variances?.variances ?? 0).toBe(0);
      }
      for (const { agencyId, day, shifts } of dailyCloses.nodes)
        if (shifts) visible.set(`${agencyId} ${day}`, shifts.shifts);
      const own = rows.filter(({ at }) => at.startsWith(month));
      for (const mda of ['KCCA', 'NIRA', 'MOH'])
        for (const placeOf of [
          (row: (typeof rows)[0]) => row.counter,
          (row: (typeof rows)[0]) => row.at.slice(0, 10),
        ]) {
          const parts = Map.groupBy(
            own.filter((row) => row.mda === mda),
            placeOf,
          );
          const clerksOf = (some: typeof rows) => new Set(some.map(({ clerk }) => clerk)).size;
          const left = [...parts].filter(([place]) => !visible.has(`${mda} ${place}`)).flatMap(([, some]) => some);
          for (const [place, some] of parts) {
            const count = visible.get(`${mda} ${place}`);
            if (count === undefined) continue;
            shown++;
            expect(count).toBe(some.length);
            expect(clerksOf(some)).toBeGreaterThanOrEqual(5);
          }
          if (left.length > 0) hidden++;
          expect(left.length === 0 || clerksOf(left) >= 5, `${month} ${mda}`).toBe(true);
        }
    }
    expect([shown > 10, hidden > 5]).toEqual([true, true]);
  });
});
