import { BATCH } from '../../../src/collection/references/import/import.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { seedRandom } from '../../harness/chaos/tampering.ts';
import { type Actor, makeActor, serviceNamed } from '../../harness/flow.ts';
import { makeAgency } from '../../harness/people/agency.ts';
import { type StaffActor, makeStaff, makeStaffOf } from '../../harness/people/staff.ts';
import { type Ask, testRail } from '../../harness/rail.ts';
import { GATE, type Gate, closeGate } from '../../harness/run/gate.ts';
import { drawSeed } from '../../harness/run/seed.ts';

const rail = testRail();

const NIN = 'CM99CANARY0001';
const TIN = '1000987654';
const NAMES = ['Canary Nightingale', 'Canary Traders'];

let admin: StaffActor;
let actor: Actor;
let agency: string;
let person: string;
/** A plain fee, and one that the agency states. */
let fee: string;
let stated: string;

beforeAll(async () => {
  admin = await makeStaff(rail, 'admin');
  actor = await makeActor(rail);
  agency = await (await makeAgency(rail, 'URA', ['assessments.import', 'assessments.write', 'payments.read'])).token();
  const { data } = await actor.post('/v1/citizens', { nin: NIN, full_name: NAMES[0], phone: '+256799000111' });
  person = data.name;
  expect((await admin.post('/v1/organisations', { tin: TIN, name: NAMES[1] })).status).toBe(200);
  fee = await serviceNamed(rail, 'URA-PAYE');
  stated = await create('URA', { kind: 'stated', by: 'agency', least: 10 });
});

let count = 0;
async function create(mda: string, standard: object, more: object = {}): Promise<string> {
  const tariff = { law: 'Income Tax Act', due: { days: 30 }, categories: { standard, ...more } };
  const service = { mda, code: `I-${++count}`, service_name: 'Charged', sector: 'tax', family: 'tax', tariff };
  return (await admin.post('/v1/ops/services', service)).data.name;
}

const HEADER = 'key,number,service,category,quantity,base_amount,stated_amount,period,due_on,reference_days,notify';
type Row = Readonly<Record<string, string | number>>;
/** A file with these rows; of a row what is not said is blank. */
const fileOf = (...rows: Row[]) =>
  [
    HEADER,
    ...rows.map((row) =>
      HEADER.split(',')
        .map((column) => row[column] ?? '')
        .join(','),
    ),
  ].join('\n');
let keys = 0;
const row = (more: Row = {}): Row & { readonly key: string } => ({
  key: `K-${++keys}`,
  number: NIN,
  service: fee,
  ...more,
});

interface Imported {
  readonly line: number;
  readonly key: string | null;
  readonly outcome: string;
  readonly assessment: string | null;
  readonly total_amount: number | null;
  readonly payment_reference: string | null;
  readonly column: string | null;
  readonly reason: string | null;
  readonly message: string | null;
}

const send = (body: string | Blob, { query = '', ...more }: Ask & { query?: string } = {}) =>
  rail.ask(`/v1/agency/URA/assessments:import${query}`, {
    key: agency,
    body,
    ...more,
    headers: { 'content-type': 'text/csv', ...more.headers },
  });
const take = async (...rows: Row[]): Promise<Imported[]> => (await send(fileOf(...rows))).data;
const refusalOf = async (...rows: Row[]) => {
  const { outcome, column, reason } = (await take(...rows)).at(-1)!;
  return [outcome, column, reason];
};
const keyed = (key: string) =>
  rail.count(sql`select 1 from assessment where source_mda = 'URA' and source_key = ${key}`);

