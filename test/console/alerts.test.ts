import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventCatalogue } from '../../src/accounts/events/event-types.ts';
import { openRail } from '../../src/app/open-rail.ts';
import { createLog } from '../../src/kernel/log.ts';
import { type Finding, raiseAnomalies } from '../../src/collection/anomalies/raise.ts';
import { mailDigests } from '../../src/console/anomalies/alerts/digest.ts';
import { sendAlerts } from '../../src/console/anomalies/alerts/send.ts';
import { actAsSystem, commandLine } from '../../src/platform/access/viewer.ts';
import { type Rail, callOf } from '../../src/platform/call/call.ts';
import { always, commit } from '../../src/platform/change/commit.ts';
import { ownHands } from '../../src/platform/database/clock.ts';
import { type Sql, sql } from '../../src/platform/database/sql.ts';
import { sendMail } from '../../src/platform/mail/send.ts';
import { type Mailbox, openMailbox } from '../harness/people/mailbox.ts';
import { type StaffActor, makeStaff, makeStaffOf } from '../harness/people/staff.ts';
import { testRail } from '../harness/rail.ts';
import { sendForm } from '../site/forms/sending.ts';

let mailbox: Mailbox;
const rail = testRail(async () => {
  mailbox = await openMailbox();
  return { SMTP_URL: mailbox.url, WEBHOOK_ALLOW_PRIVATE: 'on' };
});
const PATH = '/v1/ops/alert-rules';
const BUILT_IN = 'ALR-2026-000000';
const callBy = (of: Rail) => callOf(of, actAsSystem('job:send_alerts'), 'test');
const call = () => callBy(rail.rail);

let admin: StaffActor;
let second: StaffActor;
let officer: StaffActor;
beforeAll(async () => {
  admin = await makeStaff(rail, 'admin');
  second = await makeStaff(rail, 'admin');
  officer = await makeStaffOf(rail, ['URA'], 'finance_officer');
});
afterAll(() => mailbox.close());

let raised = 0;
/** Raises an anomaly as a verb does, in a statement. */
async function raise(
  kind: Finding['kind'],
  mdas: readonly string[] = ['URA'],
  more: Partial<Finding> = {},
): Promise<void> {
  const finding: Finding = { kind, subject: `S-${++raised}`, mdas, evidence: {}, ...more };
  await commit(call(), { subject: null, guard: always, steps: await raiseAnomalies(call(), always, [finding]) });
}

const resolve = (which: Sql) =>
  rail.rows(sql`
    update anomaly set status = 'Resolved', resolved_at = ${rail.rail.now()}, resolved_by = 'x', resolution = 'x' where ${which}`);

/** Sends what is due, and all mail that was posted; how many rules sent something. */
async function send(): Promise<number> {
  const sent = await sendAlerts(call());
  await deliver();
  return sent;
}
async function deliver(): Promise<void> {
  for (const { id } of await rail.rows<{ id: string }>(
    sql`select id from mail where sent_at is null order by created_at`,
  ))
    await sendMail(call(), id);
}

const lettersTo = ({ email }: { email: string }) =>
  mailbox.letters.filter(({ to }) => to?.some(({ address }) => address === email));
const waiting = () => rail.count(sql`select 1 from alert_waiting`);
const create = (body: object, who = admin) => who.post(PATH, body);
const amend = (name: string, body: object, who = admin) => who.ask(`${PATH}/${name}`, { method: 'PATCH', body });
const remove = (name: string, who = admin) => who.ask(`${PATH}/${name}`, { method: 'DELETE' });

