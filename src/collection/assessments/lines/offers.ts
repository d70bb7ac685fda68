import type { Call } from '../../../platform/call/call.ts';
import { isDocname } from '../../../platform/database/docnames.ts';
import { type Sql, sql } from '../../../platform/database/sql.ts';
import { Decimal } from '../../../kernel/money.ts';
import { type Detail, refuseValue } from '../../../kernel/refusal.ts';
import { readText } from '../../../kernel/text/free-text.ts';
import { say } from '../../../kernel/text/said.ts';
import { feeAt, feeInForceAt, tariffAt } from '../../catalogue/fees.ts';
import { type InForce, waive } from '../exemptions/apply.ts';
import {
  type AskedLine,
  type PricedService,
  currencyOfLine,
  findPriceMistakes,
  priceLine,
  requireTotal,
} from './pricing.ts';

export interface LineInput {
  readonly service: string;
  readonly mda?: string | null | undefined;
  readonly quantity?: number | null | undefined;
  readonly category?: string | null | undefined;
  readonly baseAmount?: Decimal | null | undefined;
  readonly statedAmount?: Decimal | null | undefined;
  readonly period?: string | null | undefined;
}

/** A service as it can be assessed at a moment. */
export interface Offer extends PricedService {
  readonly status: 'Active' | 'Inactive';
  readonly feeInForce: boolean;
  readonly agencyStatus: 'Active' | 'Sandbox' | 'Inactive';
}

/** Offers as one JSON value, their fees as text, since a JSON number would become a float on the way. */
export type OffersJson = readonly (Omit<Offer, 'feeAmount'> & { readonly feeAmount: string })[] | null;

export const LONGEST_PERIOD = 20;

/** The services that lines name, as one JSON value. */
export function selectOffers(call: Pick<Call, 'now'>, lines: readonly LineInput[]): Sql {
  const names = [...new Set(lines.map(({ service }) => service))].filter((name) => isDocname('service', name));
  const at = call.now();
  return sql`(
    select jsonb_agg(jsonb_build_object('name', s.name, 'serviceName', s.service_name, 'mda', s.mda, 'feeAmount',
      (${feeAt('s', at)})::text, 'tariff', ${tariffAt('s', at)}, 'feeInForce', ${feeInForceAt('s', at)},
      'currency', s.currency, 'status', s.status, 'agencyStatus', m.status))
    from service s join mda m on m.name = s.mda where s.name = any(${names}))`;
}

export function readOffers(offers: OffersJson): Map<string, Offer> {
  return new Map((offers ?? []).map((offer) => [offer.name, { ...offer, feeAmount: new Decimal(offer.feeAmount) }]));
}

/** What a line asks for, with what it leaves out. */
export function readAsked(
  { quantity, category, baseAmount, statedAmount, period }: LineInput,
  path: string,
): AskedLine {
  return {
    quantity: quantity ?? 1,
    category: category ?? null,
    baseAmount: baseAmount ?? null,
    statedAmount: statedAmount ?? null,
    period: readText(`${path}.period`, period, LONGEST_PERIOD),
  };
}

/** What is wrong with a line: its service cannot be assessed, or not in this way. */
export function findMistakes(call: Call, line: LineInput, offer: Offer | undefined, path: string): Detail[] {
  if (!offer) return [{ path: `${path}.service`, message: say`could not find this Service`, code: 'not_found' }];
  if (offer.status !== 'Active')
    return [{ path: `${path}.service`, message: say`is no longer offered`, code: 'service_not_offered' }];
  if (offer.agencyStatus !== 'Active')
    return [
      {
        path: `${path}.service`,
        message: say`belongs to ${offer.mda}, which does not collect at present`,
        code: 'service_not_offered',
      },
    ];
  if (!offer.feeInForce)
    return [
      {
        path: `${path}.service`,
        message: say`has a fee that a second operator has not approved yet`,
        code: 'fee_not_approved',
      },
    ];
  if (line.mda != null && line.mda !== offer.mda)
    return [{ path: `${path}.mda`, message: say`is not the agency of this service, ${offer.mda}` }];
  return findPriceMistakes(call.viewer, offer, readAsked(line, path), path);
}

/** The one currency of lines that nothing is wrong with. */
export function requireOneCurrency(lines: readonly LineInput[], offers: ReadonlyMap<string, Offer>): string {
  const currencies = new Set(
    lines.map((line, index) => currencyOfLine(offers.get(line.service)!, readAsked(line, `lines[${index}]`))),
  );
  if (currencies.size > 1)
    throw refuseValue('lines', say`must all be in one currency, not in ${[...currencies].join(' and ')}`);
  return [...currencies][0]!;
}

/** Lines at the prices of their services, less what exemptions waive, and their total. */
export function priceLines(
  asked: readonly LineInput[],
  offers: ReadonlyMap<string, Offer>,
  { inForce, currency }: { readonly inForce: readonly InForce[]; readonly currency: string },
) {
  const official = asked.map((line, index) =>
    priceLine(index + 1, offers.get(line.service)!, readAsked(line, `lines[${index}]`)),
  );
  const lines = waive(official, inForce, currency);
  return { lines, total: requireTotal(lines) };
}
