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