describe('POST /v1/agency/{mda}/assessments:import', () => {
  it('200: makes an Assessed assessment of each row, the agency’s own, with what the row states', async () => {
    const [one, two] = await take(
      row({ quantity: 2, reference_days: 30 }),
      row({ number: TIN, service: stated, stated_amount: '"1,250,000"', period: '2026-10', due_on: '2027-02-28' }),
    );
    expect(one).toMatchObject({ line: 2, outcome: 'created', total_amount: 900_000, reason: null });
    expect(two).toMatchObject({ line: 3, outcome: 'created', total_amount: 1_250_000, payment_reference: null });
    const { data } = await rail.ask(`/v1/assessments/${two!.assessment}`, { key: agency });
    expect(data).toMatchObject({ status: 'Assessed', due_on: '2027-02-28', currency: 'UGX' });
    expect(data.lines).toMatchObject([{ service: stated, mda: 'URA', stated_amount: 1_250_000, period: '2026-10' }]);
    const reference = await rail.ask(`/v1/payment-references/${one!.payment_reference}`, { key: agency });
    expect(reference.data).toMatchObject({ status: 'Issued', amount: 900_000, assessment: one!.assessment });
    expect((await actor.ask(`/v1/assessments/${one!.assessment}`)).status).toBe(404);
    expect(
      await rail.rows(sql`
        select kind, summary->>0 as said, actor from trace_row where assessment = ${one!.assessment} order by id`),
    ).toEqual(
      ['Draft created', '{0} → {1}', 'Payment reference {0} issued'].map((said) => {
        return { kind: 'assessment.update', said, actor: 'URA' };
      }),
    );
  });

  it('200: has the timeline and the columns of one that is made singly', async () => {
    const [{ assessment } = { assessment: null }] = await take(row({ service: stated, stated_amount: 500 }));
    const lines = [{ service: stated, stated_amount: 500 }];
    const byItself = await rail.ask('/v1/assessments', { key: agency, body: { citizen: person, lines, assess: true } });
    const [one, other] = await Promise.all(
      [assessment, byItself.data.name as string].map(async (name) => [
        await rail.rows(sql`
          select citizen, status, currency, total_amount, line_count, due_on, integrator, source_mda, revision
          from assessment where name = ${name}`),
        await rail.rows(sql`
          select idx, service, service_name, mda, quantity, rate, amount, category, base_amount, stated_amount, waived
          from assessment_line where assessment = ${name}`),
        await rail.rows(sql`select kind, summary, detail from trace_row where assessment = ${name} order by id`),
      ]),
    );
    expect(one).toEqual(other);
  });

  it('200: has one without anything to pay made, without a number to pay it by', async () => {
    const free = await create('URA', { kind: 'fixed', amount: 0 });
    const [made] = await take(row({ service: free, reference_days: 30 }));
    expect(made).toMatchObject({ outcome: 'created', total_amount: 0, payment_reference: null });
  });

  it('200: makes nothing twice: sent again, each row is answered with what its key stands for', async () => {
    const rows = [
      row({ reference_days: 5 }),
      row({ service: stated, stated_amount: 20 }),
      row({ number: 'CM00NOBODY01' }),
    ];
    const first = await take(...rows);
    const again = await take(...rows);
    expect(again).toEqual(first.map((one) => ({ ...one, outcome: one.outcome === 'created' ? 'already' : 'refused' })));
    // In any order, and with columns that say what is so anyway.
    const [, second] = await take(rows[0]!, { ...rows[1]!, category: 'standard', quantity: 1 });
    expect(second).toMatchObject({ outcome: 'already', assessment: first[1]!.assessment });
  });

  it.each([
    ['another amount', { stated_amount: 21 }],
    ['another payer', { number: TIN }],
    ['another period', { period: '2027' }],
    ['another due day', { due_on: '2027-01-01' }],
    ['another service', { service: '' }],
  ])('200: refuses a key that stands for %s, and names its assessment', async (_what, more) => {
    const before = row({ service: stated, stated_amount: 20 });
    const [made] = await take(before);
    const [refused] = await take({ ...before, ...more, ...('service' in more && { service: fee, stated_amount: '' }) });
    expect(refused).toMatchObject({ outcome: 'refused', reason: 'key_taken', assessment: made!.assessment });
    expect(refused!.message).toBe(`key: stands for ${made!.assessment}`);
    expect(await keyed(before.key)).toBe(1);
  });

  it('200: ?dry_run=true answers the same and writes nothing', async () => {
    const rows = [row({ reference_days: 5 }), row({ number: 'CM00NOBODY01' }), row({ quantity: 0 })];
    const before = await sizesOfTables();
    const dry: Imported[] = (await send(fileOf(...rows), { query: '?dry_run=true' })).data;
    expect(await sizesOfTables()).toEqual(before);
    const made = await take(...rows);
    expect(dry).toEqual(made.map((one) => ({ ...one, assessment: null, payment_reference: null })));
    expect(made.map(({ outcome }) => outcome)).toEqual(['created', 'refused', 'refused']);
  });

  it('200: as CSV for who asks for it, in which no text is a formula', async () => {
    const key = '=1+1';
    const answer = await send(fileOf({ ...row(), key }, { ...row(), key }), { headers: { accept: 'text/csv' } });
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('content-disposition')]).toEqual([
      200,
      'text/csv; charset=utf-8; header=present',
      'attachment; filename="assessments-import.csv"',
    ]);
    const [header, one, two] = answer.text.split('\r\n');
    expect(header).toBe('line,key,outcome,assessment,total_amount,currency,payment_reference,column,reason,message');
    expect(one).toMatch(/^2,'=1\+1,created,ASMT-[\d-]+,450000,UGX,,,,$/);
    expect(two).toBe("3,'=1+1,refused,,,,,key,key_repeated,key: stands in an earlier row of the file");
    // What was answered can be sent again.
    expect(await take({ ...row(), key: "'=1+1" })).toMatchObject([{ outcome: 'already', key }]);
  });

  it('200: files as spreadsheets save them: semicolons, a byte order mark, other columns in another order, quotes', async () => {
    const file = `\uFEFFservice;citizen;key;notify\r\n${fee};${person};"S-1";TRUE\r\n\r\n;;;\r\n`;
    expect((await send(file)).data).toMatchObject([{ line: 2, key: 'S-1', outcome: 'created' }]);
    expect(await keyed('S-1')).toBe(1);
  });
});

