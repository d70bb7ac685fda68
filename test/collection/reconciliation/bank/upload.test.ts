import { beforeAll, describe, expect, it } from 'vitest';
import { MOST_LINES } from '../../../../src/collection/reconciliation/bank/statement.ts';
import { sql } from '../../../../src/platform/database/sql.ts';
import { FORMS } from '../../../../src/sandbox/demo/money/statements.ts';
import { measureLongestTurn } from '../../../harness/chaos/held.ts';
import { BEARABLE_MS } from '../../../harness/chaos/worst/requests.ts';
import { makeActor } from '../../../harness/flow.ts';
import { makeAgency } from '../../../harness/people/agency.ts';
import { type StaffActor, makeStaff, makeStaffOf } from '../../../harness/people/staff.ts';
import { type Answer, testRail } from '../../../harness/rail.ts';

const rail = testRail();

let officer: StaffActor;
let ura: string;
let kcca: string;

beforeAll(async () => {
  officer = await makeStaffOf(rail, ['URA'], 'finance_officer');
  [ura, kcca] = (await Promise.all(['URA', 'KCCA'].map(accountOf))) as [string, string];
});

async function accountOf(mda: string): Promise<string> {
  const [row] = await rail.rows<{ account: string }>(
    sql`select collection_account as account from mda where name = ${mda}`,
  );
  return row!.account;
}

type Row = readonly [day: string, amount: number, text?: string, reference?: string];
const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, index): Row => ['2026-01-05', 1 + (index % 900), 'Payout', `L-${index}`]);
const HEADER = 'account,currency,booked_on,amount,balance,text,reference';
let references = 0;
/** A statement as CSV: of its account, where there is one, with the balances that its rows lead to. */
const csv = (account: string, opening: number, ...rows: Row[]) => {
  let balance = opening;
  const lines = rows.map(([day, amount, text = 'Payout', reference = `FT-${++references}`]) =>
    [account, 'UGX', day, amount, (balance += amount), text, reference].join(','),
  );
  return [HEADER, ...lines].join('\n');
};

const mt940 = (account: string, [from, to]: readonly [number, number], ...moves: string[]) =>
  [':20:A', `:25:${account}`, `:60F:C261101UGX${from},`, ...moves, `:62F:C261105UGX${to},`].join('\n');

const send = (
  body: string | Buffer,
  { as = officer, mda = 'URA', type = 'text/plain', query = '' } = {},
): Promise<Answer> =>
  as.ask(`/v1/agency/${mda}/bank-statements${query}`, {
    method: 'POST',
    body: new Blob([body as BlobPart]),
    headers: { 'content-type': type },
  });
const take = async (...of: Parameters<typeof send>) => {
  const { data, text, status } = await send(...of);
  expect(status, text).toBe(200);
  return data as { outcome: string; statement: string; account_last4: string; reason: string | null }[];
};
const statement = async (name: string, as = officer) => (await as.ask(`/v1/bank-statements/${name}`)).data;
const count = (table: 'bank_statement' | 'bank_line') =>
  rail.count(table === 'bank_line' ? sql`select from bank_line` : sql`select from bank_statement`);

