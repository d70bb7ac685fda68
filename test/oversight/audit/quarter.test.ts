import { beforeAll, describe, expect, it } from 'vitest';
import { monthsUpTo, quarterOf, readQuarter } from '../../../src/oversight/closes/quarter/quarter.ts';
import { DAY_MS, dayIn, formatDay } from '../../../src/kernel/time.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { bookPayout } from './bank-lines.ts';
import { railWithYear } from '../revenue/filled.ts';

const rail = railWithYear();
let key: string;

type Flow = Readonly<Record<'opening' | 'during' | 'closing', number | null>>;
const FLOWS = ['assessed', 'waived', 'arrears', 'collected', 'expected', 'arrived', 'in_transit', 'missing'] as const;
type Amounts = Readonly<Record<(typeof FLOWS)[number], Flow>> & { readonly mda: string; readonly currency: string };

interface Paid {
  readonly provider: string;
  readonly arrived: number;
  readonly days_to_bank: number | null;
}

const ask = (quarter: string) => rail.ask(`/v1/oversight/reconciliation?quarter=${quarter}`, { key });
async function reconcile(quarter: string) {
  const { status, text, json } = await ask(quarter);
  expect(status, text).toBe(200);
  return json.data as { totals: Amounts[]; agencies: Amounts[]; providers: Paid[]; days: object[] } & Readonly<
    Record<string, string>
  >;
}

/** The quarter that so many months ago was in. */
const ago = (months: number) => {
  const now = rail.rail.now();
  return quarterOf(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1)));
};

beforeAll(async () => {
  key = (await rail.key('oversight.read')).plaintext;
});

it('names quarters of the calendar', () => {
  expect(quarterOf(new Date('2026-12-31'))).toEqual(readQuarter('2026-Q4'));
  expect([readQuarter('2026-Q4').from, readQuarter('2026-Q4').to].map(formatDay)).toEqual(['2026-10-01', '2026-12-31']);
  expect(formatDay(monthsUpTo(readQuarter('2026-Q1'), 12))).toBe('2025-04-01');
});