const sizesOfTables = () =>
  rail.rows(sql`
    select (select count(*) from assessment) as assessments, (select count(*) from trace_row) as trace,
      (select count(*) from outbox) as messages, (select sum(next) from docname_counter) as numbers,
      (select count(*) from payment_reference) as refs`);

describe('a row that is wrong', () => {
  it.each([
    ['no key', { key: '' }, 'key', 'validation_failed'],
    ['a key of 65 characters', { key: 'k'.repeat(65) }, 'key', 'validation_failed'],
    ['a NUL', { period: '20\u000026' }, 'period', 'validation_failed'],
    ['a number that is none', { number: 'x' }, 'number', 'validation_failed'],
    ['an unknown number', { number: 'CM00NOBODY02' }, 'number', 'not_found'],
    ['a number without a registered person', { number: '' }, 'number', 'validation_failed'],
    ['no service', { service: '' }, 'service', 'validation_failed'],
    ['an unknown service', { service: 'SVC-2020-000001' }, 'service', 'not_found'],
    ['a quantity of 0', { quantity: 0 }, 'quantity', 'validation_failed'],
    ['a quantity of 1.5', { quantity: '1.5' }, 'quantity', 'validation_failed'],
    ['a quantity of 10,001', { quantity: 10_001 }, 'quantity', 'validation_failed'],
    ['a category of a plain fee', { category: 'refugee' }, 'category', 'category_unknown'],
    ['a base of a plain fee', { base_amount: 5 }, 'base_amount', 'base_not_expected'],
    ['an amount of a plain fee', { stated_amount: 5 }, 'stated_amount', 'amount_not_expected'],
    ['an amount as text', { stated_amount: 'five' }, 'stated_amount', 'validation_failed'],
    ['an amount in a currency', { stated_amount: 'UGX 500' }, 'stated_amount', 'validation_failed'],
    ['a base of 16 digits', { base_amount: '1234567890123456' }, 'base_amount', 'validation_failed'],
    ['a period of 21 letters', { period: 'x'.repeat(21) }, 'period', 'validation_failed'],
    ['the 30 February', { due_on: '2027-02-30' }, 'due_on', 'validation_failed'],
    ['a day in another form', { due_on: '28/02/2027' }, 'due_on', 'validation_failed'],
    ['91 days', { reference_days: 91 }, 'reference_days', 'validation_failed'],
    ['another word than true or false', { notify: 'yes' }, 'notify', 'validation_failed'],
  ])('is refused alone: %s', async (_what, more, column, reason) => {
    const good = row();
    expect(await refusalOf(good, { ...row(), ...more })).toEqual(['refused', column, reason]);
    expect(await keyed(good.key)).toBe(1);
  });

  it('is refused for what its tariff asks for, and does not', async () => {
    const rates = await create('URA', { kind: 'percent', percent: 6, base: 'rateable value', least: 2_000 });
    const wrong = async (more: Row) => refusalOf(row(more));
    expect(await wrong({ service: rates })).toEqual(['refused', 'base_amount', 'base_required']);
    expect(await wrong({ service: rates, base_amount: -5 })).toEqual(['refused', 'base_amount', 'validation_failed']);
    expect(await wrong({ service: rates, base_amount: 5, category: 'x' })).toEqual([
      'refused',
      'category',
      'category_unknown',
    ]);
    expect(await wrong({ service: rates, base_amount: 5, quantity: 2 })).toEqual([
      'refused',
      'quantity',
      'validation_failed',
    ]);
    expect(await wrong({ service: stated })).toEqual(['refused', 'stated_amount', 'amount_required']);
    expect(await wrong({ service: stated, stated_amount: 5 })).toEqual([
      'refused',
      'stated_amount',
      'validation_failed',
    ]);
    const [least] = await take(row({ service: rates, base_amount: 100 }));
    expect(least).toMatchObject({ outcome: 'created', total_amount: 2_000 });
  });

  it('is refused for a service of another agency', async () => {
    const other = await create('URSB', { kind: 'fixed', amount: 5 });
    expect(await refusalOf(row({ service: other }))).toEqual(['refused', 'service', 'service_not_offered']);
  });

  it('is refused for the key of an earlier row, also of a refused one', async () => {
    const same = row({ quantity: 0 });
    expect(await refusalOf(same, { ...row(), key: same.key })).toEqual(['refused', 'key', 'key_repeated']);
    expect(await keyed(same.key)).toBe(0);
  });

  it('is refused for a number and a docname at once, and for cells beyond the columns', async () => {
    const both = `key,service,number,citizen\nB-1,${fee},${NIN},${person}\nB-2,${fee},${NIN},,more\n`;
    expect(((await send(both)).data as Imported[]).map(({ column, reason }) => [column, reason])).toEqual([
      ['citizen', 'validation_failed'],
      ['key', 'validation_failed'],
    ]);
  });

  it('registers nobody', async () => {
    const citizens = () => rail.count(sql`select 1 from citizen`);
    const before = await citizens();
    await take(row({ number: 'CM00NOBODY03' }));
    expect(await citizens()).toBe(before);
  });
});

