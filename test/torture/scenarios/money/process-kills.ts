import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Plan } from '../../../../src/sandbox/simulators/books.ts';
import { type Outside, simulateOutside } from '../../../../src/sandbox/simulators/outside.ts';
import { TWO_LINES_TOTAL } from '../../../harness/flow.ts';
import { PATIENCE, compareBooks } from '../../../harness/outside.ts';
import { Payer } from '../../../harness/people/payer.ts';
import { openSink } from '../../../harness/sink.ts';
import { compareDeliveries, listenAt } from '../../run/hooks.ts';
import { compareLog, comparePayers } from '../../run/paying.ts';
import type { Place } from '../../run/place.ts';
import { comparePoints, notePoints, openPoints, untilSettled } from '../../run/points.ts';
import type { Context, Scenario } from '../../run/scenario.ts';

const PROCESSES = 2;
const CLIENTS = 12;
/** A full run has at least this many kills. */
const KILLS = 100;
/** The share of answers that are 200 at least; providers fail in between. */
const AVAILABLE = 0.75;
/** Those that are simulated by their protocols; MTN MoMo is the sandbox's own, whose callbacks the payers send. */
const SIMULATED = ['airtel_money', 'card'] as const;

export const processKills: Scenario = {
  name: 'process-kills',
  title: 'payments over two processes that are killed',
  promise:
    'Providers call back twice, late, out of order or never, cut answers off and charge wrong amounts, and payment points report until they are answered, while one process or the other is killed (kill -9). Everything that was acknowledged is there once, what providers took is what is recorded, and each message arrives in its order.',
  unit: 'payments',
  full: 10_000,
  floor: 150,
  share: 6,
  async run(context) {
    const folder = mkdtempSync(join(tmpdir(), 'rail-torture-'));
    context.atEnd(() => rmSync(folder, { recursive: true, force: true }));
    const sink = await openSink();
    context.atEnd(() => sink.close());
    const held: { place?: Place } = {};
    const rail = () => context.of(held.place!.origins);
    const outside = await simulateOutside({ folder, rail, autopay: true, patience: PATIENCE });
    context.atEnd(() => outside.close());
    const { points, billers } = await openPoints(context);
    const place = (held.place = await context.open(connect(folder, outside, billers)));
    for (const channel of SIMULATED) simulatorOf(outside, channel).control.plan = () => draw(context);
    await place.start(PROCESSES);
    const shop = await place.shop(context.random);
    await listenAt(place, shop.key, sink);
    const payers = Array.from({ length: CLIENTS }, () => new Payer(shop));
    let over = false;
    const killing = killInTurns(context, place, outside, () => over);
    const goOn = () => context.more() || (!context.isOver && context.counts['kills']! < KILLS * share(context));
    await Promise.all(
      payers.map(async (payer) => {
        while (goOn()) {
          const way = context.random();
          if (way < 0.4) await payer.payInAnyWay(TWO_LINES_TOTAL);
          else if (way < 0.8) await payer.payThrough(context.of(SIMULATED));
          else await payer.payByNumber(context.of(points), TWO_LINES_TOTAL);
        }
      }),
    );
    over = true;
    await killing;
    const compare = async () => [
      ...(await compareBooks(place.rail, outside, SIMULATED)),
      ...(await comparePoints(place, points)),
    ];
    context.lose('not as the provider has it', await untilSettled(place, compare));
    notePoints(context, points);
    await comparePayers(context, place, payers, AVAILABLE);
    // The trail of what changed nothing follows its answer, and is lost with the process that had it.
    const changes = payers.map((payer) => ({ answers: payer.changes }));
    await compareLog(context, place, changes);
    await compareDeliveries(context, place, shop.integrator, sink);
  },
};

/** The tried share of the full count. */
const share = ({ tried }: Context) => tried / processKills.full;

const simulatorOf = ({ airtel, card }: Outside, channel: (typeof SIMULATED)[number]) =>
  ({ airtel_money: airtel, card })[channel];

/** The environment of rails that are connected to these simulators. */
function connect(folder: string, { connections, environment }: Outside, billers: object[]): Record<string, string> {
  const { mtn_momo: _, ...channels } = connections.channels;
  const path = join(folder, 'torture.json');
  writeFileSync(path, JSON.stringify({ ...connections, channels, billers }));
  return { ...environment, CONNECTIONS: path };
}

function draw(context: Context): Plan {
  return {
    outcome: context.random() < 0.85 ? 'paid' : 'declined',
    settleMs: context.below(600),
    callback: context.of(['once', 'lost', 'twice', 'late', 'reordered', 'tampered']),
    answer: context.of(['given', 'given', 'given', 'cut', 'error', 'slow']),
    amount: context.random() < 0.95 ? 'right' : 'wrong',
  };
}

/** Kills one process after another, as soon as the one before is back, and has providers fail now and then. */
async function killInTurns(context: Context, place: Place, outside: Outside, isOver: () => boolean): Promise<void> {
  context.count('kills', 0);
  for (let turn = 0; !isOver(); turn++) {
    await sleep(200 + context.below(1_000));
    const { trouble, books } = simulatorOf(outside, context.of(SIMULATED));
    books.refundPlan = { outcome: 'paid', answer: context.of(['given', 'slow', 'cut', 'error']) };
    trouble.down = context.random() < 0.2 ? 'cutting' : 'no';
    const victim = turn % PROCESSES;
    await place.processes[victim]!.kill();
    context.count('kills');
    trouble.down = 'no';
    await place.startAgain(victim);
  }
}
