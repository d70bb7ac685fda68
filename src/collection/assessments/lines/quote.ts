import { BY_AGENCY, whereWithin } from '../../../platform/access/owned.ts';
import { findRefusal } from '../../../platform/access/viewer.ts';
import type { Call } from '../../../platform/call/call.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Decimal } from '../../../kernel/money.ts';
import { refuseValues } from '../../../kernel/refusal.ts';
import type { Citizen } from '../../../generated/prisma/client.ts';
import { getCitizen } from '../../citizens/find.ts';
import { listInForce } from '../exemptions/apply.ts';
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

interface Asked {
  readonly lines: readonly LineInput[];
  /** Who would be assessed: what they are exempt from is left out. */
  readonly citizen?: string | null | undefined;
  readonly on?: Date | null | undefined;
}

/** Prices lines as an assessment of a day would, and refuses what that would refuse; writes nothing. */
export async function quote(call: Call, { lines: asked, citizen, on }: Asked): Promise<Quote> {
  const exempt = citizen == null ? null : await requireReadable(call, citizen);
  const row = await call.db.row<{ offers: OffersJson }>(sql`select ${selectOffers(call, asked)} as offers`);
  const offers = on ? await priceOn(call, readOffers(row!.offers), on) : readOffers(row!.offers);
  const details = asked.flatMap((line, index) => findMistakes(call, line, offers.get(line.service), `lines[${index}]`));
  if (details.length > 0) throw refuseValues(details);
  const currency = requireOneCurrency(asked, offers);
  const within = whereWithin(call.viewer, BY_AGENCY);
  const inForce = exempt === null ? [] : await listInForce(call, exempt.name, { day: on, within });
  const { lines, total } = priceLines(asked, offers, { inForce, currency });
  const due = await dueDaysOf(call, lines, offers, on);
  const quoted = lines.map((line, index) => {
    return { ...line, law: offers.get(line.service)!.tariff?.law ?? null, dueOn: due[index]! };
  });
  return { currency, totalAmount: total, dueOn: firstOf(due), lines: quoted };
}

/** A citizen whom the caller may look up, and looks up by this. */
function requireReadable(call: Call, citizen: string): Promise<Pick<Citizen, 'name'>> {
  const refusal = findRefusal(call.viewer, 'citizens.read');
  if (refusal) throw refusal;
  return getCitizen(call, citizen);
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