describe('a file that is wrong as a whole', () => {
  it.each([
    ['an empty one', '', 'the file is empty'],
    ['without the column service', 'key,number\nA,B', 'the file lacks the column service'],
    ['without anybody who owes', 'key,service\nA,B', 'the file lacks the column number'],
    ['with a column twice', 'key,service,number,key\nA,B,C,D', 'the file has the column key twice'],
    ['with an unknown column', 'key,service,number,rate\nA,B,C,5', 'the file has the column rate, which is not known'],
    [
      '2,000 columns',
      `key,service,number,${Array.from({ length: 2_000 }, (_, i) => `c${i}`).join(',')}\nA,B,C`,
      'the file has the column c0, which is not known',
    ],
    [
      '10,001 rows',
      `key,service,number\n${'A,B,C\n'.repeat(10_001)}`,
      'the file has more than 10000 rows; send it in parts',
    ],
    ['a line without an end', `key,service,number\n${'x'.repeat(100_000)}`, 'the file has a line that is too long'],
    ['an open quote', 'key,service,number\n"A,B,C\n', 'line 2 is not CSV: csv quote not closed'],
  ])('422: %s', async (_what, file, message) => {
    const answer = await send(file);
    expect([answer.status, answer.json.error.details[0].message]).toEqual([422, message]);
  });

  it('422: other bytes than UTF-8, by their line', async () => {
    const answer = await send(new Blob(['key,service,number\nA,B,C\n', Buffer.from([0xe9])]));
    expect(answer.json.error.details[0].message).toBe('line 3 is not UTF-8: save the file as UTF-8');
  });

  it('413: of more than 16 MiB; 415: no CSV', async () => {
    expect((await send(new Blob([Buffer.alloc(16 * 1024 * 1024 + 1)]))).status).toBe(413);
    expect((await send('{}', { headers: { 'content-type': 'application/json' } })).status).toBe(415);
  });

  it('keeps to its outcome however it is spoilt: each row is answered, or none', async () => {
    const random = seedRandom(drawSeed('import'));
    const file = Buffer.from(fileOf(...Array.from({ length: 20 }, () => row())));
    for (let round = 0; round < 40; round++) {
      const spoilt = Buffer.from(file);
      for (let i = 0; i < 3; i++) spoilt[Math.floor(random() * spoilt.length)] = Math.floor(random() * 256);
      const { status } = await send(new Blob([spoilt]));
      expect([200, 422]).toContain(status);
    }
    expect(await rail.count(sql`select 1 from assessment a where source_mda = 'URA' and citizen <> ${person}`)).toBe(1);
  });
});