describe('GET /v1/oversight/reconciliation', () => {
  it('leads from the opening of each amount to its closing, which is the opening of the next quarter', async () => {
    const [first, second] = [await reconcile(ago(6).name), await reconcile(ago(3).name)];
    expect(first.agencies.length).toBeGreaterThan(1);
    let followed = 0;
    for (const part of ['totals', 'agencies'] as const)
      for (const before of first[part]) {
        const after = second[part].find(({ mda, currency }) => mda === before.mda && currency === before.currency)!;
        for (const name of FLOWS) {
          const { opening, during, closing } = before[name];
          if (opening === null || during === null) continue;
          followed++;
          expect([name, closing]).toEqual([name, opening + during]);
          expect([name, after[name].opening]).toEqual([name, closing]);
        }
      }
    expect(followed).toBeGreaterThan(10);
    expect(first.totals[0]!.assessed.during).toBeGreaterThan(0);
    expect(first.totals[0]!.arrears.during).toBeGreaterThan(0);
  });

  it('adds up what was collected as plain SQL does, by the clock of the country', async () => {
    const { name, from, to } = ago(3);
    const { agencies, totals } = await reconcile(name);
    const facts = await rail.rows<{ mda: string; currency: string; opening: number; closing: number }>(sql`
      select mda, currency, coalesce(sum(amount) filter (where day < ${formatDay(from)}::date), 0)::float8 as opening, sum(amount)::float8 as closing
      from (select *, (occurred_at at time zone 'Africa/Kampala')::date as day from payment_event) e
      where day <= ${formatDay(to)}::date group by 1, 2 order by 1, 2`);
    const found = agencies.map(({ mda, currency, collected: { opening, closing } }) => ({
      mda,
      currency,
      opening,
      closing,
    }));
    expect(found).toEqual(facts);
    const sum = (member: 'opening' | 'closing') => facts.reduce((total, fact) => total + fact[member], 0);
    expect(totals[0]!.collected).toMatchObject({ opening: sum('opening'), closing: sum('closing') });
  });

  it('says which part of the revenue is recorded by service, and how large and old arrears are', async () => {
    const { totals, to_date: toDate } = await reconcile(ago(3).name);
    const before = formatDay(new Date(monthsUpTo(readQuarter(ago(3).name), 12).getTime() - 1));
    const query = `{ oversight(timeZone: UTC) {
      until: figures(span: { days: { fromDate: "2000-01-01", toDate: "${toDate}" } }) { nodes { assessed { outstanding } } }
      old: figures(span: { days: { fromDate: "2000-01-01", toDate: "${before}" } }) { nodes { assessed { outstanding } } } } }`;
    const { json } = await rail.ask('/graphql', { key, body: { query } });
    const { until, old } = json.data.oversight;
    const [outstanding, part] = [until, old].map(({ nodes }) =>
      nodes.length === 0 ? 0 : nodes[0].assessed?.outstanding,
    );
    const [total] = totals as unknown as Readonly<Record<string, number | null>>[];
    expect(total).toMatchObject({ by_service_share: 1, arrears: { closing: outstanding } });
    expect(total!['arrears_share']).toBeGreaterThan(0);
    if (part == null) expect(total!['old_arrears_share']).toBeNull();
    else expect(total!['old_arrears_share']).toBeCloseTo(part / outstanding, 5);
  });

  it('says of what providers owe what is at the bank, in transit and missing, which make it up', async () => {
    const { name, from } = ago(3);
    const day = (days: number) => formatDay(new Date(from.getTime() + days * DAY_MS));
    const [paid] = await rail.rows<{ provider: string; amount: number }>(sql`
      select i.aggregator as provider, sum(e.amount)::int as amount from payment_event e join payment_intent i on i.name = e.intent
      where e.mda = 'URA' and e.kind = 'payment' and i.aggregator <> 'cash'
        and (e.occurred_at at time zone 'Africa/Kampala')::date between ${day(0)}::date and ${day(6)}::date
      group by 1 order by 2 desc limit 1`);
    const { provider, amount } = paid!;
    const arrived = Math.floor(amount / 2);
    await bookPayout(rail, { mda: 'URA', provider, from: day(0), to: day(6), valueOn: day(8), amount: arrived });
    const { agencies, totals, providers } = await reconcile(name);
    for (const row of [...agencies, ...totals])
      for (const member of ['opening', 'during', 'closing'] as const)
        expect(row.arrived[member]! + row.in_transit[member]! + row.missing[member]!).toBe(row.expected[member]);
    const own = agencies.find(({ mda }) => mda === 'URA')!;
    expect(own).toMatchObject({ arrived: { opening: 0, during: arrived, closing: arrived } });
    expect(own.missing.during).toBeGreaterThan(0);
    const row = providers.find((one) => one.provider === provider)!;
    expect(row.arrived).toBe(arrived);
    expect(row.days_to_bank).toBeGreaterThanOrEqual(2);
    // What is known of the bank later is in the next quarter.
    expect((await reconcile(ago(0).name)).agencies.find(({ mda }) => mda === 'URA')!.arrived.during).toBe(0);
  });

  it('is of the present quarter up to today where none is named', async () => {
    const { json } = await rail.ask('/v1/oversight/reconciliation', { key });
    expect(json.data).toMatchObject({ quarter: ago(0).name, up_to: dayIn(rail.rail.now(), 'Africa/Kampala') });
  });

  it('is a page that prints, with the figure for each of what PEFA asks', async () => {
    const auditor = await makeStaff(rail, 'auditor');
    const { status, text } = await auditor.ask(`/oversight/settlement/quarter?quarter=${ago(3).name}`);
    expect(status, text).toBe(200);
    expect(text).toContain('data-print');
    for (const indicator of ['PI-19.4', 'PI-20.1', 'PI-20.2', 'PI-20.3']) expect(text).toContain(indicator);
    expect((await auditor.ask('/oversight/settlement')).text).toContain('/oversight/settlement/quarter');
  });

  it.each(['2026-Q5', '2026', '1999-Q1', '9998-Q4', '2026-q4'])('422: %s', async (quarter) => {
    const { status, json } = await ask(quarter);
    expect([status, json.error.details[0].path]).toEqual([422, 'quarter']);
  });
});
