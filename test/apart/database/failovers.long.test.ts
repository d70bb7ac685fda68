import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { expectInvariantsOf } from '../../harness/chaos/invariants.ts';
import { type Exposed, countStatuses, expose } from '../../harness/chaos/kills.ts';
import { Payer, type Shop, lostOf, unloggedOf } from '../../harness/people/payer.ts';
import { type Sink, openSink } from '../../harness/sink.ts';
import { MISSING_FOR_PATRONI, PatroniCluster } from './patroni.ts';

/** Fewer while one works on this. */
const FAIL_OVERS = Number(process.env['FAIL_OVERS'] ?? 20);
const CLIENTS = 4;
/** Between the payments of a client: what is tested is the change of the leader, and not load. */
const PAUSE_MS = 50;
/** Within which the rail writes again after the new leader takes writes. */
const BOUND_MS = 3_000;
/** For how long nothing reaches the standbys before some of the kills, where no commit waits for them. */
const LAG_MS = 500;
const TIMEOUT_MS = 60_000 + FAIL_OVERS * 60_000;

let cluster: PatroniCluster;
let exposed: Exposed<PatroniCluster>;
let sink: Sink;

async function start(synchronous: boolean): Promise<void> {
  cluster = await PatroniCluster.start({ synchronous });
  sink = await openSink();
  exposed = await expose(cluster, 2, { WEBHOOK_ALLOW_PRIVATE: '1' });
  const { origins, key } = exposed.shop;
  const listening = await fetch(`${origins[0]!}/v1/me`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ webhook_endpoint: sink.url }),
  });
  expect(listening.status).toBe(200);
}

afterEach(async () => {
  await Promise.all((exposed?.processes ?? []).map((one) => one.stop()));
  await sink?.close();
  await cluster?.remove();
}, 120_000);

/** Pays by so many clients until it is told that it is over. */
function payAlong(shop: Shop): { payers: readonly Payer[]; end(): Promise<void> } {
  const payers = Array.from({ length: CLIENTS }, () => new Payer(shop));
  let over = false;
  const paying = Promise.all(
    payers.map((payer) =>
      payer.payUntil(
        () => over,
        async () => {
          await payer.pay();
          await sleep(PAUSE_MS);
        },
      ),
    ),
  );
  return {
    payers,
    end: async () => {
      over = true;
      await paying;
    },
  };
}

const query = <Row extends Record<string, unknown>>(text: string, values?: unknown[]) =>
  cluster.query<Row>(text, values);

/** Resolves with the moment at which a process first made an assessment from now on. */
async function firstWrite(payer: Payer): Promise<number> {
  const before = payer.acknowledged.create.length;
  for (const end = Date.now() + 60_000; payer.acknowledged.create.length === before; await sleep(10))
    if (Date.now() > end) throw new Error(`Nothing was written in a minute: ${JSON.stringify(payer.statuses)}`);
  return Date.now();
}

