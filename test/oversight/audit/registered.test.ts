import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();
const SPANS = ['2026-03-01 2026-06-30', '2026-03-17 2026-05-16', '2026-04-30 2026-05-01', '2026-01-01 2026-12-31'];
const UNITS = ['day', 'month', 'year'];

const combinations = SPANS.flatMap((span) => UNITS.map((unit) => [...span.split(' '), unit]));

/** As the copy has it, for each of the spans and units. */
const answers = () =>
  Promise.all(
    combinations.map(([from, to, unit]) =>
      rail.rail.analytics.rows(sql`
        select source, mda, strftime(date_trunc(${unit}, day), '%Y-%m-%d') as day, sum(people)::int as people
        from registration where day between ${from}::date and ${to}::date
        group by 1, 2, 3 order by 1, 2 nulls first, 3`),
    ),
  );

/** The same, of everybody and each consent. */
const plain = () =>
  Promise.all(
    combinations.map(([from, to, unit]) =>
      rail.rows(sql`
        with registered as (
          select 'identity_authority' as source, mda, min(created_at) as at from consent_event group by citizen, mda
          union all
          select 'by_hand', null, created_at from citizen c where not exists (select from consent_event e where e.citizen = c.name)
        )
        select source, mda, date_trunc(${unit}, at at time zone 'utc')::date::text as day, count(*)::int as people
        from registered where (at at time zone 'utc')::date between ${from}::date and ${to}::date
        group by 1, 2, 3 order by 1, 2 nulls first, 3`),
    ),
  );

const consent = (names: string, of: string, at: string) => sql`
  insert into consent_event (name, citizen, mda, purpose, created_at)
  select 'CONSENT-' || ${names}::text || right(c.name, 6), c.name, ${of}, 'x', c.created_at + ${at}::interval from citizen c`;

beforeAll(async () => {
  await rail.rows(sql`
    insert into citizen (name, nin, full_name, verified, search_text, created_at, updated_at)
    select 'CITIZEN-2026-' || (100000 + i), 'CM26' || (100000 + i) || 'ABCD', 'Sample', false, 'sample', at, at
    from generate_series(1, 400) i cross join lateral (select '2026-02-20'::timestamptz + i * interval '7 hours 11 minutes' as at) s`);
  await rail.rows(sql`${consent('A', 'URA', '0')} where right(c.name, 1) < '6'`);
  await rail.rows(sql`${consent('B', 'KCCA', '2 days')} where right(c.name, 1) < '3'`);
});

describe('people registered', () => {
  it('are as plain SQL counts them', async () => {
    const expected = await plain();
    expect(await answers()).toEqual(expected);
    expect(expected.flat().length).toBeGreaterThan(300);
  });

  it('follow consents that come later, again, or from earlier', async () => {
    const before = await answers();
    await rail.rows(sql`${consent('C', 'URA', '3 days')} where right(c.name, 1) < '8'`);
    await rail.rows(sql`${consent('D', 'KCCA', '-1 days')} where right(c.name, 1) < '2'`);
    await rail.rows(sql`update citizen set created_at = created_at + interval '5 days' where right(name, 1) = '9'`);
    const after = await answers();
    expect(after).not.toEqual(before);
    expect(after).toEqual(await plain());
  });

  it('are counted once where two consent at a time', async () => {
    let later: Promise<unknown> | undefined;
    await rail.rail.transaction(async (db) => {
      await db.rows(sql`${consent('E', 'MOH', '0')} where c.name = 'CITIZEN-2026-100300'`);
      later = rail.rows(sql`${consent('F', 'MOH', '5 days')} where c.name = 'CITIZEN-2026-100300'`);
      await answers();
    });
    await later;
    expect(await answers()).toEqual(await plain());
  });
});
