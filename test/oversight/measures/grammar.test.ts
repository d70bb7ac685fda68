import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { type Row, keyOf, pick, railWithHistory } from './asking.ts';

const { rail, ask, figures } = railWithHistory();

// Many fail, for reasons that others fail for too.
beforeAll(async () => {
  // Intents are changed without their events, which these figures do not read.
  await rail.rows(sql`alter table payment_intent disable trigger intent_equals_events`);
  await rail.rows(sql`
    update payment_intent set status = (case when hashtext(name) % 3 = 0 then 'Expired' else 'Failed' end)::intent_status, confirmed_at = null,
      failure_reason = (array['APPROVAL_REJECTED', 'Invalid PIN'])[1 + abs(hashtext(name || 'c')) % 2]
    where channel = 'mtn_momo' and abs(hashtext(name || 'a')) % 10 < 6`);
  await rail.rail.transaction(async (db) => {
    await db.rows(sql`set local session_replication_role = replica`);
    await db.rows(sql`
      with proved as (
        update payment_event set proof = (array['enquiry', 'approval', null])[1 + abs(hashtext(intent)) % 3]::payment_proof
        where channel = 'card' and abs(hashtext(intent)) % 10 = 0 returning name
      ) insert into fact_change (kind, document) select 'payment', name from proved`);
  });
});

const ATTEMPTS = ['attempts', 'confirmed', 'failed', 'expired'];

/** The sum of a measure over rows. */
const sumOf = (rows: readonly Row[], measure: string) => rows.reduce((sum, row) => sum + Number(row[measure] ?? 0), 0);

