import { setTimeout as sleep } from 'node:timers/promises';
import { Payer, type Shop, lostOf, unloggedOf } from '../people/payer.ts';
import type { OwnPostgres } from '../postgres.ts';
import { type Served, capture, serve } from '../processes.ts';

/** Processes of a rail on a PostgreSQL of their own. */
export interface Exposed<Server = OwnPostgres> {
  readonly postgres: Server;
  readonly processes: readonly Served[];
  readonly shop: Shop;
}

/** The results of a number of kills under load. */
export interface Survival {
  /** Longest time from PostgreSQL's return to the first write of a process, in milliseconds. */
  readonly slowestWriteMs: number;
  readonly slowestReadyMs: number;
  /** Statuses of all answers to the clients; 0 where there was none. */
  readonly statuses: Readonly<Record<number, number>>;
  readonly lost: readonly string[];
  /** Answers that are not in the audit log exactly once as they were sent. */
  readonly unlogged: readonly string[];
  readonly wrong: readonly string[];
  readonly confirmed: number;
}

interface Kills {
  /** True if there is to be one more kill after this many. */
  readonly more: (kills: number) => boolean;
  readonly clients: number;
  readonly random?: () => number;
}

/** Starts that many processes, jobs and all, beside each other; of another version where its folder is named. */
export async function expose<Server extends Pick<OwnPostgres, 'url' | 'query'>>(
  postgres: Server,
  count: number,
  env: Readonly<Record<string, string>> = {},
  folder = '.',
): Promise<Exposed<Server>> {
  const rail = { DATABASE_URL: postgres.url, SECRET_KEY: 'k'.repeat(40), LOG_LEVEL: 'fatal', ...env };
  const processes = await Promise.all(
    Array.from({ length: count }, () => serve(`${folder}/src/app/main.ts`, { PORT: '0', ...rail })),
  );
  const scopes = 'citizens.read,citizens.write,assessments.write,assessments.cancel,payments.initiate';
  const issue = [
    'key:issue',
    '--organisation',
    'Office',
    '--email',
    'office@example.com',
    '--scopes',
    scopes,
    '--json',
  ];
  const { plaintext: key } = JSON.parse(await capture(`${folder}/src/app/cli/admin.ts`, issue, rail)) as {
    plaintext: string;
  };
  const [citizen] = await postgres.query<{ name: string }>('select name from citizen order by name limit 1');
  const services = await postgres.query<{ name: string }>(
    `select name from service where code in ('URA-PAYE', 'URSB-COMPANY') order by name`,
  );
  const shop = {
    origins: processes.map(({ origin }) => origin),
    key,
    citizen: citizen!.name,
    services: services.map(({ name }) => name),
  };
  return { postgres, processes, shop };
}

/**
 * Kills PostgreSQL again and again while clients pay, and compares in the end what they were promised with what there
 * is.
 */
export async function surviveKills(
  { postgres, shop }: Exposed,
  { more, clients, random = Math.random }: Kills,
): Promise<Survival> {
  const payers = Array.from({ length: clients }, () => new Payer({ ...shop, random }));
  let over = false;
  const paying = Promise.all(payers.map((payer) => payer.payUntil(() => over)));
  let slowestWriteMs = 0;
  let slowestReadyMs = 0;
  for (let kills = 0; more(kills); kills++) {
    await sleep(400 + random() * 600);
    await postgres.kill();
    await sleep(200 + random() * 800);
    await postgres.startAgain();
    const back = Date.now();
    await Promise.all(
      shop.origins.map(async (origin) => {
        await untilOk(`${origin}/readyz`);
        slowestReadyMs = Math.max(slowestReadyMs, Date.now() - back);
        await untilWritten(shop, origin);
        slowestWriteMs = Math.max(slowestWriteMs, Date.now() - back);
      }),
    );
  }
  over = true;
  await paying;
  // Requests that changed nothing are logged a moment after their answer.
  await sleep(1_000);
  return {
    slowestWriteMs,
    slowestReadyMs,
    statuses: countStatuses(payers),
    lost: await lostOf(payers, (query, values) => postgres.query<{ n: string }>(query, values)),
    unlogged: await unloggedOf(payers, (query, values) => postgres.query(query, values)),
    wrong: payers.flatMap(({ wrong }) => wrong),
    confirmed: payers.reduce((sum, { acknowledged }) => sum + acknowledged.confirm.length, 0),
  };
}

/** Counts the answers to the clients by status; 0 if there was no answer. */
export function countStatuses(payers: readonly Payer[]): Record<number, number> {
  const statuses: Record<number, number> = {};
  for (const payer of payers)
    for (const [status, count] of Object.entries(payer.statuses))
      statuses[Number(status)] = (statuses[Number(status)] ?? 0) + count;
  return statuses;
}

/** Asks a process until it has made an assessment. */
export function untilWritten({ key, citizen, services }: Shop, origin: string): Promise<void> {
  return untilOk(`${origin}/v1/assessments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ citizen, lines: services.map((service) => ({ service })) }),
  });
}

/** Asks until it is answered with 200; for 30 s, after which it throws. */
async function untilOk(url: string, request: RequestInit = {}): Promise<void> {
  let last = '';
  for (const end = Date.now() + 30_000; Date.now() < end; await sleep(25)) {
    try {
      const response = await fetch(url, request);
      if (response.status === 200) return;
      last = `${response.status} ${await response.text()}`;
    } catch (error) {
      last = String(error);
    }
  }
  throw new Error(`${url} was never answered with 200; the last answer was ${last}`);
}
