import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Memory that this process holds after collection, in MiB: objects and buffers. */
export async function measureHeldMiB(): Promise<number> {
  // Finalizers of one collection release objects for the next.
  for (let round = 0; round < 3; round++) {
    await new Promise((turn) => setTimeout(turn, 20));
    collect();
  }
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
}
