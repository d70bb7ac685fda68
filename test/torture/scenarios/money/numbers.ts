import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Outside, simulateOutside } from '../../../../src/sandbox/simulators/outside.ts';
import { TWO_LINES_TOTAL } from '../../../harness/flow.ts';
import { PATIENCE } from '../../../harness/outside.ts';
import { Payer } from '../../../harness/people/payer.ts';
import { whileKilling } from '../../run/killing.ts';
import { comparePayers } from '../../run/paying.ts';
import type { Place } from '../../run/place.ts';
import { comparePoints, notePoints, openPoints, untilSettled, whileKept } from '../../run/points.ts';
import type { Scenario } from '../../run/scenario.ts';

const CLIENTS = 4;
/** Most time that the gateway keeps a text before it answers. */
const SLOW_MS = 1_500;
/** Most time until a text is sent while nothing is killed. */
const PATIENCE_MS = 60_000;

export const numbers: Scenario = {
  name: 'numbers',
  title: 'payments by number, notices to agencies and texts to payers, over two processes that are killed',
  promise:
    'What payment points took is booked once. Each agency with a system of its own hears once of each payment and reversal, with its amount. No payer gets a number to pay twice.',
  unit: 'payments',
  full: 2_000,
  floor: 40,
  share: 2,
  async run(context) {
    const folder = mkdtempSync(join(tmpdir(), 'rail-torture-'));
    context.atEnd(() => rmSync(folder, { recursive: true, force: true }));
    const held: { place?: Place } = {};
    const rail = () => context.of(held.place!.origins);
    const outside = await simulateOutside({ folder, rail, autopay: true, patience: PATIENCE });
    context.atEnd(() => outside.close());
    const { points, billers } = await openPoints(context);
    const { agencies, sms } = outside.connections;
    const path = join(folder, 'numbers.json');
    writeFileSync(path, JSON.stringify({ agencies, sms, billers }));
    const place = (held.place = await context.open({ ...outside.environment, CONNECTIONS: path }));
    const shop = await place.shop(context.random);
    await place.start(2);
    const payers = Array.from({ length: CLIENTS }, () => new Payer(shop));
    await dieWhileTelling(place, outside, payers[0]!);
    Object.defineProperty(outside.sms.trouble, 'held', { get: () => sleep(context.below(SLOW_MS)) });
    const pay = (hand: number) => payers[hand]!.payByNumber(context.of(points), TWO_LINES_TOTAL);
    const compare = async () => [
      ...(await comparePoints(place, points)),
      ...(await compareNotices(place, outside)),
      ...(await compareTexts(place, outside)),
    ];
    await whileKept(context, place, points, async () => {
      await whileKilling(context, place, () => context.spread(CLIENTS, pay));
      context.lose('not as it is outside', await untilSettled(place, compare));
    });
    context.count('texts', outside.sms.texts.length);
    notePoints(context, points);
    await comparePayers(context, place, payers);
  },
};

/** Has each process die while the gateway has the text of a number to pay, which it sends. */
async function dieWhileTelling(place: Place, { sms: { trouble } }: Outside, payer: Payer): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  trouble.held = promise;
  await payer.issueNumber();
  for (const end = performance.now() + PATIENCE_MS; trouble.waiting === 0; await sleep(20))
    if (performance.now() > end) throw new Error('the text of a number to pay was not sent in a minute');
  await Promise.all(place.processes.map((one) => one.kill()));
  trouble.held = null;
  resolve();
  await Promise.all(place.processes.map((_, at) => place.startAgain(at)));
}

/** Payments of which an agency with a system of its own did not hear once, with its amount; and so of their reversals. */
async function compareNotices({ query }: Place, { agencies }: Outside): Promise<string[]> {
  const owed = await query<{ of: string; status: string; amount: number }>(`
    select a.name || ' to ' || m.name as of, a.status, sum(l.amount)::float8 as amount
    from assessment a join assessment_line l on l.assessment = a.name join mda m on m.name = l.mda
    where m.interaction_mode = 'B' and a.paid_at is not null group by a.name, m.name`);
  const notices = Object.values(agencies).flatMap((agency) => [...agency.notices.values()].map(({ notice }) => notice));
  const heard = Map.groupBy(notices, ({ assessment, mda }) => `${assessment} to ${mda}`);
  return owed.flatMap(({ of, status, amount }) => {
    const received = heard.get(of) ?? [];
    const net = received.reduce(
      (sum, notice) => sum + (notice.type === 'reversed' ? -1 : 1) * Math.abs(notice.amount),
      0,
    );
    // An agency is not notified of a payment that was reversed before its notice was sent.
    const counts = status === 'Paid' ? [1] : [0, 2];
    return counts.includes(received.length) && net === (status === 'Paid' ? amount : 0)
      ? []
      : [`${of}: ${received.length} notices of ${net} in all, ${status}`];
  });
}

/** Texts that came too often, are not booked as sent, or wait: a number to pay comes once, a receipt perhaps once more. */
async function compareTexts({ query }: Place, { sms }: Outside): Promise<string[]> {
  const messages = await query<{ name: string; id: string | null; status: string; kind: string; subject: string }>(`
    select name, gateway_id as id, status::text, kind::text, subject from payer_message where transport = 'sms'`);
  const taken = new Map(sms.texts.map(({ id, text }) => [id, text]));
  const issued = messages.filter(({ kind }) => kind === 'reference_issued').map(({ subject }) => subject);
  return [
    ...messages.filter(({ status }) => status === 'Queued').map(({ name }) => `${name} waits`),
    ...messages.filter(({ id }) => id !== null && !taken.has(id)).map(({ name }) => `${name} was not sent`),
    ...[...Map.groupBy(sms.texts, ({ text }) => text)]
      .filter(([text, times]) => times.length > (issued.some((number) => text.includes(number)) ? 1 : 2))
      .map(([text, times]) => `a text came ${times.length} times: ${text}`),
  ];
}
