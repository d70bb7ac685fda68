import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dueDayOf, percent, priceBy, tiers } from '../../../src/collection/catalogue/tariff/price.ts';
import {
  type Rule,
  type Tariff,
  feeOf,
  isSameTariff,
  requireTariff,
} from '../../../src/collection/catalogue/tariff/tariff.ts';
import { describeTariff } from '../../../src/collection/catalogue/tariff/words.ts';
import { findPriceMistakes } from '../../../src/collection/assessments/lines/pricing.ts';
import { anonymous, viewAgency, viewPayer, viewSession, viewStaff } from '../../../src/platform/access/viewer.ts';
import { Decimal, zero } from '../../../src/kernel/money.ts';
import { Refusal } from '../../../src/kernel/refusal.ts';
import { formatDay } from '../../../src/kernel/time.ts';

/** Income Tax Act, Third Schedule: monthly bands of residents. */
const PAYE = {
  slices: true,
  tiers: [
    { up_to: 235_000, percent: 0 },
    { up_to: 335_000, percent: 10 },
    { up_to: 410_000, percent: 20 },
    { up_to: 10_000_000, percent: 30 },
    { percent: 40 },
  ],
};

it.each([
  [0, 0],
  [235_000, 0],
  [235_004, 0],
  [235_005, 1],
  [335_000, 10_000],
  [335_001, 10_000],
  [335_003, 10_001],
  [410_000, 25_000],
  [410_001, 25_000],
  [410_002, 25_001],
  [1_234_567, 272_370],
  [10_000_000, 2_902_000],
  [10_000_001, 2_902_000],
  [10_000_002, 2_902_001],
  [12_000_000, 3_702_000],
])('charges PAYE on %i shillings a month with %i', (income, tax) => {
  expect(tiers(PAYE, new Decimal(income), 'UGX').toNumber()).toBe(tax);
});

it.each([
  [33_333, 2_000],
  [33_349, 2_001],
  [10_000_000, 600_000],
  [10, 2_000],
])('charges property rates of 6 %% of %i, at least 2,000: %i', (value, rates) => {
  expect(percent({ percent: 6, least: 2_000 }, new Decimal(value), 'UGX').toNumber()).toBe(rates);
});

it('rounds once, half up, and holds the limits after that', () => {
  const by = (rule: object, base: number, currency = 'UGX') =>
    percent({ percent: 10, ...rule }, new Decimal(base), currency).toNumber();
  expect(by({}, 14.9999)).toBe(1);
  expect(by({}, 15)).toBe(2);
  expect(by({}, 0.05, 'USD')).toBe(0.01);
  expect(by({}, 0.04, 'USD')).toBe(0);
  expect(by({ round_to: 100 }, 1_499)).toBe(100);
  expect(by({ round_to: 100 }, 1_500)).toBe(200);
  expect(by({ round_to: 100, least: 150 }, 1_000)).toBe(150);
  expect(by({ round_to: 100, most: 250 }, 9_000)).toBe(250);
  // 0.3333 % of a third: no rounding on the way.
  expect(by({ percent: 0.3333 }, 999_999_999_999_999)).toBe(3_333_000_000_000);
});

it('charges the whole by the tier that it lies in, where there are no slices, with amounts of their own', () => {
  const licence = {
    slices: false,
    tiers: [{ up_to: 1_000, amount: 50 }, { up_to: 5_000, percent: 1, amount: 20 }, { percent: 2 }],
  };
  const of = (base: number) => tiers(licence, new Decimal(base), 'UGX').toNumber();
  expect([0, 1_000, 1_001, 5_000, 5_001].map(of)).toEqual([50, 50, 30, 70, 100]);
  expect(
    [0, 1_000, 1_001, 5_000, 5_001].map((base) =>
      tiers({ ...licence, slices: true }, new Decimal(base), 'UGX').toNumber(),
    ),
  ).toEqual([50, 50, 70, 110, 110]);
});

const BIRTH = {
  law: 'Registration of Persons Act, 2015',
  categories: {
    standard: { kind: 'fixed', amount: 5_000 },
    foreigner: { kind: 'fixed', amount: 40, currency: 'USD' },
    refugee: { kind: 'fixed', amount: 0 },
  },
} as const;

it('shows what the standard category costs: its amount, its least, or nothing', () => {
  const of = (standard: object) => feeOf(requireTariff({ law: 'Law', categories: { standard } }, 'UGX')).toNumber();
  expect(feeOf(requireTariff(BIRTH, 'UGX')).toNumber()).toBe(5_000);
  expect(of({ kind: 'percent', percent: 6, base: 'rateable value', least: 2_000 })).toBe(2_000);
  expect(of({ kind: 'stated', by: 'anyone' })).toBe(0);
});

