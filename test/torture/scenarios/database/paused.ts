import { setTimeout as sleep } from 'node:timers/promises';
import { OwnPostgres } from '../../../harness/postgres.ts';
import { ask } from '../../run/ask.ts';
import { payDuring } from '../../run/paying.ts';
import type { Scenario } from '../../run/scenario.ts';

export const paused: Scenario = {
  name: 'paused',
  title: 'a PostgreSQL that is there and does not answer',
  promise: 'While it is halted, requests end with 503 and probes say so. After it all is as it was acknowledged.',
  unit: 'pauses',
  full: 10,
  floor: 2,
  share: 1.5,
  async run(context) {
    const postgres = await OwnPostgres.start();
    const place = await context.open({}, postgres);
    await place.start(2);
    await payDuring(context, { place, clients: 8 }, async () => {
      while (context.more()) {
        await sleep(1_000 + context.below(1_000));
        postgres.freeze();
        try {
          await sleep(3_000 + context.below(12_000));
          for (const origin of place.origins) {
            const { status, text } = await ask(`${origin}/readyz`, { timeoutMs: 10_000 });
            context.hold(status === 503, () => `a halted database is ready: ${status} ${text}`);
          }
        } finally {
          postgres.thaw();
        }
      }
      await sleep(3_000);
    });
    context.hold(
      place.processes.every((one) => one.alive()),
      () => 'a process ended',
    );
  },
};
