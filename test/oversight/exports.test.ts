import { parquetReadObjects } from 'hyparquet';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/database/sql.ts';
import { loadEndpoints } from '../../rest/load.ts';
import { CSV, PARQUET, exported } from '../../rest/exports.ts';
import { schema } from '../../src/graphql/schema.ts';
import { fold } from '../../src/oversight/fold.ts';
import { confirmed, newActor } from '../harness/flow.ts';
import { testRail } from '../harness/rail.ts';

const rail = testRail();
let key: string;

const EVENTS = '/v1/oversight/payment-events';
const REVENUE = '/v1/oversight/revenue?group_by=mda,channel,day';

async function bytes(path: string, accept: string) {
  const response = await fetch(rail.origin + path, { headers: { authorization: `Bearer ${key}`, accept } });
  return { response, body: Buffer.from(await response.arrayBuffer()) };
}

beforeAll(async () => {
  key = (await rail.key('oversight.read')).plaintext;
  const actor = await newActor(rail);
  for (let i = 0; i < 3; i++) await confirmed(rail, actor);
  // Enough for several pages and row groups, without paying each.
  await rail.rail.transaction(async (db) => {
    await db.rows(sql`set local session_replication_role = replica`);
    await db.rows(sql`
      insert into payment_event (name, intent, assessment, integrator, mda, amount, currency, channel, kind, aggregator_reference, txn_id, occurred_at, created_at)
      select 'PEV-2025-01-' || lpad(n::text, 6, '0'), 'PI-2025-01-' || lpad(n::text, 6, '0'), assessment, integrator, mda, 1000 + n, currency, channel, kind, 'R-' || n, null,
        timestamptz '2025-01-01' + (n - 24001) * interval '1 second', now() from (select * from payment_event limit 1) e, generate_series(1, 60000) n`);
  });
  while ((await fold(rail.rail, 50_000)) > 0);
});

describe('payment events as a file', () => {
  it('CSV: each of them once, with a header', async () => {
    const { response, body } = await bytes(EVENTS, 'text/csv');
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="payment-events.csv"');
    const rows: Record<string, string>[] = parse(body, { columns: true });
    expect(rows).toHaveLength(60_006);
    expect(Object.keys(rows[0]!)).toEqual(['name', 'mda', 'amount', 'currency', 'channel', 'kind', 'occurred_at', 'seal']);
    expect(new Set(rows.map(({ name }) => name)).size).toBe(60_006);
  });

  it('Parquet: the same, with types', async () => {
    const { response, body } = await bytes(EVENTS, 'application/vnd.apache.parquet');
    expect(response.headers.get('content-type')).toBe('application/vnd.apache.parquet');
    const file = body.buffer.slice(body.byteOffset, body.byteOffset + body.byteLength);
    const rows = await parquetReadObjects({ file });
    expect(rows).toHaveLength(60_006);
    expect(rows.find(({ name }) => name === 'PEV-2025-01-000042')).toMatchObject({
      amount: 1_042,
      occurred_at: new Date('2024-12-31T17:20:41Z'),
      seal: null,
    });
  });

  it('filters, and refuses before a byte is sent', async () => {
    const { body } = await bytes(`${EVENTS}?from_date=2025-01-01&to_date=2025-01-01&kind=payment`, 'text/csv');
    expect(parse(body, { columns: true })).toHaveLength(36_000);
    const { response } = await bytes(`${EVENTS}?after=nothing`, 'text/csv');
    expect(response.status).toBe(422);
  });

  it.each([CSV, PARQUET] as const)('%s: reads on only as fast as it is taken, however much there is', async (format) => {
    const { endpoints } = loadEndpoints(schema);
    const endpoint = endpoints.find(({ path }) => path === EVENTS)!;
    const row = {
      name: 'PEV',
      mda: 'URA',
      amount: 1,
      currency: 'UGX',
      channel: 'cash',
      kind: 'payment',
      occurred_at: '2025-01-01T00:00:00.000Z',
      seal: null,
    };
    let pulled = 0;
    const endless = async function* () {
      for (;;) {
        pulled++;
        yield Array.from({ length: 1_000 }, () => row);
      }
    };
    let taken = 0;
    const ahead: number[] = [];
    for await (const chunk of exported(endpoint, format, endless())) {
      expect(chunk.length).toBeGreaterThan(0);
      await new Promise((wake) => setTimeout(wake, 5));
      ahead.push(pulled - ++taken * (format === CSV ? 1 : 50));
      if (taken === 8) break;
    }
    // A page, or a row group of 50 pages.
    expect(Math.max(...ahead)).toBeLessThanOrEqual(format === CSV ? 1 : 51);
  });
});

describe('revenue as a file', () => {
  it('is what the list is, in both formats', async () => {
    const { data } = await rail.ask(`${REVENUE}&limit=10000`, { key });
    const { body } = await bytes(REVENUE, 'text/csv');
    const csv: Record<string, string>[] = parse(body, { columns: true });
    expect(csv.map(({ net }) => Number(net))).toEqual(data.map(({ net }: { net: number }) => net));
    const parquet = (await bytes(REVENUE, 'application/vnd.apache.parquet')).body;
    const rows = await parquetReadObjects({ file: parquet.buffer.slice(parquet.byteOffset, parquet.byteOffset + parquet.byteLength) });
    expect(rows.map(({ day, net }) => [day, net])).toEqual(data.map(({ day, net }: { day: string; net: number }) => [day, net]));
  });

  it('writes what a spreadsheet would take for a formula as text', async () => {
    await rail.rows(sql`update service set sector = '=HYPERLINK("http://evil")' where code = 'URA-PAYE'`);
    const { body } = await bytes('/v1/oversight/revenue?group_by=sector', 'text/csv');
    expect(body.toString()).toContain(`"'=HYPERLINK(""http://evil"")"`);
    expect(body.toString()).not.toMatch(/(^|,)"?=/m);
  });

  it('401 and 403 as ever', async () => {
    expect((await fetch(rail.origin + EVENTS, { headers: { accept: 'text/csv' } })).status).toBe(401);
    const { plaintext } = await rail.key('citizens.read');
    expect((await fetch(rail.origin + EVENTS, { headers: { accept: 'text/csv', authorization: `Bearer ${plaintext}` } })).status).toBe(403);
  });
});
