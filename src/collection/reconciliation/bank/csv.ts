import { type BankFormat, PLAIN } from '../../../adapters/banks/format.ts';
import { type Decimal, readAmount, zero } from '../../../kernel/money.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { type CsvFile, columnIn, foldBlanks, openCsv, unwrapCell } from '../../../kernel/text/csv.ts';
import { makeDateReader } from '../../../kernel/text/dates.ts';
import { say } from '../../../kernel/text/said.ts';
import { dayOf } from '../../../kernel/time.ts';
import {
  type BankStatement,
  Lines,
  MOST_LINES,
  readBankText,
  readReference,
  refuseFile,
  requireAccount,
  requireBankAmount,
  requireCurrency,
} from './statement.ts';

/** Columns that a file may lack which has no bank's format. */
const OPTIONAL = new Set(['valueOn', 'reference', 'text', 'account', 'balance']);

/** A statement of which more is to come, with its first row and its last, and the balance after each. */
interface Opened {
  readonly line: number;
  readonly account: string | null;
  readonly currency: string;
  readonly lines: Lines;
  readonly balances: { readonly amount: Decimal; readonly after: Decimal | null }[];
}

/** Reads a bank's CSV by the first format that it has: the rows of an account in a currency are a statement. */
export async function readBankCsv(file: Buffer, formats: readonly BankFormat[]): Promise<BankStatement[]> {
  const { columns, dateFormat, currency: ofAll, header, rows } = openAny(file, formats);
  const places = new Map(
    Object.entries(columns).flatMap(([member, name]) => (name === undefined ? [] : [[member, columnIn(header, name)]])),
  );
  const readDate = makeDateReader(dateFormat ?? null, 'UTC');
  const open = new Map<string, Opened>();
  for await (const { cells, line } of rows) {
    const cellOf = (member: keyof BankFormat['columns']) => unwrapCell(cells[places.get(member) ?? -1]);
    const dayIn = (member: 'bookedOn' | 'valueOn') => {
      const day = readDate(cellOf(member));
      if (!day) throw refuseFile(say`line ${line} has no valid day`);
      return dayOf(day);
    };
    // A total, or what is said about the account.
    if (cellOf('bookedOn') === '') continue;
    const currency = requireCurrency(ofAll ?? cellOf('currency').toUpperCase(), line);
    const account = cellOf('account') === '' ? null : requireAccount(cellOf('account'), line);
    const amountIn = (member: 'amount' | 'credit' | 'debit' | 'balance') => {
      const written = readAmount(cellOf(member));
      if (!written || (written.currency ?? currency) !== currency)
        throw refuseFile(say`line ${line} has no valid amount`);
      return requireBankAmount(written.amount, currency, line);
    };
    // Some banks write what went without its sign, and others with it.
    const either = (member: 'credit' | 'debit') => (cellOf(member) === '' ? zero : amountIn(member).abs());
    const amount = columns.amount === undefined ? either('credit').minus(either('debit')) : amountIn('amount');
    const key = `${currency} ${account}`;
    const statement = open.get(key) ?? { line, account, currency, lines: new Lines(), balances: [] };
    open.set(key, statement);
    const bookedOn = dayIn('bookedOn');
    const valueOn = cellOf('valueOn') === '' ? bookedOn : dayIn('valueOn');
    const reference = readReference(cellOf('reference'));
    statement.lines.add({ line, bookedOn, valueOn, amount, reference, text: readBankText(cellOf('text')) });
    const after = cellOf('balance') === '' ? null : amountIn('balance');
    statement.balances.splice(1, 1, { amount, after });
  }
  if (open.size === 0) throw refuseFile(say`the file has no statement`);
  return [...open.values()].map(close);
}

function openAny(file: Buffer, formats: readonly BankFormat[]): BankFormat & CsvFile {
  let refusal: unknown;
  for (const format of formats) {
    const { columns, delimiter, encoding } = format;
    const needed = Object.entries(columns).flatMap(([member, name]) =>
      name === undefined || (format === PLAIN && OPTIONAL.has(member)) ? [] : foldBlanks(name),
    );
    try {
      const form = { needed, mostRows: MOST_LINES, encoding, ...(delimiter !== undefined && { delimiter }) };
      return { ...format, ...openCsv(file, { ...form, sayOtherBytes }) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refusal = error;
    }
  }
  throw refusal;
}

const sayOtherBytes = (line: number, encoding: string) => say`line ${line} is not ${encoding}: save the file as UTF-8`;

/** The statement, whose balances come before and after its rows: of those that begin with the newest, the other way round. */
function close({ line, account, currency, lines, balances }: Opened): BankStatement {
  const [first, last = first] = balances;
  const between = (from = first, to = last) => ({
    opening: from?.after?.minus(from.amount) ?? null,
    closing: to?.after ?? null,
  });
  const [forth, back] = [between(), between(last, first)];
  const isBack = back.opening && back.closing && back.opening.plus(lines.moved).equals(back.closing);
  return lines.close({ line, account, currency, ...(isBack ? back : forth) }, []);
}