describe('the rule that every rail begins with', () => {
  it('mails all admins what is high, at once and once', async () => {
    expect((await admin.ask(PATH)).data).toMatchObject([
      { name: BUILT_IN, role: 'admin', severity: 'high', kinds: [], transport: 'mail', enabled: true },
    ]);
    await raise('duplicate_collection');
    await raise('cash_variance');
    expect(await send()).toBe(1);
    expect(await send()).toBe(0);
    for (const one of [admin, second]) {
      const [letter, ...others] = lettersTo(one);
      expect(others).toEqual([]);
      expect(letter!.subject).toBe('An assessment was paid twice');
      for (const form of [letter!.text, letter!.html]) {
        expect(form).toContain('An assessment was paid twice (high)');
        expect(form).toMatch(/ANOM-\d{4}-\d\d-\d{6}, URA, \d{4}-/);
        expect(form).toContain(`${rail.origin}/console/anomalies`);
        expect(form).not.toContain('Cash at a counter');
      }
    }
    expect(lettersTo(officer)).toEqual([]);
  });

  it('sends one letter an hour of a kind, which says how many more there were', async () => {
    for (let many = 0; many < 5; many++) await raise('duplicate_collection');
    expect(await send()).toBe(0);
    // Another kind does not wait for this one.
    await raise('seal_gap');
    expect(await send()).toBe(1);
    expect(lettersTo(admin).at(-1)!.subject).toBe("An agency's seals have a gap");
    rail.advance(0.9);
    expect(await send()).toBe(0);
    rail.advance(0.2);
    expect(await send()).toBe(1);
    const letter = lettersTo(admin).at(-1)!;
    expect(letter.text).toMatch(/^5 anomalies were detected:$/m);
    expect(letter.text!.match(/^- ANOM-/gm)).toHaveLength(3);
    expect(letter.text).toContain('- 2 more of this kind');
    expect(await waiting()).toBe(0);
  });

  it('sends one letter also of very many, and leaves none of them waiting', async () => {
    rail.advance(1.1);
    await rail.rows(sql`
      insert into anomaly (name, kind, mdas, severity, status, subject, evidence, raised_at)
      select 'ANOM-2020-02-' || lpad(n::text, 6, '0'), 'late_collection', array[case when n <= 1000 then 'URA' else 'KCCA' end],
        'high', 'Open', n, '{}', now() - interval '1 hour' + n * interval '1 s'
      from generate_series(1, 2500) n`);
    expect(await send()).toBe(1);
    const letter = lettersTo(admin).at(-1)!;
    expect(letter.text).toMatch(/^2500 anomalies were detected:$/m);
    expect(letter.text!.match(/ANOM-[-\d]*/g)).toEqual([1, 2, 3].map((n) => `ANOM-2020-02-00000${n}`));
    expect(letter.text).toContain('- 2497 more of this kind');
    expect(await waiting()).toBe(0);
  });

  it('sends each anomaly once, however many processes send at a time', async () => {
    const log = createLog('silent', { write: () => undefined });
    const { rail: other, close } = await openRail({ ...rail.rail.config, analytics: null }, log, {
      ...ownHands,
      moved: () => rail.rail.now().getTime() - Date.now(),
    });
    try {
      for (let round = 0; round < 5; round++) {
        rail.advance(1.1);
        const before = lettersTo(admin).length;
        await raise('amount_mismatch');
        const rails = [rail.rail, other, rail.rail, other];
        const sent = await Promise.all(rails.map((one) => sendAlerts(callBy(one))));
        expect(sent.toSorted((a, b) => a - b)).toEqual([0, 0, 0, 1]);
        await deliver();
        expect(lettersTo(admin)).toHaveLength(before + 1);
      }
    } finally {
      await close();
    }
  });

  it('sends what is raised again after it was resolved, and what is raised once for a day only once', async () => {
    for (const [kind, times] of [
      ['statement_mismatch', 2],
      ['reference_probing', 1],
    ] as const) {
      rail.advance(1.1);
      const before = lettersTo(admin).length;
      const subject = `S-${++raised}`;
      for (const evidence of [{ amount: 1 }, { amount: 1, run: 'RECON-2' }, { amount: 2 }]) {
        await raise(kind, [], { subject, evidence });
        rail.advance(1.1);
        await send();
        await resolve(sql`subject = ${subject}`);
      }
      expect(lettersTo(admin)).toHaveLength(before + times);
    }
    expect(await waiting()).toBe(0);
  });

  it('says nothing of what was resolved or snoozed meanwhile, or was raised long ago', async () => {
    rail.advance(1.1);
    const before = lettersTo(admin).length;
    await raise('approved_alone');
    await resolve(sql`kind = 'approved_alone'`);
    await rail.rows(sql`
      insert into anomaly (name, kind, mdas, severity, status, subject, evidence, raised_at)
      values ('ANOM-2020-01-000001', 'seal_gap', '{}', 'high', 'Open', 'old', '{}', '2020-01-01')`);
    expect(await waiting()).toBe(1);
    expect(await send()).toBe(0);
    expect(await waiting()).toBe(0);
    expect(lettersTo(admin)).toHaveLength(before);
  });
});