const anyStaff = { id: 's', email: 'a@b.c', roles: ['clerk'] };
it.each([
  ['staff of all agencies', viewStaff({ ...anyStaff, agencies: [] }), true],
  ['staff of the agency', viewStaff({ ...anyStaff, agencies: ['URA'] }), true],
  ['staff of another', viewStaff({ ...anyStaff, agencies: ['KCCA'] }), false],
  ['a token of the agency', viewAgency({ mda: 'URA', key: 'k', scopes: [] }), true],
  ['a token of another', viewAgency({ mda: 'KCCA', key: 'k', scopes: [] }), false],
  ['a session of an account', viewSession({ id: 's', integrator: 'i' }), false],
  ['a payer', viewPayer({ link: 'l', token: 't' }), false],
  ['anybody', anonymous, false],
])('lets %s state an amount of the agency or not', (_who, viewer, may) => {
  const tariff = requireTariff({ law: 'Law', categories: { standard: { kind: 'stated', by: 'agency' } } }, 'UGX');
  const service = { name: 'S', serviceName: 'S', mda: 'URA', feeAmount: zero, tariff, currency: 'UGX' };
  const asked = { quantity: 1, category: null, baseAmount: null, statedAmount: new Decimal(5), period: null };
  const codes = findPriceMistakes(viewer, service, asked, 'line').map(({ code }) => code);
  expect(codes).toEqual(may ? [] : ['amount_not_yours']);
});

it.each([
  [{ days: 30 }, '2026-11-29', '2026-12-29'],
  [{ days: 0 }, '2026-11-29', '2026-11-29'],
  [{ day_of_month: 15 }, '2026-11-15', '2026-11-15'],
  [{ day_of_month: 15 }, '2026-11-16', '2026-12-15'],
  [{ day_of_month: 31 }, '2027-02-03', '2027-02-28'],
  [{ day_of_month: 30 }, '2026-12-31', '2027-01-30'],
])('is due by %o of %s on %s', (due, on, by) => {
  expect(formatDay(dueDayOf({ due }, new Date(on))!)).toBe(by);
});

it('is the same tariff as JSON, in whatever order, and another one where a number differs', () => {
  const { law, categories } = BIRTH;
  const { refugee, foreigner, standard } = categories;
  expect(isSameTariff(BIRTH, { categories: { refugee, foreigner, standard }, law })).toBe(true);
  expect(isSameTariff(BIRTH, { law, categories: { ...categories, refugee: { ...refugee, amount: 1 } } })).toBe(false);
  expect(isSameTariff(null, undefined)).toBe(true);
});

