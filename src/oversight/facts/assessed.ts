import type { Fact } from '../../platform/analytics/fact.ts';

/** Debts of each assessment for each service, and their outcome, as far as `../common/steps.ts` discloses it. */
export const ASSESSED: Fact = {
  name: 'assessed',
  of: 'assessment',
  columns: {
    /** The one who owes it: another number in each month. */
    person: 'bigint',
    /** The first day of the month of the assessment (UTC). */
    month: 'date',
    /** The same of its due day, which is one of its agency; null without one. */
    due: 'date',
    assessed_at: 'timestamptz',
    currency: 'varchar',
    mda: 'varchar',
    service: 'varchar',
    /** Through which it was paid; empty for what was not. */
    channel: 'varchar',
    /** `Assessed`, `Paid` or `Cancelled`. */
    status: 'varchar',
    amount: 'decimal(18, 3)',
    /** From assessment to payment; null for what was not paid. */
    milliseconds: 'bigint',
    /** True of one service of each agency of an assessment, by which assessments are counted. */
    leads: 'boolean',
    /** Docname by which unpaid ones are listed: one for each assessment and agency. */
    name: 'varchar',
  },
};

/** What exemptions waived of them, by agency and ground. */
export const WAIVED: Fact = {
  name: 'waived',
  of: 'assessment',
  columns: {
    /** The one who is exempt: another number in each month. */
    person: 'bigint',
    month: 'date',
    currency: 'varchar',
    mda: 'varchar',
    ground: 'varchar',
    amount: 'decimal(18, 3)',
  },
};
