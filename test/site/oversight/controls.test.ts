import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { placeEvents } from '../../../src/oversight/events/place.ts';
import { sealAll } from '../../../src/oversight/seals/seal.ts';
import {
  createAssessedFor,
  createConfirmed,
  createInitiated,
  createPendingFor,
  makeActor,
} from '../../harness/flow.ts';
import { runInBrowser, testBrowser } from '../../harness/people/browser.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';
import { openWindow, signIn } from '../browsing.ts';

const browser = testBrowser();
const rail = testRail();

/** Payments of two agencies, sealed. */
async function paySome(count: number): Promise<void> {
  const actor = await makeActor(rail);
  for (let payment = 0; payment < count; payment++) await createConfirmed(rail, actor);
  while ((await placeEvents(rail.rail)) > 0);
  while ((await sealAll(rail.rail)) > 0);
}

/** Has the page recompute a file, and answers what it says. */
async function verify(page: Page, name: string, content: string, heads: string): Promise<string> {
  const file = { name: `${name}.csv`, mimeType: 'text/csv', buffer: Buffer.from(content) };
  await page.getByLabel('File of payment events').setInputFiles(file);
  await page.getByLabel('Heads that you kept').fill(heads);
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.locator('[data-results]:not([hidden])').waitFor();
  return page.locator('main').innerText();
}

describe.skipIf(!browser.found)(runInBrowser('an auditor with a browser'), () => {
  it(
    'keeps the heads, and has a file verified without asking anybody, a changed row of it named',
    { tags: 'long' },
    async () => {
      await paySome(5);
      const auditor = await makeStaff(rail, 'oversight');
      const { page, wrong, close } = await openWindow(browser, rail);
      await signIn(page, auditor.email, '/oversight/seals');
      const heads = await page.locator('pre').innerText();
      expect(heads).toMatch(/^URA 5 [0-9a-f]{64}\nURSB 5 [0-9a-f]{64}/);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Payment events of all agencies (CSV)' }).click(),
      ]);
      expect(download.suggestedFilename()).toBe('payment-events.csv');
      const file = await text(await download.createReadStream());
      await page.getByRole('link', { name: 'Verify an export' }).last().click();
      await page.getByRole('heading', { name: 'Verify an export of payment events' }).waitFor();

      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      await page.context().setOffline(true);
      expect(await verify(page, 'true', file, heads)).toMatch(/the 10 seals of this file fit together/);
      const lines = file.split('\r\n');
      // The oldest event of URA is among the last lines.
      const at = lines.findLastIndex((line) => line.includes(',URA,'));
      const event = lines[at]!.split(',')[0]!;
      const changed = lines.with(at, lines[at]!.replace(',450000,', ',45000,')).join('\r\n');
      expect(changed).not.toBe(file);
      expect(await verify(page, 'changed', changed, heads)).toContain(
        `The first wrong row is line ${at + 1}: event ${event}, number 1, was changed.`,
      );
      expect(await verify(page, 'removed', lines.toSpliced(at - 2, 1).join('\n'), '')).toMatch(/Number 2 is missing/);
      expect(await verify(page, 'cut', file, heads.replaceAll(' 5 ', ' 6 '))).toMatch(/ends before the head/);
      expect(await verify(page, 'other', file, heads.replace(/[0-9a-f]{8}\n/, '00000000\n'))).toMatch(/another chain/);
      expect(asked).toEqual([]);
      // The browser itself would not let it.
      await page.context().setOffline(false);
      expect(await page.evaluate(() => fetch('/v1/oversight/seals').catch(() => 'refused'))).toBe('refused');
      expect(wrong.join()).toContain("connect-src 'none'");
      await close();
    },
  );

  it(
    'sees payments as they are made, and those made while the network was away, each once',
    { tags: 'long' },
    async () => {
      const before = await rail.count(sql`select 1 from payment_event`);
      const auditor = await makeStaff(rail, 'oversight');
      const { page, wrong, close } = await openWindow(browser, rail);
      await signIn(page, auditor.email, '/oversight/live');
      const rows = page.locator('[data-ticker] tbody tr');
      const says = (hasText: string | RegExp) => page.locator('[data-state]', { hasText }).waitFor();
      await says(/^Live/);
      const shown = await rows.count();
      expect(shown).toBe(Math.min(before, 30));
      await paySome(1);
      await expect.poll(() => rows.count()).toBe(shown + 2);
      await page.context().setOffline(true);
      await says('You are offline');
      await paySome(2);
      await page.context().setOffline(false);
      await expect.poll(() => rows.count()).toBe(shown + 6);
      await page.getByRole('button', { name: 'Pause' }).click();
      await paySome(1);
      await says('Paused. Waiting: 2');
      expect(await rows.count()).toBe(shown + 6);
      await page.getByRole('button', { name: 'Resume' }).click();
      await expect.poll(() => rows.count()).toBe(shown + 8);
      const ids = await rows.evaluateAll((elements) => elements.map((element) => element.dataset['id']));
      const events = await rail.rows<{ name: string }>(
        sql`select name from oversight.payment_event order by position desc limit ${ids.length}`,
      );
      expect(ids).toEqual(events.map(({ name }) => name));
      expect(await rows.first().innerText()).toMatch(/MTN Mobile Money.*UGX\u00a0[\d,]+$/s);
      expect(wrong).toEqual([]);
      await close();
    },
  );
});

