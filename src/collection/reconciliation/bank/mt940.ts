import { setImmediate as turn } from 'node:timers/promises';
import { say } from '../../../kernel/text/said.ts';
import type { Decimal } from '../../../kernel/money.ts';
import {
  type BankLine,
  type BankStatement,
  Lines,
  readBankAmount,
  readBankDay,
  readBankText,
  readReference,
  refuseFile,
  requireAccount,
  requireCurrency,
  requireRoom,
} from './statement.ts';

/** A field of a message: `:61:` and what follows, with where it begins. */
interface Field {
  readonly tag: string;
  readonly value: string;
  readonly line: number;
}

const FIELD = /^:(\d\d[A-Z]?):(.*)$/;
const BALANCE = /^([CD])(\d\d)(\d\d)(\d\d)([A-Z]{3})(.+)$/;
/** Value day, booking day, mark, letter of the currency, amount, type, reference of the owner, and of the bank. */
const MOVEMENT =
  /^(\d\d)(\d\d)(\d\d)(\d{4})?(R?[CD])[A-Z]?([\d.,]+)([NFS][A-Z0-9]{3})([^/\n]*(?:\/(?!\/)[^/\n]*)*)(?:\/\/([^\n]*))?(?:\n([^]*))?$/;
const LINES_A_TURN = 2_000;
/** Characters of a field, of which SWIFT has six lines of 65 at most; what follows is left out. */
const LONGEST_FIELD = 1_024;

/** Reads SWIFT's customer statement, MT940: messages one after the other, whose pages are one statement. */
export async function readMt940(text: string): Promise<BankStatement[]> {
  const statements: BankStatement[] = [];
  let open: Opened | null = null;
  let count = 0;
  for await (const field of fieldsOf(text)) {
    const { tag, value, line } = field;
    if (tag === '25' || tag === '25P') {
      const account = requireAccount(value.split('\n')[0]!.replace(/^[^/]*\/(?=.)/, ''), line);
      if (open && open.account !== account) throw refuseOpen(open);
      open ??= { account, line, opening: null, lines: new Lines() };
    } else if (tag === '60F' || tag === '60M') {
      if (!open) throw refuseFile(say`line ${line} names no account`);
      open.opening ??= readBalance(field);
    } else if (tag === '61') {
      if (!open?.opening) throw refuseFile(say`line ${line} is not as MT940 has it`);
      requireRoom(++count);
      open.lines.add(readMovement(field, open.opening.currency));
    } else if (tag === '86') {
      const last = open?.lines.all.pop();
      if (last) open!.lines.all.push({ ...last, text: readBankText(`${last.text} ${value}`) });
    } else if (tag === '62F') {
      if (!open?.opening) throw refuseFile(say`line ${line} is not as MT940 has it`);
      statements.push(close(open, open.opening, field));
      open = null;
    }
  }
  if (open) throw refuseOpen(open);
  if (statements.length === 0) throw refuseFile(say`the file has no statement`);
  return statements;
}

interface Opened {
  readonly account: string;
  readonly line: number;
  opening: Balance | null;
  readonly lines: Lines;
}

const refuseOpen = ({ line }: Opened) =>
  refuseFile(say`line ${line} begins a statement without a closing balance, :62F:`);

/** The fields of messages, without their headers and trailers: what follows a field's first line is of it. */
async function* fieldsOf(text: string): AsyncGenerator<Field> {
  let field = null as Field | null;
  let line = 0;
  for (const [raw] of text.matchAll(/[^\r\n]*(?:\r\n|[\r\n]|$)/g)) {
    if (line++ % LINES_A_TURN === 0) await turn();
    if (raw.length > LONGEST_FIELD) throw refuseFile(say`line ${line} has more than ${LONGEST_FIELD} characters`);
    const written = raw.trimEnd().replace(/^(?:\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\})*\{4:/, '');
    const [, tag, value] = FIELD.exec(written) ?? [];
    if (tag !== undefined) {
      if (field) yield field;
      field = { tag, value: value!, line };
    } else if (/^-?\}?$/.test(written.trim()) || written.startsWith('-}')) {
      if (field) yield field;
      field = null;
    } else if (field && field.value.length < LONGEST_FIELD) field = { ...field, value: `${field.value}\n${written}` };
  }
  if (field) yield field;
}

interface Balance {
  readonly amount: Decimal;
  readonly currency: string;
  readonly day: Date;
}

function readBalance({ value, line }: Field): Balance {
  const [, sign, year, month, day, code, written] = BALANCE.exec(value.trim()) ?? [];
  if (written === undefined) throw refuseFile(say`line ${line} is not as MT940 has it`);
  const currency = requireCurrency(code, line);
  const amount = readBankAmount(written, ',', currency, line);
  return {
    amount: sign === 'C' ? amount : amount.negated(),
    currency,
    day: readBankDay(`20${year}`, month!, day!, line),
  };
}

function readMovement({ value, line }: Field, currency: string): BankLine {
  const [, year, month, day, entry, mark, written, , owner, bank, more] = MOVEMENT.exec(value) ?? [];
  if (written === undefined) throw refuseFile(say`line ${line} is not as MT940 has it`);
  const valueOn = readBankDay(`20${year}`, month!, day!, line);
  const amount = readBankAmount(written, ',', currency, line);
  // A reversed debit is a credit.
  const credit = mark === 'C' || mark === 'RD';
  return {
    line,
    bookedOn: entry === undefined ? valueOn : nearest(entry, valueOn, line),
    valueOn,
    amount: credit ? amount : amount.negated(),
    reference: readReference(bank || owner),
    text: readBankText([owner === 'NONREF' ? '' : owner, more].join(' ')),
  };
}

/** The day of a month that is nearest to another one: a booking day has no year. */
function nearest(entry: string, to: Date, line: number): Date {
  const [month, day] = [entry.slice(0, 2), entry.slice(2)];
  const years = [-1, 0, 1].map((more) => to.getUTCFullYear() + more);
  const days = years.flatMap((year) => {
    const found = new Date(Date.UTC(year, Number(month) - 1, Number(day)));
    return found.getUTCDate() === Number(day) && found.getUTCMonth() === Number(month) - 1 ? found : [];
  });
  const [first] = days.toSorted((a, b) => Math.abs(+a - +to) - Math.abs(+b - +to));
  if (!first) throw refuseFile(say`line ${line} has no valid day`);
  return first;
}

function close({ account, lines, line }: Opened, opening: Balance, last: Field): BankStatement {
  const closing = readBalance(last);
  const { currency } = opening;
  if (closing.currency !== currency) throw refuseFile(say`line ${last.line} is not in ${currency}, as its account is`);
  // An opening balance is of the day before, as a rule.
  const days = [lines.all.length > 0 ? null : opening.day, closing.day];
  return lines.close({ line, account, currency, opening: opening.amount, closing: closing.amount }, days);
}
