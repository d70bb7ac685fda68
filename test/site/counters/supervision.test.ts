import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { runInBrowser, testBrowser } from '../../harness/people/browser.ts';
import { type StaffActor, makeStaff } from '../../harness/people/staff.ts';
import { serviceNamed, someCitizen } from '../../harness/flow.ts';
import { testRail } from '../../harness/rail.ts';
import { openWindow, signIn } from '../browsing.ts';

const browser = testBrowser();
const rail = testRail();

/** A shift that was opened with a float, and closed with another amount. */
async function closeShort({ post }: StaffActor, reason: string): Promise<string> {
  const { data } = await post('/v1/counter-shifts', { mda: 'URA', counter_label: 'Window 2', opening_float: 80_000 });
  await post(`/v1/counter-shifts/${data.name}:close`, { cash_counted: 50_000 });
  await post(`/v1/counter-shifts/${data.name}:close`, { cash_counted: 80_000, variance_reason: reason });
  return data.name as string;
}

const statusOf = async (shift: string) => {
  const [row] = await rail.rows<{ status: string }>(
    sql`select coalesce(variance_status::text, status::text) as status from counter_shift where name = ${shift}`,
  );
  return row!.status;
};

const statusOfAnomaly = async (shift: string) => {
  const [row] = await rail.rows<{ status: string }>(
    sql`select status::text as status from anomaly where kind = 'cash_variance' and subject = ${shift}`,
  );
  return row?.status;
};

