import { setTimeout as sleep } from 'node:timers/promises';
import { countStatuses } from '../../harness/chaos/kills.ts';
import { Payer, type Shop, lostOf, unloggedOf } from '../../harness/people/payer.ts';
import type { Place } from './place.ts';
import type { Context } from './scenario.ts';

interface Paying {
  readonly place: Place;
  readonly clients: number;
  readonly shop?: Shop;
}

/** Has clients pay for as long as something is done to the rail, and compares what they were promised. */
export async function payDuring(
  context: Context,
  { place, clients, shop }: Paying,
  work: (payers: readonly Payer[]) => Promise<void>,
): Promise<void> {
  const where = shop ?? (await place.shop(context.random));
  const payers = Array.from({ length: clients }, () => new Payer(where));
  let over = false;
  const paying = Promise.all(payers.map((payer) => payer.payUntil(() => over)));
  try {
    await work(payers);
  } finally {
    over = true;
    await paying;
  }
  await comparePayers(context, place, payers);
  await compareLog(context, place, payers);
}

/** Compares the rail's promises to clients with the database. */
export async function comparePayers(
  context: Context,
  place: Place,
  payers: readonly Payer[],
  available = 0,
): Promise<void> {
  noteAnswers(context, countStatuses(payers), available);
  for (const { acknowledged } of payers)
    for (const [step, names] of Object.entries(acknowledged)) context.count(`acknowledged ${step}`, names.length);
  context.lose('acknowledged and lost', await lostOf(payers, place.query));
  context.lose(
    'answered wrongly',
    payers.flatMap(({ wrong }) => wrong),
  );
}

/** Notes how many answers had which status, and holds that at least a share of those that came are 200. */
export function noteAnswers(context: Context, statuses: Readonly<Record<number, number>>, available: number): void {
  const { 0: cut = 0, 200: right = 0, ...others } = statuses;
  const answered = right + Object.values(others).reduce((sum, count) => sum + count, 0);
  context.count('requests cut off', cut);
  for (const [status, count] of Object.entries({ 200: right, ...others })) context.count(`answers ${status}`, count);
  context.hold(
    right >= available * answered,
    () => `${right} of ${answered} answers are 200, fewer than ${available * 100} %`,
  );
}

/** Answers of clients, compared with the audit trail. */
export async function compareLog(
  context: Context,
  place: Place,
  payers: readonly Pick<Payer, 'answers'>[],
): Promise<void> {
  // Requests that changed nothing are logged a moment after their answer.
  await sleep(1_500);
  context.lose('answered and not in the audit trail once', await unloggedOf(payers, place.query));
}
