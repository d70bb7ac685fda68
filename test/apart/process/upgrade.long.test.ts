import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readPayload } from '../../../src/collection/receipts/payload.ts';
import { sum } from '../../../src/kernel/money.ts';
import { type BrokenRow, runCheck } from '../../../src/oversight/seals/check.ts';
import { CROSS_CHECKS } from '../../../src/oversight/seals/cross-checks.ts';
import { DOCUMENT_CHECKS } from '../../../src/oversight/seals/document-checks.ts';
import { SUM_CHECKS } from '../../../src/oversight/seals/sum-checks.ts';
import type { Database, Sql } from '../../../src/platform/database/sql.ts';
import { VERSION } from '../../../src/platform/database/migration/version.ts';
import { TWO_LINES_TOTAL } from '../../harness/flow.ts';
import { expose } from '../../harness/chaos/kills.ts';
import { PointBooks } from '../../harness/people/biller.ts';
import { Payer, type Shop, lostOf } from '../../harness/people/payer.ts';
import { findCommitBefore, makeLater, unpack } from '../../harness/run/versions.ts';
import { type Sink, openSink } from '../../harness/sink.ts';
import { OwnPostgres } from '../../harness/postgres.ts';
import { type Served, run, serve } from '../../harness/processes.ts';

/** For how long clients pay at each stage of the upgrade, in milliseconds. */
const STAGE_MS = 5_000;
const CLIENTS = 4;
/** Messages of their account that wait through the upgrade. */
const WAITING = 100_000;
/** The version that is upgraded to: this one, with migrations that expand and contract. */
const LATER = '99.0.0';

const before = findCommitBefore();

