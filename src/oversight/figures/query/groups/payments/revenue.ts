import { sql } from '../../../../../platform/database/sql.ts';
import { type Decimal, toMinorUnit, zero } from '../../../../../kernel/money.ts';
import type { Columns, MeasureGroup } from '../../measure-group.ts';
import { dimensionsIn, paymentsOf, selectGroups } from '../../question.ts';
import { SERVICES } from '../people.ts';
import { IS_REVERSAL, PAYMENT_DIMENSIONS } from './payments.ts';

const amountOf = (read: Columns, name: string) => read[name] as Decimal;
const countOf = (read: Columns, name: string) => read[name] as number;
const countPayments = (read: Columns) => countOf(read, 'events') - countOf(read, 'reversals');

/** Amounts collected and reversed. */
export const REVENUE: MeasureGroup = {
  description: 'Amounts collected and reversed.',
  people: 'none',
  dimensions: PAYMENT_DIMENSIONS,
  nothing: { net: zero, reversed: zero, events: 0, reversals: 0 },
  measures: {
    collected: {
      type: 'Decimal',
      description: 'The amount collected, before reversals.',
      of: (read) => amountOf(read, 'net').plus(amountOf(read, 'reversed')),
    },
    reversed: {
      type: 'Decimal',
      description: 'The amount reversed, as a positive number.',
      of: (read) => amountOf(read, 'reversed'),
    },
    net: {
      type: 'Decimal',
      description: 'Net revenue: collected less reversed.',
      of: (read) => amountOf(read, 'net'),
    },
    payments: {
      type: 'Int',
      description: 'The number of payments. By service, a payment counts once for each service that it pays.',
      of: (read) => countPayments(read),
    },
    reversals: {
      type: 'Int',
      description: 'The number of reversals.',
      of: (read) => countOf(read, 'reversals'),
    },
    events: {
      type: 'Int',
      description: 'The number of payments and reversals.',
      of: (read) => countOf(read, 'events'),
    },
    average: {
      type: 'Decimal',
      nullable: true,
      description: 'The average amount of a payment; null if there was none.',
      of: (read, currency) => {
        const payments = countPayments(read);
        const collected = amountOf(read, 'net').plus(amountOf(read, 'reversed'));
        return payments === 0 || currency === null ? null : toMinorUnit(collected.dividedBy(payments), currency);
      },
    },
  },
  select: (question) => {
    // One of several parts of an event leads, except where they are distinguished.
    const counted = SERVICES.some((name) => dimensionsIn(question).includes(name)) ? sql`true` : sql`f.leads`;
    return selectGroups(question, paymentsOf(question), [
      sql`sum(f.amount) as net`,
      sql`-coalesce(sum(f.amount) filter (where ${IS_REVERSAL}), 0) as reversed`,
      sql`count(*) filter (where ${counted}) as events`,
      sql`count(*) filter (where ${counted} and ${IS_REVERSAL}) as reversals`,
    ]);
  },
};