describe('pages of oversight’s controls', () => {
  beforeAll(() => paySome(5));

  /** The cells of the table behind a chart, row by row. */
  const cellsOf = (html: string, chart: string) => {
    const figure = html.split(`data-chart="${chart}"`)[1]!.split('</figure>')[0]!;
    const rows = figure.split('<tbody>')[1]!.split('</tr>').slice(0, -1);
    return rows.map((row) =>
      [...row.matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/gs)].map(([, cell]) => cell!.replaceAll(/<[^>]*>/g, '').trim()),
    );
  };
  const openPage = async (path: string) => {
    const analyst = await makeStaff(rail, 'oversight');
    const response = await fetch(`${rail.origin}${path}`, { headers: { cookie: analyst.cookie, accept: 'text/html' } });
    const ask = async (query: string) =>
      (await analyst.post('/graphql', { query: `{ oversight { ${query} } }` })).json.data.oversight;
    return { status: response.status, html: await response.text(), ask };
  };
  const number = (value: unknown) => new Intl.NumberFormat('en').format(Number(value));

  it('have the figures of the graph behind their charts', async () => {
    // Figures are told of five people, and of more.
    const actor = await makeActor(rail);
    for (const { citizen } of await rail.rows<{ citizen: string }>(sql`select name as citizen from citizen limit 6`)) {
      const { assessment } = await createAssessedFor(rail, actor, 'URA-PAYE', { citizen });
      const intent = await createPendingFor(actor, assessment);
      await createInitiated(actor, intent);
      await actor.post(`/v1/payment-intents/${intent}:confirm`);
    }
    const today = new Date().toISOString().slice(0, 10);
    const span = `fromDate: "${today.slice(0, 7)}-01", toDate: "${today}"`;
    const { html, ask } = await openPage(`/oversight/collections?fromDate=${today.slice(0, 7)}-01&toDate=${today}`);
    const { figures } = await ask(
      `figures(by: [month], span: { days: { ${span} } }) { nodes { assessed { paid outstanding cancelled } } }`,
    );
    expect(figures.nodes).toHaveLength(1);
    const { paid, outstanding, cancelled } = figures.nodes[0].assessed;
    expect(paid).toBeGreaterThan(0);
    expect(cellsOf(html, 'assessed-UGX').map(([, ...cells]) => cells)).toEqual([
      [paid, outstanding, cancelled].map((amount) => `UGX\u00a0${number(amount)}`),
    ]);
    const channels = await openPage('/oversight/channels');
    const months = await openPage('/oversight/channels/months');
    const byChannel = await channels.ask('figures(by: [channel]) { nodes { attempts { attempts confirmed } } }');
    const [{ attempts }] = byChannel.figures.nodes;
    expect(attempts.attempts).toBeGreaterThan(5);
    expect(channels.html).toContain(`<td class="amount">${attempts.attempts}</td>`);
    expect(cellsOf(months.html, 'success').map((cells) => cells.at(-1))).toEqual(['100.0%']);
  });

  it('show anomalies by day and by kind, and one of them without whom it is about', async () => {
    const actor = await makeActor(rail);
    const { assessment } = await createConfirmed(rail, actor);
    await actor.post(`/v1/assessments/${assessment}:cancel`);
    while ((await placeEvents(rail.rail)) > 0);
    const { html, ask } = await openPage('/oversight/anomalies?kind=reversal&agency=URA');
    expect(cellsOf(html, 'kinds')).toEqual([['A payment was reversed', '1']]);
    expect(html).toContain('/oversight/files/anomalies.csv?kind=reversal&amp;agency=URA&amp;fromDate=');
    expect(
      cellsOf(html, 'over-time')
        .at(-1)!
        .slice(1)
        .toSorted((a, b) => Number(a) - Number(b)),
    ).toEqual(['0', '0', '1']);
    const { anomalies } = await ask('anomalies(kind: reversal, agency: "URA") { nodes { id } }');
    const one = await openPage(`/oversight/anomalies/${anomalies.nodes[0].id}`);
    expect(one.html).toMatch(/<h1>A payment was reversed<\/h1>/);
    expect(one.html).not.toContain(assessment);
    expect((await openPage('/oversight/anomalies/ANOM-2020-01-000001')).status).toBe(404);
    expect((await openPage('/oversight/anomalies?kind=reversal&agency=KCCA')).html).not.toContain('data-chart');
  });

  it('are files too, with what their pages say', async () => {
    const { cookie } = await makeStaff(rail, 'oversight');
    await paySome(1);
    const contents: Readonly<Record<string, RegExp>> = {
      channels: /^\S*month,channel,attempts,confirmed,.*\r?\n.*mtn_momo/,
      collections: /^\S*month,agency,currency,.*\r?\n[\s\S]*URSB,UGX,/,
      'daily-closes': /^\S*agency,day,currency,/,
      'counter-variances': /^\S*agency,counter,currency,/,
      anomalies: /^\S*name,kind,severity,status,agency,raised_at/,
    };
    for (const [name, content] of Object.entries(contents)) {
      const ask = (ending: string, headers: Record<string, string>) =>
        rail.ask(`/oversight/files/${name}.${ending}?fromDate=2026-01-01`, { headers });
      const csv = await ask('csv', { cookie });
      expect([csv.status, csv.text], name).toEqual([200, expect.stringMatching(content)]);
      const parquet = await ask('parquet', { cookie });
      expect(parquet.text.slice(0, 4), name).toBe('PAR1');
      expect((await ask('csv', {})).status, name).toBe(303);
    }
    for (const [page, name] of [
      ['channels/months', 'channels'],
      ['collections', 'collections'],
      ['counters/closes', 'daily-closes'],
    ] as const)
      expect((await openPage(`/oversight/${page}`)).html).toContain(`/oversight/files/${name}.csv?`);
  });

  it('refuse what is no day, and take a moment as the day that it lies in', async () => {
    const auditor = await makeStaff(rail, 'oversight');
    for (const name of ['fromDate', 'toDate'])
      for (const day of ['SHIFT-2026-11-000001', 'yesterday', '2026-02-30', '+275760-09-13', '-000001-01-01', '1']) {
        const query = new URLSearchParams({ [name]: day });
        expect([name, day, (await auditor.ask(`/oversight/collections?${query}`)).status]).toEqual([name, day, 422]);
      }
    expect((await auditor.ask('/oversight/collections?toDate=2026-11-01T09:00:00Z')).status).toBe(200);
  });

  it('are for those who may see what oversight sees', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    for (const path of [
      'channels',
      'channels/months',
      'collections',
      'collections/unpaid',
      'settlement',
      'settlement/quarter',
      'counters',
      'counters/closes',
      'anomalies',
      'live',
      'seals',
    ]) {
      const open = (cookie: string) =>
        fetch(`${rail.origin}/oversight/${path}`, { redirect: 'manual', headers: { cookie, accept: 'text/html' } });
      expect([(await open(clerk.cookie)).status, (await open('')).status], path).toEqual([403, 303]);
    }
  });
});
