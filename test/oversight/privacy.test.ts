import { isObjectType } from 'graphql';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zstdDecompressSync } from 'node:zlib';
import { parquetReadObjects } from 'hyparquet';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadEndpoints } from '../../rest/load.ts';
import { drawNumber } from '../../src/collection/references/number.ts';
import { FACTS } from '../../src/oversight/facts/facts.ts';
import { GROUP_NAMES, groupOf } from '../../src/oversight/figures/query/groups.ts';
import { IN_STEPS } from '../../src/oversight/common/small-cells.ts';
import { raw, sql } from '../../src/platform/database/sql.ts';
import { namedOperations } from '../../src/graphql/operations/named.ts';
import { schema } from '../../src/app/schema.ts';
import { waitFor } from '../harness/run/wait.ts';
import { isOpenTo, keyWith, typeOfRoot, walkFrom } from '../harness/schema/walk.ts';
import { createConfirmed, makeActor } from '../harness/flow.ts';
import { makePoint } from '../harness/people/biller.ts';
import { collectInShift } from '../harness/people/counter.ts';
import { testRail } from '../harness/rail.ts';
import { makeStaff } from '../harness/people/staff.ts';

const rail = testRail({
  JOBS: 'on',
  OVERSIGHT_FILES: fileURLToPath(new URL('revenue/published', import.meta.url)),
});
let key: string;

/** The label of a counter: oversight sees it, and never who works there. */
const LABEL = 'canary-window';

/** Values that are entered wherever people can leave data. */
const CANARIES = ['CM99CANARY0001', 'Canary Nightingale', '+256799000111', 'canary-reason', 'canary-notes'];

beforeAll(async () => {
  key = (await rail.key('oversight.read')).plaintext;
  const { plaintext } = await rail.key(
    'citizens.read',
    'citizens.write',
    'assessments.write',
    'assessments.cancel',
    'payments.initiate',
  );
  const post = async (path: string, body: object = {}) => {
    const { status, data, text } = await rail.ask(path, { key: plaintext, body });
    if (status !== 200) throw new Error(text);
    return data;
  };
  const citizen = await post('/v1/citizens', {
    nin: 'CM99CANARY0001',
    full_name: 'Canary Nightingale',
    phone: '+256799000111',
  });
  await rail.rows(
    sql`insert into consent_event (name, citizen, mda, purpose, created_at) values ('CONSENT-2020-000001', ${citizen.name}, 'URA', 'registration', now())`,
  );
  const [service] = await rail.rows<{ name: string }>(sql`select name from service where code = 'URA-PAYE'`);
  await makePoint(rail).pay({ reference: drawNumber(), amount: 1_000 });
  for (let i = 0; i < 3; i++) {
    const assessment = await post('/v1/assessments', { citizen: citizen.name, lines: [{ service: service!.name }] });
    await post(`/v1/assessments/${assessment.name}:assess`);
    const intent = await post('/v1/payment-intents', { assessment: assessment.name, channel: 'mtn_momo' });
    await post(`/v1/payment-intents/${intent.name}:initiate`, { payer_msisdn: '+256799000111' });
    await post(`/v1/payment-intents/${intent.name}:confirm`);
    if (i === 0) await post(`/v1/assessments/${assessment.name}:cancel`, { reason: 'canary-reason' });
  }
  const clerk = await makeStaff(rail, 'clerk');
  CANARIES.push(clerk.email);
  const { data: shift } = await clerk.post('/v1/counter-shifts', {
    mda: 'URA',
    counter_label: LABEL,
    opening_float: 1_000_000,
    opening_notes: 'canary-notes',
  });
  await collectInShift(rail, clerk, shift.name);
  await clerk.post(`/v1/counter-shifts/${shift.name}:close`, {
    cash_counted: 1,
    variance_reason: 'canary-reason',
    closing_notes: 'canary-notes',
  });
  const isSettled = async () =>
    (await rail.count(sql`select 1 from oversight_tail`)) === 0 &&
    (await rail.count(sql`select 1 from event_seal`)) === (await rail.count(sql`select 1 from payment_event`));
  await waitFor('end of what follows', isSettled);
});

/** Every address of oversight, as lists and as files; what files of datasets have, their own test says. */
function addresses(): { path: string; accept: string }[] {
  const { endpoints } = loadEndpoints(schema);
  return endpoints
    .filter(({ path }) => path.startsWith('/v1/oversight/') && !path.includes('{'))
    .flatMap(({ path, formats }) => ['application/json', ...formats].map((accept) => ({ path, accept })));
}

