import { sql } from '../../../../platform/database/sql.ts';
import { ASSESSED_DISCLOSED } from '../../../facts/disclosed.ts';
import { IN_STEPS } from '../../../common/small-cells.ts';
import type { MeasureGroup, Value } from '../measure-group.ts';
import { AGENCIES, MONTHS, SERVICES, isByService, ofStatus, selectPeople } from './people.ts';

const amountOf = (status: string) => ofStatus(status, sql`sum(f.amount)`);

/** Assessments, and their outcome. The people counted are those who owe it. */
export const ASSESSED: MeasureGroup = {
  description: `Assessments made in whole months (UTC), and their outcome. ${IN_STEPS}`,
  people: 'steps',
  dimensions: [...AGENCIES, ...SERVICES, ...MONTHS, 'currency'],
  nothing: null,
  isViewed: true,
  price: 3,
  measures: {
    assessments: {
      type: 'Int',
      description: 'The number of assessments. By service, an assessment counts once for each of its services.',
      of: ({ assessments }) => assessments as Value,
    },
    assessed: {
      type: 'Decimal',
      description: 'The amount assessed in whole months.',
      of: ({ assessed }) => assessed as Value,
    },
    paid: {
      type: 'Decimal',
      nullable: true,
      description: 'The amount of it that is paid.',
      of: ({ paid }) => paid as Value,
    },
    outstanding: {
      type: 'Decimal',
      nullable: true,
      description: 'The amount of it that awaits payment.',
      of: ({ outstanding }) => outstanding as Value,
    },
    cancelled: {
      type: 'Decimal',
      nullable: true,
      description: 'The amount of it that was cancelled.',
      of: ({ cancelled }) => cancelled as Value,
    },
  },
  select: (question) =>
    selectPeople(
      {
        facts: ASSESSED_DISCLOSED,
        byStatus: ['paid', 'outstanding', 'cancelled'],
        depths: { service: 2, sector: 2, family: 2 },
      },
      question,
      [
        sql`coalesce(sum(${isByService(question) ? sql`f.lines` : sql`f.assessments`}) filter (where f.disclosed), 0)::int as assessments`,
        sql`coalesce(sum(f.amount) filter (where f.disclosed), 0) as assessed`,
        sql`${amountOf('Paid')} as paid`,
        sql`${amountOf('Assessed')} as outstanding`,
        sql`${amountOf('Cancelled')} as cancelled`,
      ],
    ),
};

/** What exemptions waived. The people counted are those who are exempt. */
export const EXEMPTIONS: MeasureGroup = {
  description: `Exemptions that were applied to assessments of whole months (UTC), and not cancelled with these. ${IN_STEPS}`,
  people: 'steps',
  dimensions: [...AGENCIES, ...MONTHS, 'currency', 'ground'],
  nothing: null,
  measures: {
    waived: {
      type: 'Decimal',
      description: 'The amount that exemptions waived of the official one.',
      of: ({ waived }) => waived as Value,
    },
  },
  select: (question) =>
    selectPeople(
      {
        facts: { table: sql`waived`, parting: { apart: ['month', 'currency'], tree: ['mda', 'ground'] } },
        depths: { ground: 2 },
      },
      question,
      [sql`coalesce(sum(f.amount) filter (where f.disclosed), 0) as waived`],
    ),
};
