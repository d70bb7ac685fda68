import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { serve } from '../../harness/processes.ts';
import { testRail } from '../../harness/rail.ts';
import { stopUnderLoad } from '../../harness/chaos/stops.ts';

const rail = testRail();

it('drops no request over 30 stops of two processes at 200 requests a second', async () => {
  const more = (stops: number) => stops < 30;
  const outcome = await stopUnderLoad(rail, { processes: 2, again: true, more, rate: 200, drainSeconds: 2 });
  const summary = JSON.stringify(outcome);
  expect(outcome.answers, summary).toEqual({ 200: outcome.sent });
  expect(outcome.missing, summary).toBe(0);
  expect(Math.max(...outcome.stopMs), summary).toBeLessThan(10_000);
});

it('takes a request on a connection that was idle for longer than a request may take', async () => {
  const process = await serve('src/app/main.ts', {
    DATABASE_URL: rail.url,
    PORT: '0',
    JOBS: 'off',
    LOG_LEVEL: 'error',
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const reused = () =>
    new Promise<boolean>((answered, failed) => {
      const asking = get(`${process.origin}/healthz`, { agent }, (response) => {
        response.resume();
        response.once('end', () => answered(asking.reusedSocket));
      }).once('error', failed);
    });
  expect(await reused()).toBe(false);
  // Past the check of headersTimeout and requestTimeout, which Node makes every 30 s.
  await sleep(95_000);
  expect(await reused()).toBe(true);
  agent.destroy();
  await process.stop();
});
