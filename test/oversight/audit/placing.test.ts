import { expect, it } from 'vitest';
import { placeEvents } from '../../../src/oversight/events/place.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();
const WAITING = 60_000;

const wait = (from: number) =>
  rail.rows(
    sql`insert into oversight_tail (kind, subject) select 'anomaly', n::text from generate_series(${from}::int, ${from + WAITING - 1}::int) n`,
  );

it('places many events at once, in their order, where statistics say that none wait', async () => {
  await wait(1);
  expect(await placeEvents(rail.rail, WAITING)).toBe(WAITING);
  // The statistics now say that the table is empty, so PostgreSQL expects no rows.
  await rail.rows(sql`analyze oversight_tail`);
  await wait(WAITING + 1);
  const [first, second] = [await placeEvents(rail.rail, WAITING - 1), await placeEvents(rail.rail, WAITING - 1)];
  expect([first, second, await placeEvents(rail.rail)]).toEqual([WAITING - 1, 1, 0]);
  const placed = await rail.rows(sql`
    select count(*)::int, max(position)::int as last, bool_and(position = subject::int) as ordered from oversight_stream`);
  expect(placed).toEqual([{ count: 2 * WAITING, last: 2 * WAITING, ordered: true }]);
});
