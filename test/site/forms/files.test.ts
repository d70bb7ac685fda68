import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { describe, expect, it } from 'vitest';
import { Attachment, readFields } from '../../../src/site/operations/fields.ts';
import { readLocal, writeLocal } from '../../../src/site/operations/local-time.ts';
import { schema } from '../../../src/app/schema.ts';
import { readDocuments } from '../../../src/site/operations/documents.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { measureLongestTurn } from '../../harness/chaos/held.ts';
import { BEARABLE_MS } from '../../harness/chaos/worst/requests.ts';
import { serviceNamed, someCitizen } from '../../harness/flow.ts';
import { makeStaff, makeStaffOf } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';
import { sendForm } from './sending.ts';

const rail = testRail();

const UPLOAD = '/console/reconciliation/upload';
const HEADER = 'External Transaction Id,Amount,Currency,Status,Id,Date\n';
const ROW = 'UNKNOWN-1,9000,UGX,SUCCESSFUL,TX-1,2026-11-21T09:00:00Z\n';

/** Sends a statement as the form does. */
const send = (cookie: string | null, csv: string | Uint8Array<ArrayBuffer>, more: Record<string, string> = {}) =>
  sendForm(rail, UPLOAD, cookie, { _page: UPLOAD, provider: 'mtn_momo', ...more, body: new Blob([csv]) });

const runs = () => rail.count(sql`select 1 from reconciliation_run`);

