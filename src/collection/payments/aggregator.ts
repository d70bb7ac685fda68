import { type Aggregator, listOffering } from '../../adapters/payment/aggregators.ts';
import type { PaymentAdapter } from '../../adapters/payment/port.ts';
import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Channel, PaymentProof } from '../../generated/prisma/enums.ts';
import { type Refusal, refuseValue } from '../../kernel/refusal.ts';
import type { Assessment } from '../assessments/find.ts';
import type { PaymentIntent } from './find.ts';

/**
 * The adapter of the aggregator that an intent was opened with, or a refusal where this rail no longer collects through
 * it.
 */
export function adapterOf(
  call: Call,
  { aggregator, channel }: Pick<PaymentIntent, 'aggregator' | 'channel'>,
): PaymentAdapter {
  const known = call.rail.aggregators.get(aggregator);
  if (!known) throw refuseClosed(channel);
  return known.adapter;
}

/** Proof by an aggregator's answer: nobody outside the rail answers for a stub. */
export const proofBy = ({ stub }: PaymentAdapter): PaymentProof => (stub ? 'simulated' : 'enquiry');

/**
 * The aggregator that is to collect for an assessment through a channel: one that takes its currency, in the country of
 * its agencies. One that is for this country goes before one that is for any.
 */
export async function chooseAggregator(
  call: Call,
  channel: Channel,
  { currency, lines }: Assessment,
): Promise<Aggregator> {
  const open = listOffering(call.rail.aggregators, channel);
  if (open.length === 0) throw refuseClosed(channel);
  const taking = open.filter(({ currencies }) => currencies === null || currencies.includes(currency));
  // Most rails collect in one country, or everywhere: they need not ask where the agencies are.
  const countries = taking.every(({ country }) => country === null) ? [] : await countriesOf(call, lines);
  const fitting = taking.filter(({ country }) => country === null || countries.every((one) => one === country));
  const chosen = fitting.find(({ country }) => country !== null) ?? fitting[0];
  if (chosen) return chosen;
  const where = taking.length === 0 ? '' : ` for agencies in ${countries.join(' and ')}`;
  throw refuseValue('channel', `${channel} does not collect ${currency}${where}`, 'currency_not_collected');
}

/** The countries of the agencies that lines are owed to. */
export async function countriesOf({ db }: Call, lines: Assessment['lines']): Promise<string[]> {
  const mdas = [...new Set(lines.map(({ mda }) => mda))];
  const rows = await db.rows<{ country: string }>(
    sql`select distinct country from mda where name = any(${mdas}) order by country`,
  );
  return rows.map(({ country }) => country);
}

function refuseClosed(channel: Channel): Refusal {
  return refuseValue('channel', `${channel} is currently not available`, 'channel_closed');
}
