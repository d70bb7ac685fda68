import { DAY_MS, HOUR_MS, dayIn } from '../../../src/kernel/time.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../../src/app/schema.ts';
import { loadTargets, readTargets } from '../../../src/oversight/targets/load.ts';
import { stopMail } from '../../../src/oversight/views/mail.ts';
import { deleteView } from '../../../src/oversight/views/save.ts';
import { mailViews } from '../../../src/oversight/views/send.ts';
import { actAsSystem, commandLine, viewStaff } from '../../../src/platform/access/viewer.ts';
import { callOf } from '../../../src/platform/call/call.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { sendMail } from '../../../src/platform/mail/send.ts';
import { writeMailOf } from '../../../src/site/answers/mail.ts';
import { createAssessedFor, createConfirmed, makeActor, serviceNamed, someCitizen } from '../../harness/flow.ts';
import { makeAgency } from '../../harness/people/agency.ts';
import { runInBrowser, testBrowser } from '../../harness/people/browser.ts';
import { collectInShift, openShift } from '../../harness/people/counter.ts';
import { type Mailbox, openMailbox } from '../../harness/people/mailbox.ts';
import { type StaffActor, makeStaff, makeStaffOf } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';
import { expectAccessible } from '../accessible.ts';
import { openWindow, signIn } from '../browsing.ts';

const browser = testBrowser();
let mailbox: Mailbox;
const rail = testRail(async () => {
  mailbox = await openMailbox();
  return { SMTP_URL: mailbox.url };
});
let officer: StaffActor;

afterAll(() => mailbox.close());
beforeAll(async () => {
  const clerk = await makeStaff(rail, 'clerk');
  const shift = await openShift(clerk, { mda: 'URA', counter_label: 'Window 7' });
  await collectInShift(rail, clerk, shift);
  const { assessment } = await collectInShift(rail, clerk, shift, 'cash');
  const actor = await makeActor(rail);
  await createConfirmed(rail, actor);
  await createAssessedFor(rail, actor, 'URA-TCC');
  await rail.rows(sql`
    insert into propagation (name, assessment, mda, kind, status, attempts, last_error, created_at, updated_at)
    values (${`${assessment}.URA`}, ${assessment}, 'URA', 'payment', 'dead', 8, 'HTTP 502 from the agency', now(), now())
    on conflict (name) do update set status = 'dead', last_error = excluded.last_error, next_attempt_at = null`);
  const lines = ['agency,fiscal_year,currency,amount'];
  for (const year of [2025, 2026, 2027]) lines.push(`URA,${year}/${String(year + 1).slice(2)},UGX,3650000000`);
  await rail.rail.transaction((db) =>
    loadTargets({ ...callOf(rail.rail, commandLine, 'test'), db }, readTargets(lines.join('\n'))),
  );
  officer = await makeStaffOf(rail, ['URA'], 'finance_officer');
});

const amount = async (condition = sql`true`) => {
  const [row] = await rail.rows<{ sum: string }>(
    sql`select to_char(sum(amount), 'FM999,999,999,999') as sum from payment_event where mda = 'URA' and ${condition}`,
  );
  return `UGX\u00a0${row!.sum}`;
};

describe('the figures of an agency', () => {
  it('are the same by its token as those of its page, and of no other agency', async () => {
    const token = await (await makeAgency(rail, 'URA')).token();
    const query = `{ ownAgency { id seal { sequence } propagations(status: dead) { nodes { lastError } }
      figures(by: [counter]) { nodes { key { counter { label } } revenue { net } } totals { revenue { net } } } } }`;
    const { json } = await rail.ask('/graphql', { headers: { authorization: `Bearer ${token}` }, body: { query } });
    const { ownAgency } = (json as { data: { ownAgency: Record<string, never> } }).data;
    expect(ownAgency).toMatchObject({
      id: 'URA',
      propagations: { nodes: [{ lastError: 'HTTP 502 from the agency' }] },
      figures: {
        nodes: expect.arrayContaining([expect.objectContaining({ key: { counter: { label: 'Window 7' } } })]),
      },
    });
    const other = await officer.ask('/agency?agency=URSB', { headers: { accept: 'text/html' } });
    expect([other.status, other.text.includes('UGX')]).toEqual([403, false]);
  });
});