describe('rules of operators', () => {
  it('are for those who run the rail, and changed by admins and system managers alone', async () => {
    admin = await makeStaff(rail, 'admin');
    const body = { role: 'admin' };
    for (const role of ['oversight', 'auditor', 'clerk', 'supervisor', 'finance_officer'] as const) {
      const who = await makeStaff(rail, role);
      expect((await who.ask(PATH)).status, role).toBe(role === 'oversight' ? 200 : 403);
      const statuses = [
        await create(body, who),
        await amend(BUILT_IN, { enabled: false }, who),
        await remove(BUILT_IN, who),
      ];
      expect(
        statuses.map(({ status }) => status),
        role,
      ).toEqual([403, 403, 403]);
    }
    const bound = await makeStaffOf(rail, ['URA'], 'admin');
    expect([(await bound.ask(PATH)).status, (await create(body, bound)).status]).toEqual([403, 403]);
    expect((await rail.ask(PATH)).status).toBe(401);
    const made = await create({ role: 'auditor' }, await makeStaff(rail, 'system_manager'));
    expect((await remove(made.data.name)).status).toBe(200);
  });

  it('are refused where they are for nobody, or never speak', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    for (const [body, path] of [
      [{}, 'staff'],
      [{ staff: clerk.email }, 'staff'],
      [{ staff: 'nobody@agency.example' }, 'staff'],
      [{ role: 'clerk' }, 'role'],
      [{ role: 'admin', staff_of: 'URA' }, 'staff'],
      [{ staff_of: 'NONE' }, 'agencies'],
      [{ role: 'admin', agencies: ['NONE'] }, 'agencies'],
      [{ role: 'admin', transport: 'webhook' }, 'transport'],
      [{ transport: 'webhook' }, 'transport'],
      [{ role: 'admin', transport: 'pigeon' }, 'transport'],
      [{ role: 'admin', kinds: ['nothing'] }, 'kinds[0]'],
      [{ role: 'admin', severity: 'worst' }, 'severity'],
      [{ role: 'admin', quiet_from: '22:00' }, 'quiet_to'],
      [{ role: 'admin', quiet_from: '22:00', quiet_to: '22:00' }, 'quiet_to'],
      [{ role: 'admin', quiet_from: '24:00', quiet_to: '06:00' }, 'quiet_from'],
    ] as const) {
      const { status, json } = await create(body);
      expect([body, status, json.error?.details?.[0]?.path]).toEqual([body, 422, path]);
    }
    expect((await create({ transport: 'webhook' })).json.error.details[0].code).toBe('no_webhook_endpoint');
    expect((await amend('ALR-2020-000009', { enabled: false })).status).toBe(404);
    expect((await remove('ALR-2020-000009')).status).toBe(404);
  });

  it('are made, changed and removed, which the audit keeps', async () => {
    const made = await create({
      staff: officer.email,
      kinds: ['cash_variance'],
      severity: 'low',
      agencies: ['URA', 'URA'],
    });
    expect(made.data).toMatchObject({
      staff: officer.email,
      role: null,
      staff_of: null,
      kinds: ['cash_variance'],
      agencies: ['URA'],
      quiet_from: null,
      created_by: admin.email,
    });
    const { name } = made.data;
    const changed = await amend(name, { role: 'supervisor', quiet_from: '20:00', quiet_to: '06:30', kinds: [] });
    expect(changed.data).toMatchObject({
      staff: null,
      role: 'supervisor',
      kinds: [],
      quiet_to: '06:30',
      severity: 'low',
    });
    expect((await amend(name, { quiet_from: null, quiet_to: null })).data).toMatchObject({ quiet_from: null });
    expect((await remove(name)).data).toBe(true);
    expect((await remove(name)).status).toBe(404);
    expect(
      await rail.rows(sql`select action, before, after from operator_audit where subject = ${name} order by id`),
    ).toMatchObject([
      { action: 'alert_rule.create', before: null, after: { staff: officer.email } },
      { action: 'alert_rule.amend', before: { staff: officer.email }, after: { role: 'supervisor', staff: null } },
      { action: 'alert_rule.amend' },
      { action: 'alert_rule.delete', before: { severity: 'low' }, after: null },
    ]);
  });

  it('answer under an idempotency key once', async () => {
    const headers = { 'Idempotency-Key': 'an-alert' };
    const ask = () => admin.ask(PATH, { method: 'POST', body: { role: 'auditor' }, headers });
    const first = await ask();
    expect((await ask()).text).toBe(first.text);
    const gone = () =>
      admin.ask(`${PATH}/${first.data.name}`, { method: 'DELETE', headers: { 'Idempotency-Key': 'gone' } });
    expect([(await gone()).data, (await gone()).data]).toEqual([true, true]);
  });

  it('alert the staff of an agency to what concerns it, and say no more to those who are bound', async () => {
    await amend(BUILT_IN, { enabled: false });
    const supervisor = await makeStaffOf(rail, ['URA'], 'supervisor');
    const clerk = await makeStaffOf(rail, ['URA'], 'clerk');
    const elsewhere = await makeStaffOf(rail, ['KCCA'], 'supervisor');
    const { name } = (await create({ staff_of: 'URA', severity: 'medium' })).data;
    await raise('cash_variance', ['KCCA', 'URA']);
    await raise('cash_variance', ['KCCA']);
    await raise('revenue_rise', ['URA']);
    expect(await waiting()).toBe(1);
    expect(await send()).toBe(1);
    const [letter] = lettersTo(supervisor);
    expect(letter!.text).toContain(`${rail.origin}/agency`);
    expect(lettersTo(officer)).toHaveLength(1);
    expect([...lettersTo(clerk), ...lettersTo(elsewhere)]).toEqual([]);
    await remove(name);
    // Each member of a role gets alerts for their own agencies alone.
    const all = (await create({ role: 'supervisor', severity: 'low' })).data;
    await raise('late_collection', ['KCCA']);
    await raise('late_collection', []);
    expect(await send()).toBe(1);
    expect([lettersTo(supervisor).length, lettersTo(elsewhere).length]).toEqual([1, 1]);
    expect(lettersTo(elsewhere)[0]!.text).toContain('An anomaly was detected:');
    await remove(all.name);
  });

  it('go to the default endpoint as one message', async () => {
    await admin.ask('/v1/ops/default-endpoint', { method: 'PUT', body: { url: 'http://127.0.0.1:9/hooks' } });
    const { name } = (await create({ transport: 'webhook', severity: 'medium' })).data;
    await raise('cash_variance');
    await raise('fee_changed', []);
    for (let many = 0; many < 100; many++) await raise('cash_variance', ['KCCA']);
    expect(await send()).toBe(1);
    const messages = await rail.rows<{ payload: unknown }>(
      sql`select type, object, integrator, payload from outbox where type = 'alert.raised'`,
    );
    expect(messages).toMatchObject([
      {
        object: name,
        integrator: null,
        payload: {
          rule: name,
          more: 2,
          agencies: ['KCCA', 'URA'],
          anomalies: [
            { kind: 'cash_variance', mdas: ['URA'] },
            { kind: 'fee_changed', mdas: [] },
            ...Array.from({ length: 98 }, () => ({ kind: 'cash_variance', mdas: ['KCCA'] })),
          ],
        },
      },
    ]);
    const { schema } = eventCatalogue.find(({ type }) => type === 'alert.raised')!;
    const { object } = (schema as { properties: { data: { properties: { object: object } } } }).properties.data
      .properties;
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    expect(ajv.validate(object, messages[0]!.payload), ajv.errorsText()).toBe(true);
    await remove(name);
  });

  it('forget what waits where they are switched off', async () => {
    const { name } = (await create({ role: 'auditor', quiet_from: '00:00', quiet_to: '23:59' })).data;
    await raise('seal_gap');
    expect(await waiting()).toBe(1);
    await amend(name, { enabled: false });
    expect(await waiting()).toBe(0);
    await raise('seal_gap');
    expect(await waiting()).toBe(0);
    await remove(name);
  });
});

