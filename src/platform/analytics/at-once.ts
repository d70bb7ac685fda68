import { stepAside } from '../../adapters/http/step-aside.ts';
import type { Sql } from '../database/sql.ts';
import type { Analytics, Asker, Difference } from './analytics.ts';

/** The copy at a moment, until that is ended. */
export interface Began {
  readonly asOf: Date;
  read<Row>(query: Sql, asker?: Asker): Promise<Row[]>;
  readonly end: () => void;
}

/** A copy that can be read as of a moment, regardless of what is written since. */
interface Beginning extends Analytics {
  begin(): Promise<Began>;
  read<Row>(query: Sql, asker?: Asker): Promise<Row[]>;
}

/** The copy as one request asks it: all that it asks is of one moment, until it is over, where it says when that is. */
export class AtOnce implements Analytics {
  askedAsOf: Date | null = null;
  readonly #copy: Beginning;
  readonly #asker: Asker | undefined;
  readonly #over: AbortSignal | undefined;
  #began: Promise<Began> | null = null;
  #refreshed: Promise<Began> | null = null;

  constructor(copy: Beginning, asker?: Asker, over?: AbortSignal) {
    this.#copy = copy;
    this.#asker = asker;
    this.#over = over;
  }

  get keptAsOf(): Date | null {
    return this.#copy.keptAsOf;
  }

  async asOf(): Promise<Date> {
    await Promise.all([this.#begun(), this.#refreshed]);
    return this.askedAsOf!;
  }

  /** Brings the copy up to date for all questions that follow. */
  async refresh(): Promise<Date> {
    this.#began = this.#refreshed ??= this.#begin(() => this.#copy.refresh(), true);
    await this.#refreshed;
    return this.askedAsOf!;
  }

  async rows<Row>(query: Sql): Promise<Row[]> {
    return this.#waiting(async () => {
      const began = await this.#begun();
      return (this.#over ? began : this.#copy).read<Row>(query, this.#asker);
    });
  }

  async row<Row>(query: Sql): Promise<Row | null> {
    return (await this.rows<Row>(query))[0] ?? null;
  }

  keepUp(): Promise<void> {
    return this.#copy.keepUp();
  }

  atOnce(asker?: Asker, over?: AbortSignal): Analytics {
    return this.#copy.atOnce(asker, over);
  }

  verify(): Promise<readonly Difference[]> {
    return this.#copy.verify();
  }

  #begun(): Promise<Began> {
    return (this.#began ??= this.#begin(() => this.#copy.asOf()));
  }

  /** Views may be as of an earlier moment than facts: then all of it is said to be. */
  async #begin(bringUp: () => Promise<Date>, ofViews = false): Promise<Began> {
    const { upTo, began } = await this.#waiting(async () => ({
      upTo: await bringUp(),
      began: await this.#copy.begin(),
    }));
    if (!this.#over || this.#over.aborted) began.end();
    else this.#over.addEventListener('abort', began.end, { once: true });
    const asOf = ofViews && upTo < began.asOf ? upTo : began.asOf;
    this.askedAsOf = this.askedAsOf && this.askedAsOf < asOf ? this.askedAsOf : asOf;
    return began;
  }

  /** Waits for the copy: what is computed there takes little of this thread, and no turn of a request. */
  #waiting<T>(run: () => Promise<T>): Promise<T> {
    return this.#asker ? this.#asker.waiting(() => stepAside(run)) : run();
  }
}
