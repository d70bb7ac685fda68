import { describe, expect, it } from 'vitest';
import { raw, sql } from '../../../src/platform/database/sql.ts';
import { BEFORE_ALL, type Row, awaitCopy, pick, railWithHistory } from './asking.ts';

const { rail, ask, askByName, figures } = railWithHistory();
const SINCE = { fromDate: BEFORE_ALL };
const spanOf = (from: string, to?: string) =>
  `span: { days: { fromDate: "${from}"${to === undefined ? '' : `, toDate: "${to}"`} } }`;

describe('sizes of payments', () => {
  const SIZES = ['agencyId', 'channel', 'currency', 'payments', 'lowerQuartile', 'median', 'upperQuartile'];

  it('are the quantiles of plain SQL, by agency and channel, however few payments there are', async () => {
    const expected = await rail.rows<Record<string, unknown>>(sql`
      select mda as "agencyId", channel::text, currency, count(*)::int as payments,
        percentile_disc(0.25) within group (order by amount) as "lowerQuartile",
        percentile_disc(0.5) within group (order by amount) as median,
        percentile_disc(0.75) within group (order by amount) as "upperQuartile"
      from payment_event where kind = 'payment' group by 1, 2, 3`);
    const answered = await askByName('payment-sizes', SINCE);
    expect(pick(answered, ...SIZES)).toEqual(pick(expected, ...SIZES));
    expect(expected.length).toBeGreaterThan(30);
  });

  it('have classes of powers of ten, with every payment in one', async () => {
    const classes = await ask(
      `figures(by: [size], ${spanOf(BEFORE_ALL)}, slice: { currency: ["UGX"] }) {
        key { size } sizes { payments: sizedPayments amount: sizedAmount } }`,
    );
    const expected = await rail.rows<Record<string, unknown>>(sql`
      select power(10, floor(log(amount))) as size, count(*)::int as payments, sum(amount) as amount
      from payment_event where kind = 'payment' and currency = 'UGX' group by 1`);
    const members = ['size', 'payments', 'amount'];
    expect(pick(classes, ...members)).toEqual(pick(expected, ...members));
    expect(expected.length).toBeGreaterThan(2);
  });

  it('count the days of the agencies’ countries, or of UTC where that is asked for', { tags: 'long' }, async () => {
    await rail.rows(sql`update country set time_zone = 'Pacific/Kiritimati' where code = 'UG'`);
    await awaitCopy(rail);
    const [last] = await rail.rows<{ day: string }>(
      sql`select to_char(max(occurred_at at time zone 'utc'), 'YYYY-MM-DD') as day from payment_event`,
    );
    const of = async (timeZone: string) => {
      const [row] = await ask(
        `figures(${spanOf(last!.day, last!.day)}, timeZone: ${timeZone}) { sizes { payments: sizedPayments } }`,
      );
      return row?.['payments'] ?? 0;
    };
    const count = (zone: string) =>
      rail.count(sql`
        select 1 from payment_event
        where kind = 'payment' and (occurred_at at time zone ${zone})::date = ${last!.day}::date`);
    expect(await of('country')).toBe(await count('Pacific/Kiritimati'));
    expect(await of('UTC')).toBe(await count('utc'));
    expect(await of('UTC')).not.toBe(await of('country'));
    await rail.rows(sql`update country set time_zone = 'Africa/Kampala' where code = 'UG'`);
    await awaitCopy(rail);
  });

  it('count a last month whole where nothing of it is later, and by its days where something is', async () => {
    const days = await rail.rows<{ day: string }>(sql`
      select to_char(max(occurred_at at time zone 'utc')::date + d, 'YYYY-MM-DD') as day
      from payment_event cross join unnest(array[-40, -3, -1, 0, 1]) d group by d order by d`);
    for (const { day } of days) {
      for (const [timeZone, zone] of [
        ['UTC', 'utc'],
        ['country', 'Africa/Kampala'],
      ]) {
        const [row] = await ask(
          `figures(${spanOf('2020-02-11', day)}, timeZone: ${timeZone}, slice: { currency: ["UGX"] }) {
            sizes { payments: sizedPayments median } }`,
        );
        const [expected] = await rail.rows(sql`
          select count(*)::int as payments, percentile_disc(0.5) within group (order by amount)::float8 as median
          from payment_event where kind = 'payment' and currency = 'UGX'
            and (occurred_at at time zone ${zone!})::date between '2020-02-11' and ${day}::date`);
        expect(pick([row!], 'payments', 'median'), `${timeZone} ${day}`).toEqual(
          pick([expected as Row], 'payments', 'median'),
        );
      }
    }
  });

  it('count the months of whichever years a span begins and ends in', async () => {
    const spans = await rail.rows<{ from: string; to: string }>(sql`
      with month as (
        select distinct date_trunc('month', occurred_at at time zone 'utc')::date as first from payment_event
        union select (date_trunc('month', max(occurred_at)) - interval '26 months')::date from payment_event
      )
      select to_char(a.first - d, 'YYYY-MM-DD') as "from",
        to_char(b.first + interval '1 month' - interval '1 day', 'YYYY-MM-DD') as "to"
      from month a join month b on a.first <= b.first cross join unnest(array[0, 4]) d
      order by md5(a.first::text || b.first::text || d) limit 40`);
    expect(spans.length).toBeGreaterThan(10);
    for (const { from, to } of spans) {
      for (const [timeZone, zone] of [
        ['UTC', 'utc'],
        ['country', 'Africa/Kampala'],
      ]) {
        const answered = await ask(
          `figures(${spanOf(from, to)}, timeZone: ${timeZone}, by: [channel], slice: { currency: ["UGX"] }) {
            key { channel } sizes { payments: sizedPayments lowerQuartile upperQuartile } }`,
        );
        const expected = await rail.rows<Record<string, unknown>>(sql`
          select channel::text, count(*)::int as payments,
            percentile_disc(0.25) within group (order by amount) as "lowerQuartile",
            percentile_disc(0.75) within group (order by amount) as "upperQuartile"
          from payment_event where kind = 'payment' and currency = 'UGX'
            and (occurred_at at time zone ${zone!})::date between ${from}::date and ${to}::date group by 1`);
        const members = ['channel', 'payments', 'lowerQuartile', 'upperQuartile'];
        expect(pick(answered, ...members), `${timeZone} ${from} ${to}`).toEqual(pick(expected, ...members));
      }
    }
  });
});

