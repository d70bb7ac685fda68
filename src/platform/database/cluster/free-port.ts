import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below what operating systems give to outgoing connections and to servers that ask for any port (from 32768 on Linux,
 * from 49152 elsewhere), and above most of what services are known by: nobody is given one of these by chance.
 */
const FIRST = 20_000;
const LAST = 32_000;
const TRIES = 50;

/**
 * A port of the loopback address that nobody listens on, and that nobody is likely to take before its caller does.
 *
 * @throws Error of the system where no port can be listened on.
 */
export async function findFreePort(): Promise<number> {
  for (let tries = 1; ; tries++) {
    const port = randomInt(FIRST, LAST);
    const probe = createServer();
    try {
      await once(probe.listen(port, '127.0.0.1'), 'listening');
      return port;
    } catch (error) {
      const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
      if (!taken || tries === TRIES) throw error;
    } finally {
      await new Promise((closed) => probe.close(closed));
    }
  }
}
