import { setImmediate as immediate } from 'node:timers/promises';
import { zstdDecompressSync } from 'node:zlib';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/platform/database/sql.ts';
import { loadEndpoints } from '../../rest/load.ts';
import { CSV, NDJSON, PARQUET, encodeFile } from '../../src/graphql/files/encode.ts';
import { unscale } from '../../src/graphql/files/parquet.ts';
import { columnsOfOperation } from '../../src/graphql/files/rows.ts';
import { LISTS } from '../../src/app/cli/exports/lists.ts';
import { readOperation } from '../../src/app/cli/exports/operation.ts';
import { Decimal } from '../../src/kernel/money.ts';
import { schema } from '../../src/app/schema.ts';
import { placeEvents } from '../../src/oversight/events/place.ts';
import { createConfirmed, makeActor } from '../harness/flow.ts';
import { testRail } from '../harness/rail.ts';

const rail = testRail();
let key: string;

const EVENTS = '/v1/oversight/payment-events';
const REVENUE = '/v1/oversight/revenue?group_by=mda,channel,day';

async function bytes(path: string, accept: string) {
  const response = await fetch(rail.origin + path, { headers: { authorization: `Bearer ${key}`, accept } });
  return { response, body: Buffer.from(await response.arrayBuffer()) };
}

const arrayOf = (body: Buffer) => body.buffer.slice(body.byteOffset, body.byteOffset + body.byteLength) as ArrayBuffer;

const readParquet = (body: Buffer) =>
  parquetReadObjects({ file: arrayOf(body), compressors: { ZSTD: (packed) => zstdDecompressSync(packed) } });

/** The types of a file's columns, as an independent reader finds them. */
function typesOf(body: Buffer): Record<string, string> {
  const columns = parquetMetadata(arrayOf(body)).schema.slice(1);
  return Object.fromEntries(
    columns.map(({ name, type, converted_type, logical_type, precision, scale }) => {
      const bounds = converted_type === 'DECIMAL' ? `(${precision},${scale})` : '';
      const zone = logical_type?.type === 'TIMESTAMP' && logical_type.isAdjustedToUTC ? ' UTC' : '';
      return [name, `${converted_type ?? type}${bounds}${zone}`];
    }),
  );
}

beforeAll(async () => {
  key = (await rail.key('oversight.read')).plaintext;
  const actor = await makeActor(rail);
  for (let i = 0; i < 3; i++) await createConfirmed(rail, actor);
  // Enough for several pages and row groups, without paying each.
  await rail.rail.transaction(async (db) => {
    await db.rows(sql`set local session_replication_role = replica`);
    await db.rows(sql`
      insert into payment_event (name, intent, assessment, integrator, mda, amount, currency, channel, kind,
        aggregator_reference, txn_id, occurred_at, created_at)
      select 'PEV-2025-01-' || lpad(n::text, 6, '0'), 'PI-2025-01-' || lpad(n::text, 6, '0'), assessment, integrator,
        mda, 1000 + n, currency, channel, kind, 'R-' || n, null,
        timestamptz '2025-01-01' + (n - 24001) * interval '1 second', now()
        from (select * from payment_event limit 1) e, generate_series(1, 30000) n`);
  });
  while ((await placeEvents(rail.rail, 50_000)) > 0);
});

