import type { Logger } from 'pino';
import { isPassing, isUnsure } from '../database/errors.ts';

interface Waiting<Row> {
  readonly row: Row;
  /** The request that waits for its row before it is answered; null if it was answered already. */
  readonly waiter: { resolve(): void; reject(error: unknown): void } | null;
}

/** Longest wait of a read's row for company. */
const READ_DELAY_MS = 50;
/** Rows kept while the database is away; beyond them the oldest go to the log alone. */
const MOST_WAITING = 20_000;
const MOST_TRIES = 4;
/**
 * Longest time to retry a group of which the database may have taken one try without a word: answers meanwhile would
 * not match the row, should it be there.
 */
const LONGEST_UNSURE_MS = 15_000;

interface Writing<Row> {
  /** Writes a group; rows carry ids of their own, so that a group whose answer was lost can be sent again. */
  readonly write: (rows: readonly Row[]) => Promise<unknown>;
  /** Mends what a group failed for, where it can; whether it did. */
  readonly mend?: (error: unknown, rows: readonly Row[]) => Promise<boolean>;
  /** Log message for a group that could not be written. */
  readonly failure: string;
}

/** Writes rows in groups: rows that arrive during one insert go with the next. */
export class Groups<Row> {
  readonly #writing: Writing<Row>;
  readonly #log: Logger;
  #waiting: Waiting<Row>[] = [];
  #timer: NodeJS.Timeout | null = null;
  #underWay: Promise<void> | null = null;
  #ending = false;

  constructor(writing: Writing<Row>, log: Logger) {
    this.#writing = writing;
    this.#log = log;
  }

  /** Takes a row that nobody waits for, whether it can be written now or not; usually it is within 100 ms. */
  note(row: Row): void {
    this.#waiting.push({ row, waiter: null });
    if (!this.#underWay) this.#timer ??= setTimeout(() => this.#write(), READ_DELAY_MS);
  }

  /** Takes a row, and waits until it is durable. Where it could not be written the row is forgotten. */
  record(row: Row): Promise<void> {
    const durable = new Promise<void>((resolve, reject) => this.#waiting.push({ row, waiter: { resolve, reject } }));
    if (!this.#underWay) this.#write();
    return durable;
  }

  /** Writes what is waiting; at shutdown. What cannot be written even then is in the log. */
  async flush(): Promise<void> {
    this.#ending = true;
    await this.#underWay;
    if (this.#waiting.length > 0) this.#write();
    await this.#underWay;
    if (this.#timer) clearTimeout(this.#timer);
    this.#ending = false;
  }

  #write(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const group = this.#waiting;
    this.#waiting = [];
    this.#underWay = this.#insert(group.map(({ row }) => row))
      .then(
        () => group.forEach(({ waiter }) => waiter?.resolve()),
        (error: unknown) => {
          this.#keep(group, error);
          group.forEach(({ waiter }) => waiter?.reject(error));
        },
      )
      .then(() => {
        this.#underWay = null;
        if (this.#waiting.some(({ waiter }) => waiter)) this.#write();
        else if (this.#waiting.length > 0) this.#timer ??= setTimeout(() => this.#write(), READ_DELAY_MS);
      });
  }

  /** Keeps the rows of what was answered for when the database is back. */
  #keep(group: readonly Waiting<Row>[], error: unknown): void {
    const answered = group.filter(({ waiter }) => !waiter);
    const beyond = isPassing(error) ? answered.length + this.#waiting.length - MOST_WAITING : answered.length;
    const lost = answered.splice(0, Math.max(0, beyond)).map(({ row }) => row);
    this.#waiting = [...answered, ...this.#waiting];
    this.#log.error({ err: error, waiting: this.#waiting.length, lost }, this.#writing.failure);
  }

  async #insert(rows: readonly Row[]): Promise<void> {
    const { write, mend } = this.#writing;
    let unsureUntil = 0;
    for (let tries = 1; ; tries++) {
      try {
        await write(rows);
        return;
      } catch (error) {
        if (isUnsure(error)) unsureUntil ||= performance.now() + LONGEST_UNSURE_MS;
        const unsure = performance.now() < unsureUntil && !this.#ending;
        const mended = tries < MOST_TRIES && ((await mend?.(error, rows)) ?? false);
        if (!mended && !(isPassing(error) && (tries < MOST_TRIES || unsure))) throw error;
        await new Promise((wake) => setTimeout(wake, Math.min(20 * 4 ** tries, 1_280)));
      }
    }
  }
}
