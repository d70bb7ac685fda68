import type { Call } from '../../../platform/call/call.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Decimal } from '../../../kernel/money.ts';
import { refuseValues } from '../../../kernel/refusal.ts';
import { findTariff } from '../../catalogue/tariff/find.ts';
import { dueDaysOf, firstOf } from './due.ts';
import {
  type LineInput,
  type Offer,
  type OffersJson,
  findMistakes,
  priceLines,
  readOffers,
  requireOneCurrency,
  selectOffers,
} from './offers.ts';
import type { PricedLine } from './pricing.ts';

export interface QuotedLine extends PricedLine {
  readonly law: string | null;
  readonly dueOn: Date | null;
}

/** What an assessment would cost. */
export interface Quote {
  readonly currency: string;
  readonly totalAmount: Decimal;
  /** The first day by which one of its lines is to be paid. */
  readonly dueOn: Date | null;
  readonly lines: readonly QuotedLine[];
}

/** Prices lines as an assessment of a day would, and refuses what that would refuse; writes nothing. */
export async function quote(
  call: Call,
  { lines: asked, on }: { readonly lines: readonly LineInput[]; readonly on?: Date | null | undefined },
): Promise<Quote> {
  const row = await call.db.row<{ offers: OffersJson }>(sql`select ${selectOffers(call, asked)} as offers`);
  const offers = on ? await priceOn(call, readOffers(row!.offers), on) : readOffers(row!.offers);
  const details = asked.flatMap((line, index) => findMistakes(call, line, offers.get(line.service), `lines[${index}]`));
  if (details.length > 0) throw refuseValues(details);
  const currency = requireOneCurrency(asked, offers);
  const { lines, total } = priceLines(asked, offers);
  const due = await dueDaysOf(call, lines, offers, on);
  const quoted = lines.map((line, index) => {
    return { ...line, law: offers.get(line.service)!.tariff?.law ?? null, dueOn: due[index]! };
  });
  return { currency, totalAmount: total, dueOn: firstOf(due), lines: quoted };
}

/** Services with what they charge on a day; without a fee in force where they charge nothing yet. */
async function priceOn(call: Call, offers: ReadonlyMap<string, Offer>, day: Date): Promise<Map<string, Offer>> {
  const priced = [...offers].map(async ([name, offer]): Promise<[string, Offer]> => {
    const held = await findTariff(call, name, day);
    if (!held) return [name, { ...offer, feeInForce: false }];
    const { feeAmount, tariff, currency } = held;
    return [name, { ...offer, feeAmount, tariff, currency, feeInForce: true }];
  });
  return new Map(await Promise.all(priced));
}
