import { describe, expect, it } from 'vitest';
import { type StatementFormat, formatAs, statementFormat } from '../../../src/adapters/payment/statement.ts';
import { type Statement, readStatement } from '../../../src/collection/reconciliation/read.ts';
import { Refusal } from '../../../src/kernel/refusal.ts';

const H = 'External Transaction Id,Amount,Currency,Status,Id,Date';
const columns = {
  reference: 'External Transaction Id',
  amount: 'Amount',
  currency: 'Currency',
  status: 'Status',
  txn_id: 'Id',
  settled_at: 'Date',
};
const NONE = { reference: '', amount: '', currency: null, status: null, txnId: null, settledAt: null };
const DEFAULTS = formatAs(
  { delimiter: ',', columns: NONE, paid: [] },
  statementFormat.parse({ columns, paid: ['SUCCESSFUL'] }),
);
const formatBy = (more: object = {}): StatementFormat => formatAs(DEFAULTS, statementFormat.parse(more));

const rowOf = ({
  reference = 'P1',
  amount = '143000',
  currency = 'UGX',
  status = 'SUCCESSFUL',
  id = 'T1',
  date = '2026-11-05 10:00:00',
} = {}) => [reference, amount, currency, status, id, date].join(',');

const read = (file: string | Buffer, more: object = {}, zone = 'Africa/Kampala'): Promise<Statement> =>
  readStatement(Buffer.from(file as string), formatBy(more), zone);

async function refusalOf(file: string | Buffer, more: object = {}): Promise<string> {
  const error = await read(file, more).then(
    () => null,
    (caught: unknown) => caught,
  );
  if (!(error instanceof Refusal)) throw new Error(`not refused: ${String(error)}`);
  return error.details.map(({ message }) => String(message)).join('; ');
}

const utf16 = (text: string, bigEndian = false) => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return bigEndian ? bytes.swap16() : bytes;
};

describe('a statement is read with its one payment', () => {
  it.each<[string, string | Buffer, object?]>([
    ['as it is', `${H}\n${rowOf()}\n`],
    ['without an end of the last line', `${H}\n${rowOf()}`],
    [
      'after lines about the account',
      `Account statement\nAccount,256770000001\nPeriod,2026-11-01 to 2026-11-30\n\n${H}\n${rowOf()}`,
    ],
    ['after a line with a quotation mark', `Account of "Kampala"\n"Opening, 5\n${H}\n${rowOf()}`],
    ['after 49 lines', `${'About the account\n'.repeat(49)}${H}\n${rowOf()}`],
    ['with rows of commas', `${H}\n${rowOf()}\n,,,,,\n , ,,,,\n`],
    ['with blank lines', `\n\n${H}\n\n${rowOf()}\n\n\n`],
    ['with a comma at the end of the header', `${H},\n${rowOf()}`],
    ['with commas at the end of rows', `${H}\n${rowOf()},,,`],
    ['with a hint for Excel', `sep=,\n${H}\n${rowOf()}`],
    ['with semicolons', `${H}\n${rowOf()}`.replaceAll(',', ';')],
    ['with a hint for Excel and semicolons', `sep=;\n${`${H}\n${rowOf()}`.replaceAll(',', ';')}`],
    ['with tabs', `${H}\n${rowOf()}`.replaceAll(',', '\t')],
    ['with CR LF', `${H}\r\n${rowOf()}\r\n`],
    ['with CR alone', `${H}\r${rowOf()}\r`],
    ['with ends of several kinds', `${H}\r\n${rowOf()}\n\r\n\r`],
    ['with a byte order mark', `\ufeff${H}\n${rowOf()}`],
    ['in UTF-16', utf16(`${H}\n${rowOf()}\n`)],
    ['in UTF-16, the other way round', utf16(`${H}\n${rowOf()}\n`, true)],
    [
      'in an encoding that is named',
      Buffer.from(`${H},Payer\n${rowOf()},Ren\xe9e`, 'latin1'),
      { encoding: 'windows-1252' },
    ],
    ['with hard blanks in the header', `${H.replaceAll(' ', '\u00a0')}\n${rowOf()}`],
    ['with several blanks in the header', `${H.replaceAll(' ', '  ')}\n${rowOf()}`],
    ['with columns that nobody reads', `No,${H},Note\n1,${rowOf()},"a ""note"", \nof two lines"`],
    ['with a reference as Excel keeps it', `${H}\n${rowOf({ reference: '="P1"' })}`],
    ['with a reference after an apostrophe', `${H}\n${rowOf({ reference: "'P1" })}`],
    ['with a status in lower case', `${H}\n${rowOf({ status: 'Successful' })}`],
    ...[
      '143000.00',
      '"143,000"',
      '143 000',
      '143\u00a0000',
      '"UGX 143,000"',
      '"143,000 UGX"',
      'UGX143000',
      '+143000',
      '="143000"',
      '１４３０００',
    ].map((amount): [string, string] => [`with the amount ${amount}`, `${H}\n${rowOf({ amount })}`]),
  ])('%s', async (_how, file, more) => {
    const { rows, ignored } = await read(file, more);
    expect(rows.map(({ reference, amount, currency }) => [reference, amount.toNumber(), currency])).toEqual([
      ['P1', 143_000, 'UGX'],
    ]);
    expect(rows[0]).toMatchObject({ txnId: 'T1', settledAt: new Date('2026-11-05T07:00:00Z') });
    expect(ignored).toBe(0);
  });
});

