import type { Fact } from '../../platform/analytics/fact.ts';

/** The agencies, with what figures are grouped by. */
export const AGENCIES: Fact = {
  name: 'agency',
  of: 'catalogue',
  columns: {
    mda: 'varchar',
    mda_name: 'varchar',
    country: 'varchar',
    region: 'varchar',
    district: 'varchar',
    time_zone: 'varchar',
    /** The month that a fiscal year begins with, 1 to 12. */
    fiscal_year_month: 'tinyint',
    /** The days on which banks do not work: of a week, by names in English, and of one year or each, between commas. */
    weekend: 'varchar',
    holidays: 'varchar',
  },
};

/** The accounts that agencies have and had: a key is the same for all that have the account, and says nothing of it. */
export const ACCOUNTS: Fact = {
  name: 'account',
  of: 'catalogue',
  columns: {
    mda: 'varchar',
    key: 'varchar',
    /** By the clock of UTC: null is since ever, and until now. */
    from_at: 'timestamp',
    to_at: 'timestamp',
  },
};

/** The services of all agencies. */
export const SERVICES: Fact = {
  name: 'service',
  of: 'catalogue',
  columns: {
    service: 'varchar',
    code: 'varchar',
    service_name: 'varchar',
    mda: 'varchar',
    sector: 'varchar',
    family: 'varchar',
  },
};
