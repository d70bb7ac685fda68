import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startNotifyingPayers, notifyPayers } from '../../../../src/collection/citizens/messages/send.ts';
import { sql } from '../../../../src/platform/database/sql.ts';
import { simulateAfricasTalking } from '../../../../src/sandbox/simulators/africas-talking.ts';
import { type Actor, makeActor, serviceNamed } from '../../../harness/flow.ts';
import { makeAgency } from '../../../harness/people/agency.ts';
import { makePoint } from '../../../harness/people/biller.ts';
import { makeStaff } from '../../../harness/people/staff.ts';
import { PATIENCE } from '../../../harness/outside.ts';
import { type TestRail, testRail } from '../../../harness/rail.ts';

const SECRET = 'posts-of-the-gateway';
const folder = mkdtempSync(join(tmpdir(), 'rail-messages-'));
let gateway: Awaited<ReturnType<typeof simulateAfricasTalking>>;
const rail: TestRail = testRail(async () => {
  gateway = await simulateAfricasTalking({ name: 'texts', rail: () => rail.origin, secret: SECRET });
  const path = join(folder, 'connections.json');
  writeFileSync(path, JSON.stringify({ sms: [{ ...gateway.connection, ...PATIENCE }] }));
  return { CONNECTIONS: path, WEBHOOK_SECRET_TEXTS: SECRET };
});
let actor: Actor;
let operator: Awaited<ReturnType<typeof makeStaff>>;

beforeAll(async () => {
  actor = await makeActor(rail);
  operator = await makeStaff(rail, 'admin');
});
afterEach(() => {
  gateway.control.plan = 'taken';
  gateway.trouble.down = 'no';
});
afterAll(async () => {
  await gateway.close();
  rmSync(folder, { recursive: true, force: true });
});

const NAME = 'Zawadi Mwangaza Canary';
let people = 0;

interface Person {
  readonly name: string;
  readonly nin: string;
  readonly phone: string | null;
}

async function register(more: object = {}): Promise<Person> {
  const number = String(++people).padStart(6, '0');
  const nin = `CMCANARY${number}`;
  const phone = `+256701${number}`;
  const { data } = await actor.post('/v1/citizens', { nin, full_name: NAME, phone, ...more });
  return { name: data.name, nin, phone: data.phone };
}

async function assessed({ name }: Pick<Person, 'name'>): Promise<string> {
  const lines = await Promise.all(
    ['URA-PAYE', 'URSB-COMPANY'].map(async (code) => ({ service: await serviceNamed(rail, code) })),
  );
  return (await actor.post('/v1/assessments', { citizen: name, lines, assess: true })).data.name;
}

const issue = async (assessment: string): Promise<string> =>
  (await actor.post(`/v1/assessments/${assessment}:issue-reference`)).data.number;

const begin = async (assessment: string, email: string | null): Promise<string> =>
  (await actor.post('/v1/payment-intents', { assessment, channel: 'mtn_momo', payer_email: email })).data.name;

async function pay(assessment: string, email: string | null = null): Promise<string> {
  const intent = await begin(assessment, email);
  await actor.post(`/v1/payment-intents/${intent}:initiate`, { payer_msisdn: '+256700999888' });
  expect((await actor.post(`/v1/payment-intents/${intent}:confirm`)).data?.intent.status).toBe('Confirmed');
  return intent;
}

/** Has a bank take money for the number of an assessment. */
const bankTakes = async (assessment: string, amount: number) =>
  makePoint(rail).pay({ reference: await issue(assessment), amount });

interface Row {
  readonly name: string;
  readonly kind: string;
  readonly transport: string;
  readonly status: string;
  readonly failure: string | null;
  readonly attempts: number;
}

const messagesTo = ({ name }: Pick<Person, 'name'>): Promise<Row[]> =>
  rail.rows(sql`
    select name, kind, transport, status, failure, attempts from payer_message where citizen = ${name}
    order by created_at, name`);
const send = () => notifyPayers(rail.rail);
const textsTo = ({ phone }: Person) => gateway.texts.filter(({ to }) => to === phone);
const makeDue = ({ name }: Person) =>
  rail.rows(sql`update payer_message set due_at = ${rail.rail.now()} where citizen = ${name} and status = 'Queued'`);
const letters = () => {
  const mail = join(rail.dataDir, 'mail');
  return readdirSync(mail).map((file) => readFileSync(join(mail, file), 'utf8').replaceAll('=\r\n', ''));
};

