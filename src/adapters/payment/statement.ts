import { z } from '../../kernel/zod.ts';
import { isDateFormat } from '../../kernel/text/dates.ts';
import { isTimeZone } from '../../kernel/time.ts';
import { word } from '../http/options.ts';

/** Rows of a statement that are no payments: the provider's fees, what it paid out, and anything else with an amount. */
export const ROW_KINDS = ['fee', 'payout', 'other'] as const;

export type RowKind = (typeof ROW_KINDS)[number];

/** Settlement terms of a provider: when it pays out, and how much. */
export interface Settles {
  /** Working days from a day of payments until the agency has the money. */
  readonly afterDays: number;
  /** True if it keeps its fees back from what it pays out. */
  readonly netOfFees: boolean;
}

/** Terms of a connection that differ from its provider's, in `CONNECTIONS`. */
export const settlesForm = z
  .strictObject({ after_days: z.int().min(0).max(30), net_of_fees: z.boolean().default(false) })
  .transform(({ after_days: afterDays, net_of_fees: netOfFees }): Settles => ({ afterDays, netOfFees }));

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
  /** The column that says what a row is, and its words, in lower case, for rows that are no payments. */
  readonly kinds?: ({ readonly column: string } & Readonly<Record<RowKind, readonly string[]>>) | undefined;
}

const words = z.array(word).transform((list) => list.map((one) => one.toLowerCase()));

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
    paid: words.optional(),
    kinds: z
      .strictObject({
        column: word,
        fee: words.default([]),
        payout: words.default([]),
        other: words.default([]),
      })
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
    kinds: given?.kinds ?? base.kinds,
    zone: given?.zone ?? base.zone,
    dateFormat: given?.dateFormat ?? base.dateFormat,
    encoding: given?.encoding ?? base.encoding,
  };
}

/** True if text can be read in an encoding of this name. */
export function isEncoding(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== '';
  } catch {
    return false;
  }
}
