import type { Fact } from '../../platform/analytics/fact.ts';

/** Amounts that each payment event paid for each service, or took back. Events never change. */
export const PAYMENTS: Fact = {
  name: 'payment',
  of: 'payment',
  columns: {
    event: 'varchar',
    /** By the clock of UTC, and the days and hours of both clocks. */
    occurred_at: 'timestamp',
    day: 'date',
    hour: 'tinyint',
    local_day: 'date',
    local_hour: 'tinyint',
    mda: 'varchar',
    /** Empty for what no line of the assessment explains. */
    service: 'varchar',
    channel: 'varchar',
    /** `counter`, `integrator` or `other`. */
    station: 'varchar',
    /** The code of the counter's agency and the counter's label. */
    counter: 'varchar',
    integrator: 'varchar',
    currency: 'varchar',
    /** `payment` or `reversal`, whose amount is negative. */
    kind: 'varchar',
    /** Amount of 18 digits, which is added up as a whole number: no currency in use has more than three decimals. */
    amount: 'decimal(18, 3)',
    quantity: 'integer',
    /** True of one part of each event, by which events are counted. */
    leads: 'boolean',
    provider: 'varchar',
    /** Amount of the whole event. */
    event_amount: 'decimal(18, 3)',
    /** Proof by which it was confirmed. */
    proof: 'varchar',
  },
};

/** The receipt of each payment event: one that pays several agencies has a row for each. */
export const RECEIPTS: Fact = {
  name: 'receipt',
  of: 'payment',
  columns: {
    /** Its docname, by which receipts are counted. */
    receipt: 'varchar',
    /** On which it was issued, by the clock of UTC. */
    day: 'date',
    mda: 'varchar',
    channel: 'varchar',
    status: 'varchar',
    copies: 'integer',
  },
};

/** Money that arrived at a provider and paid nothing. A row goes once an event has its transaction. */
export const MONEY: Fact = {
  name: 'money_received',
  of: 'money',
  columns: {
    provider: 'varchar',
    channel: 'varchar',
    currency: 'varchar',
    amount: 'decimal(18, 3)',
    /** On which it was reported, by the clock of UTC. */
    day: 'date',
    /** The part that nobody has settled. */
    open: 'decimal(18, 3)',
  },
};

/** Amounts that refunds of payments gave back, by agency and service, once they are paid. */
export const REFUNDS: Fact = {
  name: 'refund',
  of: 'refund',
  columns: {
    mda: 'varchar',
    /** Empty for what no line of the assessment explains. */
    service: 'varchar',
    /** Channel of the payment. */
    channel: 'varchar',
    currency: 'varchar',
    /** Of its reason. */
    code: 'varchar',
    method: 'varchar',
    amount: 'decimal(18, 3)',
    /** True of one part of each agency's share, by which refunds are counted. */
    leads: 'boolean',
    /** On which it was recorded as paid, by the clock of UTC, and by that of the agency. */
    day: 'date',
    local_day: 'date',
    /** From its request until it was recorded as paid. */
    milliseconds: 'bigint',
    /** The one that took the payment. */
    provider: 'varchar',
  },
};