describe('who may import', () => {
  const file = () => fileOf(row());
  const by = (who: Pick<StaffActor, 'ask'>, mda = 'URA') =>
    who.ask(`/v1/agency/${mda}/assessments:import`, {
      method: 'POST',
      body: file(),
      headers: { 'content-type': 'text/csv' },
    });

  it('200: operators and finance officers of the agency, whose imports are the agency’s', async () => {
    for (const who of [
      admin,
      await makeStaff(rail, 'system_manager'),
      await makeStaffOf(rail, ['URA'], 'finance_officer'),
    ]) {
      const { status, data } = await by(who);
      expect([status, data[0].outcome]).toEqual([200, 'created']);
      expect((await rail.ask(`/v1/assessments/${data[0].assessment}`, { key: agency })).status).toBe(200);
    }
  });

  it('403: beyond one’s walls, without the scope, and by accounts and other roles', async () => {
    const [officer, clerk] = [await makeStaffOf(rail, ['URSB'], 'finance_officer'), await makeStaff(rail, 'clerk')];
    const supervisor = await makeStaffOf(rail, ['URA'], 'supervisor');
    for (const who of [officer, clerk, supervisor, actor]) expect((await by(who)).status).toBe(403);
    const writer = await (await makeAgency(rail, 'URA', ['assessments.write'])).token();
    const importer = await (await makeAgency(rail, 'URSB', ['assessments.import'])).token();
    for (const key of [writer, importer]) expect((await send(file(), { key })).status).toBe(403);
  });

  it('404: for an agency that there is not', async () => {
    expect((await by(admin, 'NOWHERE')).status).toBe(404);
  });

  it('no answer, log line or timeline has a name, a phone or a number of who owes', async () => {
    const answers = [
      await send(fileOf(row(), row({ number: TIN, quantity: 0 }), row({ number: TIN }))),
      await send(file()),
    ];
    const traces = await rail.rows(sql`select summary, detail from trace_row`);
    const told = JSON.stringify([answers.map(({ text }) => text), traces, rail.logged]);
    for (const canary of [...NAMES, NIN, TIN, '799000111']) expect(told).not.toContain(canary);
  });
});

