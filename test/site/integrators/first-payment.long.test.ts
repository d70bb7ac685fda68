import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { type Account, makeAccount, signIn } from '../../harness/people/accounts.ts';
import { runInBrowser, testBrowser } from '../../harness/people/browser.ts';
import { testRail } from '../../harness/rail.ts';
import { expectAccessible } from '../accessible.ts';
import { addCookie, openWindow } from '../browsing.ts';

const browser = testBrowser();
const rail = testRail({ DEV_REVEAL: 'on' });

/** Runs commands in a shell of their own, in which a key may be set. */
async function run(commands: string, key?: string): Promise<{ status: number; stdout: string; stderr: string }> {
  const env = { PATH: process.env['PATH'], ...(key !== undefined && { RAIL_KEY: key }) };
  const shell = spawn('bash', ['-c', `set -euo pipefail\n${commands}`], {
    cwd: '/',
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [status]] = await Promise.all([text(shell.stdout), text(shell.stderr), once(shell, 'close')]);
  return { status: status as number, stdout, stderr };
}

const canFollow =
  browser.found && ['curl', 'python3'].every((program) => spawnSync(program, ['--version']).status === 0);

describe.skipIf(!canFollow)(runInBrowser('the first payment'), () => {
  it('is made by the commands of the page as they stand, with the key that they name', async () => {
    const account: Account = await makeAccount(rail);
    const { page, wrong, close } = await openWindow(browser, rail);
    const commandsOf = async () => (await page.locator('article pre').allTextContents()).join('\n');

    await page.goto('/docs/first-payment');
    const anybodys = await commandsOf();
    expect(anybodys).toContain(`RAIL=${rail.origin}\n`);
    expect(
      await page
        .getByRole('main')
        .getByRole('link', { name: /sign up/ })
        .getAttribute('href'),
    ).toBe('/signup');
    expect(await run(anybodys)).toMatchObject({
      status: expect.any(Number),
      stdout: '',
      stderr: expect.stringContaining('Set RAIL_KEY to the key of your account'),
    });

    await addCookie(page.context(), rail, await signIn(rail, account));
    await page.goto('/docs/first-payment');
    const shown = account.key.slice(0, 8);
    const own = await commandsOf();
    expect(own).toContain(`Set RAIL_KEY to your key ${shown}`);
    expect(own).toContain(`…${account.key.slice(-4)}}`);
    await page.getByText(`filled in for your account ${account.integrator}`).waitFor();
    expect(await page.content()).not.toContain(account.key);
    await expectAccessible(page);
    for (const commands of [anybodys, own]) {
      const { status, stdout, stderr } = await run(commands, account.key);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      expect(stdout).toContain('"status":"Confirmed"');
      expect(stdout).toContain('Assessed → Paid');
    }
    await page.getByRole('radio', { name: 'TypeScript' }).waitFor({ state: 'attached' });
    for (const [name, ending, program] of [
      ['TypeScript', 'ts', process.execPath],
      ['Python', 'py', 'python3'],
    ] as const) {
      const written = (await page.locator(`#sample-${name}`).textContent())!;
      const { status, stdout, stderr } = await run(
        `FILE=$(mktemp --suffix .${ending})\ncat > $FILE <<'PROGRAM'\n${written}\nPROGRAM\n${program} $FILE`,
        account.key,
      );
      expect([name, status, /Error|Traceback/.exec(stderr)]).toEqual([name, 0, null]);
      expect(stdout).toMatch(/^Confirmed\n.*UGX\n.*UGX\n$/);
    }
    expect(wrong).toEqual([]);
    await close();
  });
});
