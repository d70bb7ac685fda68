import { DAY_MS, HOUR_MS, dayOf } from '../../../src/kernel/time.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { type Actor, makeActor, serviceNamed, twoLines } from '../../harness/flow.ts';
import { makeAgency } from '../../harness/people/agency.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();
const NAME = 'Zawadi Mwangaza Canary';
const LAW = 'Local Governments (Rating) Act';
const RATES = {
  law: LAW,
  due: { days: 30 },
  categories: { standard: { kind: 'percent', percent: 6, base: 'rateable value', least: 2_000 } },
};
let actor: Actor;
let citizen: string;
let service: string;

beforeAll(async () => {
  const admin = await makeStaff(rail, 'admin');
  actor = await makeActor(rail);
  citizen = (await actor.post('/v1/citizens', { nin: 'CMCANARY000001', full_name: NAME })).data.name;
  const made = { mda: 'KCCA', code: 'RATES', service_name: 'Property rates', sector: 'land', family: 'rates' };
  service = (await admin.post('/v1/ops/services', { ...made, tariff: RATES })).data.name;
});

const assessed = async (
  by: Pick<Actor, 'post'> = actor,
  more: object = {},
): Promise<{ name: string; due_on: string }> => {
  const lines = [{ service, base_amount: 1_000_000, period: '2026/27' }];
  return (await by.post('/v1/assessments', { citizen, lines, assess: true, ...more })).data;
};
const issue = async (name: string): Promise<string> =>
  (await actor.post(`/v1/assessments/${name}:issue-reference`)).data.number;
const noticeAt = (path: string, accept = 'application/json', key: string | null = actor.key, query = '') =>
  rail.ask(`/v1/${path}/notice${query}`, { ...(key && { key }), headers: { accept } });
const noticeOf = (name: string, ...more: [accept?: string, key?: string | null, query?: string]) =>
  noticeAt(`assessments/${name}`, ...more);
const publicNoticeOf = (number: string, accept = 'application/json', key: string | null = null) =>
  noticeAt(`payment-references/${number}`, accept, key);

