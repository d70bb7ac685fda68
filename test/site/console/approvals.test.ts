import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { LIVE } from '../../harness/live.ts';
import { runInBrowser, testBrowser } from '../../harness/people/browser.ts';
import { collectInShift, openShift } from '../../harness/people/counter.ts';
import { RELATIONS } from '../../harness/people/relations.ts';
import { someCitizen } from '../../harness/flow.ts';
import { type StaffActor, makeStaff, makeStaffOf } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';
import { addCookie, openWindow } from '../browsing.ts';

const browser = testBrowser();
const rail = testRail(LIVE);

/** A window in which somebody is signed in, with their second factor. */
async function openFor({ cookie }: StaffActor, options: { javaScriptEnabled?: boolean } = {}) {
  const window = await openWindow(browser, rail, options);
  await addCookie(window.page.context(), rail, cookie);
  return window;
}

const inviter = RELATIONS.find(({ name }) => name === 'who invited the other')!;

/** Cash in the shift of a clerk. */
async function collect() {
  const clerk = await makeStaff(rail, 'clerk');
  return collectInShift(rail, clerk, await openShift(clerk));
}

const statusOf = async (assessment: string) =>
  (await rail.rows<{ status: string }>(sql`select status from assessment where name = ${assessment}`))[0]!.status;