describe('figures about people, of the grammar', () => {
  it.each([
    ['assessed', ['assessments', 'paid', 'outstanding', 'cancelled'], [['agency'], ['country'], ['region', 'month']]],
    [
      'assessed',
      ['paid', 'outstanding', 'cancelled'],
      [['service'], ['sector', 'family'], ['agency', 'service', 'month']],
    ],
    ['toPayment', ['paidAssessments'], [['agency'], ['district'], ['month', 'agency'], ['fiscal_year']]],
    ['attempts', ATTEMPTS, [['agency', 'channel'], ['agency'], ['country', 'channel', 'month']]],
    ['attempts', ATTEMPTS, [['cause'], ['channel', 'cause'], ['channel', 'agency', 'cause', 'month']]],
    [
      'unpaid',
      ['unpaidAssessments', 'unpaidAmount'],
      [['agency'], ['age'], ['agency', 'month', 'age'], ['country', 'quarter']],
    ],
  ] as const)('%s tells the same, however it is grouped as deep', async (group, measures, groupings) => {
    const asked = await Promise.all(groupings.map((by) => figures(group, measures, { by })));
    for (const measure of measures) {
      const sums = asked.map((rows) => sumOf(rows, measure));
      expect(new Set(sums), measure).toEqual(new Set(sums.slice(0, 1)));
      expect(sums[0], measure).toBeGreaterThanOrEqual(0);
    }
    expect(sumOf(asked[0]!, measures[0])).toBeGreaterThan(0);
    for (const [place, by] of groupings.entries())
      for (const row of asked[place]!) expect(Object.keys(row)).toEqual(expect.arrayContaining(by.map(keyOf)));
  });

  it('what payments were confirmed by: what plain SQL counts, in groups and slices', async () => {
    const truth = await rail.rows<Row>(sql`
      select currency, channel::text as channel, proof::text as proof, count(*)::int as payments from payment_event
      where kind = 'payment' group by 1, 2, 3`);
    const answered = await figures('revenue', ['payments'], { by: ['channel', 'proof'] });
    const shownOf = (rows: readonly Row[]) =>
      rows
        .map((row) => ['currency', 'channel', 'proof', 'payments'].map((member) => String(row[member])).join(' '))
        .toSorted();
    expect(shownOf(answered)).toEqual(shownOf(truth));
    const approved = truth.filter(({ proof }) => proof === 'approval');
    expect(approved.length).toBeGreaterThan(0);
    expect(sumOf(await figures('revenue', ['payments'], { slice: { proof: ['approval'] } }), 'payments')).toBe(
      sumOf(approved, 'payments'),
    );
  });

  it('why attempts failed: what plain SQL counts of each cause, wherever it is told', async () => {
    const truth = await rail.rows<Row>(sql`
      select i.channel::text as channel, (
          select s.mda from split_rule s where s.intent = i.name order by s.amount desc, s.mda limit 1) as "agencyId",
        to_char(i.created_at at time zone 'utc', 'YYYY-MM') as month,
        case i.status when 'Expired' then 'expired' else failure_cause(i.failure_reason) end as cause, count(*)::int as n
      from payment_intent i where i.status in ('Failed', 'Expired') group by 1, 2, 3, 4`);
    const members = ['channel', 'agencyId', 'month', 'cause'];
    const nameOf = (row: Row) => members.map((member) => String(row[member])).join(' ');
    const counts = new Map(truth.map((row) => [nameOf(row), row['n']]));
    const answered = await figures('attempts', ATTEMPTS, { by: ['channel', 'agency', 'month', 'cause'] });
    const shown = answered.filter(({ cause, attempts }) => cause !== null && attempts !== null);
    expect(shown.length).toBeGreaterThan(3);
    for (const row of shown) {
      expect(row['attempts'], nameOf(row)).toBe(counts.get(nameOf(row)));
      expect(row, nameOf(row)).toMatchObject({ confirmed: 0 });
    }
    expect(answered.filter(({ cause }) => cause !== null)).toHaveLength(truth.length);
    // A slice has as much of it, and what it leaves out the rest.
    const of = async (slice: object) =>
      sumOf(await figures('attempts', ['attempts'], { slice: { ...slice } }), 'attempts');
    const byCause = sumOf(answered, 'attempts');
    const [some, others] = [{ cause: ['declined', 'expired'] }, { not: { cause: ['declined', 'expired'] } }];
    expect((await of(some)) + (await of(others))).toBe(byCause);
    expect(await of(some)).toBe(
      sumOf(
        answered.filter(({ cause }) => cause === 'declined' || cause === 'expired'),
        'attempts',
      ),
    );
  });

  it('keeps back by cause those whose causes few share, until others do', async () => {
    const [part] = await rail.rows<{ channel: string; mda: string; month: string; intents: string[] }>(sql`
      select channel::text, mda, month, (array_agg(name order by name))[:6] as intents from (
        select distinct on (i.channel, r.mda, date_trunc('month', i.created_at at time zone 'utc'), a.citizen) i.name, i.channel, r.mda,
          to_char(i.created_at at time zone 'utc', 'YYYY-MM') as month
        from payment_intent i join assessment a on a.name = i.assessment join split_rule r on r.intent = i.name
        where i.status = 'Confirmed' and i.channel = 'mtn_momo' and not exists (
          select from split_rule o where o.intent = i.name and (o.amount, r.mda) > (r.amount, o.mda))
      ) p group by 1, 2, 3 order by count(*) desc, 1, 2, 3 limit 1`);
    const { channel, mda, month, intents } = part!;
    const slice = { channel: [channel], agency: [mda] };
    const days = { fromDate: `${month}-01`, toDate: `${month}-01` };
    const failed = async () => (await figures('attempts', ['failed'], { slice, days }))[0]!['failed'];
    const byCause = () => figures('attempts', ['failed'], { by: ['cause'], slice, days });
    const before = [Number(await failed()), sumOf(await byCause(), 'failed')];
    await rail.rows(sql`
      update payment_intent set status = 'Failed', confirmed_at = null,
        failure_reason = (array['APPROVAL_REJECTED', 'Invalid PIN', 'EXPIRED'])[1 + array_position(${intents}::text[], name) % 3]
      where name = any(${intents})`);
    expect([await failed(), sumOf(await byCause(), 'failed')]).toEqual([before[0]! + intents.length, before[1]]);
    expect((await byCause()).find(({ cause }) => cause === null)).toMatchObject({ failed: null });
    const left = { slice: { ...slice, not: { cause: ['expired'] } }, days };
    expect(sumOf(await figures('attempts', ['failed'], left), 'failed')).toBe(before[1]);
  });

  it('how many people paid: of one agency in one month, and never over several', async () => {
    const months = await figures('payers', ['payers', 'firstTimePayers'], { by: ['agency', 'month'] });
    expect(months.filter(({ payers }) => payers !== null).length).toBeGreaterThan(50);
    const [row] = await ask(
      'figures(by: [agency], span: { preset: all_time }, first: 1) { revenue { net } payers { payers } hidden { figures reason } }',
    );
    expect(row).toMatchObject({
      revenue: { net: expect.any(Number) },
      payers: null,
      hidden: [{ figures: 'payers', reason: 'not_over_several' }],
    });
  });

  it('stand in one row with figures that are not about people', async () => {
    const rows = await ask(
      `figures(by: [agency, day], first: 2) { key { agencyId } revenue { net } reversals { unexplainedReversals }
        assessed { assessed } unpaid { unpaidAmount } attempts { attempts } cancellations { cancellations } hidden { figures reason } }`,
    );
    expect(pick(rows, 'agencyId')).toHaveLength(2);
    const groups = ['assessed', 'unpaid', 'attempts', 'cancellations'];
    for (const row of rows)
      expect(row).toMatchObject({
        revenue: { net: expect.any(Number) },
        reversals: { unexplainedReversals: expect.any(Number) },
        ...Object.fromEntries(groups.map((group) => [group, null])),
        hidden: groups.map((group) => ({ figures: group, reason: 'not_kept_by_this_dimension' })),
      });
  });
});
