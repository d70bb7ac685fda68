import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Served, serve } from '../../harness/processes.ts';
import { testRail } from '../../harness/rail.ts';
import { stopUnderLoad } from '../../harness/chaos/stops.ts';

const rail = testRail();

/** The log of one that is asked twice. */
const log = join(rail.dataDir, 'log');

const start = (env: Readonly<Record<string, string>> = {}, file?: string) =>
  serve(
    'src/app/main.ts',
    { DATABASE_URL: rail.url, PORT: '0', JOBS: 'off', LOG_LEVEL: 'error', ...env },
    file === undefined ? {} : { log: file },
  );

const ready = async ({ origin }: Served) => {
  const response = await fetch(`${origin}/readyz`);
  const { connection, 'keep-alive': keepAlive } = Object.fromEntries(response.headers);
  return { status: response.status, connection, keepAlive, body: await response.json() };
};

/** Asks once more until it says that it heard: what comes too soon after the first time counts as the same request. */
const askAgain = (leaving: Served) =>
  expect
    .poll(
      () => {
        const heard = readFileSync(log, 'utf8').includes('stopping at once');
        if (!heard) leaving.signal('SIGTERM');
        return heard;
      },
      { interval: 200 },
    )
    .toBe(true);

describe('a process that is asked to stop', () => {
  it('drops no request of a proxy that keeps its connections', { tags: 'long' }, async () => {
    const { answers, missing, acknowledged } = await stopUnderLoad(rail, {
      processes: 2,
      again: false,
      more: (stops) => stops < 1,
      rate: 20,
      drainSeconds: 2,
    });
    expect(answers).toEqual({ 200: expect.any(Number) });
    expect(acknowledged).toBeGreaterThan(0);
    expect(missing).toBe(0);
  });

  it(
    'keeps connections for longer than load balancers do; says when it leaves, and goes on answering for as long as DRAIN_SECONDS',
    { tags: 'long' },
    async () => {
      const [leaving, brief] = await Promise.all([
        start({ DRAIN_SECONDS: '600', LOG_LEVEL: 'info' }, log),
        start({ DRAIN_SECONDS: '1' }),
      ]);
      expect(await ready(leaving)).toMatchObject({
        status: 200,
        connection: 'keep-alive',
        keepAlive: 'timeout=620',
        body: { status: 'ready' },
      });
      const stopped = leaving.stop();
      await expect
        .poll(() => ready(leaving), { interval: 20 })
        .toMatchObject({ status: 503, connection: 'close', body: { status: 'draining' } });
      const response = await fetch(`${leaving.origin}/v1/mdas?limit=1`);
      expect([response.status, response.headers.get('connection')]).toEqual([200, 'close']);
      await askAgain(leaving);
      expect(await stopped).toBe(0);
      await expect(ready(leaving)).rejects.toThrow();
      expect(await brief.stop()).toBe(0);
    },
  );

  it('does not keep whoever presses Ctrl-C waiting, nor whoever asks twice', async () => {
    const env = { DRAIN_SECONDS: '600' };
    const [pressed, asked] = await Promise.all([start(env), start({ ...env, LOG_LEVEL: 'info' }, log)]);
    expect(await pressed.stop('SIGINT')).toBe(0);
    const stopped = asked.stop();
    await expect.poll(() => ready(asked), { interval: 20 }).toMatchObject({ status: 503 });
    await askAgain(asked);
    expect(await stopped).toBe(0);
  });
});
