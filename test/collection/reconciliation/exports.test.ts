import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { airtelMoney } from '../../../src/adapters/payment/airtel-money/provider.ts';
import { flutterwave } from '../../../src/adapters/payment/flutterwave/provider.ts';
import { mtnMomo } from '../../../src/adapters/payment/mtn-momo/provider.ts';
import type { StatementFormat } from '../../../src/adapters/payment/statement.ts';
import { OF_MPESA } from '../../../src/collection/reconciliation/format.ts';
import { type Statement, readStatement } from '../../../src/collection/reconciliation/read.ts';
import { Refusal } from '../../../src/kernel/refusal.ts';
import { Chance } from '../../harness/chaos/fuzz/requests.ts';
import { sizeOf } from '../../harness/chaos/size.ts';

const ZONE = 'Africa/Kampala';

interface Export {
  readonly name: string;
  readonly text: string;
  readonly format: StatementFormat;
  /** Reference, amount and moment of each payment, and below zero of each refund, by the file. */
  readonly payments: readonly (readonly [reference: string, amount: number, at: string])[];
  readonly ignored: number;
}

const exportOf = (name: string, format: StatementFormat, ignored: number, payments: Export['payments']): Export => ({
  name,
  text: readFileSync(new URL(`exports/${name}.csv`, import.meta.url), 'utf8'),
  format,
  payments,
  ignored,
});

const EXPORTS = [
  exportOf('mtn-momo', mtnMomo.statement, 4, [
    ['PI-2026-11-000101', 143_000, '2026-11-04T05:15:22Z'],
    ['PI-2026-11-000102', 5_250, '2026-11-04T20:59:58Z'],
    ['PI-2026-11-000105', 1_775_000, '2026-11-06T14:02:41Z'],
  ]),
  exportOf('airtel-money', { ...airtelMoney.statement, dateFormat: 'dd-MM-yyyy HH:mm:ss' }, 4, [
    ['PI-2026-11-000201', 143_000, '2026-11-04T05:15:22Z'],
    ['PI-2026-11-000202', 5_250, '2026-11-04T20:59:58Z'],
    ['PI-2026-11-000205', 1_775_000, '2026-11-06T14:02:41Z'],
  ]),
  exportOf('mpesa', OF_MPESA, 4, [
    ['SKU4A1B2C3', 14_300, '2026-11-04T05:15:22Z'],
    ['SKU4A1B2D4', 525.5, '2026-11-04T20:59:58Z'],
    ['SKW6K3L8M8', 177_500, '2026-11-06T14:02:41Z'],
  ]),
  exportOf('flutterwave', flutterwave.statement, 2, [
    ['PI-2026-11-000301', 143_000, '2026-11-04T08:15:22Z'],
    ['PI-2026-11-000302', 5_250, '2026-11-04T23:59:58Z'],
    ['PI-2026-11-000304', -143_000, '2026-11-05T06:00:00Z'],
    ['PI-2026-11-000305', 1_775_000, '2026-11-06T17:02:41Z'],
  ]),
];

const read = (file: string | Buffer, format: StatementFormat): Promise<Statement> =>
  readStatement(Buffer.from(file as string), format, ZONE);

const paymentsOf = ({ rows }: Statement) =>
  rows.map(({ reference, amount, settledAt }) => [reference, amount.toNumber(), settledAt]);

const expected = ({ payments }: Export) => payments.map(([reference, amount, at]) => [reference, amount, new Date(at)]);

describe.each(EXPORTS)('an export of $name', (of) => {
  it('is read as it is, with lines before its header, withdrawals, failures and totals', async () => {
    const statement = await read(of.text, of.format);
    expect(paymentsOf(statement)).toEqual(expected(of));
    expect(statement.ignored).toBe(of.ignored);
  });
});

/** Its cells, row by row: blank rows too. */
const tableOf = (text: string): string[][] =>
  parse(text, { relax_column_count: true, relax_quotes: true, skip_empty_lines: true });

