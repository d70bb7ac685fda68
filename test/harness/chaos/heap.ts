import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** What this process keeps in memory once all that nobody needs any more is collected, in MiB: objects, and buffers. */
export async function measureHeldMiB(): Promise<number> {
  // What was let go of by one collection, finalizers among it, lets go of more.
  for (let round = 0; round < 3; round++) {
    await new Promise((turn) => setTimeout(turn, 20));
    collect();
  }
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
}
