import { covers } from '../../../platform/access/grants.ts';
import type { Viewer } from '../../../platform/access/viewer.ts';
import { type Step, step } from '../../../platform/change/step.ts';
import { type Sql, json, sql } from '../../../platform/database/sql.ts';
import type { AssessmentLine } from '../../../generated/prisma/client.ts';
import { Decimal, MOST_DIGITS, fitsJson, minorDigitsOf, sum, zero } from '../../../kernel/money.ts';
import { type Detail, refuseValue } from '../../../kernel/refusal.ts';
import { say } from '../../../kernel/text/said.ts';
import { feeAt, tariffAt } from '../../catalogue/fees.ts';
import { priceBy } from '../../catalogue/tariff/price.ts';
import { type Rule, type RuleOf, STANDARD, type Tariff, currencyOf, ruleFor } from '../../catalogue/tariff/tariff.ts';

/** A service with what it charges at a moment. */
export interface PricedService {
  readonly name: string;
  readonly serviceName: string;
  readonly mda: string;
  readonly feeAmount: Decimal;
  readonly tariff: Tariff | null;
  /** Currency of the service; a category of its tariff may have another. */
  readonly currency: string;
}

/** What is asked for of a service, and what is declared for it. */
export type AskedLine = Pick<AssessmentLine, 'quantity' | 'category' | 'baseAmount' | 'statedAmount' | 'period'>;
export type PricedLine = Omit<AssessmentLine, 'assessment'>;

/** Decimals that the database keeps of a value. */
const BASE_DECIMALS = 4;

/** The rule that prices a line; of a service without a tariff, its fee is that of everybody. */
function findRule({ tariff, feeAmount }: PricedService, { category }: AskedLine): Rule | undefined {
  if (tariff) return ruleFor(tariff, category ?? STANDARD);
  return category === null || category === STANDARD ? { kind: 'fixed', amount: feeAmount.toNumber() } : undefined;
}

/** The currency of a line that `findPriceMistakes` found nothing wrong with. */
export function currencyOfLine(service: PricedService, asked: AskedLine): string {
  return currencyOf(findRule(service, asked)!, service.currency);
}

/** True if a viewer may say what an agency charges, where the law leaves it to the agency. */
export function maySpeakFor({ kind, agencies }: Viewer, mda: string): boolean {
  return (kind === 'staff' || kind === 'agency') && covers(agencies, mda);
}

/** What is wrong with a line by the rule that would price it: what the rule needs, and what it does not ask for. */
export function findPriceMistakes(viewer: Viewer, service: PricedService, asked: AskedLine, path: string): Detail[] {
  const rule = findRule(service, asked);
  if (!rule)
    return [{ path: `${path}.category`, message: say`is no category of this service`, code: 'category_unknown' }];
  const { quantity, baseAmount: base, statedAmount: stated } = asked;
  const of = { quantity: `${path}.quantity`, base: `${path}.baseAmount`, stated: `${path}.statedAmount` };
  const computes = 'base' in rule;
  const currency = currencyOf(rule, service.currency);
  const details: Detail[] = [];
  if (rule.kind !== 'fixed' && quantity !== 1)
    details.push({ path: of.quantity, message: say`must be 1, since the amount is not a fee for each piece` });
  if (computes && !base) details.push({ path: of.base, message: say`is required`, code: 'base_required' });
  if (!computes && base)
    details.push({ path: of.base, message: say`is not asked for here`, code: 'base_not_expected' });
  if (computes && base) details.push(...findWrong(of.base, base, BASE_DECIMALS));
  if (rule.kind !== 'stated') {
    if (stated) details.push({ path: of.stated, message: say`is not asked for here`, code: 'amount_not_expected' });
    return details;
  }
  if (rule.by === 'agency' && !maySpeakFor(viewer, service.mda))
    details.push({ path: of.stated, message: say`is for ${service.mda} to say`, code: 'amount_not_yours' });
  else if (!stated) details.push({ path: of.stated, message: say`is required`, code: 'amount_required' });
  else details.push(...findWrong(of.stated, stated, minorDigitsOf(currency), rule));
  return details;
}