describe('at the same time', () => {
  it('two that send the same file make nothing twice, and both are answered for each row', async () => {
    const rows = Array.from({ length: 450 }, () => row({ reference_days: 9 }));
    const [one, other] = await Promise.all([take(...rows), take(...rows.toReversed())]);
    const byKey = new Map(other.map((each) => [each.key, each]));
    for (const { key, assessment, payment_reference, outcome } of one) {
      const same = byKey.get(key)!;
      expect([same.assessment, same.payment_reference]).toEqual([assessment, payment_reference]);
      expect([outcome, same.outcome].toSorted()).toEqual(['already', 'created']);
    }
    expect(
      await rail.count(sql`
      select from assessment where source_key = any(${rows.map(({ key }) => key)}) and status = 'Assessed'`),
    ).toBe(450);
  });

  /** Sends a file whose second batch waits at a gate, which something opens that is done meanwhile. */
  async function sendAndDo(
    service: string,
    work: (open: Gate['open']) => Promise<unknown>,
  ): Promise<[Row[], Imported[]]> {
    const rows = Array.from({ length: 350 }, (_, nth) => row({ service, ...(nth === 100 && { period: 'GATE' }) }));
    const gate = await closeGate(rail.url);
    const sending = take(...rows);
    await expect.poll(() => gate.waiting()).toHaveLength(1);
    await work(gate.open);
    return [rows, await sending];
  }

  beforeAll(async () => {
    await rail.query(`
      create function pass_gate() returns trigger language plpgsql set lock_timeout = 0 as $$
      begin perform ${GATE.text}; return new; end $$`);
    await rail.query(`
      create trigger gate before insert on assessment_line for each row when (new.period = 'GATE')
        execute function pass_gate()`);
  });

  it('an agency that is closed between two batches has the rest of its rows refused, by line', async () => {
    const [rows, imported] = await sendAndDo(fee, async (open) => {
      await rail.rows(sql`update mda set status = 'Inactive' where name = 'URA'`);
      await open();
    });
    await rail.rows(sql`update mda set status = 'Active' where name = 'URA'`);
    expect(imported.map(({ outcome }) => outcome)).toEqual([
      ...Array.from({ length: 100 + BATCH }, () => 'created'),
      ...Array.from({ length: 250 - BATCH }, () => 'refused'),
    ]);
    expect(imported.at(-1)).toMatchObject({ line: 351, column: 'service', reason: 'service_not_offered' });
    const again = await take(...rows);
    expect(again.map(({ outcome }) => outcome)).toEqual(
      imported.map(({ outcome }) => (outcome === 'created' ? 'already' : 'created')),
    );
  });

  it('a fee that changes is charged as it is when the row is made', async () => {
    const plain = await create('URA', { kind: 'fixed', amount: 100 });
    const tariff = { law: 'Income Tax Act', categories: { standard: { kind: 'fixed', amount: 120 } } };
    const [, imported] = await sendAndDo(plain, async (open) => {
      // Waits for the batch that is under way.
      const body = { tariff, reason: 'Budget' };
      const changing = admin.ask(`/v1/ops/services/${plain}`, { method: 'PATCH', body });
      await open();
      expect((await changing).status).toBe(200);
    });
    const totals = imported.map(({ total_amount }) => total_amount);
    expect(totals.slice(0, 100 + BATCH)).toEqual(Array.from({ length: 100 + BATCH }, () => 100));
    expect(totals.toSorted((a, b) => a! - b!)).toEqual(totals);
    expect((await take(row({ service: plain })))[0]!.total_amount).toBe(120);
  });
});
