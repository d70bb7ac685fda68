import { z } from '../../kernel/zod.ts';
import { isDateFormat } from '../../kernel/text/dates.ts';
import { isTimeZone } from '../../kernel/time.ts';
import { word } from '../http/options.ts';

/** Format of a provider's settlement statements. */
export interface StatementFormat {
  readonly delimiter: string;
  /** The header of the column that has each value; the reference is the intent's docname, or the provider's own. */
  readonly columns: {
    readonly reference: string;
    readonly amount: string;
    readonly currency: string | null;
    readonly status: string | null;
    readonly txnId: string | null;
    readonly settledAt: string | null;
    /** Column with the payment reference, of a payment point's statement, which may lack it. */
    readonly paidFor?: string | null;
  };
  /** The time zone of dates that name no offset, as in the tz database; left out: that of the connection's country. */
  readonly zone?: string | undefined;
  /** Format of dates, such as `dd/MM/yyyy HH:mm`; left out: ISO 8601. */
  readonly dateFormat?: string | undefined;
  /** Encoding of text; left out: UTF-8. UTF-16 is known by its byte order mark. */
  readonly encoding?: string | undefined;
  /** The statuses, in lower case, of rows that were paid; rows of others are left out. */
  readonly paid: readonly string[];
}

/** Differences from the default format, in `CONNECTIONS`. With `columns` it is a format of its own. */
export const statementFormat = z
  .strictObject({
    delimiter: z.string().length(1).optional(),
    columns: z
      .strictObject({
        reference: word,
        amount: word,
        currency: word.optional(),
        status: word.optional(),
        txn_id: word.optional(),
        settled_at: word.optional(),
        paid_for: word.optional(),
      })
      .transform(({ txn_id = null, settled_at = null, paid_for = null, currency = null, status = null, ...rest }) => ({
        ...rest,
        currency,
        status,
        txnId: txn_id,
        settledAt: settled_at,
        paidFor: paid_for,
      }))
      .optional(),
    paid: z
      .array(word)
      .transform((paid) => paid.map((status) => status.toLowerCase()))
      .optional(),
    zone: z.string().refine(isTimeZone, 'is no time zone of the tz database').optional(),
    date_format: z
      .string()
      .refine(isDateFormat, 'must be made of yyyy, MM, dd, HH, mm and ss, such as dd/MM/yyyy HH:mm')
      .optional(),
    encoding: z.string().refine(isEncoding, 'is no encoding, such as windows-1252').optional(),
  })
  .transform(({ date_format: dateFormat, ...rest }) => ({ ...rest, dateFormat }));

export type GivenFormat = z.output<typeof statementFormat>;

/** The format of statements by default values, except what is given. */
export function formatAs(defaults: StatementFormat, given: GivenFormat | undefined): StatementFormat {
  const base: StatementFormat = given?.columns ? { delimiter: ',', columns: given.columns, paid: [] } : defaults;
  return {
    columns: base.columns,
    delimiter: given?.delimiter ?? base.delimiter,
    paid: given?.paid ?? base.paid,
    zone: given?.zone ?? base.zone,
    dateFormat: given?.dateFormat ?? base.dateFormat,
    encoding: given?.encoding ?? base.encoding,
  };
}

function isEncoding(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== '';
  } catch {
    return false;
  }
}