describe('a row is left out', () => {
  it.each([
    ['a failure without an amount', rowOf({ status: 'FAILED', amount: '' })],
    ['a failure whose amount cannot be read', rowOf({ status: 'FAILED', amount: 'n/a' })],
    ['nothing', rowOf({ amount: '0.00' })],
    ['a withdrawal in a column of its own', rowOf({ amount: '' })],
    ['a total', 'Total,143000,,,,'],
    ['a total with its currency aside', ',"143,000",,,,'],
    ['a line of its own', 'End of statement'],
    ['a status that nobody knows', rowOf({ status: 'SETTLED LATER' })],
  ])('%s', async (_what, row) => {
    const { rows, ignored } = await read(`${H}\n${rowOf()}\n${row}\n`);
    expect([rows.length, ignored]).toEqual([1, 1]);
  });

  it.each([
    ['in brackets', '"(5,000)"'],
    ['with its sign at the end', '"5,000-"'],
    ['with a minus of typography', '\u2212 5000'],
  ])('but not money that went back, %s', async (_what, amount) => {
    const { rows, ignored } = await read(`${H}\n${rowOf()}\n${rowOf({ amount })}\n`);
    expect([rows.map((row) => row.amount.toNumber()).at(-1), ignored]).toEqual([-5_000, 0]);
  });

  it('and counted by its status', async () => {
    const others = ['FAILED', 'Completed', 'FAILED'].map((status) => rowOf({ status }));
    const { ignoredStatuses } = await read([H, rowOf(), ...others].join('\n'));
    expect(ignoredStatuses).toEqual({ FAILED: 2, Completed: 1 });
  });

  it('also where all of them failed', async () => {
    expect(await read(`${H}\n${rowOf({ status: 'FAILED' })}`)).toMatchObject({ rows: [], ignored: 1 });
  });
});

describe('dates are read by ISO 8601', () => {
  it.each([
    ['2026-11-05', '2026-11-04T21:00:00Z'],
    ['2026-11-05 10:00', '2026-11-05T07:00:00Z'],
    ['2026-11-05T10:00:30', '2026-11-05T07:00:30Z'],
    ['2026-11-05 10:00:00Z', '2026-11-05T10:00:00Z'],
    ['2026-11-05T10:00:00.123+03:00', '2026-11-05T07:00:00Z'],
    ['2026-11-05T10:00:00 -0500', '2026-11-05T15:00:00Z'],
  ])('%s', async (date, moment) => {
    expect((await read(`${H}\n${rowOf({ date })}`)).rows[0]!.settledAt).toEqual(new Date(moment));
  });

  it.each([
    '05/11/2026 11:03',
    '31/12/2026 10:00',
    '5/11/26',
    '05.11.2026',
    '5 Nov 2026',
    '2026-02-30',
    '2026-13-01',
    '2026-11-05 25:00',
    '20261105',
    '46331',
    'yesterday',
  ])('and %s is refused by its line', async (date) => {
    const said = await refusalOf(`${H}\n${rowOf()}\n${rowOf({ date })}`);
    expect(said).toMatch(/^line 3 has a date that is not written as yyyy-MM-dd HH:mm:ss/);
  });

  it.each([
    ['dd/MM/yyyy HH:mm', '05/11/2026 11:03', '2026-11-05T08:03:00Z'],
    ['dd-MM-yyyy', '05-11-2026', '2026-11-04T21:00:00Z'],
    ['d.M.yy', '5.11.26', '2026-11-04T21:00:00Z'],
    ['yyyyMMddHHmmss', '20261105110305', '2026-11-05T08:03:05Z'],
    ['d MMM yyyy h:mm a', '5 Nov 2026 1:03 PM', '2026-11-05T10:03:00Z'],
    ['M/d/yyyy hh:mm:ss a', '11/5/2026 12:03:05 AM', '2026-11-04T21:03:05Z'],
  ])('or by the format %s', async (date_format, date, moment) => {
    expect((await read(`${H}\n${rowOf({ date })}`, { date_format })).rows[0]!.settledAt).toEqual(new Date(moment));
    expect(await refusalOf(`${H}\n${rowOf()}`, { date_format })).toMatch(/^line 2 has a date/);
  });

  it('on the day that the clocks go forward, and back', async () => {
    const momentOf = async (date: string) =>
      (await read(`${H}\n${rowOf({ date })}`, {}, 'Africa/Cairo')).rows[0]!.settledAt!.toISOString();
    expect(await momentOf('2026-04-24 03:00')).toBe('2026-04-24T00:00:00.000Z');
    expect(await momentOf('2026-04-23 23:00')).toBe('2026-04-23T21:00:00.000Z');
    expect(await momentOf('2026-10-30 12:00')).toBe('2026-10-30T10:00:00.000Z');
  });
});

