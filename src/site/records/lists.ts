import { type DaySpan, dayBefore } from '../figures/days.ts';
import type { Texts } from '../languages/texts.ts';

/** Parameters of an address for the part of a list, and not for its content. */
const OF_A_PART = ['first', 'after', 'last', 'before', 'row', 'done'];

/** Rows of a page of a list. */
const SIZE = 50;

/** The days that lists are asked for most, by what messages call them. */
type Preset = 'today' | 'yesterday' | 'week' | 'month' | 'fiscalYear';

/** A part of a list, as connections of the graph have it. */
export interface Listed {
  readonly nodes: readonly unknown[];
  readonly pageInfo: {
    readonly hasPreviousPage: boolean;
    readonly hasNextPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
  readonly totalCount?: number;
  readonly totalCountIsLowerBound?: boolean;
  /** Null where the list is too long to be added up. */
  readonly totals?: readonly { readonly currency: string; readonly amount: number }[] | null;
}

type Said = Readonly<Record<string, string | number | null>>;

/** Days up to today, and what they are called. */
export function presetsOf(today: string, fiscalMonth: number): Readonly<Record<Preset, DaySpan>> {
  const [year, month] = [Number(today.slice(0, 4)), Number(today.slice(5, 7))];
  const weekday = (new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7;
  const begins = `${month < fiscalMonth ? year - 1 : year}-${String(fiscalMonth).padStart(2, '0')}-01`;
  const yesterday = dayBefore(today, 1);
  return {
    today: { fromDate: today, toDate: today },
    yesterday: { fromDate: yesterday, toDate: yesterday },
    week: { fromDate: dayBefore(today, weekday), toDate: today },
    month: { fromDate: `${today.slice(0, 7)}-01`, toDate: today },
    fiscalYear: { fromDate: begins, toDate: today },
  };
}

/** The same page asked in another way: what is null is left out of its query. Which rows are shown starts again. */
function addressWith(query: URLSearchParams, said: Said): string {
  const other = new URLSearchParams(query);
  for (const name of [...OF_A_PART, ...Object.keys(said)]) other.delete(name);
  for (const [name, value] of Object.entries(said)) if (value !== null) other.set(name, String(value));
  return `?${other}`;
}

/** The number of the first row that is shown; null where the address does not say it. */
function firstRow(query: URLSearchParams, { hasPreviousPage }: Listed['pageInfo']): number | null {
  if (!hasPreviousPage && query.get('after') === null) return 1;
  const row = Number(query.get('row'));
  return Number.isSafeInteger(row) && row > 0 ? row : null;
}

/** Values for lists of pages: the position in them, and the links to their other parts, orders and files. */
export function listsFor(texts: Texts, address: string, query: URLSearchParams) {
  const { t, number, money } = texts;
  return {
    linkWith: (said: Said) => addressWith(query, said),
    /** The filters of a list by its days, as an area calls them. */
    between: (from: string, to: string, area = 'console') =>
      [from, to].map((name, end) => ({ name, label: t(`${area}.${end ? 'to' : 'from'}`), type: 'date' })),
    /** Its filters by an amount. */
    amounts: Object.entries({ minAmount: 'least', maxAmount: 'most' }).map(([name, said]) => ({
      name,
      label: t(`console.payments.${said}`),
      with: { inputmode: 'decimal', maxlength: 20 },
    })),
    /** Address of the whole list, as it is filtered and ordered, as a file. */
    fileOf: (ending: string) => `${address.split('?')[0]}.${ending}${addressWith(query, {})}`.replace(/\?$/, ''),
    /** The next and the previous rows, whose addresses say `more` too. */
    partsOf(page: Listed['pageInfo'], shown: number, size = SIZE, more: Said = {}) {
      const row = firstRow(query, page);
      const { startCursor, endCursor } = page;
      const at = (place: number) => (row === null ? null : Math.max(1, row + place));
      const previous = { last: size, before: startCursor, row: at(-size) };
      const next = { first: size, after: endCursor, row: at(shown) };
      return {
        previous: page.hasPreviousPage ? addressWith(query, { ...previous, ...more }) : null,
        next: page.hasNextPage ? addressWith(query, { ...next, ...more }) : null,
      };
    },
    /** Positions of these rows, and the total. */
    placeIn({ nodes, pageInfo, totalCount, totalCountIsLowerBound }: Listed): string | null {
      if (totalCount === undefined) return null;
      const row = firstRow(query, pageInfo);
      const count = { count: number(totalCount) };
      const whole = t(totalCountIsLowerBound ? 'list.moreThan' : 'list.all', count);
      if (row === null) return whole;
      return t('list.place', { from: number(row), to: number(row + nodes.length - 1), whole });
    },
    /** Amounts of the whole list. */
    sumOf({ totals }: Listed): string | null {
      if (totals === undefined) return null;
      if (totals === null) return t('list.noTotal');
      const amounts = totals.map(({ currency, amount }) => money(amount, currency)).join(', ');
      return t('list.total', { amounts });
    },
  };
}
