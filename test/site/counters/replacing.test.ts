import { describe, expect, it } from 'vitest';
import { formatDay } from '../../../src/kernel/time.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { createAssessedFor } from '../../harness/flow.ts';
import { runInBrowser } from '../../harness/people/browser.ts';
import { makeStaff, makeStaffOf } from '../../harness/people/staff.ts';
import { expectAccessible } from '../accessible.ts';
import { signIn } from '../browsing.ts';
import { useCounter } from './clerk.ts';

const { rail, browser, open } = useCounter();

describe.skipIf(!browser.found)(runInBrowser('an agreement on instalments'), () => {
  it('is begun at the assessment, shown before it is made, and leads back to what replaces it', async () => {
    const officer = await makeStaffOf(rail, ['URA'], 'finance_officer');
    const { assessment } = await createAssessedFor(rail, await makeStaff(rail, 'supervisor'), 'URA-PAYE');
    const { page, wrong, close } = await open();
    await signIn(page, officer.email, `/console/assessments/${assessment}`);
    await page.getByRole('link', { name: 'Agree on instalments' }).click();
    await expectAccessible(page);
    const fill = async (day: string) => {
      await page.getByLabel('Number of instalments').fill('4');
      await page.getByLabel('First due on').fill(day);
      await page.getByLabel('How often').selectOption('week');
      await page.getByLabel('Reason').fill('The payer asked for it');
      await page.getByRole('button', { name: 'Show the instalments' }).click();
    };
    await fill('2026-01-31');
    await page.getByRole('alert').getByText('First due on').waitFor();
    await fill(formatDay(new Date(Date.now() + 86_400_000)));
    await page.getByRole('heading', { name: 'Check the instalments' }).waitFor();
    expect(await page.getByRole('row').filter({ hasText: '112,500' }).count()).toBe(4);
    await expectAccessible(page);
    expect(await rail.count(sql`select 1 from assessment where replaces = ${assessment}`)).toBe(0);
    await page.getByRole('button', { name: 'Replace by instalments' }).click();
    await page.getByText('The assessment is replaced.').waitFor();
    const born = await rail.rows<{ name: string }>(
      sql`select name from assessment where replaces = ${assessment} order by name`,
    );
    expect(born).toHaveLength(4);
    await page.getByRole('link', { name: born[0]!.name }).click();
    await page.getByRole('link', { name: assessment }).waitFor();
    await expectAccessible(page);
    expect(wrong).toEqual([]);
    await close();
  });
});
