import { setTimeout as sleep } from 'node:timers/promises';
import { SmallDisk } from '../../../harness/chaos/database/disk.ts';
import { ask } from '../../run/ask.ts';
import { payDuring } from '../../run/paying.ts';
import type { Scenario } from '../../run/scenario.ts';

export const fullDisk: Scenario = {
  name: 'full-disk',
  title: 'a PostgreSQL whose disk is full',
  promise:
    'Writes are refused with 503 until there is room. Then they succeed, and nothing that was acknowledged is lost.',
  unit: 'times full',
  full: 5,
  floor: 1,
  share: 1,
  missing: () => (process.getuid?.() === 0 ? null : 'a disk of its own that can be filled takes root'),
  async run(context) {
    const disk = new SmallDisk();
    const postgres = await disk.start();
    context.atEnd(() => disk.remove());
    const place = await context.open({}, postgres);
    await place.start(1);
    const { origin } = place.processes[0]!;
    const becomes = async (status: number) => {
      for (const end = performance.now() + 30_000; performance.now() < end; await sleep(200))
        if ((await ask(`${origin}/readyz`)).status === status) return true;
      return false;
    };
    await payDuring(context, { place, clients: 6 }, async () => {
      while (context.more()) {
        await sleep(2_000);
        disk.fill();
        try {
          context.hold(await becomes(503), () => 'it stays ready while the disk is full');
          await sleep(2_000 + context.below(4_000));
        } finally {
          disk.free();
        }
        context.hold(await becomes(200), () => 'it is not ready again after 30 s');
      }
      await sleep(2_000);
    });
  },
};
