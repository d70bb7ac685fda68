import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shareOut } from '../../../../src/collection/reconciliation/payouts/share-out.ts';
import { Decimal, sum } from '../../../../src/kernel/money.ts';
import { addDays } from '../../../../src/kernel/time.ts';

const [FRI, SAT, SUN, MON] = ['2026-11-27', '2026-11-28', '2026-11-29', '2026-11-30'] as const;
const owed = (nets: Record<string, number>) =>
  Object.entries(nets).map(([day, net]) => ({ day, net: new Decimal(net) }));
const credit = (from: string, to: string, amount: number, valueOn: string = MON) => ({
  from,
  to,
  amount: new Decimal(amount),
  valueOn,
});

const received = (...[days, credits]: Parameters<typeof shareOut>) =>
  Object.fromEntries([...shareOut(days, credits)].map(([day, one]) => [day, one.received.toNumber()]));

describe('what arrived', () => {
  it('is shared out among the days of a weekend, one of them with more refunds than payments', () => {
    expect(received(owed({ [FRI]: 100, [SAT]: -20, [SUN]: 50 }), [credit(FRI, SUN, 130)])).toEqual({
      [FRI]: 100,
      [SAT]: -20,
      [SUN]: 50,
    });
  });

  it('lacks at the end of its span what is too little, and has there what is too much', () => {
    const days = owed({ [FRI]: 100, [SAT]: 30, [SUN]: 50 });
    expect(received(days, [credit(FRI, SUN, 110)])).toEqual({ [FRI]: 100, [SAT]: 10 });
    expect(received(days, [credit(FRI, SUN, 200)])).toEqual({ [FRI]: 100, [SAT]: 30, [SUN]: 70 });
  });

  it('is the sum of two lines of one day, and of the bank day of the last', () => {
    const arrived = shareOut(owed({ [FRI]: 100 }), [credit(FRI, FRI, 40, '2026-12-02'), credit(FRI, FRI, 60)]);
    expect(arrived.get(FRI)).toEqual({ received: new Decimal(100), lastOn: '2026-12-02' });
  });

  it('is with the first day where nothing was expected', () => {
    expect(received([], [credit(SAT, SUN, 5)])).toEqual({ [SAT]: 5 });
  });

  it('adds up to what the lines came to, always', () => {
    const amount = fc.integer({ min: -500, max: 5_000 });
    const line = fc.record({ start: fc.nat(9), length: fc.nat(6), amount });
    fc.assert(
      fc.property(fc.array(amount, { maxLength: 10 }), fc.array(line, { maxLength: 6 }), (nets, lines) => {
        const days = nets.map((net, place) => ({ day: addDays(FRI, place), net: new Decimal(net) }));
        const credits = lines.map(({ start, length, amount: of }) =>
          credit(addDays(FRI, start), addDays(FRI, start + length), of),
        );
        const shared = [...shareOut(days, credits).values()].map((one) => one.received);
        expect(sum(shared).toNumber()).toBe(lines.reduce((all, one) => all + one.amount, 0));
      }),
    );
  });
});
