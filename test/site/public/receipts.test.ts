import { beforeAll, describe, expect, it } from 'vitest';
import { createConfirmed, makeActor } from '../../harness/flow.ts';
import { runInBrowser, testBrowser } from '../../harness/people/browser.ts';
import { testRail } from '../../harness/rail.ts';
import { expectAccessible } from '../accessible.ts';
import { openWindow } from '../browsing.ts';

const browser = testBrowser();
const rail = testRail();

interface Paid {
  readonly name: string;
  readonly code: string;
  readonly url: string;
  readonly assessment: string;
  readonly cancel: () => Promise<unknown>;
}

async function pay(): Promise<Paid> {
  const actor = await makeActor(rail);
  const { assessment } = await createConfirmed(rail, actor);
  const { data } = await actor.ask(`/v1/assessments/${assessment}/receipts`);
  return { ...(data[0] as Paid), cancel: () => actor.post(`/v1/assessments/${assessment}:cancel`) };
}

const pathOf = ({ url }: Paid) => url.slice(rail.origin.length);

describe('/verify without a script', () => {
  it('takes the number and the code, and says how the receipt stands', async () => {
    const paid = await pay();
    const ask = (code: string) =>
      rail.ask('/verify', {
        body: new Blob([`name=${paid.name}&code=${code}&_page=/verify`], {
          type: 'application/x-www-form-urlencoded',
        }),
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html', origin: rail.origin },
      });
    const valid = await ask(paid.code.toLowerCase());
    expect([valid.status, valid.text]).toEqual([200, expect.stringContaining('Valid: the payment is recorded.')]);
    expect(valid.text).toMatch(/Uganda Revenue Authority<\/dt>\s*<dd><bdi>UGX\s450,000/);
    expect((await ask('00000-00000')).text).toContain('There is no such receipt.');
    await paid.cancel();
    expect((await ask(paid.code)).text).toMatch(/Not valid: the payment was reversed on /);
  });
});

describe.skipIf(!browser.found)(runInBrowser('somebody with a phone'), () => {
  let paid: Paid;
  beforeAll(async () => {
    paid = await pay();
  });

  it('scans a QR code online: what it says and how it stands, and after the reversal that it is void', async () => {
    const { page, wrong, close } = await openWindow(browser, rail);
    await page.goto(pathOf(paid));
    const said = page.locator('[data-said]');
    await said.getByText('Valid: the payment is recorded.').waitFor();
    expect(await page.locator('dl').innerText()).toMatch(/RCP-[\d-]+[^]*585,000[^]*URA[^]*450,000[^]*URSB[^]*135,000/);
    await expectAccessible(page);
    await paid.cancel();
    await page.reload();
    await said.getByText('Not valid: the payment was reversed on').waitFor();
    // Browsers keep what is in the fragment to themselves.
    expect(rail.logged.filter((line) => line.includes('/verify#'))).toEqual([]);
    expect(wrong).toEqual([]);
    await close();
  });

  it('scans one without a network once the page was open: genuine when it was issued, or forged', async () => {
    const { page, wrong, close } = await openWindow(browser, rail);
    await page.goto('/verify');
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    // Parts are written twice, by the worker too: one that is cut off on its second way is gone.
    await page.locator('[data-kept]').waitFor({ state: 'attached' });
    await page.context().setOffline(true);
    await page.goto('about:blank');
    await page.goto(pathOf(paid));
    const said = page.locator('[data-said]');
    await said.getByText('Genuine when it was issued on').waitFor();
    expect(await page.locator('dl').innerText()).toContain('585,000');
    await page.goto(pathOf(paid).replace('450000', '950000'));
    await said.getByText('Forged: this is not what the rail signed.').waitFor();
    expect(await page.locator('dl').innerText()).toBe('');
    await page.goto('/verify#RCP-2026-11-000001.7M3QX-0ZK9T');
    expect(await page.inputValue('[name=name]')).toBe('RCP-2026-11-000001');
    expect(await page.inputValue('[name=code]')).toBe('7M3QX-0ZK9T');
    await page.goto('/verify#hello');
    await said.getByText('This is no address of a receipt.').waitFor();
    expect(wrong.filter((fault) => !fault.startsWith('about:'))).toEqual([]);
    await close();
  });
});
