import { describe, expect, it } from 'vitest';
import { mintKey } from '../../src/platform/access/key-format.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { createLog } from '../../src/kernel/log.ts';
import { openRail } from '../../src/app/open-rail.ts';
import { LIVE } from '../harness/live.ts';
import { type TestRail, testRail } from '../harness/rail.ts';

const sandbox = testRail();
const live = testRail(LIVE);

const startLive = (url: string) => openRail(readConfig({ ...LIVE, DATABASE_URL: url }), createLog('silent'));

/** Makes a key of a rail one of another mode. */
async function change(rail: TestRail, name: string, mode: 'sandbox' | 'live'): Promise<string> {
  const { plaintext, hash, prefix, last4 } = mintKey(mode);
  await rail.rows(sql`update api_key set hash = ${hash}, prefix = ${prefix}, last4 = ${last4} where name = ${name}`);
  return plaintext;
}

const NOT_LIVE = 'Not live yet: ask for it with POST /v1/me:request-live';

describe('a key', () => {
  it('403: a live rail has its sandbox keys wait, but for the catalogue and their account', async () => {
    const { name } = await live.key('citizens.read', 'catalogue.read', 'assessments.write', 'oversight.read');
    const key = await change(live, name, 'sandbox');
    for (const path of ['/v1/me', '/v1/me/keys', '/v1/mdas', '/v1/integrations'])
      expect((await live.ask(path, { key })).status, path).toBe(200);
    for (const path of ['/v1/citizens', '/v1/assessments', '/v1/oversight/revenue', '/v1/payment-intents'])
      expect(await live.ask(path, { key }), path).toMatchObject({ status: 403, code: 'forbidden' });
    const answer = await live.ask('/graphql', { key, body: { query: '{ assessments { nodes { id } } }' } });
    expect(answer.json.errors).toMatchObject([{ extensions: { code: 'forbidden' } }]);
    expect((await live.ask('/v1/citizens', { key })).json.error.message).toBe(
      'This is a sandbox key: issue a live one with POST /v1/me/keys',
    );
  });

  it('403: no key of an account is live longer than its account', async () => {
    const { plaintext: key, integrator } = await live.key('assessments.read');
    const move = (tier: string) =>
      live.rows(sql`update integrator set tier = ${tier}::integrator_tier where code = ${integrator}`);
    const list = () => live.ask('/v1/assessments', { key });
    expect((await list()).status).toBe(200);
    await move('sandbox');
    expect(await list()).toMatchObject({ status: 403, json: { error: { message: NOT_LIVE } } });
    await move('live');
    expect((await list()).status).toBe(200);
  });

  it.each([
    ['sandbox', 'live', sandbox],
    ['live', 'sandbox', live],
  ] as const)('401: a rail in %s mode takes none of a rail in %s mode', async (mode, other, rail) => {
    const { plaintext, name } = await rail.key('citizens.read');
    // Not even where it has it.
    const foreign = mode === 'sandbox' ? await change(rail, name, other) : mintKey(other).plaintext;
    for (const path of ['/v1/me', '/v1/citizens', '/v1/mdas']) {
      const answer = await rail.ask(path, { key: foreign });
      expect(answer, path).toMatchObject({ status: 401, code: 'unauthenticated' });
      expect(answer.json.error.message).toBe(
        `This rail is in ${mode} mode and accepts keys that begin with rail_${mode}_`,
      );
    }
    expect(
      (await rail.ask('/graphql', { key: foreign, body: { query: '{ agencies { nodes { id } } }' } })).status,
    ).toBe(401);
    expect((await rail.ask('/v1/me', { key: plaintext })).status).toBe(mode === 'sandbox' ? 401 : 200);
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

  it('starts on none that a sandbox was the first to start on, whatever is left in it', async () => {
    await sandbox.rows(sql`delete from sandbox_secret`);
    await sandbox.rows(sql`update citizen set nin = 'AA' || right(nin, 12)`);
    await expect(startLive(sandbox.url)).rejects.toThrow(
      /^DATABASE_URL: the database belongs to a sandbox, since \d{4}-\d\d-\d\d; live mode needs one of its own$/,
    );
  });

  it('does not start on the PostgreSQL that comes with the rail, unless it is told to', async () => {
    const config = readConfig({ ...LIVE, DATABASE_URL: live.url, EMBEDDED_POSTGRES: 'off' });
    await expect(openRail(config, createLog('silent'))).rejects.toThrow(
      /^DATABASE_URL: this is the PostgreSQL that comes with the rail.*EMBEDDED_POSTGRES=on$/,
    );
  });

  it('leaves its own to no sandbox, which writes nothing into it', async () => {
    const before = await live.count(sql`select 1 from citizen`);
    const start = openRail(readConfig({ DATABASE_URL: live.url, JOBS: 'off' }), createLog('silent'));
    await expect(start).rejects.toThrow(
      /^DATABASE_URL: the database belongs to a live rail, since .*; a sandbox needs one of its own \(or set MODE=live\)$/,
    );
    expect(await live.count(sql`select 1 from citizen`)).toBe(before);
    expect(await live.count(sql`select 1 from sandbox_secret`)).toBe(0);
  });

  it('keeps to what it was, since the row is never rewritten', async () => {
    await expect(live.rows(sql`update database_mode set mode = 'sandbox'`)).rejects.toThrow();
    await expect(live.rows(sql`delete from database_mode`)).rejects.toThrow();
  });

  it('starts on its own, again and again', async () => {
    const { close } = await startLive(live.url);
    await close();
  });
});
