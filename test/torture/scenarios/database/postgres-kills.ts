import { surviveKills } from '../../../harness/chaos/kills.ts';
import { OwnPostgres } from '../../../harness/postgres.ts';
import { noteAnswers } from '../../run/paying.ts';
import type { Scenario } from '../../run/scenario.ts';

/** The share of answers that are 200 at least, though PostgreSQL is away for half of the time. */
const AVAILABLE = 0.2;

export const postgresKills: Scenario = {
  name: 'postgres-kills',
  title: 'a PostgreSQL that is killed under load',
  promise:
    'Both processes live on and write again on their own. Nothing that was acknowledged is lost, and each answer is in the audit trail once.',
  unit: 'kills',
  full: 200,
  floor: 6,
  share: 4,
  async run(context) {
    const postgres = await OwnPostgres.start();
    const place = await context.open({}, postgres);
    await place.start(2);
    const shop = await place.shop(context.random);
    const { processes } = place;
    const { lost, unlogged, wrong, statuses, confirmed, slowestWriteMs } = await surviveKills(
      { postgres, processes, shop },
      { more: context.more, clients: 6, random: context.random },
    );
    noteAnswers(context, statuses, AVAILABLE);
    context.count('payments confirmed', confirmed);
    context.count('slowest write after a start, ms', slowestWriteMs);
    context.lose('acknowledged and lost', lost);
    context.lose('answered and not in the audit trail once', unlogged);
    context.lose('answered wrongly', wrong);
    context.hold(
      processes.every((one) => one.alive()),
      () => 'a process ended',
    );
  },
};
