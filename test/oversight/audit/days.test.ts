import { spawn } from 'node:child_process';
import { createPublicKey, verify } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { closeDays } from '../../../src/oversight/closes/days/close.ts';
import { runChecks } from '../../../src/oversight/seals/verify.ts';
import { confirmDay, isOldest } from '../../../src/oversight/closes/days/confirm.ts';
import { actAsSystem, findRefusal, viewStaff } from '../../../src/platform/access/viewer.ts';
import { callOf } from '../../../src/platform/call/call.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { schema } from '../../../src/app/schema.ts';
import { writeMailOf } from '../../../src/site/answers/mail.ts';
import { dayIn } from '../../../src/kernel/time.ts';
import {
  type Actor,
  createAssessedFor,
  createConfirmed,
  createInitiated,
  createPendingFor,
  makeActor,
} from '../../harness/flow.ts';
import { catchUp } from '../../harness/ledger.ts';
import { testRail } from '../../harness/rail.ts';
import { makeAgency } from '../../harness/people/agency.ts';
import { type StaffActor, makeStaff, makeStaffOf } from '../../harness/people/staff.ts';

const SCRIPT = fileURLToPath(new URL('../../../docs/recompute-seals.mjs', import.meta.url));

const rail = testRail();
let actor: Actor;
let officer: StaffActor;
let days: readonly Closed[];

interface Closed {
  readonly name: string;
  readonly day: string;
  readonly currencies: readonly Record<'opening' | 'collected' | 'reversed' | 'closing', number>[];
  readonly seals: readonly { readonly first: number; readonly last: number }[];
  readonly head: string | null;
  readonly payload: string;
  readonly signature: string;
  readonly kid: string;
  readonly payouts: readonly object[];
  readonly unknown: readonly object[];
}

const close = (at = rail.rail.now()) =>
  closeDays(callOf({ ...rail.rail, now: () => at }, actAsSystem('job:test'), 'r'));
const today = () => dayIn(rail.rail.now(), 'Africa/Kampala');
/** Moves the clock on to an hour of the next day of Uganda. */
const goTo = (clock: string, more = 1) => {
  const next = dayIn(new Date(rail.rail.now().getTime() + more * 86_400_000), 'Africa/Kampala');
  rail.advance((Date.parse(`${next}T${clock}+03:00`) - rail.rail.now().getTime()) / 3_600_000);
};
const daysOf = async (mda = 'URA', by = officer): Promise<Closed[]> =>
  (await by.ask(`/v1/agency/${mda}/days?limit=200`)).data.toReversed();
/** Somebody new: sessions end after some days. */
const logIn = async () => {
  officer = await makeStaffOf(rail, ['URA'], 'finance_officer');
};
const pay = async (code: string) => {
  const { assessment } = await createAssessedFor(rail, actor, code);
  const intent = await createPendingFor(actor, assessment);
  await createInitiated(actor, intent);
  expect((await actor.post(`/v1/payment-intents/${intent}:confirm`)).status).toBe(200);
  return assessment;
};

beforeAll(async () => {
  actor = await makeActor(rail);
  goTo('10:00:00');
  const reversed = await pay('URA-PAYE');
  await createConfirmed(rail, actor);
  goTo('23:59:59.999');
  await pay('URA-PAYE');
  await catchUp(rail);
  goTo('09:00:00');
  await pay('URA-PAYE');
  expect((await actor.post(`/v1/assessments/${reversed}:cancel`, { reason: 'Entered twice' })).status).toBe(200);
  // A day without anything, and one after it.
  goTo('12:00:00', 2);
  await pay('URA-PAYE');
  await catchUp(rail);
  goTo('02:30:00');
  await close();
  await logIn();
  days = await daysOf();
});