describe.skipIf(before === null)('an upgrade while clients pay, one process after the other', () => {
  let folder: string;
  let later: string;
  let postgres: OwnPostgres;
  let sink: Sink;
  let shop: Shop;
  const running: Served[] = [];
  const point = new PointBooks('bank');
  /** The process of the new version that was started last. */
  let now: Served;
  const rows = async <Row>({ text, values }: Sql) => (await postgres.query(text, [...values])) as Row[];
  const db: Database = { rows, row: async <Row>(query: Sql) => (await rows<Row>(query))[0] ?? null };
  const env = () => ({ DRAIN_SECONDS: '1', DATA_DIR: join(folder, '.data'), WEBHOOK_ALLOW_PRIVATE: '1' });
  const rail = () => ({ DATABASE_URL: postgres.url, SECRET_KEY: 'k'.repeat(40), LOG_LEVEL: 'fatal', PORT: '0' });
  const start = async (version: string): Promise<Served> => {
    const served = await serve(`${version}/src/app/main.ts`, { ...rail(), ...env() });
    running.push(served);
    return served;
  };
  const askProfile = (origin: string, changes?: object) =>
    fetch(`${origin}/v1/me`, {
      ...(changes && { method: 'PATCH', body: JSON.stringify(changes) }),
      headers: { authorization: `Bearer ${shop.key}`, 'content-type': 'application/json' },
    });

  /** Has numbers of the one version paid whose assessments the other has paid or cancelled. */
  async function payByNumbers(former: Served): Promise<Payer[]> {
    const until = performance.now() + STAGE_MS;
    const people = Array.from({ length: CLIENTS / 2 }, () =>
      [now, former].map(({ origin }) => new Payer({ ...shop, origins: [origin] })),
    );
    await Promise.all(
      people.map(([one, other]) =>
        one!.payUntil(
          () => performance.now() > until,
          () => one!.payByNumberAfter(other!, point, TWO_LINES_TOTAL),
        ),
      ),
    );
    return people.flat();
  }

  /** Compares numbers and receipts with payments, and both with the book of the bank. */
  async function compareMoney(): Promise<void> {
    const since = `confirmed_at >= (select min(created_at) from signing_key where use = 'receipt')`;
    await expect
      .poll(() =>
        postgres.query(`
          select i.name, r.status, e.kind from payment_intent i left join receipt r on r.intent = i.name
          left join payment_event e on e.intent = i.name and e.kind = 'reversal'
          where i.status = 'Confirmed' and i.${since} and (r.status is null or (r.status = 'Void') <> (e.kind is not null))`),
      )
      .toEqual([]);
    expect(point.wrong).toEqual([]);
    expect(
      await point.compare({
        rows: async <Row>({ text, values }: Sql) => (await postgres.query(text, [...values])) as Row[],
      }),
    ).toEqual([]);
    expect(
      await postgres.query(`
        select i.name from payment_intent i left join paying_intent p on p.intent = i.name
        where i.aggregator = 'bank' and i.status = 'Confirmed' and p.intent is null`),
    ).toEqual([]);
    const receipts = await postgres.query<{ payload: string }>('select payload from receipt where replaced_by is null');
    const received = await postgres.query<{ mda: string; amount: string }>(`
      select e.mda, sum(e.amount) as amount from payment_event e join payment_intent i on i.name = e.intent
      where e.kind = 'payment' and i.${since} group by 1 order by 1`);
    const parts = Map.groupBy(
      receipts.flatMap(({ payload }) => readPayload(payload)!.agencies),
      ({ mda }) => mda,
    );
    expect(new Set(received.map(({ mda }) => mda))).toEqual(new Set(parts.keys()));
    expect(received.length).toBeGreaterThan(1);
    expect(received.map(({ mda, amount }) => [mda, Number(amount)])).toEqual(
      received.map(({ mda }) => [mda, sum(parts.get(mda)!.map(({ amount }) => amount)).toNumber()]),
    );
    const broken: BrokenRow[] = [];
    for (const check of [...CROSS_CHECKS, ...DOCUMENT_CHECKS, ...SUM_CHECKS])
      broken.push(...((await runCheck(db, check))?.rows ?? []));
    expect(broken.filter(({ row }) => !row.startsWith('W-'))).toEqual([]);
  }

  beforeAll(async () => {
    folder = unpack(before!);
    later = makeLater(LATER);
    postgres = await OwnPostgres.start();
    sink = await openSink();
  });

  afterAll(async () => {
    await Promise.all(running.map((one) => one.stop()));
    await postgres.remove();
    await sink.close();
    for (const one of [folder, later]) rmSync(one, { recursive: true, force: true });
  });

  it('carries nothing out twice that one version has answered and the other is asked again, callbacks included, and loses no message', async () => {
    const exposed = await expose(postgres, 2, env(), folder);
    const { processes } = exposed;
    running.push(...processes);
    shop = { ...exposed.shop, origins: processes.map(({ origin }) => origin) };
    const listening = await askProfile(shop.origins[0]!, { webhook_endpoint: sink.url });
    expect(listening.status).toBe(200);
    await postgres.query(`
      with waiting as (
        insert into outbox (id, type, object, sequence, integrator, payload, created_at, relayed_at)
        select gen_random_uuid(), 'assessment.paid', 'W-' || n / 10, n % 10 + 1, e.integrator,
          jsonb_build_object('name', 'W-' || n / 10), now(), now()
        from generate_series(0, ${WAITING - 1}) n, webhook_endpoint e where e.url = '${sink.url}'
        returning id, type, object, sequence, integrator, created_at
      ), delivery as (
        insert into webhook_delivery (name, message, endpoint, integrator, type, object, sequence, status, attempts,
          created_at)
        select 'DLV-' || w.id, w.id, e.name, w.integrator, type, object, sequence, 'pending', 4, w.created_at
        from waiting w join webhook_endpoint e on e.integrator = w.integrator and e.is_default returning *
      )
      insert into webhook_queue (delivery, endpoint, object, sequence, next_attempt_at)
      select name, endpoint, object, sequence, now() + interval '1 hour' from delivery`);
    const origins = [...shop.origins];
    const payers = Array.from({ length: CLIENTS }, () => new Payer({ ...shop, origins, repeated: 1 }));
    let over = false;
    const paying = Promise.all(
      payers.map((payer, i) =>
        payer.payUntil(
          () => over,
          () => (i % 2 === 0 ? payer.pay() : payer.payByCallback(TWO_LINES_TOTAL)),
        ),
      ),
    );
    await sleep(STAGE_MS);
    const numbered: Payer[] = [];
    for (const former of processes) {
      now = await start(later);
      origins.push(now.origin);
      numbered.push(...(await payByNumbers(former)));
      origins.splice(origins.indexOf(former.origin), 1);
      expect(await former.stop()).toBe(0);
    }
    await sleep(STAGE_MS);
    over = true;
    await paying;

    const all = [...payers, ...numbered];
    const made = all.flatMap(({ acknowledged }) => acknowledged);
    expect(all.flatMap(({ wrong }) => wrong)).toEqual([]);
    expect(await lostOf(all, (query, values) => postgres.query<{ n: string }>(query, values))).toEqual([]);
    expect(made.flatMap(({ confirm }) => confirm).length).toBeGreaterThan(20);
    const [stored] = await postgres.query<{ assessments: number; intents: number }>(
      `select (select count(*)::int from assessment) as assessments,
        (select count(*)::int from payment_intent where aggregator <> 'bank') as intents`,
    );
    expect(stored).toEqual({
      assessments: made.flatMap(({ create }) => create).length,
      intents: made.flatMap(({ intent }) => intent).length,
    });
    await compareMoney();
    const messages = await postgres.query<{ id: string }>(
      `select id from outbox where integrator is not null and object not like 'W-%'`,
    );
    const delivered = () => new Set(sink.received.map(({ json }) => json.id));
    await expect.poll(() => messages.filter(({ id }) => !delivered().has(id)), { timeout: 60_000 }).toEqual([]);
    expect(messages.length).toBeGreaterThan(40);

    const kept = await postgres.query(`
      select count(*)::int from webhook_delivery d join webhook_endpoint e on e.name = d.endpoint and e.is_default
      where d.object like 'W-%' and d.status = 'pending' and d.attempts = 4`);
    expect(kept).toEqual([{ count: WAITING }]);
    await postgres.query(`update webhook_queue set next_attempt_at = now() where object ~ '^W-[0-9]{2}$'`);
    const sentOf = (object: string) =>
      sink.received.flatMap(({ json }) => (json.data.object.name === object ? [json.sequence] : []));
    for (let object = 10; object < 100; object++)
      await expect
        .poll(() => sentOf(`W-${object}`), { timeout: 60_000 })
        .toEqual(Array.from({ length: 10 }, (_, i) => i + 1));
  });

  it('pays each number once, and has a receipt of each payment, also where it is taken back', async () => {
    const former = await start(folder);
    const payers = Array.from({ length: 2 }, () => new Payer({ ...shop, origins: [former.origin] }));
    let over = false;
    const paying = Promise.all(
      payers.map((payer) =>
        payer.payUntil(
          () => over,
          () => payer.payInAnyWay(TWO_LINES_TOTAL),
        ),
      ),
    );
    const all = [...(await payByNumbers(former)), ...payers];
    over = true;
    await paying;
    await former.stop();
    expect(all.flatMap(({ wrong }) => wrong)).toEqual([]);
    expect(await lostOf(all, (query, values) => postgres.query<{ n: string }>(query, values))).toEqual([]);
    await compareMoney();
  });

  it('can be taken back until an operator contracts the schema, which waits for the processes of the version before', async () => {
    const migrate = () => run(`${later}/src/app/cli/admin.ts`, ['migrate', '--contract'], rail());
    const former = await start(folder);
    const payer = new Payer({ ...shop, origins: [former.origin, now.origin] });
    for (let i = 0; i < 5; i++) await payer.pay();
    expect([payer.wrong, payer.acknowledged.confirm.length]).toEqual([[], 5]);
    const url = `${sink.url}/back`;
    expect((await askProfile(former.origin, { webhook_endpoint: url })).status).toBe(200);
    expect(await (await askProfile(now.origin)).json()).toMatchObject({ data: { webhook_endpoint: url } });
    expect((await askProfile(now.origin, { webhook_endpoint: sink.url })).status).toBe(200);
    expect(await (await askProfile(former.origin)).json()).toMatchObject({ data: { webhook_endpoint: sink.url } });

    expect(await migrate()).toMatchObject({
      code: 1,
      errors: expect.stringMatching(
        new RegExp(`^Processes that need what goes with ${LATER} are still connected: 1 of ${VERSION}\\. .*\n$`),
      ),
    });
    await former.stop();
    expect(await migrate()).toMatchObject({
      code: 0,
      output: expect.stringContaining('9003_contract_later\n'),
    });

    const one = new Payer({ ...shop, origins: [now.origin] });
    await one.pay();
    expect([one.wrong, one.acknowledged.confirm.length]).toEqual([[], 1]);
    expect((await askProfile(now.origin, { webhook_endpoint: url })).status).toBe(200);
    expect(await run(`${folder}/src/app/main.ts`, [], { ...rail(), ...env() })).toMatchObject({
      code: 1,
      errors: expect.stringContaining('a later version has applied 9003_contract_later'),
    });
  });
});