describe('POST /v1/agency/{mda}/bank-statements', () => {
  it('200: takes a statement with its lines, whose texts say neither the account nor a phone number', async () => {
    const [one] = await take(
      csv(ura, 1_000, ['2026-10-01', 500, `From ${ura} by +256700123456`], ['2026-10-02', -200]),
    );
    expect(one).toMatchObject({ outcome: 'taken', account_last4: ura.slice(-4), reason: null });
    expect(await statement(one!.statement)).toMatchObject({
      name: expect.stringMatching(/^BST-\d{4}-\d\d-\d{6}$/),
      account_last4: ura.slice(-4),
      currency: 'UGX',
      format: 'csv',
      from_on: '2026-10-01',
      to_on: '2026-10-02',
      opening: 1_000,
      closing: 1_300,
      line_count: 2,
      gap: false,
      created_by: officer.email,
    });
    const lines = await officer.ask('/v1/agency/URA/bank-lines?from_date=2026-10-01&to_date=2026-10-02');
    expect(lines.data).toMatchObject([
      { name: `${one!.statement}.2`, value_on: '2026-10-02', amount: -200, kind: 'unknown', how: null },
      { name: `${one!.statement}.1`, booked_on: '2026-10-01', amount: 500, text: `From *${ura.slice(-4)} by *456` },
    ]);
    expect(lines.text).not.toContain(ura);
    expect((await officer.ask(`/v1/bank-lines/${one!.statement}.1`)).data).toEqual(lines.data[1]);
    const query = `{ bankStatement(id: "${one!.statement}") { lines(first: 1) { totals { currency amount } } } }`;
    const summed = await officer.post('/graphql', { query });
    expect(summed.json.data.bankStatement.lines.totals).toEqual([{ currency: 'UGX', amount: 300 }]);
    const audited = sql`select from operator_audit where action = 'bank_statement.upload' and subject = ${one!.statement}`;
    expect(await rail.count(audited)).toBe(1);
  });

  it('200: answers the first upload to the same file again, and to two at once', async () => {
    const file = csv(ura, 0, ['2026-09-01', 5]);
    const [first, second] = await Promise.all([take(file), take(file)]);
    expect([first[0]!.outcome, second[0]!.outcome].toSorted()).toEqual(['already', 'taken']);
    expect(await take(file)).toMatchObject([{ outcome: 'already', statement: first[0]!.statement }]);
    expect(second[0]!.statement).toBe(first[0]!.statement);
    expect(await rail.count(sql`select from bank_line where statement = ${first[0]!.statement}`)).toBe(1);
  });

  it('200: finds out the format, takes a file without an account as the agency’s, and joins what an account has of it', async () => {
    const bare = 'booked_on;amount;currency\n2026-08-03;"1,500.00";UGX';
    expect(await take(bare)).toMatchObject([{ outcome: 'taken', account_last4: ura.slice(-4) }]);
    const days = [
      mt940(ura, [10, 25], ':61:2611021102C15,NTRFNONREF//B1', ':86:payout'),
      mt940(ura, [25, 20], ':61:2611031103D5,NMSCFEE//B2'),
    ];
    const [one] = await take(days.join('\n-\n'));
    expect(await statement(one!.statement)).toMatchObject({ format: 'mt940', opening: 10, closing: 20, line_count: 2 });
    const lines = [{ day: '2026-07-01', amount: 700, text: 'Payout', reference: 'B-1' }];
    const camt = FORMS.camt053.write({ account: ura, opening: 0, lines });
    const [xml] = await take(camt, { type: 'application/xml' });
    expect(await statement(xml!.statement)).toMatchObject({
      format: 'camt053',
      opening: 0,
      closing: 700,
      line_count: 1,
    });
  });

  it('200: takes of several accounts those that are the caller’s', async () => {
    const file = csv(ura, 0, ['2026-06-01', 9]) + csv(kcca, 0, ['2026-06-01', 7]).replace(HEADER, '');
    expect(await take(file)).toMatchObject([
      { outcome: 'taken' },
      { outcome: 'refused', statement: null, reason: 'not_your_account', account_last4: kcca.slice(-4) },
    ]);
    const admin = await makeStaff(rail, 'admin');
    expect((await take(file, { as: admin })).map(({ outcome }) => outcome)).toEqual(['already', 'taken']);
  });

  it('200: says that a statement is missing before one, until it comes', async () => {
    const march = csv(ura, 100, ['2026-03-05', 50]);
    await take(csv(ura, 0, ['2026-02-05', 100]));
    const [april] = await take(csv(ura, 150, ['2026-04-05', 1]));
    expect(await statement(april!.statement)).toMatchObject({ gap: true, gap_closed_by: null });
    const [closing] = await take(march);
    expect(await statement(closing!.statement)).toMatchObject({ gap: false });
    expect(await statement(april!.statement)).toMatchObject({ gap: false, gap_closed_by: closing!.statement });
  });

  it('is for finance officers, operators and agencies, within their walls', async () => {
    const file = csv(ura, 0, ['2026-05-01', 3]);
    const token = async (scopes: readonly ('books.write' | 'payments.read')[]) => {
      const key = await (await makeAgency(rail, 'URA', scopes)).token();
      return rail.ask('/v1/agency/URA/bank-statements', {
        key,
        body: new Blob([file]),
        headers: { 'content-type': 'text/csv' },
      });
    };
    expect((await token(['payments.read'])).status).toBe(403);
    expect((await token(['books.write'])).data).toMatchObject([{ outcome: 'taken' }]);
    for (const role of ['supervisor', 'clerk', 'oversight', 'auditor'] as const)
      expect((await send(file, { as: await makeStaff(rail, role) })).status).toBe(403);
    const other = await makeStaffOf(rail, ['KCCA'], 'finance_officer');
    expect((await send(file, { as: other })).status).toBe(403);
    const wrong = await send(file, { as: other, mda: 'KCCA' });
    expect([wrong.status, wrong.json.error.details[0].code]).toEqual([422, 'not_your_account']);
    const [{ name }] = (await officer.ask('/v1/agency/URA/bank-statements')).data;
    expect((await other.ask(`/v1/bank-statements/${name}`)).status).toBe(404);
    expect((await other.ask(`/v1/bank-lines/${name}.1`)).status).toBe(404);
    expect((await other.ask('/v1/agency/URA/bank-lines')).data).toEqual([]);
    const actor = await makeActor(rail);
    expect((await actor.ask('/v1/agency/URA/bank-lines')).status).toBe(401);
    const oversight = await makeStaff(rail, 'oversight');
    const seen = await oversight.ask(`/v1/bank-lines/${name}.1`);
    expect(seen.data).toMatchObject({ amount: 3, reference: null, text: null });
  });

  it.each([
    [
      'balances that do not add up',
      () =>
        csv(ura, 0, ['2026-10-05', 5]).replace(',5,5,', ',5,6,') + csv(ura, 9, ['2026-10-06', 1]).replace(HEADER, ''),
      /add up/,
    ],
    ['a day to come', () => csv(ura, 0, ['2030-01-01', 5]), /line 2 is of a day to come/],
    [
      'a line that another file had',
      () => csv(ura, 77, ['2026-10-01', 4], ['2026-10-07', 8, 'Again', 'SAME']),
      /line 3 is in the statement BST/,
    ],
    ['no day', () => csv(ura, 0, ['yesterday', 5]), /line 2 has no valid day/],
    [
      'another currency',
      () => mt940(ura, [0, 5], ':61:261101C5,NTRFX').replace('C261105UGX', 'C261105USD'),
      /not in UGX/,
    ],
    ['an account report', () => '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.052.001.02"/>', /camt\.052/],
    ['what is no statement', () => 'a,b\n1,2', /lacks the column/],
  ])('422: refuses a file with %s, and takes nothing of it', async (_what, file, message) => {
    await take(csv(ura, 500, ['2026-10-07', 8, 'Again', 'SAME']));
    const before = [await count('bank_statement'), await count('bank_line')];
    const refused = await send(file());
    expect(refused.status).toBe(422);
    expect(JSON.stringify(refused.json.error.details)).toMatch(message);
    expect([await count('bank_statement'), await count('bank_line')]).toEqual(before);
  });

  it('415 and 422: refuses what is no text, and a format that there is not', async () => {
    expect((await send('{}', { type: 'application/json' })).status).toBe(415);
    expect((await send('a', { query: '?format=ofx' })).json.error.details[0].path).toBe('format');
  });

  it(`takes ${MOST_LINES} lines, and lets nobody wait for long`, async () => {
    const file = csv(ura, 0, ...rowsOf(MOST_LINES));
    let taken: Awaited<ReturnType<typeof take>> = [];
    const longest = await measureLongestTurn(async () => {
      taken = await take(file);
    });
    process.stdout.write(`the longest turn took ${longest.toFixed(0)} ms\n`);
    expect(await statement(taken[0]!.statement)).toMatchObject({ line_count: MOST_LINES });
    expect(longest).toBeLessThan(BEARABLE_MS);
  });

  it('422: refuses one line more than may be', async () => {
    expect((await send(csv(ura, 0, ...rowsOf(MOST_LINES + 1)))).status).toBe(422);
  });
});
