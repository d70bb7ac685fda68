import { expect, it } from 'vitest';
import { findFreePort } from '../../../src/platform/database/cluster/free-port.ts';
import { LIVE } from '../../harness/live.ts';
import { serve } from '../../harness/processes.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();
const live = testRail(LIVE);

it('says in the log of a live rail what is missing without OPS_PORT, and shows strangers no metrics', async () => {
  const said = (one: typeof rail) => one.logged.filter((line) => line.includes('OPS_PORT is not set')).length;
  expect([said(rail), said(live)]).toEqual([0, 1]);
  const statuses = async (one: typeof rail) =>
    Promise.all(['/healthz', '/readyz', '/metrics'].map(async (path) => (await one.ask(path)).status));
  // A machine that is busy can be ready later.
  await expect
    .poll(async () => [await statuses(rail), await statuses(live)])
    .toEqual([
      [200, 200, 200],
      [200, 200, 404],
    ]);
});

it(
  'OPS_PORT takes probes and metrics off the public port, and tells there that the process stops',
  { tags: 'long' },
  async () => {
    const port = await findFreePort();
    const served = await serve('src/app/main.ts', {
      DATABASE_URL: rail.url,
      PORT: '0',
      OPS_PORT: String(port),
      JOBS: 'off',
      LOG_LEVEL: 'error',
      DRAIN_SECONDS: '2',
    });
    const statusOf = async (origin: string, path: string) => (await fetch(origin + path)).status;
    const ops = `http://127.0.0.1:${port}`;
    try {
      for (const path of ['/healthz', '/readyz', '/metrics']) expect(await statusOf(ops, path), path).toBe(200);
      for (const path of ['/v1/mdas', '/graphql', '/dashboard', '/']) expect(await statusOf(ops, path), path).toBe(404);
      for (const path of ['/readyz', '/metrics']) expect(await statusOf(served.origin, path), path).toBe(404);
      for (const path of ['/healthz', '/v1/mdas']) expect(await statusOf(served.origin, path), path).toBe(200);
      // The metrics are those of the public port.
      expect(await (await fetch(`${ops}/metrics`)).text()).toContain('endpoint="GET /v1/mdas"');
      const stopped = served.stop();
      await expect
        .poll(async () => (await fetch(`${ops}/readyz`)).json(), { interval: 20 })
        .toEqual({
          status: 'draining',
          reason: expect.stringContaining('asked to stop'),
          action: expect.stringContaining('another process'),
        });
      expect(await stopped).toBe(0);
    } finally {
      await served.kill();
    }
  },
);
