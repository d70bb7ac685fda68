import { setTimeout as sleep } from 'node:timers/promises';
import type { Place } from './place.ts';
import type { Context } from './scenario.ts';

/** Kills one process of a rail after another while some work lasts, each as soon as the one before is back. */
export async function whileKilling<T>(context: Context, place: Place, work: () => Promise<T>): Promise<T> {
  const working = work();
  const over = working.then(
    () => true,
    () => true,
  );
  context.count('kills', 0);
  for (let turn = 0; ; turn++) {
    if (await Promise.race([over, sleep(1_000 + context.below(3_000), false)])) return working;
    const victim = turn % place.processes.length;
    await place.processes[victim]!.kill();
    context.count('kills');
    await place.startAgain(victim);
  }
}