const quote = (cell: string, delimiter: string, always: boolean) =>
  always || /["\r\n]/.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell;

/** The same statement, as another program or hand would have saved it. */
function saveAgain({ text }: Export, chance: Chance): string | Buffer {
  const delimiter = chance.of([',', ';', '\t']);
  const end = chance.of(['\n', '\r\n', '\r']);
  const always = chance.is(0.3);
  const table = tableOf(text);
  const width = Math.max(...table.map((row) => row.length));
  const order = Array.from({ length: width }, (_, column) => column);
  if (chance.is(0.5)) order.splice(chance.below(width), 0, ...order.splice(chance.below(width), 1));
  const extra = chance.is(0.3) ? ['Note'] : [];
  const [isPadded, hasBlankRows] = [chance.is(0.5), chance.is(0.3)];
  const blank = delimiter.repeat(chance.below(width + 1));
  const header = table.findIndex((row) => row.filter(Boolean).length > 8);
  const lines = table.flatMap((row, index) => {
    const cells = [...order.map((column) => row[column] ?? ''), ...(index === header ? extra : extra.map(() => ''))];
    const line = cells
      .map((cell) => quote(isPadded ? ` ${cell}`.trimStart() : cell, delimiter, always))
      .join(delimiter);
    return hasBlankRows && chance.is(0.3) ? [line, blank] : [line];
  });
  const before = Array.from({ length: chance.below(30) }, () => 'About the account');
  const hint = chance.is(0.2) ? [`sep=${delimiter}`] : [];
  const whole = [...hint, ...before, ...lines].join(end) + (chance.is(0.5) ? end : '');
  const form = chance.below(4);
  if (form === 0) return Buffer.from(`\ufeff${whole}`, 'utf16le');
  if (form === 1) return Buffer.from(`\ufeff${whole}`, 'utf16le').swap16();
  return form === 2 ? `\ufeff${whole}` : whole;
}

const PIECES = [
  ...Array.from(',;\t"\'=-+.()/: 0195TZ\n\r'),
  '\r\n',
  '""',
  ',,',
  'é',
  '\u00a0',
  '\u200b',
  '\0',
  '\ufeff',
  '1E+05',
  'UGX',
  'KES',
  'SUCCESSFUL',
  'Completed',
  'Total',
  '99/99/9999',
];

/** The same text with something wrong in it: cells, lines and characters that are lost, repeated, exchanged or put in. */
function spoil(text: string, chance: Chance): string {
  const at = chance.below(text.length);
  const lines = text.split('\n');
  const line = chance.below(lines.length);
  const cells = lines[line]!.split(',');
  switch (chance.below(9)) {
    case 0:
      return text.slice(0, at) + text.slice(at + 1 + chance.below(8));
    case 1:
      return text.slice(0, at) + chance.of(PIECES) + text.slice(at);
    case 2:
      return text.slice(0, at) + chance.of(PIECES) + text.slice(at + 1);
    case 3:
      return text.slice(0, at);
    case 4:
      return lines.toSpliced(line, 1).join('\n');
    case 5:
      return lines.toSpliced(line, 0, chance.of(lines)).join('\n');
    case 6:
      return lines.with(line, cells.toSpliced(chance.below(cells.length), 1).join(',')).join('\n');
    case 7:
      return lines.with(line, cells.toSpliced(chance.below(cells.length), 0, chance.of(cells)).join(',')).join('\n');
    default:
      return lines.with(line, cells.with(chance.below(cells.length), chance.of(PIECES)).join(',')).join('\n');
  }
}

/** The digits of an amount as a number, without what stands around them. */
const sizeOfCell = (cell: string) => Math.abs(Number(cell.replaceAll(/[^\d.]/g, '')));

/** Spellings of a moment in a file: in Kampala's time, or in UTC if the file says so. */
function spellings(at: Date, { name }: Export): string[] {
  return [0, 3].flatMap((hours) => {
    const iso = new Date(at.getTime() + hours * 3_600_000).toISOString();
    const [date, time] = [iso.slice(0, 10), iso.slice(11, 16)];
    const written = name === 'airtel-money' ? date.split('-').toReversed().join('-') : date;
    return time === '00:00' ? [written] : [`${written} ${time}`, `${written}T${time}`];
  });
}

/** Why what was read of a file is not what the file has; null where each row has its cells in one row of the file. */
function findInvented(of: Export, text: string, { rows }: Statement): unknown {
  const lines = text.split(/\r\n|[\r\n]/);
  return (
    rows.find(({ line, reference, amount, settledAt }) => {
      // A row of several lines ends at its line.
      const near = lines.slice(Math.max(0, line - 3), line).join('\n');
      const sizes = [...near.split(/[,\n"]/), ...near.split(/[\n"]/)].map(sizeOfCell);
      const hasDate = settledAt === null || spellings(settledAt, of).some((written) => near.includes(written));
      return !(near.includes(reference) && hasDate && sizes.includes(amount.abs().toNumber()));
    }) ?? null
  );
}

const LINES = /^(?:line (\d+) |the (?:file|statement) )/;

describe('exports that are saved again, and spoilt', () => {
  const many = sizeOf({ fast: 200, long: 10_000 });

  it('are read whole however they are saved', async () => {
    for (let seed = 1; seed <= many / 2; seed++) {
      const chance = new Chance(seed * 104_729);
      const of = chance.of(EXPORTS);
      const statement = await read(saveAgain(of, chance), of.format).catch((error: unknown) => error);
      if (statement instanceof Error) throw new Error(`seed ${seed}`, { cause: statement });
      expect([seed, paymentsOf(statement as Statement)]).toEqual([seed, expected(of)]);
    }
  });

  it('are read, or refused by their line, and no row, amount or day is read that they do not have', async () => {
    const outcomes = { read: 0, refused: 0 };
    for (let seed = 1; seed <= many; seed++) {
      const chance = new Chance(seed * 104_729);
      const of = chance.of(EXPORTS);
      const text = spoil(of.text, chance);
      const got = await read(text, of.format).catch((error: unknown) => error);
      if (!(got instanceof Error)) {
        expect([seed, findInvented(of, text, got as Statement)]).toEqual([seed, null]);
        outcomes.read++;
      } else {
        if (!(got instanceof Refusal)) throw new Error(`seed ${seed}`, { cause: got });
        const said = String(got.details[0]!.message);
        const [, line = '1'] = LINES.exec(said) ?? [null, '0'];
        const inFile = Number(line) >= 1 && Number(line) <= text.split(/\r\n|[\r\n]/).length;
        expect([seed, said, inFile]).toEqual([seed, said, true]);
        outcomes.refused++;
      }
    }
    expect(outcomes.read).toBeGreaterThan(many / 4);
    expect(outcomes.refused).toBeGreaterThan(many / 20);
  });
});
