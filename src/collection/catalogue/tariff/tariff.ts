import { isDeepStrictEqual } from 'node:util';
import { Decimal, MOST_DIGITS, fitsJson, isCurrency, minorDigitsOf } from '../../../kernel/money.ts';
import { refuseValue, refuseValues } from '../../../kernel/refusal.ts';
import { LONGEST_LABEL, LONGEST_NAME, findBadText } from '../../../kernel/text/free-text.ts';
import { type Said, say } from '../../../kernel/text/said.ts';
import { pathIn, z } from '../../../kernel/zod.ts';

/** The most that one piece of a service costs, which the database can hold ten thousand of. */
export const MOST_FEE = 1e10;

const MOST_BYTES = 16 * 1024;
const MOST_CATEGORIES = 50;
const MOST_TIERS = 100;
export const MOST_PERCENT_DECIMALS = 4;
const MOST_DAYS = 3_650;
export const CATEGORY = /^[a-z][a-z0-9_]{0,39}$/;

/** The category of who is in no other; every tariff has it. */
export const STANDARD = 'standard';

/** A message of a schema, which pages translate by its text. */
const told = (said: Said) => String(said);

const decimalsOf = (value: number) => new Decimal(value).decimalPlaces();
const money = z
  .number()
  .nonnegative()
  .refine((value) => fitsJson(new Decimal(value)), told(say`must have at most ${MOST_DIGITS} significant digits`));
const percentage = z
  .number()
  .min(0)
  .max(100)
  .refine(
    (value) => decimalsOf(value) <= MOST_PERCENT_DECIMALS,
    told(say`must have at most ${MOST_PERCENT_DECIMALS} decimals`),
  );
const currency = z.string().refine(isCurrency, told(say`must be an ISO 4217 currency code`));
const textOf = (longest: number) =>
  z
    .string()
    .refine((text) => text.trim() !== '', told(say`must not be empty`))
    .max(longest)
    .refine((text) => findBadText(text) === null, told(say`is not allowed`));
/** What an amount is computed from, as the law calls it: `rateable value`. */
const base = textOf(LONGEST_LABEL);
const limits = { least: money.optional(), most: money.optional() };
const roundTo = money.refine((value) => value > 0, told(say`must be more than 0`)).optional();

const tiers = z
  .array(
    z
      .strictObject({ up_to: money.optional(), percent: percentage.optional(), amount: money.optional() })
      .refine(
        ({ percent, amount }) => percent !== undefined || amount !== undefined,
        told(say`needs a percent or an amount`),
      ),
  )
  .min(1)
  .max(MOST_TIERS)
  .refine(
    (list) => list.every(({ up_to }, index) => (up_to === undefined) === (index === list.length - 1)),
    told(say`must each have an end, up_to, but for the last`),
  )
  .refine(
    (list) => list.slice(0, -1).every(({ up_to }, index) => up_to! > (list[index - 1]?.up_to ?? 0)),
    told(say`must rise from one end to the next`),
  );

const rule = z
  .discriminatedUnion(
    'kind',
    [
      z.strictObject({ kind: z.literal('fixed'), amount: money.max(MOST_FEE), currency: currency.optional() }),
      z.strictObject({
        kind: z.literal('stated'),
        by: z.enum(['agency', 'anyone']),
        ...limits,
        currency: currency.optional(),
      }),
      z.strictObject({ kind: z.literal('percent'), percent: percentage, base, ...limits, round_to: roundTo }),
      z.strictObject({
        kind: z.literal('tiers'),
        base,
        slices: z.boolean(),
        tiers,
        least: limits.least,
        round_to: roundTo,
      }),
    ],
    { error: told(say`must have a kind: fixed, stated, percent or tiers`) },
  )
  .refine((one) => !('most' in one) || (one.least ?? 0) <= (one.most ?? Infinity), {
    path: ['least'],
    message: told(say`must be at most the most`),
  });