describe('a statement is refused', () => {
  it.each<[string, string, RegExp]>([
    ['without text', ' \n\n', /^the file is empty$/],
    ['after 50 lines of others', `${'x\n'.repeat(50)}${H}\n${rowOf()}`, /lacks the column External Transaction Id/],
    ['with two columns of one name', `${H},Amount\n${rowOf()},5`, /has the column Amount twice/],
    ['with a row that is too short', `${H}\n143000\nP1,143000`, /^line 3 has no cell for the column Currency/],
    ['with a row that is too long', `${H}\n${rowOf()},5`, /^line 2 has more cells/],
    [
      'with an amount that lost digits',
      `${H}\n${rowOf({ amount: '1.43E+05' })}`,
      /^line 2 has the amount 1.43E\+05, which has lost digits/,
    ],
    ['with an amount of no form', `${H}\n${rowOf({ amount: '"1,43,000"' })}`, /^line 2 has no valid amount/],
    ['with an amount of the other form', `${H}\n${rowOf({ amount: '"143.000,00"' })}`, /^line 2 has no valid amount/],
    ['with a currency that is another', `${H}\n${rowOf({ amount: '"KES 143,000"' })}`, /^line 2 has two currencies/],
    [
      'with statuses that nobody knows',
      `${H}\n${rowOf({ status: 'Completed' })}\n${rowOf({ status: 'Completed' })}\n${rowOf({ status: 'Settled' })}`,
      /known: Completed \(2\), Settled \(1\)/,
    ],
    ['with statuses left blank', `${H}\n${rowOf({ status: '' })}`, /known: blank \(1\)/],
    ['with a quotation that does not end', `${H}\n"P1,5`, /is not CSV/],
  ])('%s', async (_how, file, said) => {
    expect(await refusalOf(file)).toMatch(said);
  });

  it('in another encoding, by its line and with how to name it', async () => {
    const file = Buffer.from(`${H},Payer\n${rowOf()},A\n${rowOf()},Ren\xe9e\n`, 'latin1');
    expect(await refusalOf(file)).toMatch(/^line 3 is not UTF-8: .*encoding/);
  });

  it.each([
    { date_format: 'DD/MM/YYYY' },
    { date_format: 'MM/yyyy' },
    { zone: '+03:00' },
    { zone: 'Kampala' },
    { encoding: 'ansi-ish' },
  ])('by a format that nobody can read: %j', (more) => {
    expect(() => formatBy(more)).toThrow();
  });
});

describe('a format in the configuration', () => {
  const mpesa = formatBy({ zone: 'Africa/Nairobi' });

  it('is the usual one except for what it names', () => {
    const given = statementFormat.parse({ date_format: 'dd-MM-yyyy HH:mm:ss' });
    expect(formatAs(mpesa, given)).toEqual({ ...mpesa, dateFormat: 'dd-MM-yyyy HH:mm:ss' });
    expect(formatAs(mpesa, undefined)).toEqual(mpesa);
  });

  it('is one of its own with columns', () => {
    const given = statementFormat.parse({ columns: { reference: 'Ref', amount: 'Sum' } });
    expect(formatAs(mpesa, given)).toMatchObject({
      delimiter: ',',
      paid: [],
      columns: { reference: 'Ref', settledAt: null },
    });
    expect(formatAs(mpesa, given).zone).toBeUndefined();
  });
});

describe('rows of other kinds', () => {
  const kinds = { column: 'Type', fee: ['Charge'], payout: ['settlement'], other: ['Adjustment'] };
  const file = (...rows: string[]) => [`${H},Type`, ...rows].join('\n');

  it('are kept as what the format says that they are, of either sign', async () => {
    const { rows, ignored } = await read(
      file(
        `${rowOf()},Payment`,
        `${rowOf({ amount: '-1500', id: 'T2' })},CHARGE`,
        `${rowOf({ reference: '', amount: '-141500', id: 'PO-77', status: '' })},Settlement`,
        `${rowOf({ reference: '', amount: '20', id: '', status: '' })},adjustment`,
        `${rowOf({ amount: '-1', status: 'FAILED' })},charge`,
      ),
      { kinds },
    );
    expect(rows.map(({ kind, reference, amount }) => `${kind} ${reference} ${amount.toFixed()}`)).toEqual([
      'null P1 143000',
      'fee P1 -1500',
      'payout PO-77 -141500',
      'other other 20',
    ]);
    expect(ignored).toBe(1);
  });

  it('are payments where the format does not say so', async () => {
    expect((await read(file(`${rowOf()},Charge`))).rows).toMatchObject([{ kind: null }]);
  });
});