describe('pieces', () => {
  const pieces = sql`
    select l.mda as "agencyId", l.service as "serviceId", s.sector, e.channel::text as channel,
      to_char(e.occurred_at at time zone 'Africa/Kampala', 'YYYY-MM') as month,
      (e.occurred_at at time zone 'Africa/Kampala')::date as day,
      case e.kind when 'payment' then l.quantity else 0 end as sold,
      case e.kind when 'reversal' then l.quantity else 0 end as returned
    from payment_event e join assessment_line l on l.assessment = e.assessment and l.mda = e.mda
      join service s on s.name = l.service`;

  it('are the quantities of what was paid for, less those of what was reversed', async () => {
    const expected = await rail.rows<Record<string, unknown>>(sql`
      select "agencyId", "serviceId", sum(sold)::int as sold, sum(returned)::int as returned,
        sum(sold - returned)::int as pieces
      from (${pieces}) p group by 1, 2`);
    const answered = await askByName('pieces-sold', { ...SINCE, first: 10_000 });
    const members = ['agencyId', 'serviceId', 'sold', 'returned', 'pieces'];
    expect(pick(answered, ...members)).toEqual(pick(expected, ...members));
    const counts = answered.map((row) => Number(row['pieces']));
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
    expect(answered.reduce((sum, { returned }) => sum + Number(returned), 0)).toBeGreaterThan(0);
  });

  it('agree however they are grouped and filtered', async () => {
    const expected = await rail.rows<Record<string, unknown>>(sql`
      select sector, month, sum(sold - returned)::int as pieces from (${pieces}) p
      where channel in ('cash', 'card') group by 1, 2`);
    const answered = await ask(
      `figures(${spanOf(BEFORE_ALL)}, by: [sector, month], slice: { channel: [cash, card] }) {
        key { sector month } pieces { pieces } }`,
    );
    expect(pick(answered, 'sector', 'month', 'pieces')).toEqual(pick(expected, 'sector', 'month', 'pieces'));
    const days = await ask(`figures(${spanOf(BEFORE_ALL)}, by: [day]) { key { day } pieces { pieces } }`);
    const [whole] = await ask(`figures(${spanOf(BEFORE_ALL)}) { pieces { pieces } }`);
    expect(days.reduce((sum, row) => sum + Number(row['pieces']), 0)).toBe(whole!['pieces']);
  });

  it('are of services that something was paid for within the days alone, wherever in a month these end', async () => {
    const [middle] = await rail.rows<{ month: string }>(sql`
      select month from (${pieces}) p group by month order by count(distinct "serviceId") desc, month limit 1`);
    for (const day of ['02', '11', '17', '20', '24', '27']) {
      const last = `${middle!.month}-${day}`;
      const expected = await rail.rows<Record<string, unknown>>(sql`
        select "serviceId", sum(sold)::int as sold, sum(returned)::int as returned from (${pieces}) p
        where month = ${middle!.month} and day <= ${last}::date group by 1`);
      const answered = await ask(
        `figures(${spanOf(`${middle!.month}-01`, last)}, by: [service]) { key { serviceId } pieces { sold returned } }`,
      );
      expect(pick(answered, 'serviceId', 'sold', 'returned'), last).toEqual(
        pick(expected, 'serviceId', 'sold', 'returned'),
      );
    }
  });
});

