import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Served, serve } from '../../harness/processes.ts';
import { testRail } from '../../harness/rail.ts';
import { stopUnderLoad } from '../../harness/chaos/stops.ts';

const rail = testRail();

const start = (env: Readonly<Record<string, string>> = {}) =>
  serve('src/app/main.ts', { DATABASE_URL: rail.url, PORT: '0', JOBS: 'off', LOG_LEVEL: 'error', ...env });

const ready = async ({ origin }: Served) => {
  const response = await fetch(`${origin}/readyz`);
  const { connection, 'keep-alive': keepAlive } = Object.fromEntries(response.headers);
  return { status: response.status, connection, keepAlive, body: await response.json() };
};

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
      const leaving = await start({ DRAIN_SECONDS: '2' });
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
      await sleep(500);
      const response = await fetch(`${leaving.origin}/v1/mdas?limit=1`);
      expect([response.status, response.headers.get('connection')]).toEqual([200, 'close']);
      expect(await stopped).toBe(0);
      await expect(ready(leaving)).rejects.toThrow();
    },
  );

  it('does not keep whoever presses Ctrl-C waiting, nor whoever asks twice', async () => {
    const env = { DRAIN_SECONDS: '600' };
    const [pressed, asked] = await Promise.all([start(env), start(env)]);
    expect(await pressed.stop('SIGINT')).toBe(0);
    const stopped = asked.stop();
    await sleep(700);
    asked.signal('SIGTERM');
    expect(await stopped).toBe(0);
  });
});