const GSM_TEXT = /^[A-Za-z0-9 @£$¥èéùìòØøÅåÄÖÑÜäöñüà!"#%&'()*+,\-./:;<=>?_]{1,160}$/;

describe('a payer', () => {
  it('gets a text for a reference, the payment and its reversal, on their own phone, without a name', async () => {
    const person = await register();
    const assessment = await assessed(person);
    const number = await issue(assessment);
    await send();
    const intent = await pay(assessment);
    await send();
    const receipt = (await actor.ask(`/v1/assessments/${assessment}/receipts`)).data[0];
    await actor.post(`/v1/assessments/${assessment}:cancel`, { reason: 'by mistake' });
    await send();

    const texts = textsTo(person).map(({ text }) => text);
    expect(texts).toEqual([
      expect.stringMatching(
        new RegExp(
          `^Pay UGX 585,000 to URA, URSB with the number ${number} by \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d\\. Reply STOP`,
        ),
      ),
      `Payment of UGX 585,000 to URA, URSB received. Receipt ${receipt.name} ${rail.origin}/verify#${receipt.name}.${receipt.code} Reply STOP to get no more.`,
      `The payment of UGX 585,000 to URA, URSB was reversed. Receipt ${receipt.name} is void. Reply STOP to get no more.`,
    ]);
    for (const text of [...texts, ...rail.logged])
      for (const canary of [NAME, person.nin, person.phone!]) expect(text).not.toContain(canary);
    expect(gateway.texts.some(({ to }) => to === '+256700999888')).toBe(false);
    expect(await messagesTo(person)).toMatchObject([
      { kind: 'reference_issued', transport: 'sms', status: 'Sent', attempts: 1 },
      { kind: 'paid', status: 'Sent' },
      { kind: 'reversed', status: 'Sent' },
    ]);
    const { data } = await operator.ask('/v1/ops/payer-messages?kind=paid&transport=sms&status=Sent');
    expect(data[0]).toMatchObject({
      subject: receipt.name,
      citizen: person.name,
      assessment,
      intent,
      language: 'en',
      gateway: 'texts',
      cost: 35,
      currency: 'UGX',
    });
    expect(JSON.stringify(data)).not.toContain(person.phone);
  });

  it('is told of money that paid nothing, once, and what happens next; not once it counts after all', async () => {
    const person = await register();
    const assessment = await assessed(person);
    const { data } = await bankTakes(assessment, 584_000);
    await send();
    expect(textsTo(person).map(({ text }) => text)).toEqual([
      expect.stringMatching(/^Pay UGX 585,000/),
      `UGX 584,000 for URA, URSB did not pay the UGX 585,000 owed. Staff will use it or return it: quote ${data.object}. Reply STOP to get no more.`,
    ]);
    const { data: rows } = await operator.ask(`/v1/ops/payer-messages?kind=unmatched`);
    expect(rows).toMatchObject([{ subject: data.object, assessment, intent: null, status: 'Sent' }]);
    const back = (await operator.post('/v1/refunds', { money: data.object, reason_code: 'overpaid' })).data.name;
    const paid_on = rail.rail.now().toISOString().slice(0, 10);
    await operator.post(`/v1/refunds/${back}:prove`, { reference: 'FT1', paid_on });
    await send();
    expect(textsTo(person).at(-1)!.text).toBe(
      `UGX 584,000 of your payment to URA, URSB was refunded. Reference ${back} Reply STOP to get no more.`,
    );

    const other = await register();
    const intent = await begin(await assessed(other), 'other@example.org');
    await actor.post(`/v1/payment-intents/${intent}:initiate`, { payer_msisdn: '+256700999888' });
    const report = async (amount: number) => {
      const body = { event_id: `E-${amount}`, intent, status: 'SUCCESSFUL', amount, currency: 'UGX', txn_id: 'T-U' };
      return (await rail.ask('/v1/webhooks/mtn_momo', { body })).data.decision;
    };
    for (const amount of [584_000, 584_000, 585_000])
      expect(await report(amount)).toBe(amount === 585_000 ? 'confirmed' : 'amount_mismatch');
    await send();
    expect(
      (await messagesTo(other)).map(({ kind, transport, status }) => `${kind} ${transport} ${status}`).toSorted(),
    ).toEqual(['paid mail Sent', 'paid sms Sent', 'unmatched mail Suppressed', 'unmatched sms Suppressed']);
  });

  it('reads whom the payment went to, if splits say otherwise than the lines', async () => {
    const person = await register();
    const assessment = await assessed(person);
    const { plaintext: key } = await rail.key('payments.initiate', 'payments.split');
    await rail.rows(sql`update api_key set integrator = ${actor.integrator} where hash = sha256(${key}::bytea)`);
    const splits = [{ mda: 'KCCA', amount: 585_000 }];
    const { data } = await rail.ask('/v1/payment-intents', { key, body: { assessment, channel: 'mtn_momo', splits } });
    await rail.ask(`/v1/payment-intents/${data.name}:initiate`, { key, body: { payer_msisdn: '+256700999888' } });
    await rail.ask(`/v1/payment-intents/${data.name}:confirm`, { key, body: {} });
    await send();
    expect(textsTo(person).map(({ text }) => text)).toEqual([
      expect.stringMatching(/^Payment of UGX 585,000 to KCCA received\./),
    ]);
  });

  it('is told by the loop once it hears of the change, and once however many processes send', async () => {
    const person = await register();
    const loops = [startNotifyingPayers(rail.rail), startNotifyingPayers(rail.rail)];
    await pay(await assessed(person));
    await expect.poll(() => messagesTo(person)).toMatchObject([{ kind: 'paid', status: 'Sent' }]);
    await Promise.all(loops.map((loop) => loop.stop()));
    expect(textsTo(person)).toHaveLength(1);
  });

  it('is not told twice of a reference that is answered again, nor of one that was paid meanwhile', async () => {
    const person = await register();
    const assessment = await assessed(person);
    await issue(assessment);
    await issue(assessment);
    await pay(assessment);
    await send();
    expect(await messagesTo(person)).toMatchObject([
      { kind: 'reference_issued', status: 'Suppressed' },
      { kind: 'paid', status: 'Sent' },
    ]);
  });

  it.each([
    ['no phone', { phone: undefined }],
    ['a phone that no gateway reaches', { phone: '+254722000111' }],
  ])('with %s gets no text, and no row', async (_what, more) => {
    const person = await register(more);
    await pay(await assessed(person));
    expect(await messagesTo(person)).toEqual([]);
  });

  it.each(['en', 'fr', 'sw', 'lg'])('is told in their language, in 160 letters: %s', async (language) => {
    const person = await register({ language });
    expect((await actor.ask(`/v1/citizens/${person.name}`)).data.language).toBe(language);
    const assessment = await assessed(person);
    await issue(assessment);
    await send();
    await bankTakes(assessment, 584_000);
    await send();
    await pay(assessment);
    await send();
    await actor.post(`/v1/assessments/${assessment}:cancel`, { reason: 'by mistake' });
    await send();
    const texts = textsTo(person).map(({ text }) => text);
    expect(texts).toHaveLength(4);
    for (const text of texts) expect(text).toMatch(GSM_TEXT);
  });

  it('has a language that the rail speaks', async () => {
    const { status } = await actor.post('/v1/citizens', { nin: 'CMCANARYXX', full_name: NAME, language: 'de' });
    expect(status).toBe(422);
  });
});

describe('a gateway', () => {
  it('reports what arrived and what did not, once', async () => {
    const both = [await register(), await register()];
    for (const person of both) await pay(await assessed(person));
    await send();
    const [arrived, lost] = both.map((person) => textsTo(person)[0]!.id);
    const report = async (id: string, status: string) => (await (await gateway.report(id, status)).json()).data;
    expect(await report(arrived!, 'Buffered')).toEqual({ decision: 'ignored' });
    expect(await report(arrived!, 'Success')).toEqual({ decision: 'delivered' });
    expect(await report(arrived!, 'Success')).toEqual({ decision: 'ignored' });
    expect(await report(arrived!, 'Failed')).toEqual({ decision: 'ignored' });
    expect(await report(lost!, 'Rejected')).toEqual({ decision: 'failed' });
    expect(await report('ATXid_nobody', 'Success')).toEqual({ decision: 'ignored' });
    expect((await messagesTo(both[0]!))[0]).toMatchObject({ status: 'Delivered', failure: null });
    expect((await messagesTo(both[1]!))[0]).toMatchObject({ status: 'Failed', failure: 'Rejected' });
  });

  it('is believed by its secret alone', async () => {
    expect((await gateway.report('ATXid_1', 'Success', 'another-secret-of-16')).status).toBe(401);
    expect((await gateway.reply('+256700010001', 'STOP', `${SECRET}x`)).status).toBe(401);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const post = (path: string, body: string) => rail.ask(`/v1/sms/${path}`, { body, headers });
    expect((await post('nobody/reports', 'id=1&status=Success')).status).toBe(404);
    const empty = await post(`texts/reports?proof=${SECRET}`, 'nothing=here');
    expect(empty.status).toBe(422);
    await rail.rail.audit.flush();
    expect(rail.logged.join()).not.toContain(SECRET);
    expect(await rail.count(sql`select from audit_log l where l::text like ${`%${SECRET}%`}`)).toBe(0);
  });

  it.each([
    ['blacklisted', { status: 'Suppressed', failure: 'UserInBlacklist' }],
    ['invalid', { status: 'Failed', failure: 'InvalidPhoneNumber' }],
    ['no_balance', { status: 'Queued', failure: 'refused' }],
  ] as const)('that answers %s settles it, and no text is sent twice', async (plan, outcome) => {
    const person = await register();
    await pay(await assessed(person));
    gateway.control.plan = plan;
    await send();
    expect((await messagesTo(person))[0]).toMatchObject(outcome);
    gateway.control.plan = 'taken';
    await makeDue(person);
    await send();
    expect(textsTo(person)).toHaveLength(plan === 'no_balance' ? 1 : 0);
  });

  const UNANSWERED = { status: 'Failed', failure: 'unanswered' };
  const ONCE_MORE = { status: 'Queued', failure: 'unanswered' };

  it.each(['cut', 'unsure'] as const)(
    'that answers %s is asked once more about what was paid or reversed',
    async (plan) => {
      const person = await register();
      const assessment = await assessed(person);
      const outcome = async (kind: string) => (await messagesTo(person)).find((one) => one.kind === kind);
      const sendAgain = async (answer: typeof plan | 'taken') => {
        gateway.control.plan = answer;
        await makeDue(person);
        await send();
      };
      await issue(assessment);
      await sendAgain(plan);
      // A payer who is asked twice to pay may pay twice.
      expect(await outcome('reference_issued')).toMatchObject(UNANSWERED);
      await pay(assessment);
      await sendAgain(plan);
      expect(await outcome('paid')).toMatchObject(ONCE_MORE);
      await sendAgain(plan);
      expect(await outcome('paid')).toMatchObject(UNANSWERED);
      await actor.post(`/v1/assessments/${assessment}:cancel`, { reason: 'by mistake' });
      await sendAgain(plan);
      expect(await outcome('reversed')).toMatchObject(ONCE_MORE);
      await sendAgain('taken');
      expect(await outcome('reversed')).toMatchObject({ status: 'Sent', attempts: 2, failure: null });
      expect(textsTo(person)).toHaveLength(5);
    },
  );

  it('is asked once more where a process died with such a text in hand, and not again', async () => {
    const payers = [await register(), await register(), await register()] as const;
    const [once, twice, number] = payers;
    for (const person of [once, twice]) await pay(await assessed(person));
    await issue(await assessed(number));
    const names = payers.map(({ name }) => name);
    const die = () =>
      rail.rows(sql`
        update payer_message set claimed_at = now() - interval '1 hour', due_at = ${rail.rail.now()}
        where citizen = any(${names}) and status = 'Queued'`);
    await die();
    gateway.control.plan = 'no_balance';
    await send();
    expect(await messagesTo(number)).toMatchObject([UNANSWERED]);
    for (const person of [once, twice]) expect(await messagesTo(person)).toMatchObject([ONCE_MORE]);
    gateway.control.plan = 'taken';
    await makeDue(once);
    await send();
    await die();
    await send();
    expect(await messagesTo(once)).toMatchObject([{ status: 'Sent' }]);
    expect(await messagesTo(twice)).toMatchObject([UNANSWERED]);
  });
});

describe('STOP', () => {
  it.each(['stop', 'Arrêt !', 'SITISHA', ' komya.'])('%s stops what is queued, and what would be', async (word) => {
    const person = await register();
    const assessment = await assessed(person);
    await issue(assessment);
    const answer = await gateway.reply(person.phone!, word);
    expect((await answer.json()).data).toEqual({ decision: 'stopped' });
    await pay(assessment);
    await send();
    expect(await messagesTo(person)).toMatchObject([{ kind: 'reference_issued', status: 'Suppressed' }]);
    expect(textsTo(person)).toEqual([]);
    expect((await actor.ask(`/v1/citizens/${person.name}`)).data.texts_stopped_at).not.toBeNull();
  });

  it('is undone by START, and no other text says anything', async () => {
    const person = await register();
    await gateway.reply(person.phone!, 'STOP');
    const hear = async (text: string) => (await (await gateway.reply(person.phone!, text)).json()).data.decision;
    expect(await hear('When do you open?')).toBe('ignored');
    expect(await hear('Start')).toBe('started');
    await pay(await assessed(person));
    await send();
    expect(textsTo(person)).toHaveLength(1);
  });
});

describe('a letter', () => {
  const EMAIL = 'payer.canary@example.org';

  it('goes to the address of the payment, which is gone afterwards, and has a link that stops what goes to it, and nothing else', async () => {
    const person = await register({ phone: undefined, language: 'fr' });
    await pay(await assessed(person), EMAIL);
    expect(await messagesTo(person)).toMatchObject([{ kind: 'paid', transport: 'mail', status: 'Queued' }]);
    await send();
    expect(await messagesTo(person)).toMatchObject([{ status: 'Sent' }]);
    expect(await rail.count(sql`select from payer_message where address is not null and status <> 'Queued'`)).toBe(0);
    const [letter] = letters().filter((one) => one.includes(`To: ${EMAIL}`));
    for (const canary of [NAME, person.nin]) expect(letter).not.toContain(canary);
    expect(letter).toMatch(/^Subject: =\?UTF-8\?Q\?Votre_re=C3=A7u/m);
    expect(rail.logged.join()).not.toContain(EMAIL);

    const [, path] = /(\/stop\/[\w-]+)/.exec(letter!)!;
    const shown = await rail.ask(path!);
    expect(shown.status).toBe(200);
    expect((await messagesTo(person)).length).toBe(1);
    const flipped = path!.slice(0, -1) + (path!.endsWith('A') ? 'B' : 'A');
    expect((await rail.ask(flipped)).status).toBe(404);
    const token = path!.split('/')[2];
    const query = `mutation { stopPayerMessages(token: "${token}") { transport stoppedAt } }`;
    const { json } = await rail.ask('/graphql', { body: { query } });
    expect(json.data.stopPayerMessages).toEqual({ transport: 'mail', stoppedAt: expect.any(String) });
    const another = await register({ phone: undefined });
    for (const each of [person, another]) await pay(await assessed(each), EMAIL.toUpperCase());
    await pay(await assessed(person), 'own.canary@example.org');
    await send();
    expect((await messagesTo(person)).map(({ status }) => status)).toEqual(['Sent', 'Suppressed', 'Sent']);
    expect((await messagesTo(another)).map(({ status }) => status)).toEqual(['Suppressed']);
    expect(letters().filter((one) => one.includes('To: own.canary@example.org'))).toHaveLength(1);
  });

  it('tells of a reference who is asked to pay in another way too', async () => {
    const person = await register({ phone: undefined });
    const assessment = await assessed(person);
    await begin(assessment, 'reference@example.org');
    const number = await issue(assessment);
    await send();
    expect(await messagesTo(person)).toMatchObject([{ kind: 'reference_issued', transport: 'mail', status: 'Sent' }]);
    const [letter] = letters().filter((one) => one.includes('To: reference@example.org'));
    expect(letter).toContain(number);
    expect(letter).not.toContain('/verify');
  });

  it('is sent again after a process died with it', async () => {
    const person = await register({ phone: undefined });
    await pay(await assessed(person), 'again@example.org');
    await rail.rows(
      sql`update payer_message set claimed_at = now() - interval '1 hour' where citizen = ${person.name}`,
    );
    await send();
    expect(await messagesTo(person)).toMatchObject([{ status: 'Sent' }]);
  });
});

// The clock goes on from here.
describe('a gateway that is down for a day', () => {
  it('delays no payment, and has the text once it is back', async () => {
    const person = await register();
    gateway.trouble.down = 'refusing';
    await pay(await assessed(person));
    await send();
    expect((await messagesTo(person))[0]).toMatchObject({ status: 'Queued', failure: 'refused', attempts: 1 });
    rail.advance(25);
    await send();
    expect((await messagesTo(person))[0]).toMatchObject({ status: 'Queued', attempts: 2 });
    gateway.trouble.down = 'no';
    rail.advance(3);
    await send();
    expect((await messagesTo(person))[0]).toMatchObject({ status: 'Sent', failure: null, attempts: 3 });
    expect(textsTo(person)).toHaveLength(1);
  });

  it('is given up after three days', async () => {
    const person = await register();
    await pay(await assessed(person));
    gateway.trouble.down = 'refusing';
    await send();
    rail.advance(73);
    await send();
    expect((await messagesTo(person))[0]).toMatchObject({ status: 'Failed', failure: 'refused' });
    gateway.trouble.down = 'no';
    await send();
    expect(textsTo(person)).toEqual([]);
  });
});

describe('a demand', () => {
  let agency: Pick<Actor, 'post'>;
  let token: string;
  const demand = async (by: Pick<Actor, 'post'>, { name }: Pick<Person, 'name'>, more: object = {}) => {
    const lines = [{ service: await serviceNamed(rail, 'URA-PAYE') }];
    return by.post('/v1/assessments', { citizen: name, lines, assess: true, notify: true, ...more });
  };

  beforeAll(async () => {
    const scopes = ['assessments.write', 'assessments.import', 'references.issue'] as const;
    token = await (await makeAgency(rail, 'URA', scopes)).token();
    agency = { post: (path, body = {}) => rail.ask(path, { key: token, body }) };
  });

  it('is sent by text where an agency asks for it: what is owed, to whom, by when, and a number to quote', async () => {
    const person = await register();
    const { data } = await demand(agency, person, { due_on: '2031-05-31' });
    await send();
    expect(textsTo(person).map(({ text }) => text)).toEqual([
      `Pay UGX 450,000 to URA by 2031-05-31. Quote ${data.name}. Reply STOP to get no more.`,
    ]);
    expect(await messagesTo(person)).toMatchObject([{ kind: 'demand', transport: 'sms', status: 'Sent' }]);
    for (const canary of [NAME, person.nin]) expect(textsTo(person)[0]!.text).not.toContain(canary);
  });

  it('is sent of a Draft that is assessed, with the number of its reference, and without a day where none is set', async () => {
    const person = await register();
    const draft = (await demand(agency, person, { assess: false, notify: false })).data.name;
    expect(await messagesTo(person)).toEqual([]);
    await agency.post(`/v1/assessments/${draft}:assess`, { notify: true });
    await agency.post(`/v1/assessments/${draft}:assess`, { notify: true });
    const number = (await agency.post(`/v1/assessments/${draft}:issue-reference`)).data.number;
    await send();
    expect(textsTo(person)[0]!.text).toMatch(new RegExp(`^Pay UGX 450,000 to URA. Quote ${number}. Reply`));
    expect((await messagesTo(person)).map(({ kind }) => kind)).toEqual(['demand', 'reference_issued']);
  });

  it('is sent of the rows of a file that ask for it', async () => {
    const [person, other] = [await register(), await register()];
    const service = await serviceNamed(rail, 'URA-PAYE');
    const rows = [`1-${person.name},${person.name},true`, `2-${person.name},${other.name},`];
    const body = `key,citizen,notify,service,reference_days\n${rows.map((row) => `${row},${service},30\n`).join('')}`;
    const headers = { 'content-type': 'text/csv' };
    const { data } = await rail.ask('/v1/agency/URA/assessments:import', { key: token, body, headers });
    await send();
    const text = `Pay UGX 450,000 to URA. Quote ${data[0].payment_reference}. Reply STOP to get no more.`;
    expect(textsTo(person)).toMatchObject([{ text }]);
    expect(textsTo(other)).toEqual([]);
  });

  it.each([
    ['who has no phone', { phone: null }, {}, 0],
    ['what nobody asked it of', {}, { notify: false }, 0],
  ])('is not queued of %s', async (_what, more, asked, count) => {
    const person = await register(more);
    await demand(agency, person, asked);
    expect(await messagesTo(person)).toHaveLength(count);
  });

  it('is not sent of what is no longer owed', async () => {
    const person = await register();
    const { data } = await demand(agency, person);
    await rail.rows(sql`update assessment set status = 'Cancelled', cancelled_at = now() where name = ${data.name}`);
    await send();
    expect(await messagesTo(person)).toMatchObject([{ kind: 'demand', status: 'Suppressed' }]);
  });

  it('422: asked for by an account, or of a Draft', async () => {
    const person = await register();
    const pathOf = ({ status, json }: Awaited<ReturnType<typeof demand>>) => [status, json.error.details[0].path];
    expect(pathOf(await demand(actor, person))).toEqual([422, 'notify']);
    expect(pathOf(await demand(agency, person, { assess: false }))).toEqual([422, 'notify']);
    const draft = (await demand(actor, person, { assess: false, notify: false })).data.name;
    expect(pathOf(await actor.post(`/v1/assessments/${draft}:assess`, { notify: true }))).toEqual([422, 'notify']);
  });
});
