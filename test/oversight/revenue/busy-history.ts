import { placeEvents } from '../../../src/oversight/events/place.ts';
import { seedHistory } from '../../../src/sandbox/history.ts';
import { remakeCopies } from '../../../src/platform/analytics/feed.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { filledRail } from './filled.ts';
import type { TestRail } from '../../harness/rail.ts';

/**
 * A rail with a made-up history of a little more than a year that has all that revenue is grouped by: payments at every
 * hour of day and night, at counters, by integrators and by neither.
 */
export function railWithBusyHistory(): TestRail {
  return filledRail('busy', makeBusyHistory);
}

async function makeBusyHistory(rail: TestRail): Promise<void> {
  for await (const _ of seedHistory(rail.rail, { events: 1_500, years: 1.5, agencies: 20, seed: 11 }));
  await rail.key('payments.initiate');
  await rail.rail.transaction(async (db) => {
    await db.rows(sql`set local session_replication_role = replica`);
    await db.rows(sql`
      insert into counter_shift (name, mda, clerk, counter_label, status, currency, opening_float, opened_at, revision,
        cash_collected, non_cash_collected, collection_count, created_at, updated_at)
      select 'SHIFT-2025-01-01-' || lpad(n::text, 3, '0'), case when n < 4 then 'URA' else 'KCCA' end,
        n || '@example.com', 'Window ' || n, 'Open', 'UGX', 0, now(), 1, 0, 0, 0, now(), now()
      from generate_series(1, 6) n`);
    await db.rows(sql`
      update assessment set shift = 'SHIFT-2025-01-01-00' || (1 + abs(hashtext(citizen)) % 6)
      where abs(hashtext(name)) % 3 = 0`);
    await db.rows(sql`
      update payment_event set occurred_at = date_trunc('day', occurred_at at time zone 'utc') at time zone 'utc'
          + abs(hashtext(intent)) % 86400 * interval '1 second',
        integrator = case when abs(hashtext(intent)) % 2 = 0 then (select code from integrator order by code limit 1) end`);
    await db.rows(sql`truncate oversight_stream, oversight_tail`);
    await db.rows(sql`
      insert into oversight_tail (kind, subject) select 'payment_event', name from payment_event order by md5(name)`);
    await remakeCopies(db);
  });
  while ((await placeEvents(rail.rail)) > 0);
}
