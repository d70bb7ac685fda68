import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { createClient } from '../../../clients/typescript/src/index.ts';
import { makeAccount, signIn } from '../../harness/people/accounts.ts';
import { runInBrowser, testBrowser } from '../../harness/people/browser.ts';
import { testRail } from '../../harness/rail.ts';
import { addCookie, openWindow } from '../../site/browsing.ts';
import { CLIENT } from './programs.ts';

const browser = testBrowser();
const rail = testRail({ DEV_REVEAL: 'on' });

describe.skipIf(!browser.found)(runInBrowser('the client on a page of the rail'), () => {
  it('reads and changes as who is signed in, if it is to send the session', async () => {
    const account = await makeAccount(rail);
    const { page, wrong, close } = await openWindow(browser, rail);
    await addCookie(page.context(), rail, await signIn(rail, account));
    await page.route('**/client/*.ts', (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body: stripTypeScriptTypes(readFileSync(join(CLIENT, 'src', basename(route.request().url())), 'utf8')),
      }),
    );
    await page.goto('/docs');
    const answers = await page.evaluate(async () => {
      const module = (await import(`${location.origin}/client/index.ts`)) as { createClient: typeof createClient };
      const client = module.createClient({ baseUrl: location.origin, session: true });
      const { display_name: before } = await client.get('/v1/me');
      const { display_name: after } = await client.patch('/v1/me', { body: { display_name: 'From a page' } });
      const refused = await module
        .createClient({ baseUrl: location.origin })
        .get('/v1/me')
        .catch((error: { reason: string }) => error.reason);
      return [before, after, refused];
    });
    expect(answers).toEqual(['Test Office', 'From a page', 'unauthenticated']);
    expect(wrong).toEqual([]);
    await close();
  });
});