describe.skipIf(MISSING_FOR_PATRONI.length > 0)(
  `a cluster of three that Patroni keeps${MISSING_FOR_PATRONI.length > 0 ? ` (lacks ${MISSING_FOR_PATRONI.join(', ')})` : ''}`,
  () => {
    it(
      `loses and doubles nothing in ${FAIL_OVERS} fail-overs with a synchronous standby, and is written to again at once`,
      { timeout: TIMEOUT_MS },
      async () => {
        await start(true);
        const { shop, processes } = exposed;
        const paying = payAlong(shop);
        // One at each process, whose collections nobody confirms but the enquiries of the rail.
        const probes = shop.origins.map((origin) => new Payer({ ...shop, origins: [origin], repeated: 0 }));
        const times: { how: string; failOverMs: number; behindMs: number; notifiedMs: number }[] = [];
        for (let i = 0; i < FAIL_OVERS; i++) {
          await sleep(1_000 + Math.random() * 1_000);
          const how = i % 2 === 0 ? 'kill' : 'switchover';
          const { ms, acceptedAt } = await cluster.failOver(how);
          const initiated = Promise.all(probes.map((probe) => probe.initiate()));
          const written = await Promise.all(probes.map(firstWrite));
          const intents = (await initiated).map((asked) => asked?.intent);
          const confirmed = () =>
            intents.filter((intent) =>
              sink.received.some(
                ({ json }) => json.type === 'payment_intent.confirmed' && json.data.object.name === intent,
              ),
            );
          await expect.poll(confirmed, { timeout: 60_000, interval: 50 }).toEqual(intents);
          times.push({
            how,
            failOverMs: ms,
            behindMs: Math.max(...written) - acceptedAt,
            notifiedMs: Date.now() - acceptedAt,
          });
          await cluster.settled();
        }
        await paying.end();
        const payers = [...paying.payers, ...probes];
        // Requests that changed nothing are logged a moment after their answer.
        await sleep(1_000);
        process.stdout.write(`${JSON.stringify({ times, statuses: countStatuses(payers) })}\n`);
        expect(processes.map((one) => one.alive())).toEqual([true, true]);
        expect(payers.flatMap(({ wrong }) => wrong)).toEqual([]);
        expect(
          Object.keys(countStatuses(payers)).filter((status) => !['200', '409', '422', '503'].includes(status)),
        ).toEqual([]);
        expect(await lostOf(payers, query<{ n: string }>)).toEqual([]);
        expect(await unloggedOf(payers, query<{ id: string; statuses: number[] }>)).toEqual([]);
        const made = payers.map(({ acknowledged }) => acknowledged);
        expect(made.flatMap(({ confirm }) => confirm).length).toBeGreaterThan(FAIL_OVERS);
        // A request that was cut off and sent again has made one thing, and no answer to it was kept but the last.
        expect(
          await query(`
            select (select count(*)::int from assessment) as assessments, (select count(*)::int from payment_intent) as intents,
              (select count(*)::int from idempotency where http_status >= 500) as kept`),
        ).toEqual([
          {
            assessments: made.flatMap(({ create }) => create).length,
            intents: made.flatMap(({ intent }) => intent).length,
            kept: 0,
          },
        ]);
        const messages = await query<{ id: string }>('select id from outbox where integrator is not null');
        const undelivered = () => {
          const received = new Set(sink.received.map(({ json }) => json.id));
          return messages.filter(({ id }) => !received.has(id));
        };
        await expect.poll(undelivered, { timeout: 60_000 }).toEqual([]);
        await expectInvariantsOf((text) => query(text));
        for (const { behindMs } of times) expect(behindMs).toBeLessThan(BOUND_MS);
      },
    );

    it(
      `goes on after ${FAIL_OVERS} fail-overs of asynchronous standbys, which lose what had not reached them`,
      { timeout: TIMEOUT_MS },
      async () => {
        await start(false);
        const { shop, processes } = exposed;
        const lost: { lagMs: number; answered: number; lost: number; numberedAgain: number }[] = [];
        for (let i = 0; i < FAIL_OVERS; i++) {
          const paying = payAlong(shop);
          await sleep(2_000 + Math.random() * 1_000);
          const lagMs = i % 2 === 0 ? 0 : LAG_MS;
          if (lagMs > 0) {
            await cluster.holdStandbys();
            await sleep(lagMs);
          }
          await cluster.failOver('kill');
          await sleep(2_000);
          await paying.end();
          await cluster.settled();
          const gone = await lostOf(paying.payers, query<{ n: string }>);
          const again = gone.filter((line) => line.endsWith(' twice')).length;
          const answered = paying.payers.flatMap(({ acknowledged }) => Object.values(acknowledged).flat()).length;
          lost.push({ lagMs, answered, lost: gone.length - again, numberedAgain: again });
          await expectInvariantsOf((text) => query(text));
        }
        process.stdout.write(`${JSON.stringify({ lost })}\n`);
        expect(processes.map((one) => one.alive())).toEqual([true, true]);
        expect(lost.every(({ answered }) => answered > 0)).toBe(true);
        // Lost changes are those answered while nothing reached the standbys.
        expect(lost.some((one) => one.lagMs > 0 && one.lost > 0)).toBe(true);
      },
    );
  },
);