describe('no answer of oversight', () => {
  it('leads to a person: no list, no file', async () => {
    const all = addresses();
    expect(all.length).toBeGreaterThan(11);
    for (const { path, accept } of all) {
      const query = path.endsWith('/revenue')
        ? '?group_by=mda,sector,family,service,channel,country,region,district,station,fiscal_year,quarter,day,week,month,weekday,hour,kind'
        : '';
      const response = await fetch(`${rail.origin}${path}${query}`, {
        headers: { authorization: `Bearer ${key}`, accept },
      });
      expect(response.status, path).toBe(200);
      const body = Buffer.from(await response.arrayBuffer());
      const text = accept.endsWith('parquet')
        ? JSON.stringify(
            await parquetReadObjects({
              file: body.buffer.slice(body.byteOffset, body.byteOffset + body.byteLength),
              compressors: { ZSTD: (packed) => zstdDecompressSync(packed) },
            }),
            (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
          )
        : body.toString();
      expect(text.length, path).toBeGreaterThan(10);
      for (const canary of CANARIES) expect(text, `${path} ${accept}`).not.toContain(canary);
      expect(text, path).not.toMatch(/CITIZEN-|ASMT-|PI-\d|SHIFT-|STUB-|TXN-/);
    }
  });

  it('leads to a person over the stream and by named operations', async () => {
    const leaving = new AbortController();
    const response = await fetch(`${rail.origin}/graphql`, {
      method: 'POST',
      signal: leaving.signal,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({
        query:
          'subscription { oversight(after: "0") { cursor item { ... on AnyPaymentEvent { id agencyId amount currency channel eventKind: kind occurredAt seal { sequence hash version commitment } } ... on OverseenAnomaly { id kind agencyId agencyIds severity status raisedAt figures } } } }',
      }),
    });
    let text = '';
    for await (const chunk of response.body!) {
      text += Buffer.from(chunk).toString();
      if (text.includes('cash_variance') && text.includes('reversal')) break;
    }
    leaving.abort();
    for (const name of namedOperations.keys())
      text += await (
        await fetch(`${rail.origin}/graphql?operation=${name}`, { headers: { authorization: `Bearer ${key}` } })
      ).text();
    expect(text).toContain('PEV-');
    for (const canary of CANARIES) expect(text).not.toContain(canary);
    expect(text).not.toMatch(/CITIZEN-|ASMT-|PI-\d|SHIFT-|STUB-|TXN-/);
  });
});

describe('the copy of facts', () => {
  it('leads to no person: no column, no change that it follows, no byte of its files', async () => {
    const texts: Record<string, string> = {};
    // After the first question, changes of people wait to be disclosed.
    await rail.rail.analytics.asOf();
    await createConfirmed(rail, await makeActor(rail));
    for (const { name, columns } of FACTS) {
      const rows = await rail.rail.analytics.rows<object>(sql`select * from ${raw(name)}`);
      // Nobody is exempt or notified by a webhook here, no statement was compared, no target set, and no day closed.
      if (!['agency_day', 'bank_line', 'delivery', 'outcome', 'target', 'waived', 'withheld'].includes(name))
        expect(rows.length, name).toBeGreaterThan(0);
      expect(Object.keys(rows[0] ?? { document: 0, ...columns }).toSorted()).toEqual(
        ['document', ...Object.keys(columns)].toSorted(),
      );
      texts[name] = JSON.stringify(rows);
    }
    const changes = await rail.rows(sql`select * from fact_change`);
    expect(changes.length).toBeGreaterThan(5);
    // The feed names shifts, and nobody who works in them.
    texts['fact_change'] = JSON.stringify(changes).replaceAll('SHIFT-', '');
    const folder = join(rail.dataDir, 'analytics');
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    texts['files'] = files.map((file) => readFileSync(join(file.parentPath, file.name), 'latin1')).join('');
    // The search finds text that is there.
    expect(texts['files']).toContain(LABEL);
    const [{ citizen } = { citizen: '' }] = await rail.rows<{ citizen: string }>(
      sql`select name as citizen from citizen where full_name = 'Canary Nightingale'`,
    );
    expect(citizen).toMatch(/^CITIZEN-/);
    for (const [where, text] of Object.entries(texts))
      for (const canary of [...CANARIES, citizen, 'CITIZEN-', 'SHIFT-', 'STUB-', 'TXN-'])
        expect(text.includes(canary), `${where} has ${canary}`).toBe(false);
  });
});

describe('figures by counter and hour', () => {
  it('tell of counters by their labels, and of nobody who works or pays there, however narrow the question', async () => {
    const query = `{ oversight {
      hours: figures(by: [counter, service, channel, kind, day, hour, district], slice: { counter: ["URA ${LABEL}"] }) {
        nodes { key { counter { agencyId label } channel kind day hour } revenue { net events average share } }
      }
      compared: figures(by: [counter, hour, weekday, station], including: [before]) {
        nodes { key { counter { label } hour } revenue { net } compared { revenue { net } } }
      }
    } }`;
    const { text, json } = await rail.ask('/graphql', { key, body: { query } });
    expect(json.data.oversight.hours.nodes).toMatchObject([
      { key: { counter: { agencyId: 'URA', label: LABEL } }, revenue: { events: 1 } },
    ]);
    for (const canary of CANARIES) expect(text).not.toContain(canary);
    expect(text).not.toMatch(/CITIZEN-|ASMT-|PI-\d|SHIFT-|STUB-|TXN-/);
  });

  it('count no people: what counts them is parted by neither, and knows one calendar', async () => {
    const counting = GROUP_NAMES.filter((name) => groupOf(name).description.includes(IN_STEPS));
    expect(counting.length).toBeGreaterThan(5);
    for (const name of counting) {
      const finer = groupOf(name).dimensions.filter((one) => /^(hour|day|week|weekday|station|counter)$/.test(one));
      // The people of shifts are clerks. A counter is one more part of them, and is withheld as any other.
      expect(finer, name).toEqual(name === 'shifts' ? ['counter'] : []);
    }
    // Next to exact figures, these have days only in their own calendar.
    const query = `{ oversight {
      country: statistics { ...Attempts }
      utc: statistics(timeZone: UTC) { ...Attempts }
    } }
    fragment Attempts on OversightStatistics {
      channels { channel attempts { confirmed failed expired open successRate } }
    }`;
    const { json } = await rail.ask('/graphql', { key, body: { query } });
    expect(json.data.oversight.country).toEqual(json.data.oversight.utc);
  });
});

/** Organisations, shown to whoever has `oversight.audit` alone; see test/oversight/revenue. */
const BY_SCOPE = new Set([
  'OverseenCancellation.reason',
  'FigureKey.integratorId',
  'FigureRecord.integrator',
  'RevenueRow.integratorId',
  // Why figures are null.
  'HiddenFigures.reason',
  'fact_payment.integrator',
  'integrator.integrator',
  'event_integrator.integrator',
]);

describe('by construction', () => {
  it('no type that is reachable from oversight has a field that could name a person', () => {
    const denied =
      /citizen|nin$|fullName|phone|msisdn|email|payer(?!s$)|clerk|actor|assessment$|intent$|reference|txn|shift$|notes|reason|subject|resolvedBy|createdBy|decidedBy|integrator/i;
    // Fields that need more than the scope of oversight are left out: test/graphql/access-matrix.test.ts checks that
    // they are refused.
    const { reached } = walkFrom(keyWith('oversight.read'), [
      typeOfRoot('query', 'oversight'),
      typeOfRoot('subscription', 'oversight'),
    ]);
    const seen = [...reached.keys()].filter(isObjectType);
    for (const type of seen) {
      for (const name of Object.keys(type.getFields()))
        if (isOpenTo(keyWith('oversight.read'), type.getFields()[name]!) && !BY_SCOPE.has(`${type.name}.${name}`))
          expect(`${type.name}.${name}`).not.toMatch(new RegExp(`\\.(${denied.source})`, 'i'));
    }
    expect(seen.length).toBeGreaterThan(12);
  });

  it('the role that it reads by sees its own views and nothing else, and changes nothing', async () => {
    const client = new pg.Client({ connectionString: rail.url, options: '-c role=rail_oversight' });
    await client.connect();
    const attempt = (statement: string) =>
      client.query(statement).then(
        () => 'allowed',
        (error: { code: string }) => error.code,
      );
    const { rows } = await client.query<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    );
    expect(rows).toEqual([]);
    const tables = await rail.rows<{ name: string }>(
      sql`select tablename as name from pg_tables where schemaname = 'public'`,
    );
    expect(tables.length).toBeGreaterThan(30);
    for (const { name } of tables) expect(await attempt(`select * from ${name} limit 1`), name).toBe('42501');
    const views = await rail.rows<{ name: string; columns: string }>(sql`
      select table_name as name, string_agg(column_name, ' ') as columns from information_schema.columns
      where table_schema = 'oversight' group by 1`);
    expect(views.length).toBeGreaterThan(12);
    for (const { name, columns } of views) {
      expect(await attempt(`select * from oversight.${name} limit 1`), name).toBe('allowed');
      const denied = columns.split(' ').filter((column) => !BY_SCOPE.has(`${name}.${column}`));
      expect(denied.join(' '), name).not.toMatch(
        /citizen|nin\b|full_name|phone|msisdn|email|clerk|actor|assessment\b|intent\b|reference|txn|notes|reason|subject|integrator/,
      );
    }
    expect(await attempt('create table oversight.x (y int)')).toBe('42501');
    expect(await attempt('delete from oversight.fact_change')).toBe('42501');
    await client.end();
    await expect(rail.rail.oversight.rows(sql`select * from citizen`)).rejects.toMatchObject({ code: '42501' });
  });

  it('groups of fewer than 5 payers are not told of', async () => {
    const actor = await makeActor(rail);
    const { data } = await rail.ask('/v1/oversight/collections?mda=URA', { key });
    expect(data).toEqual([
      {
        mda: 'URA',
        currency: 'UGX',
        assessments: null,
        assessed: null,
        paid: null,
        outstanding: null,
        cancelled: null,
        seconds_p50: null,
        seconds_p90: null,
        seconds_p99: null,
      },
    ]);
    expect((await rail.ask('/v1/oversight/consents', { key })).data).toMatchObject([{ mda: 'URA', count: null }]);
    const ask = async (fields: string) => {
      const { json } = await rail.ask('/graphql', { key, body: { query: `{ oversight { ${fields} } }` } });
      return Object.entries(json.data.oversight as Record<string, unknown[] | { nodes: unknown[] }>);
    };
    const lists = [
      ...(await ask(`
        assessed: figures(by: [agency, service]) { nodes { assessed { assessments assessed paid outstanding cancelled } } }
        times: figures(by: [agency, channel]) { nodes { toPayment { paidAssessments p50 p90 p99 } } }
        attempts: figures(by: [channel, agency]) {
          nodes { attempts { attempts confirmed failed expired open successRate } } }
        payers: figures(by: [agency, month]) { nodes { payers { payers firstTimePayers } } }`)),
      ...(await ask(`
        causes: figures(by: [channel, cause]) { nodes { attempts { attempts failed expired } } }
        unpaid: figures(by: [agency, age]) { nodes { unpaid { unpaidAssessments unpaidAmount } } }
        cancelled: figures(by: [agency]) { nodes { cancellations { cancellations cancelledAmount largestCancellation } } }
        registered: figures(by: [agency, month], slice: { source: [identity_authority] }) { nodes { registrations { registered } } }
        unpaidAssessments { nodes { amount } }`)),
    ];
    const { unpaidAssessments, ...figures } = Object.fromEntries(
      lists.map(([field, list]) => [field, Array.isArray(list) ? list : list.nodes]),
    ) as Record<string, Record<string, unknown>[]>;
    expect(unpaidAssessments).toEqual([]);
    for (const [field, rows] of Object.entries(figures))
      for (const row of rows)
        expect([field, Object.values(row).filter((value) => value !== null)]).toEqual([field, []]);
    expect(Object.values(figures).flat().length).toBeGreaterThan(4);
    const citizens = await rail.rows<{ name: string }>(sql`select name from citizen order by name limit 6`);
    const [service] = await rail.rows<{ name: string }>(sql`select name from service where code = 'URA-PAYE'`);
    for (const { name } of citizens) {
      const { data: made } = await actor.post('/v1/assessments', {
        citizen: name,
        lines: [{ service: service!.name }],
      });
      await actor.post(`/v1/assessments/${made.name}:assess`);
      const { data: intent } = await actor.post('/v1/payment-intents', { assessment: made.name, channel: 'card' });
      await actor.post(`/v1/payment-intents/${intent.name}:initiate`);
      await actor.post(`/v1/payment-intents/${intent.name}:confirm`);
      await rail.rows(
        sql`insert into consent_event (name, citizen, mda, purpose, created_at) values (${`C-${name}`}, ${name}, 'URA', 'registration', now())`,
      );
    }
    const after = (await rail.ask('/v1/oversight/collections?mda=URA', { key })).data;
    expect(after[0]).toMatchObject({
      assessments: 9,
      assessed: 3_610_000,
      paid: 3_610_000,
      // One person's demand.
      cancelled: null,
      outstanding: 0,
    });
    expect(after[0].seconds_p50).toBeGreaterThanOrEqual(0);
    expect(after[0].seconds_p99).toBeGreaterThanOrEqual(after[0].seconds_p50);
    // Seven, in steps of five.
    expect((await rail.ask('/v1/oversight/consents?period=year', { key })).data).toMatchObject([
      { mda: 'URA', count: 5 },
    ]);
    await createConfirmed(rail, actor);
  });
});
