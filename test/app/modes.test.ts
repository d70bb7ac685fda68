import { describe, expect, it } from 'vitest';
import { mintKey } from '../../src/platform/access/key-format.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { createLog } from '../../src/kernel/log.ts';
import { openRail } from '../../src/app/open-rail.ts';
import { LIVE } from '../harness/live.ts';
import { testRail } from '../harness/rail.ts';

const sandbox = testRail();
const live = testRail(LIVE);

const startLive = (url: string) => openRail(readConfig({ ...LIVE, DATABASE_URL: url }), createLog('silent'));

describe('a key', () => {
  it.each([
    ['sandbox', 'live', sandbox],
    ['live', 'sandbox', live],
  ] as const)('401: a rail in %s mode takes none of %s mode, though it has it', async (mode, other, rail) => {
    const { plaintext, name } = await rail.key('citizens.read');
    const foreign = mintKey(other);
    await rail.rows(
      sql`update api_key set hash = ${foreign.hash}, prefix = ${foreign.prefix}, last4 = ${foreign.last4} where name = ${name}`,
    );
    for (const path of ['/v1/me', '/v1/citizens', '/v1/mdas']) {
      const answer = await rail.ask(path, { key: foreign.plaintext });
      expect(answer, path).toMatchObject({ status: 401, code: 'unauthenticated' });
      expect(answer.json.error.message).toBe(
        `This rail is in ${mode} mode and accepts keys that begin with rail_${mode}_`,
      );
    }
    expect(
      (await rail.ask('/graphql', { key: foreign.plaintext, body: { query: '{ mdas { nodes { id } } }' } })).status,
    ).toBe(401);
    expect((await rail.ask('/v1/me', { key: plaintext })).status).toBe(401);
  });
});

describe('a live rail', () => {
  it('does not start on the database of a sandbox, and says what shows that it is one', async () => {
    await expect(startLive(sandbox.url)).rejects.toThrow(
      'DATABASE_URL: the database belongs to a sandbox (it holds a made-up secret and example citizens); live mode needs one of its own',
    );
    await sandbox.rows(sql`delete from sandbox_secret`);
    await expect(startLive(sandbox.url)).rejects.toThrow(/it holds example citizens/);
  });

  it('starts on its own, again and again', async () => {
    const { close } = await startLive(live.url);
    await close();
  });
});
