import { beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS, formatDay } from '../../../src/kernel/time.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { runInBrowser, testBrowser } from '../../harness/people/browser.ts';
import { createAssessed, makeActor, someCitizen } from '../../harness/flow.ts';
import { type StaffActor, makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';
import { expectAccessible } from '../accessible.ts';
import { addCookie, openWindow } from '../browsing.ts';

const browser = testBrowser();
const rail = testRail();

let [operator, colleague]: StaffActor[] = [];
const OWN = 'ANOM-2020-01-000001';

beforeAll(async () => {
  [operator, colleague] = [await makeStaff(rail, 'admin'), await makeStaff(rail, 'system_manager')];
  await rail.rows(sql`
    insert into anomaly (name, kind, mda, mdas, severity, status, subject, evidence, raised_at)
    values (${OWN}, 'amount_mismatch', 'URA', '{URA}', 'high', 'Open', 'PI-2020-01-000001', '{}', '2026-11-20T07:00:00Z')`);
});

describe.skipIf(!browser.found)(runInBrowser('an anomaly that somebody owns'), () => {
  it('is assigned, commented, snoozed and found again, without a script; its page says what was done', async () => {
    const { page, wrong, close } = await openWindow(browser, rail, { javaScriptEnabled: false });
    await addCookie(page.context(), rail, operator!.cookie);
    await page.goto(`/console/anomalies/${OWN}`);
    await page.getByText('No changes yet').waitFor();
    await page.getByRole('button', { name: 'Assign' }).click();
    await page.getByText('The anomaly is assigned.').waitFor();
    await page.goto('/console/anomalies');
    await page.getByText('Filters', { exact: true }).click();
    await page.getByLabel('Assigned to').selectOption('Me');
    await page.getByRole('button', { name: 'Apply filters' }).click();
    await page.getByRole('cell', { name: 'A admin', exact: true }).waitFor();
    await page.getByRole('link', { name: 'The provider collected another amount' }).click();

    await page.getByLabel('Comment', { exact: true }).fill('They <b>called</b> back');
    await page.getByRole('button', { name: 'Add comment' }).click();
    await page.getByText('The comment is added.').waitFor();
    await page.getByText('They <b>called</b> back').waitFor();

    await page.getByLabel('Until', { exact: true }).fill('2020-01-01');
    await page.getByLabel('Reason').fill('They answer next week');
    await page.getByRole('button', { name: 'Snooze' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Until', { exact: true }).fill(formatDay(new Date(rail.rail.now().getTime() + 7 * DAY_MS)));
    await page.getByRole('button', { name: 'Snooze' }).click();
    await page.getByText('The day is saved.').waitFor();
    expect(await page.getByRole('listitem').locator('strong').allTextContents()).toEqual([
      'Anomaly snoozed',
      'Comment on an anomaly',
      'Anomaly assigned',
    ]);
    await page.getByText('Reason: They answer next week').waitFor();

    await page.goto('/console');
    await page.getByText('Nothing needs attention').waitFor();
    await page.goto('/console/anomalies');
    await page.getByText('Nothing found').waitFor();
    await page.getByText('Filters', { exact: true }).click();
    await page.getByLabel('Snooze', { exact: true }).selectOption('Snoozed');
    await page.getByRole('button', { name: 'Apply filters' }).click();
    await page.getByText('Snoozed until').waitFor();
    expect(wrong).toEqual([]);
    await close();
  });

  it('has pages that are accessible', async () => {
    const { page, wrong, close } = await openWindow(browser, rail);
    await addCookie(page.context(), rail, operator!.cookie);
    for (const address of [`/console/anomalies/${OWN}`, '/console/anomalies?snoozed=true']) {
      await page.goto(address);
      await page.getByText('Snoozed until').first().waitFor();
      await expectAccessible(page);
    }
    expect(wrong).toEqual([]);
    await close();
  });

  it('is read by oversight staff with its history, without forms', async () => {
    const reader = await makeStaff(rail, 'oversight');
    await colleague!.post(`/v1/ops/anomalies/${OWN}:comment`, { comment: 'Asked again' });
    const { page, wrong, close } = await openWindow(browser, rail);
    await addCookie(page.context(), rail, reader.cookie);
    await page.goto(`/console/anomalies/${OWN}`);
    await page.getByText('Asked again').waitFor();
    expect(await page.getByRole('button', { name: /Assign|Snooze|comment|Resolve/ }).count()).toBe(0);
    expect(wrong).toEqual([]);
    await close();
  });

  it('is one line of the list with others of its kind, agency and day, which opens to each', async () => {
    await rail.rows(sql`
      insert into anomaly (name, kind, mda, mdas, severity, status, subject, evidence, raised_at)
      select 'ANOM-2020-02-' || lpad(n::text, 6, '0'), 'reversal', 'KCCA', array['KCCA'], 'medium', 'Open',
        'ASMT-2020-02-' || lpad(n::text, 6, '0'), '{}',
        '2026-11-20T17:30:00Z'::timestamptz + n * interval '4 minutes' + case when n > 8 then interval '1 day' else interval '0' end
      from generate_series(1, 9) n`);
    const { page, wrong, close } = await openWindow(browser, rail, { javaScriptEnabled: false });
    await addCookie(page.context(), rail, operator!.cookie);
    await page.goto('/console/anomalies?kind=reversal');
    expect(await page.locator('.list tbody tr').count()).toBe(2);
    await page.getByText('8 times in one day').click();
    expect(await page.locator('.list details li').count()).toBe(8);
    await page.getByRole('link', { name: 'ASMT-2020-02-000003' }).click();
    await page.waitForURL('**/console/anomalies/ANOM-2020-02-000003');
    expect(wrong).toEqual([]);
    await close();
  });
});

describe('the advice of an anomaly about a person', () => {
  it('leads to the person whose name differs, with what they owe', async () => {
    const [citizen, owed] = [await someCitizen(rail), await createAssessed(rail, await makeActor(rail))];
    const name = 'ANOM-2020-03-000001';
    await rail.rows(sql`
      insert into anomaly (name, kind, mda, mdas, severity, status, subject, evidence, raised_at)
      values (${name}, 'identity_mismatch', null, '{}', 'medium', 'Open', ${citizen},
        jsonb_build_object('citizen', ${citizen}::text, 'purpose', 'authority'), '2020-03-01T07:00:00Z')`);
    const read = async (address: string) => {
      const page = await fetch(rail.origin + address, { headers: { cookie: operator!.cookie, accept: 'text/html' } });
      expect(page.status).toBe(200);
      return page.text();
    };
    expect(await read(`/console/anomalies/${name}`)).toContain(`href="/work/find?q=${citizen}">See the person<`);
    const found = await read(`/work/find?q=${citizen}`);
    const [person] = await rail.rows<{ full_name: string }>(sql`select full_name from citizen where name = ${citizen}`);
    for (const shown of [person!.full_name, citizen, owed]) expect(found).toContain(shown);
  });
});
