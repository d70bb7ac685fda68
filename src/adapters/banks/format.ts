import { isDateFormat } from '../../kernel/text/dates.ts';
import { z } from '../../kernel/zod.ts';
import { currency, word } from '../http/options.ts';
import { isEncoding } from '../payment/statement.ts';

const columns = z
  .strictObject({
    booked_on: word,
    value_on: word.optional(),
    amount: word.optional(),
    credit: word.optional(),
    debit: word.optional(),
    currency: word.optional(),
    reference: word.optional(),
    text: word.optional(),
    account: word.optional(),
    balance: word.optional(),
  })
  .refine(
    ({ amount, credit }) => (amount === undefined) !== (credit === undefined),
    'must have either amount or credit',
  )
  .transform(({ booked_on: bookedOn, value_on: valueOn, ...rest }) => ({ bookedOn, valueOn, ...rest }));

/** Format of a bank's CSV: the header of the column that has each value, in `CONNECTIONS`. */
export const bankFormat = z
  .strictObject({
    columns,
    delimiter: z.string().length(1).optional(),
    currency: currency.optional(),
    date_format: z
      .string()
      .refine(isDateFormat, 'must be made of yyyy, MM, dd, HH, mm and ss, such as dd/MM/yyyy HH:mm')
      .optional(),
    encoding: z.string().refine(isEncoding, 'is no encoding, such as windows-1252').optional(),
  })
  .transform(({ date_format: dateFormat, ...rest }) => ({ ...rest, dateFormat }));

/** An amount is in a column of its own, or in those of what came and what went. */
export type BankFormat = z.output<typeof bankFormat>;

/** The format of a file that no bank's is. */
export const PLAIN: BankFormat = bankFormat.parse({
  columns: {
    booked_on: 'booked_on',
    value_on: 'value_on',
    amount: 'amount',
    currency: 'currency',
    reference: 'reference',
    text: 'text',
    account: 'account',
    balance: 'balance',
  },
});
