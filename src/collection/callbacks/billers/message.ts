import { z } from '../../../kernel/zod.ts';
import { BILLER_CHANNELS } from '../../../platform/config/billers.ts';
import { Decimal, fitsJson, isCurrency, requireExact } from '../../../kernel/money.ts';
import { check, moment, requireJson, textUpTo } from '../event.ts';

const reference = textUpTo(255);

const lookup = z.object({ reference });

const payment = z
  .object({
    event_id: textUpTo(255),
    reference,
    amount: z
      .number()
      .positive()
      .refine((value) => fitsJson(new Decimal(value)), 'has too many digits')
      .transform((value) => new Decimal(value)),
    currency: z.string().refine(isCurrency, 'must be a currency code'),
    txn_id: textUpTo(255),
    paid_at: moment,
    channel: z.enum(BILLER_CHANNELS).nullish(),
  })
  .transform(({ event_id: eventId, txn_id: txnId, paid_at: paidAt, ...rest }) => ({ eventId, txnId, paidAt, ...rest }));

/** A payment point's report of money that it took for a reference. */
export type BillerPayment = z.infer<typeof payment>;

export function parseLookup(body: Buffer): z.infer<typeof lookup> {
  return check(lookup, requireJson(body));
}

export function parsePayment(body: Buffer): BillerPayment {
  const reported = check(payment, requireJson(body));
  requireExact('amount', reported.amount, reported.currency);
  return reported;
}