describe('a tariff', () => {
  const tariffOf = (standard: unknown, more: object = {}) => ({ law: 'Law', categories: { standard }, ...more });
  const tiersOf = (list: readonly object[], more: object = {}) =>
    tariffOf({ kind: 'tiers', base: 'income', slices: true, tiers: list, ...more });
  const fixed = { kind: 'fixed', amount: 1 };
  const percentOf = (more: object) => tariffOf({ kind: 'percent', percent: 1, base: 'value', ...more });
  const many = <T>(count: number, make: (index: number) => T) =>
    Array.from({ length: count }, (_, index) => make(index));

  it.each<[string, unknown, string]>([
    ['that is no object', [], 'tariff'],
    ['without a law', { categories: { standard: fixed } }, 'tariff.law'],
    ['without standard', { law: 'Law', categories: { other: fixed } }, 'tariff.categories.standard'],
    ['with a member more', tariffOf(fixed, { formula: 'a+b' }), 'tariff'],
    ['with another kind', tariffOf({ kind: 'formula' }), 'tariff.categories.standard.kind'],
    ['with an amount as text', tariffOf({ kind: 'fixed', amount: '5' }), 'tariff.categories.standard.amount'],
    ['with a negative amount', tariffOf({ kind: 'fixed', amount: -1 }), 'tariff.categories.standard.amount'],
    ['with a decimal too many', tariffOf({ kind: 'fixed', amount: 0.5 }), 'tariff.categories.standard.amount'],
    [
      'with standard in another currency',
      tariffOf({ ...fixed, currency: 'USD' }),
      'tariff.categories.standard.currency',
    ],
    ['in no currency', tariffOf({ ...fixed, currency: 'XXY' }), 'tariff.categories.standard.currency'],
    ['of more than 100 %', percentOf({ percent: 100.1 }), 'tariff.categories.standard.percent'],
    ['with 5 decimals of a percent', percentOf({ percent: 0.00001 }), 'tariff.categories.standard.percent'],
    ['with its least over its most', percentOf({ least: 2, most: 1 }), 'tariff.categories.standard.least'],
    ['that rounds below the minor unit', percentOf({ round_to: 0.5 }), 'tariff.categories.standard.round_to'],
    ['that rounds to nothing', percentOf({ round_to: 0 }), 'tariff.categories.standard.round_to'],
    ['with a limit of 16 digits', percentOf({ most: 1234567890123456 }), 'tariff.categories.standard.most'],
    ['without tiers', tiersOf([]), 'tariff.categories.standard.tiers'],
    ['with a tier of nothing', tiersOf([{}]), 'tariff.categories.standard.tiers[0]'],
    ['with a gap above its tiers', tiersOf([{ up_to: 5, percent: 1 }]), 'tariff.categories.standard.tiers'],
    ['with two tiers without an end', tiersOf([{ percent: 1 }, { percent: 2 }]), 'tariff.categories.standard.tiers'],
    [
      'with falling tiers',
      tiersOf([{ up_to: 5, percent: 1 }, { up_to: 4, percent: 2 }, { percent: 3 }]),
      'tariff.categories.standard.tiers',
    ],
    [
      'with 101 tiers',
      tiersOf([...many(100, (index) => ({ up_to: index + 1, percent: 1 })), { percent: 1 }]),
      'tariff.categories.standard.tiers',
    ],
    [
      'with 51 categories',
      tariffOf(fixed, {
        categories: { standard: fixed, ...Object.fromEntries(many(50, (index) => [`c${index}`, fixed])) },
      }),
      'tariff.categories',
    ],
    [
      'of 20 KB',
      tariffOf(fixed, {
        categories: Object.fromEntries(
          many(50, (index) => [
            index === 0 ? 'standard' : `c${index}`,
            tiersOf([...many(15, (nth) => ({ up_to: nth + 1, percent: 1 })), { percent: 1 }]).categories.standard,
          ]),
        ),
      }),
      'tariff',
    ],
    ['due on no day', tariffOf(fixed, { due: { day_of_month: 32 } }), 'tariff.due.day_of_month'],
    ['with NUL in its law', tariffOf(fixed, { law: 'a\0b' }), 'tariff.law'],
  ])('%s is refused', (_what, value, path) => {
    let refused: unknown;
    try {
      requireTariff(value, 'UGX');
    } catch (error) {
      refused = error;
    }
    expect(refused).toBeInstanceOf(Refusal);
    expect((refused as Refusal).details.map((detail) => detail.path)).toContain(path);
  });

  it('is said in sentences, one for each of its rules and tiers', () => {
    const { categories } = BIRTH;
    const words = (tariff: object) =>
      describeTariff(tariff as Tariff, 'UGX').map(({ category, said }) => [category, String(said)]);
    expect(words({ law: 'Law', categories, due: { days: 30 } })).toEqual([
      ['standard', 'UGX 5000 each'],
      ['foreigner', 'USD 40 each'],
      ['refugee', 'free of charge'],
      [null, 'to be paid within 30 days of the assessment'],
    ]);
    const standard = { kind: 'tiers', base: 'chargeable income', ...PAYE, round_to: 100 };
    expect(words({ law: 'Law', categories: { standard } }).map(([, said]) => said)).toEqual([
      'for each part of the chargeable income:',
      'from 0 to 235000: 0 %',
      'from 235000 to 335000: 10 %',
      'from 335000 to 410000: 20 %',
      'from 410000 to 10000000: 30 %',
      'above 10000000: 40 %',
      'rounded to multiples of UGX 100',
    ]);
  });

  it('gives an exact amount within its limits, by whatever rule, of any base', () => {
    const amount = fc.integer({ min: 0, max: 1_000_000 });
    const part = fc.integer({ min: 0, max: 1_000_000 }).map((value) => value / 10_000);
    const steps = fc.uniqueArray(fc.integer({ min: 1, max: 10_000_000 }), { minLength: 0, maxLength: 12 });
    const rules: fc.Arbitrary<Rule> = fc.oneof(
      fc.record({ percent: part, least: amount, more: amount }).map(({ percent: rate, least, more }): Rule => ({
        kind: 'percent',
        base: 'b',
        percent: rate,
        least,
        most: least + more,
      })),
      fc
        .record({ steps, part, amount, slices: fc.boolean() })
        .map(({ steps: ends, part: rate, amount: flat, slices }): Rule => ({
          kind: 'tiers',
          base: 'b',
          slices,
          tiers: [
            ...ends.toSorted((a, b) => a - b).map((up_to) => ({ up_to, percent: rate, amount: flat })),
            { percent: rate },
          ],
        })),
    );
    fc.assert(
      fc.property(rules, fc.integer({ min: 0, max: 1_000_000_000 }), (standard, base) => {
        const tariff = requireTariff({ law: 'Law', categories: { standard } }, 'UGX');
        const declared = { base: new Decimal(base), stated: zero };
        const priced = priceBy(tariff.categories['standard']!, declared, 'UGX');
        expect(priced.decimalPlaces()).toBe(0);
        expect(priced.greaterThanOrEqualTo(feeOf(tariff))).toBe(true);
        if ('most' in standard) expect(priced.lessThanOrEqualTo(standard.most!)).toBe(true);
        // A sum of parts, each within its tier, is never more than the whole at the highest percent with all amounts.
        const again = priceBy(structuredClone(standard), declared, 'UGX');
        expect(again.equals(priced)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
