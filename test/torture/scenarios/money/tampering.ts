import { fillLedger, tamperAtRandom } from '../../../harness/ledger.ts';
import type { Scenario } from '../../run/scenario.ts';

export const tampering: Scenario = {
  name: 'tampering',
  title: 'tampering with the database itself',
  promise: 'ledger:verify finds and names each change that somebody who holds the database makes behind the rail.',
  unit: 'tamperings',
  full: 1_000,
  floor: 40,
  share: 2,
  async run(context) {
    const place = await context.open();
    place.isMadeUp = true;
    await fillLedger(place.rail, 1_000);
    const { missed } = await tamperAtRandom(place.rail, context.more, context.below(2 ** 31));
    context.lose('not found', missed);
  },
};