describe('payers', () => {
  it('are the different people of a month, of whom those are new who had never paid the agency', async () => {
    const expected = await rail.rows<Record<'payers' | 'firstTimePayers' | 'agencyId' | 'month', unknown>>(sql`
      with paid as (
        select e.mda, a.citizen, to_char(e.occurred_at at time zone 'utc', 'YYYY-MM') as month
        from payment_event e join assessment a on a.name = e.assessment where e.kind = 'payment'
      )
      select p.mda as "agencyId", p.month, count(distinct p.citizen)::int as payers,
        count(distinct p.citizen) filter (where p.month = f.month)::int as "firstTimePayers"
      from paid p join (select mda, citizen, min(month) as month from paid group by 1, 2) f
        on f.mda = p.mda and f.citizen = p.citizen
      group by 1, 2`);
    const shown = expected.map(({ payers, firstTimePayers, ...group }) => {
      const [all, first] = [Number(payers), Number(firstTimePayers)];
      const isFew = (people: number) => people > 0 && people < 5;
      return {
        ...group,
        payers: isFew(all) ? null : all,
        firstTimePayers: [all, first, all - first].some(isFew) ? null : first,
      };
    });
    const members = ['agencyId', 'month', 'payers', 'firstTimePayers'];
    expect(pick(await askByName('payers', SINCE), ...members)).toEqual(pick(shown, ...members));
    expect(shown.filter(({ firstTimePayers }) => Number(firstTimePayers) > 0).length).toBeGreaterThan(20);
    expect(shown.filter(({ payers }) => payers === null).length).toBeGreaterThan(0);
    expect(shown.filter(({ payers, firstTimePayers }) => payers !== null && firstTimePayers === null)).not.toEqual([]);
  });
});

