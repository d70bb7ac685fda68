import { describe, expect, it } from 'vitest';
import { startOutsideRail } from '../../harness/outside.ts';
import { runInBrowser, testBrowser } from '../../harness/people/browser.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { expectAccessible } from '../accessible.ts';
import { addCookie, openWindow } from '../browsing.ts';

const browser = testBrowser();
const held = startOutsideRail({}, { breaker_failures: 2, breaker_rest_ms: 60_000 });
const { rail } = held;

describe.skipIf(!browser.found)(runInBrowser('the status of the service'), () => {
  it(
    'says of a part what operators are shown of it, at the same moment, and when it was last checked',
    { tags: 'long' },
    async () => {
      const admin = await makeStaff(rail, 'admin');
      const probe = async (endpoint: string) =>
        expect((await admin.post(`/v1/ops/agency-endpoints/${endpoint}:probe`)).status).toBe(200);
      const { page, wrong, close } = await openWindow(browser, rail);
      await addCookie(page.context(), rail, admin.cookie);
      const country = page.getByRole('region', { name: 'UG' }).getByRole('listitem');
      const identity = country.filter({ hasText: 'Identity authority' });
      const fiscal = country.filter({ hasText: 'Fiscal documents' });
      const unavailable = page.locator('li, tr').filter({ hasText: 'Not available' });

      await probe('nin-verify');
      await page.goto('/status');
      expect(await identity.textContent()).toMatch(/Working\s*\(last checked \d.*\d\)\s*$/);
      expect(await fiscal.textContent()).toMatch(/No data today\s*$/);
      await page.goto('/console');
      expect((await unavailable.allTextContents()).filter((text) => text.includes('UG'))).toEqual([]);

      held.outside.agencies['national identity authority']!.trouble.down = 'refusing';
      for (const nin of ['CM900000000001', 'CM900000000002', 'CM900000000003'])
        expect((await admin.post('/v1/work/citizens', { nin })).status).toBeGreaterThanOrEqual(502);
      await page.goto('/status');
      expect(await identity.textContent()).toMatch(/Identity authority:\s*Not available/);
      expect(await fiscal.textContent()).toMatch(/No data today/);
      await page.getByText('Some services are not working.').waitFor();
      await expectAccessible(page);
      await page.goto('/console');
      expect((await unavailable.allTextContents()).join()).toMatch(/Not available\s*UG, Identity authority/);
      await page.goto('/console/endpoints');
      const row = page.getByRole('row').filter({ hasText: 'UG' }).first();
      expect(await row.getByRole('cell').first().textContent()).toContain('Not available');
      expect(wrong).toEqual([]);
      await close();
    },
  );
});
