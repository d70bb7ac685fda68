import { type BankFormat, PLAIN } from '../../../adapters/banks/format.ts';
import { refuseValue } from '../../../kernel/refusal.ts';
import { say } from '../../../kernel/text/said.ts';
import { readCamt } from './camt.ts';
import { readBankCsv } from './csv.ts';
import { readMt940 } from './mt940.ts';
import { type BankStatement, decodeUtf8, refuseFile } from './statement.ts';

export const BANK_FORMATS = ['camt053', 'mt940', 'csv'] as const;
type Form = (typeof BANK_FORMATS)[number];

/** The format of a file whose form is to be found out. */
export const AUTO = 'auto';

/** Bytes in which the form of a file shows. */
const HEAD = 4_096;

/** What a bank's file says, a statement for each account and currency. */
export interface BankFile {
  readonly format: Form;
  readonly statements: readonly BankStatement[];
}

/** Reads a bank's file, which is of a form, or, by the name of a bank's format, its CSV. */
export async function readBankFile(
  file: Buffer,
  said: string,
  banks: Readonly<Record<string, BankFormat>>,
): Promise<BankFile> {
  const format = said === AUTO ? formOf(file) : said;
  if (format === 'camt053') return { format, statements: joinByAccount(await readCamt(file)) };
  if (format === 'mt940') return { format, statements: joinByAccount(await readMt940(decodeUtf8(file))) };
  const bank = Object.hasOwn(banks, said) ? banks[said] : undefined;
  if (format !== 'csv' && !bank)
    throw refuseValue('format', say`must be one of ${[AUTO, ...BANK_FORMATS, ...Object.keys(banks)].join(', ')}`);
  const formats = bank ? [bank] : [...Object.values(banks), PLAIN];
  return { format: 'csv', statements: await readBankCsv(file, formats) };
}

function formOf(file: Buffer): Form {
  const head = file.toString('latin1', 0, HEAD).replaceAll('\0', '');
  // After a byte order mark of UTF-8 or UTF-16.
  if (/^[\xBB\xBF\xEF\xFE\xFF]*\s*</.test(head)) return 'camt053';
  return /(?:^|[\r\n])(?:\{1:|:20:)/.test(head) ? 'mt940' : 'csv';
}

/** Banks write a statement a day or a page; those of an account in one file are one, and follow each other. */
function joinByAccount(statements: readonly BankStatement[]): BankStatement[] {
  return [...Map.groupBy(statements, ({ account, currency }) => `${currency} ${account}`).values()].map((parts) => {
    const [first, ...others] = parts.toSorted((a, b) => a.from.getTime() - b.from.getTime());
    let last = first!;
    for (const next of others) {
      const { line, opening, to } = next;
      if (last.closing && opening && !opening.equals(last.closing))
        throw refuseFile(
          say`line ${line} begins with ${opening}, and the statement before it ends with ${last.closing}`,
        );
      last = { ...next, to: to < last.to ? last.to : to };
    }
    const { to, closing } = last;
    return { ...first!, to, closing, lines: parts.length === 1 ? first!.lines : parts.flatMap(({ lines }) => lines) };
  });
}