const due = z.union(
  [z.strictObject({ days: z.int().min(0).max(MOST_DAYS) }), z.strictObject({ day_of_month: z.int().min(1).max(31) })],
  { error: told(say`must have days, ${0} to ${MOST_DAYS}, or day_of_month, ${1} to ${31}`) },
);

/** The form of a tariff; whether its amounts are exact in its currencies, `requireTariff` says. */
export const tariffForm = z
  .strictObject({
    law: textOf(LONGEST_NAME),
    due: due.optional(),
    categories: z.record(z.string().regex(CATEGORY), rule),
  })
  .refine(({ categories }) => Object.hasOwn(categories, STANDARD), {
    path: ['categories', STANDARD],
    message: told(say`is required`),
    abort: true,
  })
  .refine(({ categories }) => Object.keys(categories).length <= MOST_CATEGORIES, {
    path: ['categories'],
    message: told(say`must have at most ${MOST_CATEGORIES} items`),
  })
  .refine(
    (tariff) => Buffer.byteLength(JSON.stringify(tariff)) <= MOST_BYTES,
    told(say`must be at most ${MOST_BYTES / 1024} KiB as JSON`),
  );

/** What the law charges for a service: a rule for each category of payers or things. */
export type Tariff = z.infer<typeof tariffForm>;
export type Rule = z.infer<typeof rule>;
export type RuleOf<Kind extends Rule['kind']> = Extract<Rule, { readonly kind: Kind }>;

/** A tariff as a caller gives it, for a service that is priced in a currency. */
export function requireTariff(value: unknown, own: string, path = 'tariff'): Tariff {
  const { data, error } = tariffForm.safeParse(value);
  if (error)
    throw refuseValues(error.issues.map((issue) => ({ path: pathIn(path, issue.path), message: issue.message })));
  const wrong = findInexact(data, own);
  if (wrong) throw refuseValue(pathIn(path, wrong.path), wrong.message);
  return data;
}

/**
 * The first rule with an amount, or a step of rounding, that is finer than its currency's minor unit; null if there is
 * none. `standard` is in the currency of the service, in which its fee is shown.
 */
export function findInexact({ categories }: Tariff, own: string): { path: PropertyKey[]; message: Said } | null {
  for (const [category, one] of Object.entries(categories)) {
    const code = currencyOf(one, own);
    const path = ['categories', category];
    if (category === STANDARD && code !== own) return { path: [...path, 'currency'], message: say`must be ${own}` };
    const digits = minorDigitsOf(code);
    const within = 'tiers' in one ? one.tiers.map((tier, index) => [['tiers', index], tier] as const) : [];
    for (const [place, amounts] of [[[], one] as const, ...within])
      for (const name of ['amount', 'least', 'most', 'round_to'] as const)
        if (decimalsOf((amounts as Amounts)[name] ?? 0) > digits)
          return {
            path: [...path, ...place, name],
            message: say`must have at most ${digits} decimals, as ${code} has`,
          };
  }
  return null;
}

type Amounts = Readonly<Partial<Record<'amount' | 'least' | 'most' | 'round_to', number>>>;

/** The currency that a rule charges in: its own, or that of the service. */
export function currencyOf(one: Rule, own: string): string {
  return ('currency' in one && one.currency) || own;
}

/** The rule of a category; undefined if the tariff has no such category. */
export function ruleFor({ categories }: Tariff, category: string): Rule | undefined {
  return Object.hasOwn(categories, category) ? categories[category] : undefined;
}

/** The fee that a service shows for its tariff: what the standard category costs, the least of it, or nothing. */
export function feeOf(tariff: Tariff): Decimal {
  const { amount, least } = tariff.categories[STANDARD] as Amounts;
  return new Decimal(amount ?? least ?? 0);
}

/** True if two tariffs, or no tariff, are the same as JSON. */
export function isSameTariff(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one ?? null, other ?? null);
}