describe('attempts', () => {
  const attempts = sql`
    select i.channel::text as channel, i.status, a.citizen, to_char(i.created_at at time zone 'utc', 'YYYY-MM') as month,
      (select s.mda from split_rule s where s.intent = i.name order by s.amount desc, s.mda limit 1) as "agencyId"
    from payment_intent i join assessment a on a.name = i.assessment where i.status <> 'Pending'`;
  const COUNTS = ['attempts', 'confirmed', 'failed', 'expired'];
  /** Counts in plain SQL by status; null for a status that few people have. */
  const countBy = (groups: readonly string[]) => {
    const columns = raw(groups.map((group) => `"${group}"`).join(', '));
    const of = (status: string) => sql`
      case when not coalesce(bool_or(few) filter (where status = ${status}), false)
        then coalesce(sum(n) filter (where status = ${status}), 0)::int end`;
    return rail.rows<Record<string, unknown>>(sql`
      select ${columns}, sum(n) filter (where not few)::int as attempts, ${of('Confirmed')} as confirmed, ${of('Failed')} as failed,
        ${of('Expired')} as expired
      from (
        select ${columns}, status, count(*)::int as n, count(distinct citizen) < 5 as few from (${attempts}) a
        group by ${columns}, status
      ) s group by ${columns} having not bool_and(few)`);
  };

  /** Unsuccessful attempts of a row by cause. */
  const causesOf = ({ causes }: Row) =>
    (causes as { key: { cause: string | null }; attempts: Record<'failed' | 'expired', number | null> | null }[])
      .filter(({ key, attempts: of }) => key.cause !== null && of !== null)
      .map(({ key, attempts: of }) => ({ cause: key.cause, attempts: of!.failed! + of!.expired! }));

  it('by channel: what plain SQL counts, as the statistics have it', async () => {
    const expected = await countBy(['channel', 'month']);
    const answered = await askByName('failed-payments', { ...SINCE, groupBy: ['channel', 'month'] });
    expect(
      pick(
        answered.filter((row) => typeof row['attempts'] === 'number'),
        'channel',
        'month',
        ...COUNTS,
      ),
    ).toEqual(pick(expected, 'channel', 'month', ...COUNTS));
    const { json } = await rail.ask('/graphql', {
      key: (await rail.key('oversight.read')).plaintext,
      body: {
        query: `{ oversight { statistics(fromDate: "${BEFORE_ALL}") { channels {
          channel attempts { confirmed failed expired successRate } } } } }`,
      },
    });
    const members = ['confirmed', 'failed', 'expired', 'successRate'];
    const byChannel = await figures('attempts', members, { by: ['channel'] });
    const channels = json.data.oversight.statistics.channels as { channel: string; attempts: Row | null }[];
    // Statistics have all channels, those that nobody tried too.
    const shown = channels.flatMap(({ channel, attempts: of }) => (of ? [{ channel, ...of }] : []));
    expect(pick(byChannel, 'channel', ...members)).toEqual(pick(shown, 'channel', ...members));
  });

  it('by channel, agency and month: what plain SQL counts wherever they tell, with a cause for each failure', async () => {
    const expected = await countBy(['channel', 'agencyId', 'month']);
    const nameOf = (row: Record<string, unknown>) =>
      ['channel', 'agencyId', 'month'].map((name) => row[name]).join(' ');
    const byName = new Map(expected.map((row) => [nameOf(row), row]));
    const answered = await askByName('failed-payments', { ...SINCE });
    const shown = answered.filter((row) => typeof row['attempts'] === 'number');
    expect(shown.length).toBeGreaterThan(20);
    for (const row of shown) {
      const truth = byName.get(nameOf(row))!;
      const statuses = ['confirmed', 'failed', 'expired'].filter((status) => row[status] !== null);
      for (const status of statuses) expect(row[status], `${nameOf(row)} ${status}`).toBe(truth[status]);
      expect(row['attempts']).toBe(
        statuses.reduce((sum, status) => sum + Number(row[status]), Number(row['open'] ?? 0)),
      );
      expect(causesOf(row).reduce((sum, { attempts: count }) => sum + count, 0)).toBeLessThanOrEqual(
        Number(row['failed'] ?? 0) + Number(row['expired'] ?? 0),
      );
    }
  });

  it('with the causes that enough people of an agency had', async () => {
    // Intents are changed without their events, which these figures do not read.
    await rail.rows(sql`alter table payment_intent disable trigger intent_equals_events`);
    await rail.rows(sql`
      update payment_intent i set failure_reason = 'declined', confirmed_at = null, created_at = now() - interval '60 days',
        status = (case when i.name ~ '[02468]$' then 'Failed' else 'Expired' end)::intent_status
      where channel = 'mtn_momo'`);
    // All of it is told at once, as if it had been so from the beginning.
    await rail.rows(sql`delete from people_waiting`);
    await awaitCopy(rail);
    const rows = await askByName('failed-payments', { ...SINCE, groupBy: ['channel', 'agency'], agency: ['URA'] });
    const row = rows.find(({ channel }) => channel === 'mtn_momo')!;
    const { failed, expired } = row;
    expect(Number(failed)).toBeGreaterThan(5);
    expect(pick(causesOf(row), 'cause', 'attempts')).toEqual(
      pick(
        [
          { cause: 'declined', attempts: failed },
          { cause: 'expired', attempts: expired },
        ],
        'cause',
        'attempts',
      ),
    );
  });

  it('name causes, and never what a provider said', async () => {
    const said = {
      NOT_ENOUGH_FUNDS: 'insufficient_funds',
      'Insufficient balance of 256772000111': 'insufficient_funds',
      PAYER_LIMIT_REACHED: 'limit_reached',
      'Invalid PIN': 'wrong_pin',
      APPROVAL_REJECTED: 'declined',
      PAYER_DECLINED: 'declined',
      'Do not honor': 'declined',
      'Transaction timed out': 'timed_out',
      EXPIRED: 'timed_out',
      PAYER_NOT_FOUND: 'unknown_account',
      'Expired card': 'unknown_account',
      NOT_ALLOWED: 'not_permitted',
      INTERNAL_PROCESSING_ERROR: 'provider_error',
      SERVICE_UNAVAILABLE: 'provider_error',
      'Jane Doe, 0772000111': 'other',
    };
    for (const [words, cause] of Object.entries(said))
      expect(await rail.rows(sql`select failure_cause(${words}) as cause`), words).toEqual([{ cause }]);
    expect(await rail.rows(sql`select failure_cause(null) as cause`)).toEqual([{ cause: 'other' }]);
  });
});

