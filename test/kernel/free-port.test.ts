import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { findFreePort } from '../../src/platform/database/cluster/free-port.ts';

it('finds a port that can be listened on, and that no system gives to whoever asks for any', async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, findFreePort));
  for (const port of ports) {
    const server = createServer();
    await once(server.listen(port, '127.0.0.1'), 'listening');
    expect(port).toBeLessThan(32_768);
    server.close();
  }
});