describe('closed days', () => {
  it('begin with the first event, leave none out, and lead from opening to closing as plain SQL adds up', async () => {
    const plain = await rail.rows<{ day: string; collected: number; reversed: number }>(sql`
      select to_char(occurred_at at time zone 'Africa/Kampala', 'YYYY-MM-DD') as day,
        coalesce(sum(amount) filter (where kind = 'payment'), 0)::float8 as collected,
        coalesce(-sum(amount) filter (where kind = 'reversal'), 0)::float8 as reversed
      from payment_event where mda = 'URA' group by 1 order by 1`);
    expect(days[0]!.day).toBe(plain[0]!.day);
    const last = Date.parse(today()) - 86_400_000;
    const count = (last - Date.parse(days[0]!.day)) / 86_400_000 + 1;
    expect(days).toHaveLength(count);
    let opening = 0;
    for (const { day, currencies } of days) {
      const { collected, reversed } = plain.find((one) => one.day === day) ?? { collected: 0, reversed: 0 };
      const closing = opening + collected - reversed;
      expect(currencies).toMatchObject([{ currency: 'UGX', opening, collected, reversed, closing }]);
      opening = closing;
    }
    expect(plain.length).toBeGreaterThan(2);
  });

  it('are those of dailyCloses', async () => {
    const { plaintext: key } = await rail.key('oversight.read');
    const query = `{ oversight { dailyCloses(agency: ["URA"], fromDate: "${days[0]!.day}", toDate: "${days.at(-1)!.day}", first: 200) {
      nodes { day opening collected reversed closing channels { channel collected reversed payments reversals } } } } }`;
    const { json } = await rail.ask('/graphql', { key, body: { query } });
    expect(days.map(({ day, currencies: [one] }) => ({ day, ...one }))).toMatchObject(
      json.data.oversight.dailyCloses.nodes,
    );
  });

  it('have each seal of the agency once, also where two days interleave', async () => {
    const numbers = days.flatMap(({ seals }) =>
      seals.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, index) => first + index)),
    );
    const sealed = await rail.count(sql`select 1 from event_seal where mda = 'URA'`);
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: sealed }, (_, index) => index + 1));
  });

  it('are verified by a program that knows the published keys alone', async () => {
    const { keys } = (await rail.ask('/.well-known/receipt-keys.json')).json;
    for (const { payload, signature, kid } of days) {
      expect(payload).toMatch(/^\{"version":1,/);
      const { kty, crv, x } = keys.find((key: { kid: string }) => key.kid === kid);
      const key = createPublicKey({ key: { kty, crv, x }, format: 'jwk' });
      expect(verify(null, Buffer.from(payload), key, Buffer.from(signature, 'base64url'))).toBe(true);
      expect(verify(null, Buffer.from(`${payload} `), key, Buffer.from(signature, 'base64url'))).toBe(false);
    }
  });

  it('are checked from their ranges by the script of auditors, which tells one that was signed otherwise', async () => {
    const { plaintext: KEY } = await rail.key('oversight.read');
    const file = join(rail.dataDir, 'day.json');
    const run = async (day: object) => {
      writeFileSync(file, JSON.stringify({ data: day }));
      const script = spawn(process.execPath, [SCRIPT, 'URA', file], {
        env: { ...process.env, RAIL: rail.origin, KEY },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const printed = Promise.all([text(script.stdout), text(script.stderr)]);
      return (await printed).join('');
    };
    const [first, second] = days as [Closed, Closed];
    for (const day of [first, days.at(-1)!]) expect(await run(day)).toContain(`${day.name}: `);
    expect(await run({ ...first, payload: second.payload })).toContain(`BROKEN at ${first.name}: no key signed it`);
  });

  it('stay to the byte when the job runs again, and no two processes close one twice', async () => {
    await Promise.all([close(), close()]);
    expect(await daysOf()).toEqual(days);
    const told = await rail.rows<{ object: string }>(sql`
      select object from outbox where type = 'agency_day.closed' and agency = 'URA' order by object`);
    expect(told.map(({ object }) => object)).toEqual(days.map(({ name }) => name));
    expect((await runChecks(rail.rail.db)).findings).toEqual([]);
  });

  it('say the same when they are closed again, after a restore from before', async () => {
    const [first, ...later] = days as [Closed, ...Closed[]];
    const lost = `mda = 'URA' and day > '${first.day}'`;
    await rail.tamper(
      `delete from outbox where type = 'agency_day.closed' and agency = 'URA' and object <> '${first.name}'`,
      `delete from agency_day where ${lost}`,
    );
    expect(await daysOf()).toEqual([first]);
    rail.advance(1);
    await logIn();
    await close();
    days = await daysOf();
    expect(days.slice(1).map(({ payload }) => payload)).toEqual(later.map(({ payload }) => payload));
  });

  it('wait for two hours after their end, and for the seals of their events', async () => {
    await pay('URA-PAYE');
    goTo('01:59:00');
    await logIn();
    await close();
    expect(await daysOf()).toEqual(days);
    goTo('02:01:00', 0);
    await close();
    expect(await daysOf()).toEqual(days);
    await catchUp(rail);
    await close();
    expect((await daysOf()).map(({ day }) => day)).toEqual([
      ...days.map(({ day }) => day),
      dayIn(new Date(rail.rail.now().getTime() - 86_400_000), 'Africa/Kampala'),
    ]);
  });
});

describe('GET /v1/agency/{mda}/days/{day}', () => {
  it('200: as JSON, PDF and CSV', async () => {
    const [first] = days;
    const path = `/v1/agency/URA/days/${first!.day}`;
    expect((await officer.ask(path)).data).toMatchObject({ ...first });
    const pdf = await officer.ask(path, { headers: { accept: 'application/pdf' } });
    expect([pdf.status, pdf.text.slice(0, 5)]).toEqual([200, '%PDF-']);
    const csv = await officer.ask(path, { headers: { accept: 'text/csv' } });
    expect(csv.text).toContain(
      'agency,day,currency,by,name,code,opening,collected,reversed,closing,payments,reversals',
    );
    expect(csv.text).toContain(`URA,${first!.day},UGX,channel,mtn_momo,`);
  });

  it('200 to the agency by its token, to auditors; 404 beyond a wall and before it is closed', async () => {
    const path = `/v1/agency/URA/days/${days[0]!.day}`;
    const key = await (await makeAgency(rail, 'URA', ['payments.read'])).token();
    expect((await rail.ask(path, { key })).status).toBe(200);
    expect((await (await makeStaff(rail, 'auditor')).ask(path)).status).toBe(200);
    expect((await (await makeStaffOf(rail, ['KCCA'], 'finance_officer')).ask(path)).status).toBe(404);
    expect((await (await makeStaff(rail, 'clerk')).ask(path)).status).toBe(403);
    expect((await officer.ask(`/v1/agency/URA/days/${today()}`)).status).toBe(404);
  });
});

describe('POST /v1/agency/{mda}/days/{day}:confirm', () => {
  const confirm = (day: string, by = officer) => by.post(`/v1/agency/URA/days/${day}:confirm`, { note: 'Seen' });
  const reasonOf = ({ json }: { json: { error: { details: readonly { code: string }[] } } }) =>
    json.error.details[0]!.code;

  it('422: out of order, of a day that is not over; 403: by somebody else', async () => {
    expect(reasonOf(await confirm(days[1]!.day))).toBe('day_before_unsigned');
    expect(reasonOf(await confirm(today()))).toBe('day_not_over');
    expect((await confirm('2001-01-01')).status).toBe(404);
    expect((await confirm(days[0]!.day, await makeStaffOf(rail, ['KCCA'], 'finance_officer'))).status).toBe(403);
    expect((await confirm(days[0]!.day, await makeStaff(rail, 'admin'))).status).toBe(403);
  });

  it('422: while a missing payout has neither an owner nor an outcome; then once, for good', async () => {
    const raised = (assignee: string | null) => sql`
      insert into anomaly (name, kind, mda, mdas, severity, status, subject, evidence, raised_at, assignee)
      values ('ANOM-2026-01-900001', 'payout_missing', 'URA', '{URA}', 'high', 'Open', 'URA:mtn_momo', ${`{"day":"${days[0]!.day}"}`}::jsonb, now(), ${assignee})
      on conflict (name) do update set assignee = excluded.assignee`;
    await rail.rows(raised(null));
    expect(reasonOf(await confirm(days[0]!.day))).toBe('exceptions_open');
    await rail.rows(raised(officer.email));
    const { status, data } = await confirm(days[0]!.day);
    expect([status, data.confirmed_by, data.note]).toEqual([200, officer.email, 'Seen']);
    expect((await confirm(days[0]!.day)).status).toBe(422);
    await rail.rows(sql`delete from anomaly where name = 'ANOM-2026-01-900001'`);
    await expect(rail.rows(sql`update agency_day set note = 'x' where name = ${days[0]!.name}`)).rejects.toThrow(
      'never changes',
    );
    expect((await runChecks(rail.rail.db)).findings).toEqual([]);
  });

  /** Has the bank's first statement begin on a day, until it is forgotten. */
  const stateFrom = async (from: string) => {
    await rail.rows(sql`
      insert into bank_statement (name, account, currency, format, source_hash, from_on, to_on, lines, created_by, created_at)
      select 'BST-2026-01-900009', collection_account, 'USD', 'csv', ${'cd'.repeat(32)}, ${from}::date, ${from}::date, 0, 'x', ${rail.rail.now()}
      from mda where name = 'URA'`);
    return () => rail.tamper(`delete from bank_statement where name = 'BST-2026-01-900009'`);
  };

  it('needs nobody for days before the first statement of the bank', async () => {
    const [, second, third] = days as [Closed, Closed, Closed];
    expect(reasonOf(await confirm(third.day))).toBe('day_before_unsigned');
    const forget = await stateFrom(third.day);
    const [isNext] = await rail.rows<{ next: boolean }>(sql`
      select ${isOldest} as next from agency_day r where r.name = ${third.name}`);
    expect([second.day < third.day, isNext!.next]).toEqual([true, true]);
    await forget();
  });

  it('raises the oldest open day after 3 working days, which its confirmation resolves', async () => {
    goTo('03:00:00', 6);
    await logIn();
    await close();
    const open = () =>
      rail.rows<{ subject: string }>(
        sql`select subject from anomaly where kind = 'agency_unsigned' and status = 'Open' and mda = 'URA'`,
      );
    expect(await open()).toEqual([{ subject: days[1]!.name }]);
    expect((await confirm(days[1]!.day)).status).toBe(200);
    expect(await open()).toEqual([]);
    await close();
    expect(await open()).toEqual([{ subject: days[2]!.name }]);
    const forget = await stateFrom(today());
    await close();
    expect(await open()).toEqual([]);
    await forget();
  });
});

describe('the bank', () => {
  it('is where the verification of a receipt leads: to the seal, the signed day, the payout, and to nothing else', async () => {
    const [receipt] = await rail.rows<{ name: string; code: string; seal: number; day: string }>(sql`
      select r.name, r.code, s.sequence as seal, (e.occurred_at at time zone 'Africa/Kampala')::date::text as day
      from receipt r join payment_event e on e.intent = r.intent and e.kind = 'payment' join event_seal s on s.event = e.name
      where e.mda = 'URA' and r.status = 'Issued' order by r.name limit 1`);
    const { name, code, seal, day } = receipt!;
    const verified = async () => (await rail.ask('/v1/receipts:verify', { body: { name, code } })).data;
    const { signature, kid } = days.find((one) => one.day === day)!;
    const expected = { mda: 'URA', seal, day, signature, kid };
    expect((await verified()).followed[0]).toEqual({ ...expected, arrived_on: null });
    await rail.rows(sql`
      with sent as (
        insert into bank_statement (name, account, currency, format, source_hash, from_on, to_on, lines, created_by, created_at)
        select 'BST-2026-01-900001', collection_account, 'UGX', 'csv', ${'ab'.repeat(32)}, ${day}::date, ${day}::date + 1, 2, 'x', ${rail.rail.now()}
        from mda where name = 'URA' returning name, account
      )
      insert into bank_line (name, statement, idx, account, booked_on, value_on, amount, currency, text, kind, provider, from_on, to_on, how, updated_at)
      select s.name || '.' || l.idx, s.name, l.idx, s.account, ${day}::date + 1, ${day}::date + 1, l.amount, 'UGX', '', l.kind, l.provider, l.day, l.day, l.how, ${rail.rail.now()}
      from sent s, (
        select 1 as idx, sum(amount) as amount, 'payout' as kind, 'mtn_momo' as provider, ${day}::date as day, 'sum' as how from payment_event
        where mda = 'URA' and kind = 'payment' and (occurred_at at time zone 'Africa/Kampala')::date = ${day}::date
        union all select 2, 700, 'unknown', null, null, null) l`);
    const arrived = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
    expect((await verified()).followed[0]).toEqual({ ...expected, arrived_on: arrived });
    const unknown = await rail.ask('/v1/receipts:verify', { body: { name, code: 'AAAAA-AAAAA' } });
    expect(unknown.data).not.toHaveProperty('followed');
  });

  it('is in the day on which its statement came: what arrived, what is missing by then, and what nothing explains', async () => {
    const [paid] = await rail.rows<{ all: number; came: number }>(sql`
      select sum(e.amount)::float8 as all, (select amount::float8 from bank_line where kind = 'payout') as came
      from payment_event e where e.mda = 'URA' and e.kind = 'payment'`);
    goTo('03:00:00');
    await logIn();
    await catchUp(rail);
    await close();
    const { payouts, unknown } = (await daysOf()).at(-1)!;
    const missing = paid!.all - paid!.came;
    expect(payouts).toEqual([{ provider: 'mtn_momo', currency: 'UGX', expected: 0, arrived: paid!.came, missing }]);
    expect(unknown).toEqual([{ currency: 'UGX', lines: 1, credits: 700, debits: 0 }]);
    expect(days[0]).toMatchObject({ payouts: [{ provider: 'mtn_momo', arrived: null, missing: null }] });
  });
});

describe('a saved view of the days of an agency', () => {
  it('is mailed with what the last day came to', async () => {
    const { currencies, day } = (await daysOf()).at(-1)!;
    const call = callOf(
      rail.rail,
      viewStaff({ id: '', email: officer.email, roles: ['finance_officer'], agencies: ['URA'] }),
      'r',
    );
    const letter = await writeMailOf(schema)(call, {
      name: 'Days',
      address: '/agency/days?agency=URA',
      language: 'en',
    });
    const { closing } = currencies[0]!;
    expect(letter.figures.at(-1)).toEqual({
      value: expect.stringContaining(closing.toLocaleString('en')),
      about: expect.stringMatching(/^Closing, /),
    });
    expect(day < today()).toBe(true);
  });
});

describe('on a live rail', () => {
  const day = () => days[2]!;
  const confirmAs = (email: string) => {
    const viewer = viewStaff({ id: '', email, roles: ['finance_officer'], agencies: ['URA'] });
    const live = { ...rail.rail, config: { ...rail.rail.config, mode: 'live' as const } };
    return confirmDay(callOf(live, viewer, 'r'), { agency: 'URA', day: new Date(day().day) });
  };

  it('nobody confirms a day of which they said by hand what a line of the bank is', async () => {
    await rail.rows(sql`
      update bank_line set kind = 'other', how = 'person', note = 'Rent', decided_by = 'hand@agency.example', decided_at = now(),
        from_on = ${day().day}::date, to_on = ${day().day}::date where kind = 'unknown'`);
    await expect(confirmAs('hand@agency.example')).rejects.toMatchObject({ details: [{ code: 'not_independent' }] });
    expect(await confirmAs('other@agency.example')).toMatchObject({ confirmedBy: 'other@agency.example' });
  });

  it('nobody confirms one without a second factor', () => {
    const asked = { id: '', email: 'a@b.example', roles: ['finance_officer'], agencies: ['URA'] };
    const refusals = [true, false].map((mustEnrol) => findRefusal(viewStaff({ ...asked, mustEnrol }), 'books.sign'));
    expect(refusals).toEqual([expect.objectContaining({ code: 'forbidden' }), null]);
  });
});
