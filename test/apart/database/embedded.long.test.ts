import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runOnConnection } from '../../../src/platform/database/connection/connection.ts';
import { begin, serve } from '../../harness/processes.ts';

const folder = mkdtempSync(join(tmpdir(), 'rail-long-'));
const env = { DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'error' };
const start = () => serve('src/app/main.ts', env);
let directory: string;
const isRunning = () => existsSync(join(directory, 'postmaster.pid'));

beforeAll(async () => {
  await (await start()).stop();
  directory = (JSON.parse(readFileSync(join(folder, 'postgres.json'), 'utf8')) as { directory: string }).directory;
});
afterAll(() => {
  rmSync(directory, { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
});

describe('the embedded PostgreSQL', () => {
  it('is never left behind by two rails that stop within moments of each other', async () => {
    for (let round = 0; round < 12; round++) {
      const both = await Promise.all([start(), start()]);
      const codes = both.map(async (one, index) => {
        await sleep(index * round * 20);
        return one.stop();
      });
      expect(await Promise.all(codes)).toEqual([0, 0]);
      expect(isRunning(), `round ${round}`).toBe(false);
    }
  });

  it('is stopped before the process ends, however long its last checkpoint takes', async () => {
    const rail = await start();
    const checkpointer = await checkpointerOf();
    process.kill(checkpointer, 'SIGSTOP');
    const stopping = rail.stop();
    await sleep(3_000);
    const alive = rail.alive();
    process.kill(checkpointer, 'SIGCONT');
    expect(alive).toBe(true);
    expect(await stopping).toBe(0);
    expect(isRunning()).toBe(false);
  });

  it('is there for a rail that starts while another one stops', async () => {
    for (let round = 0; round < 6; round++) {
      const leaving = await start();
      const coming = start();
      await sleep(300 + round * 300);
      await leaving.stop();
      const { origin, stop } = await coming;
      expect((await fetch(`${origin}/v1/mdas`)).status).toBe(200);
      await stop();
      expect(isRunning(), `round ${round}`).toBe(false);
    }
  });

  it('is stopped whenever in a start a signal comes', async () => {
    for (let round = 0; round < 10; round++) {
      const starting = begin('src/app/main.ts', env);
      await sleep(600 + round * 200);
      // Null where it was ended before it listened to signals, which it does before it opens anything.
      expect([0, null]).toContain(await starting.end(round % 2 ? 'SIGINT' : 'SIGTERM'));
      expect(isRunning(), `round ${round}`).toBe(false);
    }
  });
});

/** The process that writes the last checkpoint of a server that stops. */
async function checkpointerOf(): Promise<number> {
  const { password } = JSON.parse(readFileSync(join(folder, 'postgres.json'), 'utf8')) as { password: string };
  const [, , , port] = readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n');
  const { pid } = await runOnConnection(
    `postgresql://rail:${password}@127.0.0.1:${port}/postgres`,
    { name: 'test', work: 'probe' },
    async (client) => {
      const { rows } = await client.query<{ pid: number }>(
        "select pid from pg_stat_activity where backend_type = 'checkpointer'",
      );
      return rows[0]!;
    },
  );
  return pid;
}
