import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  Decimal,
  fitsJson,
  isCurrency,
  minorDigitsOf,
  requirePositive,
  sum,
  toNumber,
} from '../../src/kernel/money.ts';
import { priceLine, totalOf } from '../../src/collection/assessments/lines/pricing.ts';
import { deriveSplits, checkExplicitSplits } from '../../src/collection/payments/splits.ts';

const CURRENCIES = ['UGX', 'KES', 'USD', 'JPY', 'BHD'] as const;

const lines = fc.constantFrom(...CURRENCIES).chain((currency) =>
  fc.record({
    currency: fc.constant(currency),
    lines: fc.array(
      fc.record({
        mda: fc.constantFrom('URA', 'URSB', 'NIRA', 'KCCA', 'NSSF'),
        minor: fc.integer({ min: 1, max: 1_000_000_000 }),
        quantity: fc.integer({ min: 1, max: 10_000 }),
      }),
      { minLength: 1, maxLength: 100 },
    ),
  }),
);

describe('splits', () => {
  it('conserve the sum, for any lines and currency, and name each agency once', () => {
    fc.assert(
      fc.property(lines, ({ currency, lines: given }) => {
        const priced = given.map(({ mda, minor, quantity }, index) =>
          priceLine(
            index + 1,
            {
              name: 'S',
              serviceName: 'S',
              mda,
              feeAmount: new Decimal(minor).div(new Decimal(10).pow(minorDigitsOf(currency))),
              tariff: null,
              currency,
            },
            { quantity, category: null, baseAmount: null, statedAmount: null, period: null },
          ),
        );
        const total = totalOf(priced);
        const splits = deriveSplits(priced);
        expect(sum(splits.map(({ amount }) => amount)).equals(total)).toBe(true);
        expect(new Set(splits.map(({ mda }) => mda)).size).toBe(splits.length);
        for (const { amount } of splits) expect(amount.decimalPlaces()).toBeLessThanOrEqual(minorDigitsOf(currency));
        const open = new Set(splits.map(({ mda }) => mda));
        expect(checkExplicitSplits(splits, { amount: total, currency }, open)).toEqual(splits);
        const [first, ...others] = splits;
        expect(() =>
          checkExplicitSplits(
            [{ ...first!, amount: first!.amount.plus(1) }, ...others],
            { amount: total, currency },
            open,
          ),
        ).toThrow(/must add up/);
      }),
      { numRuns: 300 },
    );
  });

  it('leave out agencies that are owed nothing', () => {
    expect(
      deriveSplits([
        { mda: 'A', amount: new Decimal(0) },
        { mda: 'B', amount: new Decimal(5) },
      ]),
    ).toEqual([{ mda: 'B', amount: new Decimal(5) }]);
  });
});

describe('amounts', () => {
  it('travel through JSON exactly while they have at most 15 digits', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 999_999_999_999_999n }),
        fc.integer({ min: 0, max: 4 }),
        (digits, places) => {
          const amount = new Decimal(digits.toString()).div(new Decimal(10).pow(places));
          expect(fitsJson(amount)).toBe(true);
          expect(new Decimal(String(JSON.parse(JSON.stringify(amount.toNumber())))).equals(amount)).toBe(true);
        },
      ),
    );
    expect(fitsJson(new Decimal('1234567890123456'))).toBe(false);
    expect(fitsJson(new Decimal('0.30000000000000004'))).toBe(false);
  });

  it('are in the currencies of today, with the minor units of ISO 4217', () => {
    const digits = {
      JPY: 0,
      UGX: 0,
      KES: 2,
      USD: 2,
      MGA: 2,
      MRU: 2,
      KWD: 3,
      CLF: 4,
      UYW: 4,
      XCG: 2,
      ZWG: 2,
      SLE: 2,
      XAD: 2,
    };
    for (const [code, expected] of Object.entries(digits)) expect(minorDigitsOf(code), code).toBe(expected);
    for (const code of ['ANG', 'BGN', 'CUC', 'HRK', 'SLL', 'ZWL', 'XXX', 'usd'])
      expect(isCurrency(code), code).toBe(false);
  });

  it('have no more decimals than their currency', () => {
    expect([...CURRENCIES].map(minorDigitsOf)).toEqual([0, 2, 2, 0, 3]);
    expect(() => requirePositive('amount', new Decimal('0.5'), 'UGX')).toThrow(/at most 0 decimals/);
    expect(() => requirePositive('amount', new Decimal('1.005'), 'KES')).toThrow(/at most 2 decimals/);
    expect(() => requirePositive('amount', new Decimal('-1'), 'KES')).toThrow(/more than 0/);
    expect(requirePositive('amount', new Decimal('1.05'), 'KES').toString()).toBe('1.05');
  });
});

describe('an amount as a number', () => {
  const digits = (most: number) =>
    fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: most }).map((all) => all.join(''));
  const written = fc
    .tuple(fc.constantFrom('', '-'), digits(18), digits(12))
    .map(([sign, whole, fraction]) => `${sign}${whole || '0'}${fraction && `.${fraction}`}`);

  it('is the one nearest to what is written', () => {
    fc.assert(
      fc.property(written, (text) => {
        expect(toNumber(new Decimal(text))).toBe(Number(text));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    '0',
    '-0',
    '9999999',
    '10000000',
    '99999999999999',
    '100000000000000',
    '0.1',
    '1234567.1234567',
    '0.0000001',
    'NaN',
    'Infinity',
    '-Infinity',
  ])('is %s', (text) => {
    expect(toNumber(new Decimal(text))).toBe(Number(text));
  });
});
