import { randomUUID } from 'node:crypto';
import type { Viewer } from '../../platform/access/viewer.ts';
import { type Call, type Rail, callOf } from '../../platform/call/call.ts';
import { DAY_MS, dayOf } from '../../kernel/time.ts';

/** A call of somebody at a moment of the story: all that a verb writes is of that moment. */
export function callAt(rail: Rail, viewer: Viewer, at: Date): Call {
  return callOf({ ...rail, now: () => at }, viewer, randomUUID());
}

/** A moment some seconds later. */
export function later(at: Date, seconds: number): Date {
  return new Date(at.getTime() + seconds * 1_000);
}

/** The earlier one of two moments. */
export function earlier(one: Date, other: Date): Date {
  return one < other ? one : other;
}

/** By how much the clocks of the story's agencies are ahead of UTC: all of them are in Kampala. */
const OFFSET_HOURS = 3;

/** An hour of local time, of a UTC day. */
export function hourOf(day: Date, hour: number): Date {
  return new Date(day.getTime() + (hour - OFFSET_HOURS) * 3_600_000);
}

/** The UTC days before today, the first one first. */
export function daysUpTo(now: Date, days: number): Date[] {
  const today = dayOf(now);
  return Array.from({ length: days }, (_, index) => new Date(today.getTime() - (days - index) * DAY_MS));
}

/** Random numbers, the same for the same seed (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** From 0 up to, and without, 1. */
  draw(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number below another one. */
  below(end: number): number {
    return Math.floor(this.draw() * end);
  }

  /** One of a list; those in front are the likelier, the higher the exponent. */
  pick<Item>(items: readonly Item[], exponent = 1): Item {
    return items[Math.floor(this.draw() ** exponent * items.length)]!;
  }
}

/** Does something with each item, some at a time. */
export async function eachOf<Item>(
  items: readonly Item[],
  atOnce: number,
  run: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const item of left) await run(item);
    }),
  );
}
