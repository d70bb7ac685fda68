import { uptime } from 'node:os';
import type { Logger } from 'pino';
import { type Database, sql } from './sql.ts';

/** Parts of a clock besides the database; tests give others. */
export interface Hands {
  /** The clock of this machine, in milliseconds. */
  wall(): number;
  /** Uptime of this machine, suspensions included, in milliseconds. */
  up(): number;
  /** By how much time is moved, in milliseconds. */
  moved(): number;
}

export const ownHands: Hands = { wall: () => Date.now(), up: () => uptime() * 1_000, moved: () => 0 };

/**
 * A machine whose clock differs by more from the database's is reported: its log lines and certificates go by its own
 * clock.
 */
const MOST_APART_MS = 2_000;
const MEASURE_EVERY_MS = 10_000;
/** The quickest of them says the most; the first may have to open a connection. */
const SAMPLES = 3;
/** Least difference that is corrected: a smaller correction would only make time jump. */
const LEAST_CORRECTION_MS = 20;
/** By so much no clock drifts between two measurements: it was set, or the machine was suspended. */
const STEP_MS = 1_000;

interface Measured {
  readonly tookMs: number;
  readonly epoch: number;
}

/**
 * The database's clock, as every process has it: claims, leases, ends and moments that one process writes and another
 * compares mean the same on both, regardless of the clocks of their machines. In between measurements it goes on by the
 * machine's steady clock, which no one sets; and while the database is away. The steady clock does not see that a
 * machine was suspended, or the database's clock set on the same machine: where this machine's clock jumps, the
 * database is asked at once. Until it answers, time moves by as long as the machine was suspended, and by nothing where
 * somebody set its clock: the database's may be on another machine.
 */
export class Clock {
  readonly #db: Database;
  readonly #log: Logger;
  readonly #hands: Hands;
  /** The moment at which the steady clock was 0. */
  #epoch: number;
  /** The same by this machine's clock, when time was last measured. */
  #ownEpoch: number;
  /** Time for which the machine had been suspended at the last measurement, plus a constant. */
  #suspendedMs: number;
  /** True if this machine's clock jumped since the database last gave the time. */
  #jumped = false;
  #settling: Promise<void> | null = null;
  #apart = false;
  #timer: NodeJS.Timeout | null = null;

  private constructor(db: Database, log: Logger, hands: Hands) {
    this.#db = db;
    this.#log = log;
    this.#hands = hands;
    this.#epoch = this.#ownEpoch = this.#findOwnEpoch();
    this.#suspendedMs = this.#findSuspendedMs();
  }

  /** Sets a clock by the database, and keeps it right until `end`. */
  static async start(db: Database, log: Logger, hands: Hands): Promise<Clock> {
    const clock = new Clock(db, log, hands);
    await clock.measure();
    clock.#timer = setInterval(() => clock.#try(clock.measure()), MEASURE_EVERY_MS);
    clock.#timer.unref();
    return clock;
  }

  now(): Date {
    const ownEpoch = this.#findOwnEpoch();
    if (isStep(this.#ownEpoch, ownEpoch)) {
      const suspendedMs = this.#findSuspendedMs();
      if (isStep(this.#suspendedMs, suspendedMs)) this.#epoch += suspendedMs - this.#suspendedMs;
      this.#suspendedMs = suspendedMs;
      this.#ownEpoch = ownEpoch;
      this.#jumped = true;
      this.#try(this.settle());
    }
    return new Date(this.#epoch + performance.now() + this.#hands.moved());
  }

  /** By how much this machine's clock is ahead of the database's, in whole milliseconds. */
  get offsetMs(): number {
    return Math.round(this.#findOwnEpoch() - this.#epoch);
  }

  /** True if this machine's clock is so far from the database's that somebody should set it. */
  get isApart(): boolean {
    return Math.abs(this.offsetMs) > MOST_APART_MS;
  }

  /** Waits for the database to say what time it is, where this machine's clock jumped. Fails where it does not say so. */
  async settle(): Promise<void> {
    this.now();
    if (this.#jumped) await (this.#settling ??= this.measure().finally(() => (this.#settling = null)));
  }

  #try(measuring: Promise<void>): void {
    measuring.catch((error: unknown) => this.#log.debug({ err: error }, 'the clock could not be compared'));
  }

  /** Asks the database for its time, and goes by it from then on. */
  async measure(): Promise<void> {
    let ownEpoch: number;
    let measured: Measured;
    do {
      ownEpoch = this.#findOwnEpoch();
      measured = await this.#ask();
    } while (isStep(ownEpoch, this.#findOwnEpoch()));
    const { tookMs, epoch } = measured;
    if (Math.abs(epoch - this.#epoch) > Math.max(tookMs / 2, LEAST_CORRECTION_MS)) this.#epoch = epoch;
    this.#ownEpoch = ownEpoch;
    this.#suspendedMs = this.#findSuspendedMs();
    this.#jumped = false;
    if (this.isApart && !this.#apart)
      this.#log.warn(
        { offset_ms: this.offsetMs },
        "this machine's clock is not the database's: set one of them; the rail goes by the database's",
      );
    this.#apart = this.isApart;
  }

  async #ask(): Promise<Measured> {
    let best = { tookMs: Infinity, epoch: this.#epoch };
    for (let sample = 0; sample < SAMPLES; sample++) {
      const asked = performance.now();
      const row = await this.#db.row<{ at: number }>(
        sql`select extract(epoch from clock_timestamp())::float8 * 1000 as at`,
      );
      const answered = performance.now();
      // The database looked at its clock somewhere in between.
      if (answered - asked < best.tookMs) best = { tookMs: answered - asked, epoch: row!.at - (asked + answered) / 2 };
    }
    return best;
  }

  #findOwnEpoch(): number {
    return this.#hands.wall() - performance.now();
  }

  #findSuspendedMs(): number {
    return this.#hands.up() - performance.now();
  }

  end(): void {
    if (this.#timer) clearInterval(this.#timer);
  }
}

function isStep(one: number, other: number): boolean {
  return Math.abs(one - other) > STEP_MS;
}