describe('the pages of rules', () => {
  const open = async (address: string, { cookie }: StaffActor) =>
    (await fetch(rail.origin + address, { headers: { cookie, accept: 'text/html' } })).text();
  const newest = async () => (await admin.ask(`${PATH}?limit=1`)).data[0];

  it('make, change and delete them', async () => {
    const form = { transport: 'mail', role: 'auditor', severity: 'medium', quietFrom: '20:00', quietTo: '06:00' };
    const made = await sendForm(rail, '/console/alerts', admin.cookie, { ...form, kinds: 'seal_gap' });
    expect([made.status, made.headers.get('location')]).toEqual([303, '/console/alerts?done=alertRuleCreated']);
    const { name } = await newest();
    expect(await newest()).toMatchObject({ role: 'auditor', kinds: ['seal_gap'], quiet_from: '20:00', enabled: true });
    expect(await open('/console/alerts?done=alertRuleCreated', admin)).toMatch(
      /The alert rule was created[^]*20:00–06:00/,
    );
    const path = `/console/alerts/${name}`;
    const changed = await sendForm(rail, path, admin.cookie, { ...form, enabled: 'false', quietFrom: '', quietTo: '' });
    expect(changed.headers.get('location')).toBe(`${path}?done=alertRuleAmended`);
    expect(await newest()).toMatchObject({ name, kinds: [], quiet_from: null, enabled: false });
    expect(await open(path, admin)).toContain('<dd><bdi>Off</bdi></dd>');
    const deleted = await sendForm(rail, `${path}/delete`, admin.cookie, {});
    expect(deleted.headers.get('location')).toBe('/console/alerts?done=alertRuleDeleted');
    expect((await newest()).name).not.toBe(name);
  });

  it('say what is wrong with what was filled in, and show readers no form', async () => {
    const refused = await sendForm(rail, '/console/alerts', admin.cookie, { transport: 'mail', severity: 'high' });
    expect([refused.status, await refused.text()]).toEqual([
      422,
      expect.stringContaining('unless a role or an agency is named'),
    ]);
    const reader = await makeStaff(rail, 'oversight');
    const page = await open('/console/alerts', reader);
    expect([page.includes(BUILT_IN), page.includes('action="/console/alerts"')]).toEqual([true, false]);
  });
});

