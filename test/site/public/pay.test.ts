import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { type Actor, createAssessed, makeActor } from '../../harness/flow.ts';
import { LinkHolder, makeLink } from '../../harness/people/link.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();
const HOST = 'shop.example.com';
let actor: Actor;

beforeAll(async () => {
  actor = await makeActor(rail);
  await rail.rows(sql`update integrator set return_hosts = array[${HOST}] where code = ${actor.integrator}`);
});

const holder = async (more: object = {}) => makeLink(rail, actor, await createAssessed(rail, actor), more);
const push = { channel: 'mtn_momo', payerMsisdn: '0700 123 456', phoneCountry: 'UG' };
const locationOf = async (answer: Promise<Response>) => {
  const { status, headers } = await answer;
  return [status, headers.get('location')];
};
const intentsOf = ({ name }: LinkHolder) => rail.count(sql`select from payment_intent where link = ${name}`);

describe('the pages of a payment link, without a script', () => {
  it('show what is owed, have the phone asked, wait, and lead to the receipt and its files', async () => {
    const link = await holder({ return_url: `https://${HOST}/back?cart=7` });
    const chosen = await link.open();
    expect(chosen.status).toBe(200);
    expect(chosen.text).toMatch(/Pay UGX\s585,000/);
    expect(chosen.text).toMatch(/Uganda Revenue Authority<\/span> <span class="amount">UGX\s450,000/);
    expect(chosen.text).toContain(`href="https://${HOST}/back?cart=7"`);

    expect(await locationOf(link.send('/start', { ...push, _mark: link.name }))).toEqual([303, `${link.path}/wait`]);
    const waiting = (await link.open('/wait')).text;
    expect(waiting).toContain('<noscript><meta http-equiv="refresh" content="3"></noscript>');
    expect(waiting).toContain('Approve the payment on your phone.');
    // Another way is a step of its own, which says what would happen.
    const asked = (await link.open()).text;
    expect(asked).toContain('You were asked to pay by MTN Mobile Money.');
    expect(asked).not.toContain('name="channel"');
    expect(waiting).toContain(`href="${link.path}?other=yes">Pay another way instead`);
    const other = (await link.open('?other=yes')).text;
    expect(other).toContain('Do not approve the first request too: you would pay twice.');
    expect(other).toContain('name="channel"');
    expect((await link.open('/done')).text).toContain('There is no receipt yet.');

    expect(await locationOf(link.send('/simulate', { outcome: 'succeed' }))).toEqual([303, `${link.path}/wait`]);
    const paid = (await link.open('/wait')).text;
    expect(paid).toContain('Paid. Thank you.');
    expect(paid).not.toContain('http-equiv="refresh"');
    const done = (await link.open('/done')).text;
    const [number] = /RCP-\d{4}-\d\d-\d{6}/.exec(done)!;
    expect(done).toMatch(/Uganda Revenue Authority<\/span> <span class="amount">UGX\s450,000/);
    expect(done).toContain('src="data:image/svg+xml;base64,');
    const back = new URL(/href="(https:\/\/shop[^"]+)"/.exec(done)![1]!.replaceAll('&amp;', '&'));
    const [intent] = await rail.rows<{ name: string; reference: string }>(
      sql`select name, aggregator_reference as reference from payment_intent where link = ${link.name}`,
    );
    expect(Object.fromEntries(back.searchParams)).toEqual({
      cart: '7',
      intent: intent!.name,
      reference: intent!.reference,
      status: 'Confirmed',
    });

    const file = (form: string) => link.open(`/receipts/${number}/${form}`, { 'accept-language': 'fr' });
    const [pdf, text, svg] = [await file('pdf'), await file('text'), await file('svg')];
    expect(pdf.text).toMatch(/^%PDF-/);
    expect(text.text).toMatch(/^\s+Reçu\n/);
    expect(svg.text).toMatch(/^<svg/);
    expect([pdf, text, svg].map(({ headers }) => headers.get('content-disposition'))).toEqual(
      ['pdf', 'txt', 'svg'].map((ending) => `attachment; filename="${number}.${ending}"`),
    );
    expect((await link.open('/receipts/RCP-2020-01-000001/pdf')).status).toBe(404);
    expect((await file('docx')).status).toBe(422);
  });

  it('say why a payment failed, and lead back to choose', async () => {
    const link = await holder();
    await link.send('/start', push);
    await link.send('/simulate', { outcome: 'fail' });
    for (const page of [await link.open('/wait'), await link.open()]) {
      expect(page.text).toContain('The payment did not go through. Nothing was collected.');
      expect(page.text).toContain('The payer declined');
      expect(page.text).not.toContain('PAYER_DECLINED');
    }
    expect((await link.open('/wait')).text).toContain(`class="button" autofocus href="${link.path}"`);
  });

  it('lead to what was paid where the form was sent too late', async () => {
    const link = await holder();
    await link.send('/start', push);
    await link.send('/simulate', { outcome: 'succeed' });
    expect(await locationOf(link.send('/start', { channel: 'card' }))).toEqual([303, `${link.path}/wait`]);
    expect(await locationOf(link.send('/number'))).toEqual([303, link.path]);
    expect(await intentsOf(link)).toBe(1);
    const { text } = await link.open();
    expect(text).toMatch(/<h1>Paid UGX\s585,000<\/h1>/);
    expect(text).toMatch(/Paid\. Thank you\. RCP-\d{4}-\d\d-\d{6}</);
  });

  it('have whole names on the receipt and its files, which the QR code has no room for', async () => {
    const name = 'Motor vehicle transfer of ownership between private persons';
    const assessment = await createAssessed(rail, actor);
    await rail.rows(
      sql`update assessment_line set service_name = ${name} where assessment = ${assessment} and idx = 1`,
    );
    const link = await makeLink(rail, actor, assessment);
    await link.send('/start', push);
    await link.send('/simulate', { outcome: 'succeed' });
    const done = (await link.open('/done')).text;
    expect(done).toContain(name);
    const [number] = /RCP-\d{4}-\d\d-\d{6}/.exec(done)!;
    const { text } = await link.open(`/receipts/${number}/text`);
    expect(text.replaceAll(/\s+/g, ' ')).toContain(name);
    expect(text).toContain('Uganda Revenue Authority');
  });

  it('show a number to pay with, and its QR code', async () => {
    const link = await holder();
    expect(await locationOf(link.send('/number'))).toEqual([303, link.path]);
    const { text } = await link.open();
    const [reference] = await rail.rows<{ number: string }>(sql`
      select p.number from payment_reference p join payment_link l on l.assessment = p.assessment where l.name = ${link.name}`);
    const shown = /<strong class="number">([^]*?)<\/strong>/.exec(text)![1]!;
    expect(shown.replaceAll(/<\/?span>/g, '')).toBe(reference!.number);
    expect(shown.split('</span>')).toHaveLength(4);
    expect(text).toMatch(/<div class="qr"[^>]*><svg/);
    expect(text).toMatch(/Pay exactly UGX\s585,000 with this number, by /);
    // Where, and whom to ask, stands in the country profile.
    expect(text).toMatch(/<dt>Bank<\/dt>\s*<dd><bdi>every branch<\/bdi><\/dd>/);
    expect(text).toContain('<a href="tel:0800000000">0800 000 000</a>');
  });

  it('do once what is sent twice, from one form or two tabs', async () => {
    const link = await holder();
    const tabs = ['one', 'one', 'two'].map((mark) =>
      link.send('/start', { channel: 'card', _mark: `${mark}-${link.name}` }),
    );
    for (const sent of tabs) expect(await locationOf(sent)).toEqual([303, `${link.path}/wait`]);
    expect(await intentsOf(link)).toBe(1);
  });

  it('show what is wrong with what was filled in, with the form as it was', async () => {
    const link = await holder();
    const wrong = await link.send('/start', { ...push, payerMsisdn: '12' });
    expect(wrong.status).toBe(422);
    const text = await wrong.text();
    expect(text).toMatch(/value="mtn_momo" data-asks="phone" required checked/);
    expect(text).toContain('id="payerMsisdn-error"');
    expect((await link.send('/start', { channel: 'cash' })).status).toBe(422);
    expect((await link.send('/start', {})).status).toBe(422);
    const unsaid = await link.send('/start', { channel: 'mtn_momo' });
    expect([unsaid.status, await unsaid.text()]).toEqual([
      422,
      expect.stringContaining('Enter the phone number to pay from'),
    ]);
    expect(await intentsOf(link)).toBe(0);
  });

  it('speak the four languages', async () => {
    const link = await holder();
    const titleIn = async (language: string) =>
      /<h1>([^<]+)/.exec((await link.open('', { 'accept-language': language })).text)![1];
    const titles = await Promise.all(['en', 'fr', 'sw', 'lg'].map(titleIn));
    expect(titles.map((title) => title!.split(' ')[0])).toEqual(['Pay', 'Payer', 'Lipa', 'Sasula']);
  });

  it('are closed kindly once the link is withdrawn, and take nothing more', async () => {
    const link = await holder();
    await actor.post(`/v1/payment-links/${link.name}:withdraw`);
    const { status, text } = await link.open();
    expect(status).toBe(200);
    expect(text).toContain('This link is closed. Ask the office that sent it to you for another one.');
    expect(text).not.toMatch(/585,000|<form method="post" action="\/pay/);
    const late = await link.send('/start', { channel: 'card' });
    expect([late.status, await late.text()]).toEqual([422, expect.stringContaining('The link is closed.')]);
  });

  it('are kept by nobody, tell no other host where they are, and load nothing from one', async () => {
    const link = await holder();
    for (const path of ['', '/wait', '/done']) {
      const { headers, text } = await link.open(path);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('same-origin');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(text).not.toMatch(/(?:src|action)="(?:https?:)?\/\//);
    }
  });

  it('are not there without the whole token, whichever it is, nor for a form of another site', async () => {
    const link = await holder();
    const others = [link.token.slice(0, -1), `${link.token}0`, `pay_${'A'.repeat(43)}`, 'pay_', 'x'];
    const answers = await Promise.all(
      others.map((token) => new LinkHolder(rail, { name: '', url: `/${token}` }).open()),
    );
    const said = answers.map(
      ({ status, text }) => `${status} ${/<main[^]*<\/main>/.exec(text)![0].replace(/[\da-f-]{36}/, '')}`,
    );
    expect(new Set(said).size).toBe(1);
    expect(said[0]).toMatch(/^404 /);
    expect(said[0]).toContain('This link is not complete.');
    const foreign = await fetch(`${rail.origin}${link.path}/start`, {
      method: 'POST',
      body: new URLSearchParams({ channel: 'card' }),
      headers: { origin: 'https://evil.example.com' },
    });
    expect(foreign.status).toBe(403);
    expect(await intentsOf(link)).toBe(0);
  });

  it('know their visitor by the token alone, and nobody who is signed in by it', async () => {
    const link = await holder();
    const { text } = await link.open();
    expect(text).not.toMatch(/href="\/signin"|\/signout/);
    expect((await rail.ask(link.path, { key: actor.key, headers: { accept: 'text/html' } })).status).toBe(200);
  });
});
