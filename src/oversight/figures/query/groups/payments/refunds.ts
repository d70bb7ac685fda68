import { raw, sql } from '../../../../../platform/database/sql.ts';
import { zero } from '../../../../../kernel/money.ts';
import { DAY_MS } from '../../../../../kernel/time.ts';
import { ageBandOf } from '../../../../common/ages.ts';
import type { MeasureGroup, Value } from '../../measure-group.ts';
import { inSpans, isWithin, selectGroups } from '../../question.ts';
import { AGENCIES, PERIODS, SERVICES, isByService } from '../people.ts';

/** Refunds of payments that were paid, those of cancellations among them. */
export const REFUNDS: MeasureGroup = {
  description: 'Refunds of payments, by the day on which they were recorded as paid.',
  people: 'none',
  dimensions: [...AGENCIES, ...SERVICES, 'channel', 'currency', 'refund_reason', 'refund_method', 'age', ...PERIODS],
  nothing: { refunds: 0, amount: zero, milliseconds: 0 },
  measures: {
    refunds: {
      type: 'Int',
      description:
        'The number of refunds that were paid. One counts once for each agency that gave back a share; by service, once for each of its services.',
      of: ({ refunds }) => refunds as Value,
    },
    refunded: {
      type: 'Decimal',
      description: 'The amount that refunds gave back.',
      of: ({ amount }) => amount as Value,
    },
    daysToRefund: {
      type: 'Float',
      nullable: true,
      description: 'The average number of days from the request of a refund to its payment; null if there was none.',
      of: ({ milliseconds, refunds }) =>
        refunds === 0 ? null : Math.round((milliseconds as number) / (refunds as number) / (DAY_MS / 1000)) / 1000,
    },
  },
  select: (question, { now }) => {
    const day = raw(question.timeZone === 'UTC' ? 'day' : 'local_day');
    // Its age is how long it took.
    const requested = sql`${now}::timestamptz - to_milliseconds(milliseconds)`;
    const facts = inSpans(
      question,
      (days, span) =>
        sql`select ${span}, *, ${day} as on_day, ${ageBandOf(requested, now)} as age from refund where ${isWithin(days, day)}`,
    );
    const counted = isByService(question) ? sql`true` : sql`f.leads`;
    return selectGroups(question, facts, [
      sql`count(*) filter (where ${counted}) as refunds`,
      sql`coalesce(sum(f.amount), 0) as amount`,
      sql`coalesce(sum(f.milliseconds) filter (where ${counted}), 0)::double as milliseconds`,
    ]);
  },
};
