import { beforeAll, expect, it } from 'vitest';
import { findStory, tellStory } from '../../../src/app/sandbox/story.ts';
import { ANOMALY_KINDS } from '../../../src/collection/anomalies/kinds.ts';
import { verifyLedger } from '../../../src/oversight/seals/verify.ts';
import { raw, sql } from '../../../src/platform/database/sql.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();
const others = testRail();

beforeAll(async () => {
  expect(await findStory(rail.rail)).toBe('none');
  await tellStory(rail.rail, { days: 3 });
}, 60_000);

it('a story fits together, as what a real rail wrote does', async () => {
  const { right, findings } = await verifyLedger(rail.rail, [], () => {});
  expect({ right, findings }).toEqual({ right: true, findings: [] });
  for (const queue of ['oversight_tail', 'unsealed_event', 'outbox where relayed_at is null'])
    expect(await rail.count(raw(`select from ${queue}`)), queue).toBe(0);
  const ahead = [
    'trace_row where at',
    'audit_log where ts',
    'payment_intent where updated_at',
    'anomaly where raised_at',
  ];
  for (const one of ahead) expect(await rail.count(raw(`select from ${one} > now()`)), one).toBe(0);
});

it('a story has an anomaly of each kind, and something in each state of whatever pages list', async () => {
  const statesOf = async (column: string, table: string) =>
    (
      await rail.rows<{ state: string }>(
        raw(`select distinct ${column}::text as state from ${table} where ${column} is not null`),
      )
    )
      .map(({ state }) => state)
      .toSorted();
  expect(await statesOf('kind', 'anomaly')).toEqual([...ANOMALY_KINDS].toSorted());
  expect(await statesOf('status', 'assessment')).toEqual(['Assessed', 'Cancelled', 'Draft', 'Paid']);
  expect(await statesOf('status', 'anomaly')).toEqual(['Open', 'Resolved']);
  expect(await statesOf('status', 'counter_shift')).toEqual(['Closed', 'Open']);
  expect(await statesOf('variance_status', 'counter_shift')).toEqual(
    expect.arrayContaining(['Pending', 'Escalated', 'Rejected']),
  );
  expect(await statesOf('status', 'payment_intent')).toEqual(['Confirmed', 'Expired', 'Failed', 'Pending', 'Sent']);
  expect(await statesOf('status', 'webhook_delivery')).toEqual(['dead', 'delivered', 'pending']);
  expect(await statesOf('status', 'live_request')).toEqual(['Approved', 'Pending', 'Refused']);
  expect(await statesOf('outcome', 'reconciliation_item')).toEqual(
    expect.arrayContaining(['amount_differs', 'matched', 'missing_here', 'missing_there']),
  );
  for (const table of ['revenue_target', 'daily_usage', 'operator_audit', 'citizen_access', 'service_notice'])
    expect(await rail.count(raw(`select from ${table}`)), table).toBeGreaterThan(2);
});

it('a story is told once, and not among what others did', async () => {
  expect(await findStory(rail.rail)).toBe('told');
  await rail.rows(sql`delete from live_request where status = 'Pending'`);
  expect(await findStory(rail.rail)).toBe('broken off');
  await others.key('citizens.read');
  expect(await findStory(others.rail)).toBe('others');
});
