import { setTimeout as sleep } from 'node:timers/promises';
import { Pair } from '../../../harness/chaos/database/pair.ts';
import { payDuring } from '../../run/paying.ts';
import type { Scenario } from '../../run/scenario.ts';

/** Most time until clients pay again. */
const PATIENCE_MS = 30_000;

export const failover: Scenario = {
  name: 'failover',
  title: 'fail-overs of a synchronous pair',
  promise:
    'The primary is killed and the standby promoted while clients pay. The processes go on with it on their own, and nothing that was acknowledged is lost.',
  unit: 'fail-overs',
  full: 2,
  floor: 1,
  share: 1.5,
  async run(context) {
    const pair = await Pair.start();
    context.atEnd(() => pair.remove());
    const place = await context.open({ DATABASE_URL: pair.url });
    await place.start(2);
    const shop = await place.shop(context.random);
    while (context.more()) {
      await payDuring(context, { place, clients: 4, shop }, async (payers) => {
        const made = () => payers.reduce((sum, { acknowledged }) => sum + acknowledged.confirm.length, 0);
        await sleep(2_000 + context.below(2_000));
        await pair.failOver();
        const [before, promoted] = [made(), performance.now()];
        while (made() < before + 8 && performance.now() - promoted < PATIENCE_MS) await sleep(100);
        context.hold(made() >= before + 8, () => `clients do not pay again ${PATIENCE_MS / 1_000} s after a fail-over`);
        context.count('until paid again, ms', Math.round(performance.now() - promoted));
        await sleep(1_000);
      });
      await pair.rejoin();
    }
  },
};