/** What is wrong with an amount or a value that was declared: one mistake, or none. */
function findWrong(
  path: string,
  amount: Decimal,
  digits: number,
  { least = 0, most = Infinity }: Partial<Pick<RuleOf<'stated'>, 'least' | 'most'>> = {},
): Detail[] {
  if (amount.decimalPlaces() > digits) return [{ path, message: say`must have at most ${digits} decimals` }];
  if (amount.lessThan(least))
    return [{ path, message: least === 0 ? say`must not be negative` : say`must be at least ${least}` }];
  return amount.greaterThan(most) ? [{ path, message: say`must be at most ${most}` }] : [];
}

/**
 * The line that is asked for, by what its service charges: nothing that a client says is an amount, but where the law
 * has it stated. `findPriceMistakes` found nothing wrong with it.
 */
export function priceLine(idx: number, service: PricedService, asked: AskedLine): PricedLine {
  const { name, serviceName, mda, tariff, feeAmount } = service;
  const { quantity, category, baseAmount, statedAmount, period } = asked;
  const declared = { base: baseAmount ?? zero, stated: statedAmount ?? zero };
  const rate = tariff ? priceBy(findRule(service, asked)!, declared, currencyOfLine(service, asked)) : feeAmount;
  const amount = rate.times(quantity);
  if (!fitsJson(amount))
    throw refuseValue(`lines[${idx - 1}].baseAmount`, say`must give an amount of at most ${MOST_DIGITS} digits`);
  const priced = { idx, service: name, serviceName, mda, quantity, rate, amount, baseAmount, statedAmount, period };
  return { ...priced, waived: zero, exemption: null, category: tariff ? (category ?? STANDARD) : null };
}

export function totalOf(lines: readonly Pick<PricedLine, 'amount'>[]): Decimal {
  return sum(lines.map(({ amount }) => amount));
}

/** The total of lines as an assessment can have it. */
export function requireTotal(lines: readonly PricedLine[]): Decimal {
  const total = totalOf(lines);
  if (!fitsJson(total)) throw refuseValue('lines', say`must add up to a total of at most ${MOST_DIGITS} digits`);
  return total;
}

/**
 * The step that yields the prices of lines, for a statement that compares them with what their services charge. Of lines
 * whose services are not given, all are at a plain fee in one currency.
 */
export function pricesOf(
  lines: readonly (PricedLine & { readonly assessment?: string })[],
  of: { readonly currency?: string; readonly services?: ReadonlyMap<string, PricedService> | undefined },
): Step {
  const given = lines.map(({ assessment, idx, service, category, rate, amount, waived, exemption }) => {
    const { tariff = null, currency = of.currency } = of.services?.get(service) ?? {};
    return { of: assessment, idx, service, category, rate, amount, waived, exemption, tariff, currency };
  });
  return step('prices')`
    select * from jsonb_to_recordset(${json(given)}::jsonb)
      as p (of text, idx int, service text, category text, rate numeric, amount numeric, waived numeric, exemption text,
        tariff jsonb, currency text)`;
}

/** The condition that prices are what services charge which are offered at a time. */
export function areCurrent(prices: Step, at: Date): Sql {
  return sql`not exists (
    select from ${prices} p join service s on s.name = p.service join mda m on m.name = s.mda
    where not (${isCurrent(at)}))`;
}

/** The same of an assessment `a` that is made: no fee changes before it is there, so that a change finds it as a Draft. */
export function stayCurrent(prices: Step, at: Date): Sql {
  const held = step('held')`
    select p.of, p.idx from ${prices} p join service s on s.name = p.service join mda m on m.name = s.mda
    where ${isCurrent(at)} order by s.name for share of s`;
  return sql`a.name not in (
    select p.of from ${prices} p left join ${held} h on h.of = p.of and h.idx = p.idx where h.idx is null)`;
}

/**
 * True for the current price `p` of a service `s` of an agency `m`: what a tariff computed holds as long as the tariff
 * does, a plain fee as long as it is the same amount.
 */
function isCurrent(at: Date): Sql {
  return sql`${tariffAt('s', at)} is not distinct from p.tariff
    and (p.tariff is not null or ${feeAt('s', at)} = p.rate)
    and s.currency = p.currency and s.status = 'Active' and m.status = 'Active'`;
}
