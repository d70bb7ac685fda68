import { type Said, say } from '../../../kernel/text/said.ts';
import { type Rule, type RuleOf, type Tariff, currencyOf } from './tariff.ts';

/** A sentence about a tariff: on one of its categories, or on all of it. */
export interface TariffSentence {
  readonly category: string | null;
  readonly said: Said;
}

/** A tariff in sentences, for a service that is priced in a currency. */
export function describeTariff({ categories, due }: Tariff, own: string): TariffSentence[] {
  const rules = Object.entries(categories).flatMap(([category, rule]) =>
    describeRule(rule, currencyOf(rule, own)).map((said) => ({ category, said })),
  );
  if (!due) return rules;
  const said =
    'days' in due
      ? say`to be paid within ${due.days} days of the assessment`
      : say`to be paid by the next day ${due.day_of_month} of a month`;
  return [...rules, { category: null, said }];
}

export function describeFee(amount: number, currency: string): Said {
  return amount === 0 ? say`free of charge` : say`${currency} ${amount} each`;
}

function describeRule(rule: Rule, currency: string): Said[] {
  const { least, most, round_to } = rule as Partial<Record<'least' | 'most' | 'round_to', number>>;
  return [
    ...describeCharge(rule, currency),
    ...(round_to === undefined ? [] : [say`rounded to multiples of ${currency} ${round_to}`]),
    ...(least === undefined ? [] : [say`at least ${currency} ${least}`]),
    ...(most === undefined ? [] : [say`at most ${currency} ${most}`]),
  ];
}

function describeCharge(rule: Rule, currency: string): Said[] {
  switch (rule.kind) {
    case 'fixed':
      return [describeFee(rule.amount, currency)];
    case 'stated':
      return [
        rule.by === 'agency'
          ? say`the amount in ${currency} that the agency states`
          : say`the amount in ${currency} that the payer states`,
      ];
    case 'percent':
      return [say`${rule.percent} % of the ${rule.base}`];
    case 'tiers':
      return [
        rule.slices ? say`for each part of the ${rule.base}:` : say`for the whole ${rule.base}:`,
        ...rule.tiers.map((tier, index) => describeTier(tier, rule.tiers[index - 1]?.up_to ?? 0, currency)),
      ];
  }
}

function describeTier(
  { up_to: to, percent, amount }: RuleOf<'tiers'>['tiers'][number],
  from: number,
  currency: string,
) {
  if (to === undefined) {
    if (percent === undefined) return say`above ${from}: ${currency} ${amount}`;
    if (!amount) return say`above ${from}: ${percent} %`;
    return say`above ${from}: ${percent} % and ${currency} ${amount}`;
  }
  if (percent === undefined) return say`from ${from} to ${to}: ${currency} ${amount}`;
  if (!amount) return say`from ${from} to ${to}: ${percent} %`;
  return say`from ${from} to ${to}: ${percent} % and ${currency} ${amount}`;
}