describe.skipIf(!browser.found)(runInBrowser('with a browser'), () => {
  it('the console says that there are too few independent operators, until there are', async () => {
    const admin = await makeStaff(rail, 'admin');
    const { page, wrong, close } = await openFor(admin);
    const notice = page.getByText('Ask the server’s administrator to add another person');
    await page.goto('/console');
    await page.getByText('No two admins or system managers are independent').waitFor();
    expect(await notice.count()).toBe(1);
    await makeStaff(rail, 'system_manager');
    await page.reload();
    await page.getByText('No two admins are independent').waitFor();
    await makeStaff(rail, 'admin');
    await page.reload();
    await page.getByRole('heading', { name: 'Today' }).waitFor();
    expect(await notice.count()).toBe(0);
    expect(wrong).toEqual([]);
    await close();
  });

  it(
    'a supervisor asks for a reversal, and another of the agency finds it and approves',
    { tags: 'long' },
    async () => {
      const { assessment } = await collect();
      const [asker, dependent] = await inviter.make(rail, 'supervisor');
      // The role was given by the command line: what the invitation asks for is to wait no longer.
      await rail.rows(sql`
        update approval set status = 'Expired', decided_by = 'system:test', decided_at = now() where status = 'Pending'`);
      const other = await makeStaffOf(rail, ['URA'], 'supervisor');

      const own = await openFor(asker);
      await own.page.goto(`/counter/assessments/${assessment}`);
      await own.page.getByRole('link', { name: 'Reverse' }).click();
      await own.page.getByText('Somebody independent of you has to approve it.').waitFor();
      await own.page.getByLabel('Reason').fill('Taken <i>twice</i>');
      await own.page.getByRole('button', { name: 'Request reversal' }).click();
      await own.page.getByText('The reversal is requested.').waitFor();
      expect(await statusOf(assessment)).toBe('Paid');
      await own.page.getByText('A reversal of this payment waits').waitFor();
      await own.page.getByRole('link', { name: 'Approvals' }).last().click();
      await own.page.getByText('You requested this: somebody independent of you has to approve it.').waitFor();
      expect(await own.page.getByRole('button', { name: 'Approve' }).count()).toBe(0);

      const theirs = await openFor(dependent);
      await theirs.page.goto('/console/approvals');
      await theirs.page.getByRole('button', { name: 'Approve' }).click();
      await theirs.page.getByRole('alert').filter({ hasText: 'You are not independent of the people' }).waitFor();
      expect(await statusOf(assessment)).toBe('Paid');

      const { page, wrong, close } = await openFor(other);
      await page.goto('/supervision');
      await page.getByRole('heading', { name: '1 reversal to decide' }).waitFor();
      await page.getByText('Taken <i>twice</i>').waitFor();
      await page.getByRole('link', { name: assessment }).click();
      await page.getByText('A reversal of this payment waits').waitFor();
      await page.goto('/supervision');
      await page.getByRole('link', { name: 'Approvals' }).last().click();
      await page.getByText(`Reverse ${assessment}: give UGX\u00a010,000 back`).first().waitFor();
      await page.getByRole('button', { name: 'Approve' }).click();
      await page.getByText('Approved.').waitFor();
      expect(await statusOf(assessment)).toBe('Cancelled');

      // A colleague with the older page clicks on a request that was decided meanwhile.
      await theirs.page.getByRole('button', { name: 'Approve' }).click();
      await theirs.page.getByText('This request was decided already, or has expired.').first().waitFor();
      expect([...wrong, ...own.wrong, ...theirs.wrong]).toEqual([]);
      await Promise.all([close(), own.close(), theirs.close()]);
    },
  );

  it(
    'an operator adds a service, which counters offer once another has approved its fee',
    { tags: 'long' },
    async () => {
      const [asker, other] = [await makeStaff(rail, 'system_manager'), await makeStaff(rail, 'admin')];
      const clerk = await makeStaff(rail, 'clerk');
      const basket = `/counter/shifts/${await openShift(clerk)}/basket/${await someCitizen(rail)}`;
      const [own, theirs, counter] = [await openFor(asker), await openFor(other), await openFor(clerk)];
      const offered = async () => {
        await counter.page.goto(basket);
        return counter.page.getByRole('rowheader', { name: 'Night permit' }).count();
      };
      await own.page.goto('/console/services/new?agency=URA');
      for (const [label, value] of Object.entries({
        Code: 'URA-NIGHT',
        'Name of the service': 'Night permit',
        Sector: 'transport',
        'Kind of revenue': 'licence',
        Fee: '50000',
      }))
        await own.page.getByLabel(label, { exact: true }).fill(value);
      await own.page.getByRole('button', { name: 'Add service' }).click();
      await own.page.getByText('Until then the service cannot be assessed').waitFor();
      await own.page.getByText('UGX\u00a050,000 (Not approved)').waitFor();
      expect(await offered()).toBe(0);

      const askedAgain = async () => {
        await theirs.page.goto('/console/approvals');
        await theirs.page.getByText('Set the fee of Night permit from UGX\u00a00 to UGX\u00a050,000').first().waitFor();
      };
      await askedAgain();
      await theirs.page.getByText('Refuse').first().click();
      await theirs.page.getByLabel('Reason').fill('Not gazetted');
      await theirs.page.getByRole('button', { name: 'Refuse' }).click();
      await theirs.page.getByText('The request is refused.').waitFor();
      await own.page.reload();
      await own.page.getByText('No fee of this service is approved').waitFor();
      expect(await offered()).toBe(0);

      await own.page.getByLabel('New fee in UGX').fill('50000');
      await own.page.getByLabel('Reason').fill('It is now');
      await own.page.getByRole('button', { name: 'Preview the change' }).click();
      await own.page.getByText('Not approved').waitFor();
      await own.page.getByRole('button', { name: 'Request approval' }).click();
      await own.page.getByText('Until then the service cannot be assessed').waitFor();
      await askedAgain();
      await theirs.page.getByRole('button', { name: 'Approve' }).click();
      await theirs.page.getByText('Approved.').first().waitFor();
      expect(await offered()).toBe(1);
      await own.page.reload();
      await own.page.getByText('Fee approved').first().waitFor();
      expect(await own.page.getByText('Not approved').count()).toBe(0);
      expect([...own.wrong, ...theirs.wrong, ...counter.wrong]).toEqual([]);
      await Promise.all([own.close(), theirs.close(), counter.close()]);
    },
  );

  it(
    'an operator finds what waits, refuses one for a reason and approves another, without script',
    { tags: 'long' },
    async () => {
      const [asker, other] = [await makeStaff(rail, 'system_manager'), await makeStaff(rail, 'admin')];
      const [first, second] = (await asker.ask('/v1/services?limit=2')).data;
      const ask = ({ name, fee_amount: fee }: { name: string; fee_amount: number }) =>
        asker.ask(`/v1/ops/services/${name}`, { method: 'PATCH', body: { fee_amount: fee + 1, reason: 'The budget' } });
      for (const service of [first, second]) expect((await ask(service)).status).toBe(200);
      const { page, wrong, close } = await openFor(other, { javaScriptEnabled: false });
      await page.goto('/console');
      const waiting = page.getByRole('listitem').filter({ hasText: 'Requests to approve' });
      expect(await waiting.locator('strong').textContent()).toBe('2');
      await waiting.getByRole('link').click();
      const cardOf = (service: { service_name: string }) =>
        page.locator('section.card').filter({ hasText: service.service_name });

      await cardOf(first).getByText('Refuse').first().click();
      await cardOf(first).getByRole('button', { name: 'Refuse' }).click();
      expect(await cardOf(first).count()).toBe(1);
      await cardOf(first).getByLabel('Reason').fill('Not in the gazette');
      await cardOf(first).getByRole('button', { name: 'Refuse' }).click();
      await page.getByText('The request is refused.').waitFor();
      await cardOf(second).getByRole('button', { name: 'Approve' }).click();
      await page.getByText('Approved.').first().waitFor();
      expect(await page.locator('section.card').count()).toBe(0);
      await page.getByText('Not in the gazette').waitFor();
      const fees = await rail.rows(sql`
      select fee_amount::float8 as fee from service where name = any(${[first.name, second.name]}) order by name`);
      expect(fees).toEqual([{ fee: first.fee_amount }, { fee: second.fee_amount + 1 }]);
      expect(wrong).toEqual([]);
      await close();
    },
  );
});