describe.skipIf(!browser.found)(runInBrowser('a supervisor with a browser'), () => {
  it('decides on variances, but not on their own, and cancels a shift that nobody used', { tags: 'long' }, async () => {
    const clerk = await makeStaff(rail, 'clerk');
    const supervisor = await makeStaff(rail, 'supervisor');
    const approved = await closeShort(clerk, 'A <i>note</i> was torn');
    const rejected = await closeShort(clerk, 'No idea');
    const escalated = await closeShort(clerk, 'The drawer was open');
    const own = await closeShort(supervisor, 'I miscounted');
    const { data: unused } = await clerk.post('/v1/counter-shifts', { mda: 'URA', opening_float: 0 });
    const { page, wrong, close } = await openWindow(browser, rail);
    await signIn(page, supervisor.email, '/supervision');
    await page.getByRole('heading', { name: '4 variances to review' }).waitFor();

    await page.getByRole('link', { name: approved }).click();
    await page.getByText('A <i>note</i> was torn').waitFor();
    expect(await page.locator('dl').first().textContent()).toMatch(/2 counts\s*UGX\u00a050,000, UGX\u00a080,000/);
    // Its anomaly is resolved with it, which takes a note, unless they choose otherwise.
    const resolves = page.getByLabel('If approved, resolve the anomaly of this variance too');
    expect(await resolves.isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('alert').waitFor();
    expect(await statusOf(approved)).toBe('Pending');
    await resolves.uncheck();
    await page.getByRole('button', { name: 'Reject' }).click();
    await page.getByRole('alert').waitFor();
    expect(await resolves.isChecked()).toBe(false);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('The variance is approved.').waitFor();
    expect([await statusOf(approved), await statusOfAnomaly(approved)]).toEqual(['Approved', 'Open']);

    await page.getByRole('link', { name: rejected }).click();
    await page.getByRole('button', { name: 'Reject' }).click();
    await page.getByRole('alert').waitFor();
    expect(await statusOf(rejected)).toBe('Pending');
    await page.getByLabel('Note', { exact: true }).fill('Count again next time');
    await page.getByRole('button', { name: 'Reject' }).click();
    await page.getByText('The variance is rejected.').waitFor();
    expect([await statusOf(rejected), await statusOfAnomaly(rejected)]).toEqual(['Rejected', 'Open']);

    await page.getByRole('link', { name: escalated }).click();
    await page.getByLabel('Note', { exact: true }).fill('Look at the cameras');
    await page.getByRole('button', { name: 'Escalate' }).click();
    await page.getByText('The variance is escalated.').waitFor();
    await page.getByRole('heading', { name: 'Escalated' }).waitFor();

    const row = page.getByRole('row').filter({ hasText: own });
    expect(await row.textContent()).toContain('Your own shift: somebody else has to decide');
    await row.getByRole('link').click();
    await page.getByText('This is your own shift: somebody else has to decide on it.').waitFor();
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);

    await page.goto(`/supervision/shifts/${unused.name}`);
    await page.getByText('Cancel this shift').first().click();
    await page.getByLabel('Reason for cancelling').fill('Opened by mistake');
    await page.getByRole('button', { name: 'Cancel this shift' }).click();
    await page.getByText('The shift is cancelled.').waitFor();
    expect(await statusOf(unused.name)).toBe('Cancelled');
    expect(wrong).toEqual([]);
    await close();
  });

  it.each(['supervisor', 'admin'] as const)(
    'resolves the anomaly with the variance as %s',
    async (role) => {
      const shift = await closeShort(await makeStaff(rail, 'clerk'), 'A bag was left in the safe');
      const { email } = await makeStaff(rail, role);
      const { page, wrong, close } = await openWindow(browser, rail);
      await signIn(page, email, `/supervision/shifts/${shift}`);
      await page.getByLabel('Note', { exact: true }).fill('The bag was found');
      expect(await statusOfAnomaly(shift)).toBe('Open');
      await page.getByRole('button', { name: 'Approve' }).click();
      await page.getByText('The variance is approved.').waitFor();
      expect([await statusOf(shift), await statusOfAnomaly(shift)]).toEqual(['Approved', 'Resolved']);
      expect(wrong).toEqual([]);
      await close();
    },
    60_000,
  );

  it('sees all of a long shift, as its clerk does, page by page', { tags: 'long' }, async () => {
    const clerk = await makeStaff(rail, 'clerk');
    const supervisor = await makeStaff(rail, 'supervisor');
    const { data: shift } = await clerk.post('/v1/counter-shifts', { mda: 'URA', opening_float: 0 });
    const service = await serviceNamed(rail, 'URA-MVTRANSFER');
    const citizen = await someCitizen(rail);
    const made: string[] = [];
    for (let nth = 0; nth < 53; nth++) {
      const { data } = await clerk.post('/v1/assessments', { citizen, shift: shift.name, lines: [{ service }] });
      const cancelled = await supervisor.post(`/v1/assessments/${data.name}:cancel`, { reason: 'Not wanted' });
      expect(cancelled.status).toBe(200);
      made.push(data.name);
    }
    for (const [{ email }, path] of [
      [clerk, '/counter/shifts/'],
      [supervisor, '/supervision/shifts/'],
    ] as const) {
      const { page, wrong, close } = await openWindow(browser, rail);
      await signIn(page, email, `${path}${shift.name}`);
      const next = page.getByRole('link', { name: 'Next page' });
      await next.waitFor();
      const seen = new Set((await page.textContent('main'))!.match(/ASMT-[\d-]+\d/g));
      expect(seen.size).toBe(50);
      await next.click();
      await page.getByRole('link', { name: 'Previous page' }).waitFor();
      for (const name of (await page.textContent('main'))!.match(/ASMT-[\d-]+\d/g)!) seen.add(name);
      expect([...seen].toSorted()).toEqual(made.toSorted());
      expect(wrong).toEqual([]);
      await close();
    }
  });

  it(
    'sees a shift appear that is opened meanwhile, and is shown no clerk’s page of it without the role',
    { tags: 'long' },
    async () => {
      const supervisor = await makeStaff(rail, 'supervisor');
      const { page, wrong, close } = await openWindow(browser, rail);
      await signIn(page, supervisor.email, '/supervision');
      const clerk = await makeStaff(rail, 'clerk');
      const { data } = await clerk.post('/v1/counter-shifts', { mda: 'URSB', opening_float: 5 });
      await page.getByRole('link', { name: data.name }).waitFor();
      await page.context().clearCookies();
      await signIn(page, clerk.email, '/supervision');
      expect(await page.textContent('h1')).toBe('You do not have permission to do this');
      expect(wrong).toEqual([]);
      await close();
    },
  );
});