describe('a form with a file', () => {
  it('hands the file on as it is, and does so once however often it is sent', async () => {
    const { cookie } = await makeStaff(rail, 'system_manager');
    const mark = { _mark: 'the-mark-of-this-form' };
    const first = await send(cookie, HEADER + ROW, mark);
    expect(first.status).toBe(303);
    const location = first.headers.get('location')!;
    expect(location).toMatch(/^\/console\/reconciliation\/runs\/RECON-\d{4}-\d\d-\d{6}\?done=statementReconciled$/);
    expect((await send(cookie, HEADER + ROW, mark)).headers.get('location')).toBe(location);
    expect((await send(cookie, HEADER + ROW + ROW, mark)).status).toBe(422);
    expect(await runs()).toBe(1);
  });

  it('comes back with what is wrong with the file, and without it', async () => {
    const { cookie } = await makeStaff(rail, 'admin');
    const refused = await send(cookie, 'this,is\nno,statement\n', { fromDate: '2026-11-01' });
    expect(refused.status).toBe(422);
    const page = await refused.text();
    expect(page).toContain('role="alert"');
    expect(page).toContain('value="2026-11-01"');
    expect(page).not.toContain('[object');
    expect((await send(cookie, '')).status).toBe(422);
  });

  it('is read of those alone whom it is for, and no more of it than a statement has', async () => {
    const before = await runs();
    const stranger = await send(null, HEADER + ROW);
    expect([stranger.status, stranger.headers.get('location')]).toEqual([
      303,
      `/signin/staff?to=${encodeURIComponent(UPLOAD)}`,
    ]);
    const clerk = await makeStaff(rail, 'clerk');
    expect((await send(clerk.cookie, HEADER + ROW)).status).toBe(403);
    const { cookie } = await makeStaff(rail, 'admin');
    expect((await send(cookie, new Uint8Array(17 * 1024 * 1024))).status).toBe(413);
    const torn = { cookie, 'content-type': 'multipart/form-data; boundary=x' };
    const broken = await fetch(rail.origin + UPLOAD, { method: 'POST', body: '--x\r\ntorn', headers: torn });
    expect(broken.status).toBe(400);
    const form = { cookie, 'content-type': 'application/x-www-form-urlencoded' };
    const deep = await fetch(rail.origin + UPLOAD, { method: 'POST', body: 'a[b][c][d][e][f][g]=1', headers: form });
    expect(deep.status).toBe(400);
    const wrong = { cookie, 'content-type': 'text/plain' };
    const other = await fetch(`${rail.origin}/counter/shifts`, { method: 'POST', body: 'x', headers: wrong });
    expect(other.status).toBe(415);
    expect(await runs()).toBe(before);
  });

  it('is refused before a byte of it is read, where its sender lacks the role', async () => {
    const { cookie } = await makeStaff(rail, 'clerk');
    const headers = { cookie, origin: rail.origin, 'content-type': 'multipart/form-data; boundary=x' };
    // Announces a body that never comes.
    const request = httpRequest(rail.origin + UPLOAD, {
      method: 'POST',
      headers: { ...headers, 'content-length': 99 },
    });
    request.flushHeaders();
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    expect(answer.statusCode).toBe(403);
    request.destroy();
  });

  const part = (name: string) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n\r\n`;
  const tooMuch: Readonly<Record<string, () => string>> = {
    names: () => Array.from({ length: 200_000 }, (_, nth) => part(`n${nth}`)).join(''),
    nameless: () => '--x\r\n\r\n\r\n'.repeat(1_000_000),
    header: () => part('x'.repeat(15 * 1024 * 1024)),
    boundaries: () => '\r\n--'.repeat(4 * 1024 * 1024),
  };
  const sendTooMuch = async (body: string) => {
    const { cookie } = await makeStaff(rail, 'admin');
    const headers = { cookie, origin: rail.origin, 'content-type': 'multipart/form-data; boundary=x' };
    const { status } = await fetch(rail.origin + UPLOAD, { method: 'POST', headers, body: `${body}--x--` });
    expect([400, 413, 422]).toContain(status);
  };

  it.each(Object.entries(tooMuch))('has a bounded number of parts, with bounded headers: %s', async (_kind, body) => {
    await sendTooMuch(body());
  });

  // On a shared processor, a turn takes longer.
  it.each(Object.entries(tooMuch))('holds nobody up with more: %s', { tags: 'long' }, async (_kind, body) => {
    const text = body();
    expect(await measureLongestTurn(() => sendTooMuch(text))).toBeLessThan(BEARABLE_MS);
  });

  it('keeps texts as they were written', async () => {
    const { cookie } = await makeStaff(rail, 'admin');
    const page = await (await send(cookie, 'no statement', { fromDate: 'Jöhn “first”' })).text();
    expect(page).toContain('value="Jöhn “first”"');
  });

  it('has bytes, or what it says in JSON, and counts as blank where it is empty', () => {
    const { actions } = readDocuments(schema);
    const { fields } = actions.find(({ path }) => path === UPLOAD)!.steps[0]!;
    const body = new Attachment('a.csv', Buffer.from('a,b'));
    expect(readFields(fields, { provider: 'mtn_momo', body })).toEqual({ provider: 'mtn_momo', body: body.bytes });
    expect(readFields(fields, { body: new Attachment('', Buffer.alloc(0)) })).toEqual({});
  });
});

describe('a file of assessments', () => {
  const IMPORT = '/agency/import';
  const sendRows = (cookie: string, rows: readonly string[], more: Record<string, string> = {}) =>
    sendForm(rail, IMPORT, cookie, {
      _page: IMPORT,
      agency: 'URA',
      ...more,
      body: new Blob([['key,citizen,service', ...rows].join('\n')]),
    });

  it('is answered with its rows, the refused ones first and in the language of the reader, and as a file', async () => {
    const [citizen, service] = [await someCitizen(rail), await serviceNamed(rail, 'URA-PAYE')];
    const rows = [`=P1,${citizen},${service}`, `P-2,${citizen},SVC-2020-000001`];
    const { cookie } = await makeStaffOf(rail, ['URA'], 'finance_officer');
    const dry = await (await sendRows(cookie, rows, { dryRun: 'on' })).text();
    expect(dry).toContain('Nothing was made.');
    expect(await rail.count(sql`select from assessment where source_key is not null`)).toBe(0);
    const answer = await sendRows(`${cookie}; language=fr`, rows);
    expect(answer.status).toBe(200);
    const page = await answer.text();
    expect(page.indexOf('P-2')).toBeLessThan(page.indexOf('=P1'));
    expect(page).toContain('service introuvable');
    const [, file] = /href="data:text\/csv;base64,([^"]+)" download/.exec(page)!;
    const lines = Buffer.from(file!, 'base64').toString().split('\r\n');
    expect(lines[1]).toMatch(/^2,'=P1,created,ASMT-[\d-]+,450000,UGX,,,,$/);
    expect(lines[2]).toBe('3,P-2,refused,,,,,service,not_found,service: could not find this Service');
  });

  it('comes back with what is wrong with it as a whole', async () => {
    const { cookie } = await makeStaff(rail, 'admin');
    const refused = await sendRows(cookie, ['A,B,C,D'.repeat(30_000)]);
    expect([refused.status, (await refused.text()).includes('a line that is too long')]).toEqual([422, true]);
  });
});

describe('a moment by the clock of a place', () => {
  it.each([
    ['2026-11-22T10:30', 'Africa/Kampala', '2026-11-22T07:30:00.000Z'],
    ['2026-07-01T00:00', 'Europe/Paris', '2026-06-30T22:00:00.000Z'],
    ['2026-03-29T03:30', 'Europe/Paris', '2026-03-29T01:30:00.000Z'],
    ['2026-10-25T00:30', 'America/St_Johns', '2026-10-25T03:00:00.000Z'],
  ])('%s in %s is %s', (local, timeZone, moment) => {
    expect(readLocal(local, timeZone)).toBe(moment);
    expect(writeLocal(moment, timeZone)).toBe(local);
  });

  it('is left as it is where it is none, or the place is none', () => {
    expect(readLocal('2026-11-22T10:30', 'Nowhere')).toBe('2026-11-22T10:30');
    expect(readLocal('2026-11-22', 'Africa/Kampala')).toBe('2026-11-22');
    expect(readLocal('2026-99-99T10:30', 'Africa/Kampala')).toBe('2026-99-99T10:30');
    expect(writeLocal(null, 'Africa/Kampala')).toBe('');
  });
});

describe('a file of a bank', () => {
  const BANK = '/agency/bank';
  const sendFile = (cookie: string, rows: readonly string[]) =>
    sendForm(rail, BANK, cookie, {
      _page: BANK,
      agency: 'URA',
      body: new Blob([['booked_on,amount,currency,balance,text', ...rows].join('\n')]),
    });

  it('is answered with its statements, and its lines are on the page then, which others only read', async () => {
    const { cookie, ask } = await makeStaffOf(rail, ['URA'], 'finance_officer');
    const answer = await sendFile(cookie, ['2026-01-05,2500,UGX,3500,Payout of Monday']);
    expect([answer.status, /BST-[\d-]+/.test(await answer.text())]).toEqual([200, true]);
    const gap = await sendFile(cookie, ['2026-01-06,5,UGX,10,Late']);
    expect(await gap.text()).toContain('Upload the one that is missing');
    const html = { headers: { accept: 'text/html' } };
    const { text } = await ask(BANK, html);
    for (const said of ['Payout of Monday', 'Unknown', 'Upload a statement']) expect(text).toContain(said);
    const supervisor = await (await makeStaffOf(rail, ['URA'], 'supervisor')).ask(BANK, html);
    expect(supervisor.text).toContain('Payout of Monday');
    expect(supervisor.text).not.toContain('Upload a statement');
    const other = await (await makeStaffOf(rail, ['KCCA'], 'finance_officer')).ask(BANK, html);
    expect(other.text).not.toContain('Payout of Monday');
  });

  it('comes back in the language of the reader with what is wrong with it', async () => {
    const { cookie } = await makeStaffOf(rail, ['URA'], 'finance_officer');
    const refused = await sendFile(`${cookie}; language=fr`, ['demain,5,UGX,5,a']);
    expect([refused.status, (await refused.text()).includes('la ligne 2 n’a pas de jour valable')]).toEqual([
      422,
      true,
    ]);
  });
});