describe.skipIf(!browser.found)(runInBrowser('a finance officer of an agency'), () => {
  it('sees the day of their agency, and what waits', { tags: 'long' }, async () => {
    const { page, wrong, close } = await openWindow(browser, rail);
    await signIn(page, officer.email, '/agency');
    await page.getByRole('heading', { name: 'Uganda Revenue Authority' }).waitFor();
    const sums = page.locator('.figures.sums li');
    expect(await sums.first().innerText()).toContain(await amount());
    expect(await sums.nth(1).innerText()).toMatch(/of the target of/);
    expect(await sums.nth(2).innerText()).toMatch(/(ahead of|behind) the pace/);
    expect(await sums.nth(4).innerText()).toMatch(/^1\s+notice that failed$/);
    await page.getByText('HTTP 502 from the agency').waitFor();
    const counter = page.getByRole('region').or(page.locator('table')).getByRole('row').filter({ hasText: 'Window 7' });
    expect(await counter.first().innerText()).toContain(await amount(sql`channel = 'cash'`));
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Save or send this view' }).click();
    await page.getByLabel('Name').fill('URA in the morning');
    await page.getByRole('button', { name: 'Save the view' }).click();
    await page.getByText('The view is saved.').waitFor();
    await page.getByLabel('How often').selectOption({ label: 'Each Monday' });
    await page.getByRole('button', { name: 'Send it' }).click();
    await page.getByText('The view will be sent by e-mail.').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Saved views' }).first().click();
    await page
      .getByRole('row')
      .filter({ hasText: 'Each Monday' })
      .getByRole('link', { name: 'URA in the morning' })
      .click();
    await page.getByRole('button', { name: 'Stop the e-mail' }).click();
    await page.getByRole('row').filter({ hasText: 'Not sent' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'URA in the morning' }).click();
    await page.getByLabel('Name').fill('URA');
    await page.getByRole('button', { name: 'Rename the view' }).click();
    await page.getByRole('heading', { name: 'URA', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Open the view' }).click();
    await page.getByRole('heading', { name: 'Uganda Revenue Authority' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Delete the view' }).click();
    await page.getByText('You have no saved views.').waitFor();
    await page.goto('/agency');

    await page.getByRole('link', { name: 'Payments of the agency' }).last().click();
    await page.getByText('Filters', { exact: true }).click();
    await page
      .getByLabel('Reference')
      .fill(
        (await rail.rows<{ intent: string }>(sql`select intent from payment_event where mda = 'URA' limit 1`))[0]!
          .intent,
      );
    await page.getByRole('button', { name: 'Apply filters' }).click();
    await page.waitForURL('**reference=PI-*');
    expect(await page.locator('main .scroll tbody tr').count()).toBe(1);
    const file = await page.request.get((await page.getByRole('link', { name: /CSV/ }).getAttribute('href'))!);
    expect((await file.text()).trim().split('\r\n')).toHaveLength(2);
    expect(wrong).toEqual([]);
    await close();
  });
});

describe('what is overdue', () => {
  it('is listed with its due day, for those of its agencies alone', async () => {
    const citizen = await someCitizen(rail);
    const key = await (await makeAgency(rail, 'URA', ['assessments.write'])).token();
    const make = async (due_on: string) => {
      const body = { citizen, lines: [{ service: await serviceNamed(rail, 'URA-PAYE') }], assess: true, due_on };
      return (await rail.ask('/v1/assessments', { key, body })).data.name as string;
    };
    const [late, coming] = [await make('2020-02-29'), await make('2999-12-31')];
    const shown = async (by: StaffActor) =>
      (await by.ask('/agency/overdue', { headers: { accept: 'text/html' } })).text;
    const page = await shown(officer);
    expect([page.includes(late), page.includes(coming)]).toEqual([true, false]);
    expect(page).toMatch(/29 Feb\w* 2020/);
    expect(await shown(await makeStaffOf(rail, ['KCCA'], 'finance_officer'))).not.toContain(late);
  });
});

// The last, since it moves the clock.
describe('the mail of Monday', () => {
  it('has the same five figures, in the language of the view, until they stop it', async () => {
    // Sessions end as the clock moves.
    const asOfficer = viewStaff({ id: '', email: officer.email, roles: ['finance_officer'], agencies: ['URA'] });
    const weekly = await saveAndSend(officer, '/agency?agency=URA', 'every: week, language: fr', [officer.email]);
    expect(weekly).toMatchObject({ every: 'week', language: 'fr', days: 'relative' });
    const call = callOf(rail.rail, actAsSystem('job:test'), 'test');
    const send = async () => {
      const mailed = await mailViews(call, writeMailOf(schema));
      for (const { id } of await rail.rows<{ id: string }>(sql`select id from mail where sent_at is null`))
        await sendMail(call, id);
      return mailed;
    };
    expect(await send()).toBe(0);
    rail.advance(hoursToMonday());
    expect(await send()).toBe(1);
    expect(await send()).toBe(0);
    const letter = await mailbox.letterTo(officer.email);
    expect(letter.subject).toContain('Morning');
    for (const words of [
      /de l’objectif de UGX/,
      /(en avance sur|en retard sur) le rythme/,
      /impayé/,
      /avis qui a échoué/,
    ]) {
      expect(letter.text).toMatch(words);
      expect(letter.html).toMatch(words);
    }
    expect(letter.html).toMatch(/<html lang="fr">[\s\S]*href="http[^"]*\/agency\?agency=URA"/);
    expect(letter.attachments.map(({ filename }) => filename)).toEqual(
      expect.arrayContaining(['pace.svg', 'pace.csv']),
    );

    // A question of an analyst, each day: its table in the letter, its picture and CSV with it.
    const analyst = await makeStaff(rail, 'oversight');
    const question = '/oversight/explore?by=agency&measures=net&preset=last_30_days';
    const daily = await saveAndSend(analyst, question, 'every: day', [analyst.email, officer.email]);
    expect(daily).toMatchObject({ every: 'day', recipients: [analyst.email, officer.email].toSorted() });
    rail.advance(24);
    // The officer, who may not open oversight, gets none.
    expect(await send()).toBe(1);
    const asked = await mailbox.letterTo(analyst.email);
    const net = (
      await rail.rows<{ net: string }>(sql`
      select to_char(sum(amount), 'FM999,999,999') as net from payment_event where mda = 'URA'`)
    )[0]!.net;
    for (const form of [asked.text, asked.html]) {
      expect(form).toContain('Uganda Revenue Authority');
      expect(form).toContain(net);
    }
    const [csv] = asked.attachments.filter(({ filename }) => filename?.endsWith('.csv'));
    expect(Buffer.from(csv!.content as ArrayBuffer).toString()).toContain(
      `Uganda Revenue Authority,${net.replaceAll(',', '')}`,
    );
    expect(await stopMail(callOf(rail.rail, asOfficer, 'x'), daily.id)).toBe(true);
    await expect(stopMail(callOf(rail.rail, asOfficer, 'x'), daily.id)).rejects.toMatchObject({ code: 'not_found' });
    rail.advance(24);
    expect(await send()).toBe(1);
    expect(await deleteView(callOf(rail.rail, { ...asOfficer, actor: analyst.email }, 'x'), daily.id)).toBe(true);

    // Nothing is sent that they may not see any more.
    await rail.rows(sql`update staff set agencies = '{URSB}' where email = ${officer.email}`);
    rail.advance(7 * 24);
    expect(await send()).toBe(0);
    await rail.rows(sql`update staff set agencies = '{URA}' where email = ${officer.email}`);
    expect(await stopMail(callOf(rail.rail, asOfficer, 'x'), weekly.id)).toBe(true);
    rail.advance(7 * 24);
    expect(await send()).toBe(0);
  });
});

/** A view, saved and sent as staff would. */
async function saveAndSend(who: StaffActor, address: string, how: string, recipients: readonly string[]) {
  const saved = await who.post('/graphql', {
    query: `mutation { saveView(name: "Morning", address: "${address}") { id } }`,
  });
  const { id } = (saved.data as { saveView: { id: string } }).saveView;
  const { data } = await who.post('/graphql', {
    query: `mutation { mailView(id: "${id}", ${how}, recipients: ${JSON.stringify(recipients)}) { id every language days recipients } }`,
  });
  return (data as { mailView: Record<string, unknown> & { id: string } }).mailView;
}

/** Until 08:00 of the next Monday in Kampala. */
function hoursToMonday(): number {
  const now = rail.rail.now();
  const today = new Date(dayIn(now, 'Africa/Kampala'));
  const days = (8 - today.getUTCDay()) % 7 || 7;
  return (today.getTime() + days * DAY_MS + 5 * HOUR_MS - now.getTime()) / HOUR_MS;
}
