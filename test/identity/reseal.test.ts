import { afterAll, expect, it } from 'vitest';
import { resealSecondFactors } from '../../src/identity/second-factor/reseal.ts';
import { codeOf, enrol, passCodes } from '../harness/people/second-factor.ts';
import { PASSWORD, makeStaff } from '../harness/people/staff.ts';
import { TestRail } from '../harness/rail.ts';

const [OLD, NEXT] = ['an-old-secret-of-at-least-32-characters', 'a-new-secret-of-at-least-32-characters'];
const rails: TestRail[] = [];

/** A rail under some keys, on the database of the first. */
async function startUnder(keys: string): Promise<TestRail> {
  const rail = new TestRail({ SECRET_KEY: keys, ...(rails[0] && { DATABASE_URL: rails[0].url }) });
  rails.push(rail);
  await rail.start();
  return rail;
}

afterAll(async () => {
  for (const rail of rails.toReversed()) await rail.stop();
});

it(
  'second factors move to a new SECRET_KEY while both are configured, so that the old one can go',
  { tags: 'long' },
  async () => {
    const before = await startUnder(OLD);
    const { email, cookie } = await makeStaff(before, 'clerk');
    const { secret } = await enrol(before, cookie);
    expect(await resealSecondFactors(before.rail)).toBe(0);

    const during = await startUnder(`${NEXT},${OLD}`);
    expect(await resealSecondFactors(during.rail)).toBe(1);
    expect(await resealSecondFactors(during.rail)).toBe(0);

    const after = await startUnder(NEXT);
    passCodes(after);
    const body = { email, password: PASSWORD, code: codeOf(after.rail, secret) };
    expect((await after.ask('/v1/work/login', { body })).status).toBe(200);
  },
);
