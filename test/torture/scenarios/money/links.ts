import { Patience } from '../../../harness/run/patience.ts';
import { type Reply, ask, askForGood, dataOf } from '../../run/ask.ts';
import { whileKilling } from '../../run/killing.ts';
import type { Scenario } from '../../run/scenario.ts';

const HANDS = 4;
const TABS = 3;
const START = `mutation { startPayment(channel: mtn_momo, payerMsisdn: "+256700123456") { attempt { id } } }`;

export const links: Scenario = {
  name: 'links',
  title: 'payment links that are open in several tabs, over two processes that are killed',
  promise: `Of ${TABS} tabs that start a payment at the same moment, all are answered with the same one. It is paid once.`,
  unit: 'links',
  full: 1_000,
  floor: 40,
  share: 1,
  async run(context) {
    const place = await context.open();
    await place.start(2);
    const { key, citizen, services } = await place.shop(context.random);
    const post = async (path: string, body: object) =>
      dataOf(await askForGood(context, place, path, { key, body })) as { name: string; url: string };
    const lines = services.map((service) => ({ service }));
    await whileKilling(context, place, () =>
      context.spread(HANDS, async () => {
        const { name: assessment } = await post('/v1/assessments', { citizen, lines, assess: true });
        const { url } = await post('/v1/payment-links', { assessment, channels: ['mtn_momo'] });
        const tab = { key: url.slice(url.lastIndexOf('/') + 1), body: { query: START } };
        const start = () =>
          new Patience().ask(async () => {
            const reply = await ask(`${context.of(place.origins)}/graphql`, tab);
            // Another tab's request is on its way to the provider: this one is to be sent again, as after a 409 of REST.
            return reply.text.includes('"being_initiated"') ? { ...reply, status: 409 } : reply;
          });
        const tabs = Array.from({ length: TABS }, start);
        const begun = new Set((await Promise.all(tabs)).map(attemptOf));
        context.hold(begun.size === 1, () => `tabs of a link of ${assessment} began ${[...begun].join(' and ')}`);
        await post(`/v1/payment-intents/${[...begun][0]}:confirm`, {});
      }),
    );
    const wrong = await place.query<{ name: string; intents: number }>(`
      select l.name, count(i.name)::int as intents from payment_link l left join payment_intent i on i.link = l.name
      group by l.name having count(i.name) <> 1 or bool_or(i.status <> 'Confirmed')`);
    context.lose(
      'links not paid once',
      wrong.map(({ name, intents }) => `${name}: ${intents} payments`),
    );
  },
};

/** The payment that a tab shows. */
function attemptOf(reply: Reply): string {
  const { data } = JSON.parse(reply.text || '{}') as { data?: { startPayment?: { attempt?: { id: string } } } };
  return data?.startPayment?.attempt?.id ?? `${reply.status} ${reply.text}`;
}
