import type { Rail } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { type Recounted, recount, startRecounting } from '../root/recount.ts';

const REGISTRATIONS: Recounted = {
  name: 'registrations',
  lock: 7_283_011,
  tail: 'registration_tail',
  sums: 'registration_sum',
  key: ['day'],
  count: sql`counted as (select * from count_registrations(array(select day from keys))) select * from counted`,
};

/** Counts people by the days on which one was registered, or consented. */
export const startCountingRegistrations = (rail: Rail) => startRecounting(rail, REGISTRATIONS);

/** Counts them once; how many changes were taken. */
export const countRegistrations = (rail: Pick<Rail, 'transaction'>) => recount(rail, REGISTRATIONS);
