import { sql } from '../../../../../platform/database/sql.ts';
import { zero } from '../../../../../kernel/money.ts';
import type { DimensionName } from '../../dimensions.ts';
import type { Measure, MeasureGroup, Value } from '../../measure-group.ts';
import { daysOf, selectGroups } from '../../question.ts';

const PERIODS: readonly DimensionName[] = ['year', 'quarter', 'month', 'week', 'day', 'weekday'];

const measure = (name: string, description: string, type: Measure['type'] = 'Int'): Measure => ({
  type,
  description,
  of: (columns) => columns[name] as Value,
});

/** Receipts of payments, by state. */
export const RECEIPTS: MeasureGroup = {
  description: 'Receipts of payments, by the day on which they were issued (UTC).',
  people: 'none',
  dimensions: ['agency', 'channel', 'country', 'region', 'district', ...PERIODS],
  // One that pays several agencies counts once for each: a whole has fewer than its parts.
  nothing: null,
  measures: {
    receipts: measure('receipts', 'The number of receipts issued, those that are void today included.'),
    voidReceipts: measure('void', 'The number of receipts that are void, since their payment was reversed.'),
    reprintedReceipts: measure('reprinted', 'The number of receipts that were printed more than once.'),
  },
  select: (question) =>
    selectGroups(question, daysOf(sql`receipt`, question), [
      sql`count(distinct f.receipt) as receipts`,
      sql`count(distinct f.receipt) filter (where f.status = 'Void') as void`,
      sql`count(distinct f.receipt) filter (where f.copies > 1) as reprinted`,
    ]),
};

/** Money at providers that pays nothing here. */
export const MONEY_RECEIVED: MeasureGroup = {
  description: 'Money that arrived at a provider and paid nothing, by the day on which it was reported (UTC).',
  people: 'none',
  dimensions: ['provider', 'channel', 'currency', ...PERIODS],
  nothing: { count: 0, amount: zero, open: zero },
  measures: {
    unmatchedPayments: measure('count', 'The number of transactions that paid nothing.'),
    unmatchedAmount: measure('amount', 'The amount of the transactions that paid nothing.', 'Decimal'),
    moneyOpen: measure('open', 'The part of it that is neither allocated, given back nor closed.', 'Decimal'),
  },
  select: (question) =>
    selectGroups(question, daysOf(sql`money_received`, question), [
      sql`count(*) as count`,
      sql`coalesce(sum(f.amount), 0) as amount`,
      sql`coalesce(sum(f.open), 0) as open`,
    ]),
};
