import { serviceNamed, someCitizen } from '../../../harness/flow.ts';
import { makeStaff } from '../../../harness/people/staff.ts';
import { askForGood, dataOf } from '../../run/ask.ts';
import { whileKilling } from '../../run/killing.ts';
import type { Scenario } from '../../run/scenario.ts';

const CLERKS = 3;
/** Payments of a shift. */
const PAYMENTS = 4;

interface Document {
  readonly name: string;
  readonly total_amount: number;
  readonly cash_collected: number;
  readonly variance: number;
}

export const cash: Scenario = {
  name: 'cash',
  title: 'cash that is taken in counter shifts, over two processes that are killed',
  promise:
    'Each payment is confirmed by two requests at once, and counted once. Shifts close with as much cash as clerks took, and no variance.',
  unit: 'shifts',
  full: 500,
  floor: 12,
  share: 1,
  async run(context) {
    const place = await context.open();
    const clerks = await Promise.all(Array.from({ length: CLERKS }, () => makeStaff(place.rail, 'clerk')));
    const [citizen, service] = [await someCitizen(place.rail), await serviceNamed(place.rail, 'URA-TCC')];
    await place.start(2);
    await whileKilling(context, place, () =>
      context.spread(CLERKS, async (hand) => {
        const headers = { cookie: clerks[hand]!.cookie };
        const ask = (path: string, body: object) => askForGood(context, place, path, { body, headers });
        const post = async (path: string, body: object = {}) => dataOf(await ask(path, body)) as Document;
        const { name: shift } = await post('/v1/counter-shifts', { mda: 'URA', opening_float: 20_000 });
        let taken = 0;
        for (let payment = 0; payment < PAYMENTS; payment++) {
          const lines = [{ service }];
          const { name: assessment, total_amount } = await post('/v1/assessments', {
            citizen,
            lines,
            shift,
            assess: true,
          });
          const { name } = await post('/v1/payment-intents', { assessment, channel: 'cash' });
          await post(`/v1/payment-intents/${name}:initiate`);
          const confirm = () => ask(`/v1/payment-intents/${name}:confirm`, {});
          const statuses = (await Promise.all([confirm(), confirm()])).map(({ status }) => status);
          const confirmed = statuses.includes(200) && statuses.every((status) => status === 200 || status === 422);
          context.hold(confirmed, () => `${name} was answered ${statuses.join(' and ')}`);
          taken += total_amount;
        }
        const read = await askForGood(context, place, `/v1/counter-shifts/${shift}`, { headers });
        const { cash_collected: counted } = dataOf(read) as Document;
        context.hold(counted === taken, () => `${shift} took ${taken} and counts ${counted}`);
        const { variance } = await post(`/v1/counter-shifts/${shift}:close`, { cash_counted: 20_000 + taken });
        context.hold(variance === 0, () => `${shift} took ${taken} and closes with a variance of ${variance}`);
        context.count('cash taken', taken);
      }),
    );
  },
};
