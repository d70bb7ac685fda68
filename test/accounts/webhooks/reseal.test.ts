import { afterAll, expect, it } from 'vitest';
import { resealSecrets } from '../../../src/accounts/endpoints/reseal.ts';
import { getSigningSecrets } from '../../../src/accounts/endpoints/secret.ts';
import { openSigningKey, resealSigningKeys } from '../../../src/platform/access/tokens/signing-keys.ts';
import { tasks } from '../../../src/app/jobs/tasks.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { makeAccount } from '../../harness/people/accounts.ts';
import { TestRail } from '../../harness/rail.ts';

const [OLD, NEXT] = ['an-old-secret-of-at-least-32-characters', 'a-new-secret-of-at-least-32-characters'];
const rails: TestRail[] = [];

/** A rail under some keys, on the database of the first. */
async function startUnder(keys: string): Promise<TestRail> {
  const rail = new TestRail({ SECRET_KEY: keys, DEV_REVEAL: 'on', ...(rails[0] && { DATABASE_URL: rails[0].url }) });
  rails.push(rail);
  await rail.start();
  return rail;
}

/** Runs the hourly job; whether it logged that all is sealed under the first key. */
async function runJob(rail: TestRail): Promise<boolean> {
  const from = rail.logged.length;
  await tasks(rail.rail)['reseal_secrets']!(undefined, {} as never);
  return rail.logged.slice(from).some((line) => line.includes('sealed under the first SECRET_KEY'));
}

afterAll(async () => {
  for (const rail of rails.toReversed()) await rail.stop();
});

it('what signs webhooks and tokens moves to a new SECRET_KEY while both are configured, so that the old one can go', async () => {
  const before = await startUnder(OLD);
  const { key, integrator } = await makeAccount(before);
  const rotate = async () =>
    (await before.ask('/v1/me/webhook-secret:rotate', { method: 'POST', key })).data.secret as string;
  const [previous, current] = [await rotate(), await rotate()];
  expect(await resealSecrets(before.rail)).toBe(0);
  const signing = await openSigningKey(before.rail, 'token');
  expect(await runJob(before)).toBe(false);

  const during = await startUnder(`${NEXT},${OLD}`);
  expect(await resealSecrets(during.rail)).toBeGreaterThan(0);
  expect(await resealSecrets(during.rail)).toBe(0);
  expect(await openSigningKey(during.rail, 'token')).toEqual(signing);
  expect(await runJob(during)).toBe(false);
  expect(await resealSigningKeys(during.rail)).toBe(0);
  expect(await runJob(during)).toBe(true);

  const after = await startUnder(NEXT);
  const [endpoint] = await after.rows<{ name: string }>(
    sql`select name from webhook_endpoint where integrator = ${integrator}`,
  );
  expect(await getSigningSecrets(after.rail, endpoint!.name)).toEqual({ current, previous });
  expect(await openSigningKey(after.rail, 'token')).toEqual(signing);
});