/** Moves the clock to an hour of the day in Kampala, of this day or the next. */
function moveTo(hour: number): void {
  const now = rail.rail.now();
  const past = now.getUTCHours() + 3 + now.getUTCMinutes() / 60 + now.getUTCSeconds() / 3_600;
  rail.advance((hour - past + 48) % 24);
}

// The last, since these move the clock by days, and sessions end.
describe('quiet hours', () => {
  it('hold everything back by the clock of the country, and send it together when they end', async () => {
    moveTo(12.5);
    const auditor = await makeStaff(rail, 'auditor');
    admin = await makeStaff(rail, 'admin');
    const { name } = (await create({ staff: auditor.email, severity: 'low', quiet_from: '21:00', quiet_to: '06:00' }))
      .data;
    moveTo(20.9);
    await raise('seal_gap');
    expect(await send()).toBe(1);
    for (const hour of [21.1, 2, 5.9]) {
      moveTo(hour);
      await raise('cash_variance');
      await raise('seal_gap');
      expect(await send(), String(hour)).toBe(0);
    }
    moveTo(6.1);
    expect(await send()).toBe(1);
    const letters = lettersTo(auditor);
    expect(letters).toHaveLength(2);
    expect(letters[1]!.subject).toBe('6 anomalies of 2 kinds');
    expect(letters[1]!.text).toContain(`${rail.origin}/oversight/anomalies`);
    await rail.rows(sql`delete from alert_rule where name = ${name}`);
  });
});

describe('the digest of the morning', () => {
  it('has what is open at the agency of its reader, once a day, from their morning on', async () => {
    await resolve(sql`status = 'Open'`);
    moveTo(7);
    await mailDigests(call());
    await raise('cash_variance');
    await raise('cash_variance', ['KCCA', 'URA']);
    await raise('seal_gap');
    await raise('revenue_drop', ['KCCA']);
    const before = lettersTo(officer).length;
    moveTo(5.5);
    expect(await mailDigests(call())).toBe(0);
    moveTo(6.1);
    const sent = await Promise.all([1, 2, 3].map(() => mailDigests(call())));
    const readers = await rail.rows<{ email: string }>(sql`
      select email from staff where agencies && '{URA,KCCA}' and roles && '{supervisor,finance_officer}'`);
    expect(sent.reduce((sum, one) => sum + one)).toBe(readers.length);
    await deliver();
    expect(lettersTo(officer)).toHaveLength(before + 1);
    const { subject, text, html } = lettersTo(officer).at(-1)!;
    expect(subject).toBe('Open anomalies: 3');
    for (const form of [text, html]) {
      expect(form).toMatch(
        /high: An agency(?:'|&#39;)s seals have a gap\. Open: 1[^]*medium: Cash at a counter[^]*Open: 2, the oldest since/,
      );
      expect(form).not.toContain('revenue');
      expect(form).not.toContain('KCCA');
      expect(form).toContain(`${rail.origin}/agency`);
    }
    expect(await mailDigests(callOf(rail.rail, commandLine, 'test'))).toBe(0);
    moveTo(6);
    expect(await mailDigests(call())).toBe(readers.length);
  });

  it('is not sent on a day that began with nothing open', async () => {
    await resolve(sql`status = 'Open'`);
    moveTo(6.1);
    rail.advance(24);
    expect(await mailDigests(call())).toBe(0);
    await raise('seal_gap');
    moveTo(15);
    expect(await mailDigests(call())).toBe(0);
  });
});
