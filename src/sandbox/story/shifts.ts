import { Decimal } from '../../kernel/money.ts';
import type { Viewer } from '../../platform/access/viewer.ts';
import type { Call, Rail } from '../../platform/call/call.ts';
import { closeShift } from '../../counter/shifts/close.ts';
import { refreshShift } from '../../counter/shifts/count.ts';
import { openShift } from '../../counter/shifts/open.ts';
import { decideVariance } from '../../counter/supervision/decide.ts';
import { DENOMINATIONS } from '../../counter/shifts/denominations.ts';
import type { Cast } from './cast.ts';
import { type Random, callAt, hourOf } from './stage.ts';

const FLOAT = 200_000;

interface Counter {
  readonly agency: string;
  readonly label: string;
}

const COUNTERS: readonly Counter[] = [
  { agency: 'URA', label: 'Nakawa, window 1' },
  { agency: 'KCCA', label: 'City Hall, window 2' },
  ...[2, 3, 4, 5].map((window) => ({ agency: 'URA', label: `Nakawa, window ${window}` })),
];

/** A shift that is open, and who works it. */
export interface OpenShift {
  readonly name: string;
  readonly agency: string;
  readonly clerk: Viewer;
}

/** A wrong count, and a supervisor's decision on it. */
interface Difference {
  readonly amount: number;
  readonly reason: string;
  readonly decision: 'approve' | 'reject' | 'escalate' | null;
  readonly note?: string;
}

/** At the first of the counters a drawer is short again and again. */
const TROUBLED = 2;

/** Their last closings of the story, the last one first: so there is one in each state of its review. */
const LAST_DIFFERENCES: readonly Difference[] = [
  { amount: -35_000, reason: 'A payer left before the change was counted', decision: null },
  { amount: 20_000, reason: 'A note was counted twice, I think', decision: null },
  {
    amount: -150_000,
    reason: 'The drawer was open during the fire drill',
    decision: 'escalate',
    note: 'Third this month',
  },
  { amount: -18_000, reason: 'No idea', decision: 'reject', note: 'Count again with a witness' },
];

/** A difference as it happens every now and then. */
const SMALL_DIFFERENCE: Difference = {
  amount: -2_000,
  reason: 'Wrong change given',
  decision: 'approve',
  note: 'Within what happens',
};

/** Share of counts that are a little short. */
const OFTEN = 0.15;

/** The counters of the story, day by day; on Sundays they are closed. */
export class Counters {
  readonly #rail: Rail;
  readonly #cast: Cast;
  readonly #random: Random;
  /** The last day on which they are open. */
  readonly lastDay: Date;
  #left: number;
  #open: OpenShift[] = [];
  /** Number of times they were opened: clerks take turns. */
  #turns = 0;
  #undecided: { readonly shift: string; readonly difference: Difference }[] = [];

  constructor(rail: Rail, cast: Cast, random: Random, days: readonly Date[]) {
    const open = days.filter(isWorkday);
    this.#rail = rail;
    this.#cast = cast;
    this.#random = random;
    this.#left = open.length * TROUBLED;
    this.lastDay = open.at(-1)!;
  }

  /** Opens them in the morning, and has the supervisor look at the day before; the shifts, in their order. */
  async open(day: Date): Promise<readonly OpenShift[]> {
    if (!isWorkday(day)) return [];
    const shifts = await this.openAt(hourOf(day, 8));
    for (const { shift, difference } of this.#undecided.splice(0))
      await this.#decide(shift, difference, hourOf(day, 9));
    return shifts;
  }

  async openAt(at: Date): Promise<readonly OpenShift[]> {
    this.#open = [];
    const turn = this.#turns++;
    for (const [place, { agency, label }] of COUNTERS.entries()) {
      const opening = { agency, counterLabel: label, openingFloat: new Decimal(FLOAT), currency: 'UGX' };
      const crew = this.#cast.clerks.get(agency)!;
      const clerk = crew[(turn + place) % crew.length]!;
      const { name } = await openShift(callAt(this.#rail, clerk, at), opening);
      this.#open.push({ name, agency, clerk });
    }
    return this.#open;
  }

  /** Counts the drawers in the evening. */
  async close(day: Date): Promise<void> {
    for (const [place, { name: shift, clerk }] of this.#open.splice(0).entries()) {
      const small = this.#random.draw() < OFTEN ? SMALL_DIFFERENCE : null;
      const difference = (place < TROUBLED ? LAST_DIFFERENCES[--this.#left] : null) ?? small;
      // The second is open late on its last day.
      const at = hourOf(day, place === 1 && day === this.lastDay ? 21.5 : 18.5);
      await closeOnStage(callAt(this.#rail, clerk, at), shift, difference);
      if (difference) this.#undecided.push({ shift, difference });
    }
    if (day !== this.lastDay) return;
    for (const { shift, difference } of this.#undecided.splice(0))
      await this.#decide(shift, difference, hourOf(day, 22));
  }

  /** Decides on what a clerk counted. */
  async #decide(name: string, { decision, note }: Difference, at: Date): Promise<void> {
    if (decision !== null)
      await decideVariance(callAt(this.#rail, this.#cast.supervisor, at), decision, { name, note });
  }
}

const isWorkday = (day: Date) => day.getUTCDay() !== 0;

/** Counts a drawer by notes and coins, and closes its shift. */
async function closeOnStage(call: Call, shift: string, difference: Difference | null): Promise<void> {
  const { openingFloat, cashCollected } = await refreshShift(call, shift);
  const cashCounted = openingFloat.plus(cashCollected).plus(difference?.amount ?? 0);
  const varianceReason = difference?.reason ?? null;
  await closeShift(call, { name: shift, cashCounted, denominations: breakDown(cashCounted), varianceReason });
}

/** An amount as a drawer has it: as few notes and coins as there can be. */
function breakDown(amount: Decimal): { value: Decimal; count: number }[] {
  let left = amount.toNumber();
  return DENOMINATIONS['UGX']!.flatMap((value) => {
    const count = Math.floor(left / value);
    left -= count * value;
    return count > 0 ? [{ value: new Decimal(value), count }] : [];
  });
}
