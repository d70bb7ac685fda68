import { beforeAll, expect, it, vi } from 'vitest';
import { fillWithStory } from '../../src/app/cli/scripts/fill-with-story.ts';
import { findStory, makeStory } from '../../src/sandbox/story.ts';
import { namedOperations } from '../../src/graphql/operations/named.ts';
import { ANOMALY_KINDS } from '../../src/collection/anomalies/kinds.ts';
import { verifyLedger } from '../../src/oversight/seals/verify.ts';
import { raw, sql } from '../../src/platform/database/sql.ts';
import { testRail } from '../harness/rail.ts';

const rail = testRail();
const others = testRail();
let key: string;

/** Hours until the next noon (UTC) of a day of the month. */
function hoursUntilThe(day: number, now: Date): number {
  const at = (months: number) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, day, 12);
  return ((at(0) > now.getTime() ? at(0) : at(1)) - now.getTime()) / 3_600_000;
}

beforeAll(async () => {
  // Late in a month, of which enough clerks have worked at each counter.
  rail.advance(hoursUntilThe(24, rail.rail.now()));
  // As if the rail had been started then: the months before it have no receipts.
  await rail.rail.transaction(async (db) => {
    await db.rows(sql`set local session_replication_role = replica`);
    await db.rows(sql`update signing_key set created_at = ${rail.rail.now()} where use = 'receipt'`);
  });
  expect(await findStory(rail.rail)).toBe('none');
  await makeStory(rail.rail, { days: 10, months: 15 });
  key = (await rail.key('oversight.read', 'oversight.audit')).plaintext;
}, 120_000);

it('a story that is there is shown by a rail with its data folder', async () => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    await fillWithStory(rail.rail.config, 2);
    expect(write.mock.calls.join('')).toContain(`Look at it with DATA_DIR=${rail.dataDir} npm start.`);
  } finally {
    // That forgets its calls.
    write.mockRestore();
  }
});

it('a story fits together, as what a real rail wrote does', async () => {
  const { right, findings } = await verifyLedger(rail.rail, [], () => {});
  expect({ right, findings }).toEqual({ right: true, findings: [] });
  for (const queue of ['oversight_tail', 'unsealed_event', 'outbox_queue'])
    expect(await rail.count(raw(`select from ${queue}`)), queue).toBe(0);
  const ahead = [
    'trace_row where at',
    'audit_log where ts',
    'payment_intent where updated_at',
    'anomaly where raised_at',
  ];
  const now = rail.rail.now().toISOString();
  for (const one of ahead) expect(await rail.count(raw(`select from ${one} > '${now}'`)), one).toBe(0);
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

/** All pages of an operation's answer. */
async function askAll(operation: string): Promise<object[]> {
  const pages: object[] = [];
  for (let after: string | null = null; ;) {
    const query = new URLSearchParams({ operation, ...(after !== null && { variables: JSON.stringify({ after }) }) });
    const { json } = await rail.ask(`/graphql?${query.toString()}`, { key });
    expect(json.errors).toBeUndefined();
    pages.push(json.data.oversight as object);
    const info = Object.values(
      json.data.oversight as Record<string, { pageInfo?: { hasNextPage: boolean; endCursor: string } }>,
    ).find((field) => field?.pageInfo?.hasNextPage)?.pageInfo;
    if (!info) return pages;
    after = info.endCursor;
  }
}

/** The fields of an answer by their paths, and whether there is a value of each anywhere. */
function readFields(value: unknown, path: string, found: Map<string, boolean>): Map<string, boolean> {
  if (Array.isArray(value)) for (const one of value) readFields(one, path, found);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, one] of Object.entries(value)) readFields(one, `${path}.${name}`, found);
    found.set(path, true);
  }
  if (Array.isArray(value) ? value.length === 0 : value === null) found.set(path, found.get(path) ?? false);
  else found.set(path, true);
  return found;
}

/** Fields that are filled only if a variable asks to group by them. */
const NOT_GROUPED_BY = ['figures.nodes.key.serviceId'];

it.each([...namedOperations.keys()])('a story answers %s with rows, and with a value of each figure', async (name) => {
  const fields = new Map<string, boolean>();
  for (const page of await askAll(name))
    for (const [field, value] of Object.entries(page)) readFields(value, field, fields);
  expect([...fields.keys()].some((path) => path.includes('.'))).toBe(true);
  const missing = [...fields].filter(([path, isThere]) => !isThere && !path.includes('pageInfo')).map(([path]) => path);
  expect(missing.filter((path) => !NOT_GROUPED_BY.includes(path))).toEqual([]);
});

it('a story is told once, and not among what others did', async () => {
  expect(await findStory(rail.rail)).toBe('complete');
  await rail.rows(sql`delete from live_request where status = 'Pending'`);
  expect(await findStory(rail.rail)).toBe('broken off');
  await others.key('citizens.read');
  expect(await findStory(others.rail)).toBe('others');
});