describe('payment events as a file', () => {
  it('CSV: each of them once, with a header', { tags: 'long' }, async () => {
    const { response, body } = await bytes(EVENTS, 'text/csv');
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="payment-events.csv"');
    const rows: Record<string, string>[] = parse(body, { columns: true });
    expect(rows).toHaveLength(30_006);
    expect(Object.keys(rows[0]!)).toEqual([
      'name',
      'mda',
      'amount',
      'currency',
      'channel',
      'kind',
      'proof',
      'occurred_at',
      'seal',
    ]);
    expect(new Set(rows.map(({ name }) => name)).size).toBe(30_006);
  });

  it('NDJSON: the same, a row a line, as in the list', { tags: 'long' }, async () => {
    const { response, body } = await bytes(EVENTS, NDJSON);
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="payment-events.ndjson"');
    const lines = body.toString().trimEnd().split('\n');
    expect(lines).toHaveLength(30_006);
    const page = (await bytes(`${EVENTS}?limit=5`, 'application/json')).body;
    expect(lines.slice(0, 5).map((line) => JSON.parse(line))).toEqual(JSON.parse(page.toString()).data);
  });

  it('Parquet: the same, with types', { tags: 'long' }, async () => {
    const { response, body } = await bytes(EVENTS, 'application/vnd.apache.parquet');
    expect(response.headers.get('content-type')).toBe('application/vnd.apache.parquet');
    const rows = await readParquet(body);
    expect(rows).toHaveLength(30_006);
    // A reader that turns decimals into floating-point numbers gets their error.
    expect(rows.find(({ name }) => name === 'PEV-2025-01-000042')).toMatchObject({
      amount: expect.closeTo(1_042, 6),
      occurred_at: new Date('2024-12-31T17:20:41Z'),
      seal: null,
    });
  });

  it('Parquet: money is DECIMAL, to the last digit; moments are UTC; days are DATE', async () => {
    const { body } = await bytes(`${EVENTS}?mda=URSB`, PARQUET);
    expect(typesOf(body)).toMatchObject({
      name: 'UTF8',
      amount: 'DECIMAL(38,4)',
      occurred_at: 'TIMESTAMP_MILLIS UTC',
      seal: 'JSON',
    });
    const revenue = (await bytes(REVENUE, PARQUET)).body;
    expect(typesOf(revenue)).toMatchObject({
      day: 'DATE',
      collected: 'DECIMAL(38,4)',
      net: 'DECIMAL(38,4)',
      count: 'INT32',
      share: 'DOUBLE',
    });
    const amounts = [
      '0',
      '0.0001',
      '-0.01',
      '999999999999999',
      '99999999999.9999',
      '-12345678901.2345',
      '0.1',
      '4.35',
      '1.005',
    ];
    const written = amounts.map((amount) => unscale(Number(amount)));
    expect(written.map((value) => new Decimal(value.toString()).dividedBy(10_000).toFixed())).toEqual(amounts);
  });

  it('CSV with a byte order mark where one is asked for', async () => {
    const { body } = await bytes(`${EVENTS}?mda=URSB&bom=true`, CSV);
    expect([...body.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(parse(body, { columns: true, bom: true })[0]).toHaveProperty('name');
    expect((await bytes(`${EVENTS}?mda=URSB`, CSV)).body.subarray(0, 4).toString()).toBe('name');
    expect((await bytes(`${EVENTS}?mda=URSB&bom=perhaps`, CSV)).response.status).toBe(422);
    expect((await bytes(`${EVENTS}?mda=URSB&bom=true`, PARQUET)).body.subarray(0, 4).toString()).toBe('PAR1');
  });

  it('filters, and refuses before a byte is sent', async () => {
    const { body } = await bytes(`${EVENTS}?from_date=2025-01-01&to_date=2025-01-01&kind=payment`, 'text/csv');
    expect(parse(body, { columns: true })).toHaveLength(6_000);
    const { response } = await bytes(`${EVENTS}?after=nothing`, 'text/csv');
    expect(response.status).toBe(422);
  });

  it.each([CSV, NDJSON, PARQUET] as const)(
    '%s: reads on only as fast as it is taken, however much there is',
    async (format) => {
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
      for await (const chunk of encodeFile(format, columnsOfOperation(endpoint.prepared), endless())) {
        expect(chunk.length).toBeGreaterThan(0);
        for (let turns = 0; turns < 1_000; turns++) await immediate();
        ahead.push(pulled - ++taken * (format === PARQUET ? 5 : 1));
        if (taken === 8) break;
      }
      // A page, or a row group of 5 pages.
      expect(Math.max(...ahead)).toBeLessThanOrEqual(format === PARQUET ? 6 : 1);
    },
  );
});

describe('npm run admin export', () => {
  it.each(LISTS)('%s: has the columns that the same list has over REST', (list) => {
    const { prepared } = loadEndpoints(schema).endpoints.find(({ path }) => path === `/v1/oversight/${list}`)!;
    expect(columnsOfOperation(readOperation(list))).toEqual(columnsOfOperation(prepared));
  });
});

describe('files at a time', () => {
  /** Begins a file, and reads no further than its headers. */
  const begin = async (credential: string) => {
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${credential}`, accept: 'text/csv' };
    const response = await fetch(rail.origin + EVENTS, { headers, signal: leaving.signal });
    return { response, leave: () => leaving.abort() };
  };

  it('429 for a third of one key, 503 for a fifth of all; whoever leaves half-way makes room', async () => {
    const keys = await Promise.all(Array.from({ length: 3 }, async () => (await rail.key('oversight.read')).plaintext));
    const begun = [await begin(keys[0]!), await begin(keys[0]!)];
    const third = await begin(keys[0]!);
    expect(third.response.status).toBe(429);
    expect(third.response.headers.get('ratelimit-policy')).toBe('"exports";q=2;qu="concurrent-requests"');
    expect(Number(third.response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await third.response.json()).toMatchObject({ error: { code: 'rate_limited' } });
    begun.push(await begin(keys[1]!), await begin(keys[1]!));
    expect(begun.map(({ response }) => response.status)).toEqual([200, 200, 200, 200]);
    const fifth = await begin(keys[2]!);
    expect([fifth.response.status, fifth.response.headers.get('retry-after')]).toEqual([503, '5']);
    // The list itself is not a file.
    expect((await rail.ask(EVENTS, { key: keys[2]! })).status).toBe(200);
    for (const { leave } of begun) leave();
    await expect
      .poll(async () => {
        const { response, leave } = await begin(keys[2]!);
        leave();
        return response.status;
      })
      .toBe(200);
  });
});

describe('revenue as a file', () => {
  it('is what the list is, in both formats', async () => {
    const { data } = await rail.ask(`${REVENUE}&limit=10000`, { key });
    const { body } = await bytes(REVENUE, 'text/csv');
    const csv: Record<string, string>[] = parse(body, { columns: true });
    expect(csv.map(({ net }) => Number(net))).toEqual(data.map(({ net }: { net: number }) => net));
    const parquet = (await bytes(REVENUE, 'application/vnd.apache.parquet')).body;
    const rows = await readParquet(parquet);
    const values = rows.map(({ day, net }) => [
      (day as Date).toISOString().slice(0, 10),
      Math.round((net as number) * 1e4) / 1e4,
    ]);
    expect(values).toEqual(data.map(({ day, net }: { day: string; net: number }) => [day, net]));
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
    expect(
      (await fetch(rail.origin + EVENTS, { headers: { accept: 'text/csv', authorization: `Bearer ${plaintext}` } }))
        .status,
    ).toBe(403);
  });
});