describe('GET /v1/assessments/{name}/notice, /v1/payment-references/{number}/notice', () => {
  it('200: to whom, for what, by which law, by when, and the number to pay by', async () => {
    const { name, due_on } = await assessed();
    expect((await noticeOf(name)).data).toMatchObject({ reference: null, expires_at: null });
    const number = await issue(name);
    const { status, data } = await noticeOf(name);
    expect(status).toBe(200);
    expect(data).toMatchObject({
      assessment: name,
      citizen,
      payer_name: NAME,
      total_amount: 60_000,
      currency: 'UGX',
      due_on,
      reference: number,
      lines: [
        {
          service_name: 'Property rates',
          amount: 60_000,
          category: 'standard',
          base_amount: 1_000_000,
          period: '2026/27',
          law: LAW,
        },
      ],
    });
  });

  it('200: says the day of the agency on which it was assessed, when that of UTC is another', async () => {
    const now = rail.rail.now().getTime();
    const hours = (dayOf(rail.rail.now()).getTime() + DAY_MS + 22.5 * HOUR_MS - now) / HOUR_MS;
    rail.advance(hours);
    try {
      const { name } = await assessed();
      const local = new Date(dayOf(rail.rail.now()).getTime() + DAY_MS);
      const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(local);
      expect((await noticeOf(name, 'text/plain')).text).toMatch(new RegExp(`Assessed on +${day}`));
    } finally {
      rail.advance(-hours);
    }
  });

  it('200: as text and PDF, in the language that is asked for', async () => {
    const { name, due_on } = await assessed();
    const number = await issue(name);
    const text = await noticeOf(name, 'text/plain');
    expect([text.status, text.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    const dueOn = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(due_on));
    for (const part of [name, NAME, number, LAW, 'UGX 60,000', 'Property rates', dueOn, 'of UGX 1,000,000'])
      expect(text.text.replaceAll(/\s+/g, ' ')).toContain(part);
    expect((await noticeOf(name, 'text/plain', actor.key, '?language=sw')).text).toContain('Namba ya kulipia');
    const pdf = await noticeOf(name, 'application/pdf');
    expect([pdf.status, pdf.text.slice(0, 5)]).toEqual([200, '%PDF-']);
    expect((await noticeOf(name, 'image/png')).status).toBe(406);
  });

  it('200: as PDF of a hundred lines, on as many pages as they take', async () => {
    const lines = Array.from({ length: 100 }, (_, place) => ({ service, base_amount: 100_000 + place }));
    const { name } = await assessed(actor, { lines });
    expect((await noticeOf(name, 'application/pdf')).status).toBe(200);
    expect((await noticeOf(name, 'text/plain')).text.match(/Property rates/g)).toHaveLength(100);
  });

  it('200: by its payment reference to anybody, in each form, and of no person', async () => {
    const { name } = await assessed();
    const number = await issue(name);
    const { status, data } = await publicNoticeOf(number);
    expect([status, data.reference, data.total_amount]).toEqual([200, number, 60_000]);
    // Nor does it tell more to who has a key.
    expect((await publicNoticeOf(number, 'application/json', actor.key)).data).toEqual(data);
    for (const accept of ['application/json', 'text/plain', 'application/pdf']) {
      const answer = await publicNoticeOf(number, accept);
      expect(answer.status).toBe(200);
      for (const canary of [NAME, 'Zawadi', 'Canary', 'CMCANARY', citizen, name])
        expect(answer.text).not.toContain(canary);
    }
  });

  it('200: without the name for who may not see people, and not as a page for who sees a part of it', async () => {
    const reader = (await rail.keyGranted({}, 'assessments.write')).plaintext;
    const lines = [{ service, base_amount: 100_000 }];
    const own = (await rail.ask('/v1/assessments', { key: reader, body: { citizen, lines, assess: true } })).data.name;
    expect((await noticeOf(own, 'application/json', reader)).data).toMatchObject({ citizen, payer_name: null });
    expect((await noticeOf(own, 'text/plain', reader)).text).not.toContain(NAME);
    const shared = await assessed(actor, { lines: [...lines, ...(await twoLines(rail))] });
    const token = await (await makeAgency(rail, 'URA')).token();
    const { data } = await noticeOf(shared.name, 'application/json', token);
    expect(data.lines.map(({ mda }: { mda: string }) => mda)).toEqual(['URA']);
    expect((await noticeOf(shared.name, 'text/plain', token)).status).toBe(403);
  });

  it('says the law that held when it was assessed', async () => {
    const { name } = await assessed();
    const admin = await makeStaff(rail, 'admin');
    const body = { tariff: { ...RATES, law: 'A later Act' } };
    await admin.ask(`/v1/ops/services/${service}`, { method: 'PATCH', body });
    expect((await noticeOf(name)).data.lines[0].law).toBe(LAW);
    expect((await noticeOf((await assessed()).name)).data.lines[0].law).toBe('A later Act');
    const plain = await assessed(actor, { lines: [{ service: await serviceNamed(rail, 'URA-PAYE') }] });
    expect((await noticeOf(plain.name)).data).toMatchObject({ due_on: null, lines: [{ law: null }] });
  });

  it('401, 404: by docname without a key, of another account, and for an unknown number', async () => {
    const { name } = await assessed();
    expect((await noticeOf(name, 'application/json', null)).status).toBe(401);
    expect((await noticeOf(name, 'application/pdf', null)).status).toBe(401);
    expect((await noticeOf(name, 'application/json', (await makeActor(rail)).key)).status).toBe(404);
    expect((await publicNoticeOf('4820917365136')).status).toBe(404);
    expect((await noticeOf('ASMT-2026-11-999999')).status).toBe(404);
  });

  it('422: of what is not Assessed, and by a number that can no longer be paid', async () => {
    const reason = ({ status, json }: Awaited<ReturnType<typeof noticeOf>>) => [status, json.error.details[0].code];
    expect(reason(await noticeOf((await assessed(actor, { assess: false })).name))).toEqual([
      422,
      'assessment_not_payable',
    ]);
    const { name } = await assessed();
    const number = await issue(name);
    const other = await assessed();
    const expired = await issue(other.name);
    await rail.rows(sql`update payment_reference set expires_at = now() - interval '1 day' where number = ${expired}`);
    expect(reason(await publicNoticeOf(expired))).toEqual([422, 'reference_not_payable']);
    expect((await noticeOf(other.name)).data.reference).toBeNull();
    await actor.post(`/v1/assessments/${name}:cancel`, { reason: 'Objection' });
    expect(reason(await noticeOf(name))).toEqual([422, 'assessment_not_payable']);
    expect(reason(await publicNoticeOf(number))).toEqual([422, 'reference_not_payable']);
  });
});
