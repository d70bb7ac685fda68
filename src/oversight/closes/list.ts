import { type Page, type PageArgs, windowOf } from '../../platform/reading/page.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import { formatDay } from '../../kernel/time.ts';
import { say } from '../../kernel/text/said.ts';

/** Position of a row in the list. */
interface Placed {
  readonly mda: string;
  readonly currency: string;
  readonly day: Date;
}

/** The list of daily closes, each day of each account, as it is paged through: where its rows are follows from these. */
export class CloseList {
  /** The code of an agency, a blank, and a currency: in their order. */
  readonly accounts: readonly string[];
  readonly days: readonly Date[];
  readonly #places: ReadonlyMap<string, number>;

  constructor(accounts: readonly string[], days: readonly Date[]) {
    this.accounts = accounts;
    this.days = days;
    this.#places = new Map(accounts.map((account, index) => [account, index]));
  }

  get length(): number {
    return this.accounts.length * this.days.length;
  }

  /** The places of the first row of a page, and of the first after it. */
  windowOf(args: PageArgs): readonly [begin: number, stop: number] {
    const { size, backwards, offset, after, before } = windowOf(args);
    const start = (after === null ? 0 : this.#placeOf('after', after) + 1) + offset;
    const end = before === null ? this.length : this.#placeOf('before', before);
    const [begin, stop] = backwards ? [Math.max(start, end - size), end] : [start, Math.min(end, start + size)];
    return [begin, Math.max(begin, stop)];
  }

  #placeOf(end: 'after' | 'before', cursor: string): number {
    const [, account, day] = /^(.*) (\S+)$/.exec(cursor) ?? [];
    const place = this.#places.get(account ?? '');
    const index = this.days.findIndex((one) => formatDay(one) === day);
    if (place === undefined || index < 0) throw refuseValue(end, say`does not name a row of this list`);
    return place * this.days.length + index;
  }

  /** The accounts that rows from one place up to another are of. */
  accountsWithin(begin: number, stop: number): readonly string[] {
    if (begin >= Math.min(stop, this.length)) return [];
    return this.accounts.slice(Math.floor(begin / this.days.length), Math.ceil(stop / this.days.length));
  }

  /** The days from the first to the last that rows from one place up to another are of. */
  daysWithin(begin: number, stop: number): readonly Date[] {
    const end = Math.min(stop, this.length);
    if (begin >= end) return [];
    const [from, to] = [begin % this.days.length, (end - 1) % this.days.length];
    const whole = Math.floor(begin / this.days.length) < Math.floor((end - 1) / this.days.length);
    return whole ? this.days : this.days.slice(from, to + 1);
  }

  /** The page from one place up to another, of all rows of the accounts that it touches. */
  pageOf<Row extends Placed>(closes: readonly Row[], begin: number, stop: number): Page<Row> {
    const left = begin - Math.floor(begin / Math.max(1, this.days.length)) * this.days.length;
    const rows = closes.slice(left, left + stop - begin);
    return {
      rows,
      hasNext: stop < this.length,
      hasPrevious: begin > 0,
      cursors: rows.map(({ mda, currency, day }) => `${mda} ${currency} ${formatDay(day)}`),
      count: async () => this.length,
    };
  }
}