describe('registrations', () => {
  it('are those with consent, by agency, and those by hand, whom no agency asked for', async () => {
    const at = (index: number) => new Date(Date.UTC(2025, 2, 1 + (index % 3), 9));
    for (let index = 0; index < 26; index++) {
      const name = `CITIZEN-2025-${500000 + index}`;
      await rail.rows(sql`
        insert into citizen (name, nin, full_name, verified, search_text, created_at, updated_at)
        values (${name}, ${`CM25${500000 + index}ABCD`}, 'Sample', false, 'sample', ${at(index)}, ${at(index)})`);
      const mda = index < 12 ? 'URA' : 'KCCA';
      if (index < 14)
        await rail.rows(sql`
          insert into consent_event (name, citizen, mda, purpose, created_at)
          values (${`CONSENT-${name}`}, ${name}, ${mda}, 'registration', ${at(index)})`);
    }
    const span = { fromDate: '2025-03-01', toDate: '2025-03-31' };
    const registered = async (variables: object) =>
      (await askByName('registrations', variables)).map(({ key, registrations }) => ({
        ...(key as Row),
        people: (registrations as { registered: number } | null)?.registered ?? null,
      }));
    expect(pick(await registered(span), 'source', 'agencyId', 'people')).toEqual([
      { source: 'by_hand', agencyId: null, people: 10 },
      { source: 'identity_authority', agencyId: 'KCCA', people: null },
      { source: 'identity_authority', agencyId: 'URA', people: 10 },
    ]);
    // 4 on each day: none of them is told of, and nothing follows from the month.
    const byDay = { groupBy: ['source', 'agency', 'day'] };
    const days = await registered({ ...span, ...byDay, source: ['by_hand'] });
    expect(days.map(({ people }) => people)).toEqual([null, null, null]);
    expect(await registered({ ...span, agency: ['URA'] })).toHaveLength(1);
    // Figures of several agencies and sources are the sums of their parts.
    expect(await registered({ ...span, groupBy: ['year'] })).toMatchObject([{ period: '2025', people: 20 }]);
    expect(await registered({ ...span, groupBy: [] })).toMatchObject([{ period: null, people: 20 }]);
  });
});
