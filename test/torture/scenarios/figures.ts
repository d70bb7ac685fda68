import { setTimeout as sleep } from 'node:timers/promises';
import { TWO_LINES_TOTAL } from '../../harness/flow.ts';
import { Payer } from '../../harness/people/payer.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { ask, dataOf } from '../run/ask.ts';
import { comparePayers } from '../run/paying.ts';
import type { Place } from '../run/place.ts';
import type { Scenario } from '../run/scenario.ts';

const CLIENTS = 4;
/** Questions until the last payments have to be in an answer. */
const MOST_TRIES = 60;

export const figures: Scenario = {
  name: 'figures',
  title: 'figures of oversight compared with SQL, by two processes, while clients pay',
  promise:
    'What an answer says was collected lies between what SQL said before its As-Of and says after it. Once nobody pays, both processes say what SQL says.',
  unit: 'questions',
  full: 2_000,
  floor: 40,
  share: 1,
  async run(context) {
    const place = await context.open();
    const { cookie } = await makeStaff(place.rail, 'oversight');
    await place.start(2);
    const shop = await place.shop(context.random);
    const known: Collected[] = [];
    /** Asks a process; whether it answers as of a moment after all that SQL said before the question. */
    const read = async (origin: string): Promise<boolean> => {
      known.push(await collectedBySql(place));
      const { said, asOf } = await askCollected(origin, cookie);
      const most = await collectedBySql(place);
      const least = known.findLast(({ at }) => at < asOf)?.sum ?? 0;
      context.hold(
        least <= said && said <= most.sum,
        () => `an answer as of ${asOf.toISOString()} says ${said}, SQL ${least} before and ${most.sum} after`,
      );
      return known.at(-1)!.at < asOf;
    };
    const payers = Array.from({ length: CLIENTS }, () => new Payer(shop));
    let over = false;
    const paying = Promise.all(
      payers.map((payer) =>
        payer.payUntil(
          () => over,
          () => payer.payInAnyWay(TWO_LINES_TOTAL),
        ),
      ),
    );
    while (context.more()) await read(context.of(place.origins));
    over = true;
    await paying;
    for (const origin of place.origins) {
      let tries = 1;
      while (!(await read(origin)) && tries++ < MOST_TRIES) await sleep(1_000);
      context.hold(tries <= MOST_TRIES, () => `the last payments are not in figures after ${MOST_TRIES} questions`);
    }
    await comparePayers(context, place, payers);
  },
};

interface Collected {
  readonly sum: number;
  /** A moment, by the clock of the database, at which there was as much. */
  readonly at: Date;
}

/** SQL of what was collected. */
export const COLLECTED = `
  select coalesce(sum(amount), 0)::float8 as sum, clock_timestamp() + interval '1 ms' as at
  from payment_event where kind = 'payment' and currency = 'UGX'`;

async function collectedBySql({ query }: Place): Promise<Collected> {
  return (await query<Collected>(COLLECTED))[0]!;
}

/** The collected sum according to a process, and its moment. */
export async function askCollected(origin: string, cookie: string): Promise<{ said: number; asOf: Date }> {
  const reply = await ask(`${origin}/v1/oversight/revenue`, { headers: { cookie } });
  const rows = dataOf(reply) as { currency: string; collected: number }[];
  const said = rows.find(({ currency }) => currency === 'UGX')?.collected ?? 0;
  return { said, asOf: new Date(reply.headers.get('as-of') ?? 0) };
}
