import { takeTurns } from '../../../kernel/event-loop.ts';
import { charge } from '../../../graphql/builder.ts';
import type { Call } from '../../../platform/call/call.ts';
import { sql } from '../../../platform/database/sql.ts';
import { loadTogether } from '../../../platform/reading/batch.ts';
import { Decimal } from '../../../kernel/money.ts';
import { Refusal, refuseValue } from '../../../kernel/refusal.ts';
import { DAY_MS, formatDay } from '../../../kernel/time.ts';
import { MOST_GROUPS } from '../../common/arguments.ts';
import {
  type DimensionName,
  DIMENSION_NAMES,
  type KeyValue,
  dimensionOf,
  guessGroups,
  placeIn,
  writeKey,
} from './dimensions.ts';
import { FEWEST_PEOPLE } from '../../common/small-cells.ts';
import { GROUP_NAMES, GROUP_OF_MEASURE, type GroupName, groupOf } from './groups.ts';
import { type Columns, type Value, settingOf } from './measure-group.ts';
import type { Question } from './question.ts';
import { namedIn } from './slice.ts';
import { type Base, daysOfBase } from './span.ts';
import { say } from '../../../kernel/text/said.ts';

/** Reason why figures are null. */
export const HIDDEN = {
  not_kept_by_this_dimension: 'They are not kept by one of the dimensions that were grouped or filtered by.',
  not_over_several: 'People are counted by agency and month alone, since somebody can be counted in several.',
  few_people: 'They, or some of them, are about too few people.',
  not_additive: 'They cannot be added up: ask for them in a group of their own.',
  not_recorded: 'The period ended before anything was recorded.',
} as const;
export type Hidden = keyof typeof HIDDEN;

/**
 * Cost of a measure group, of each of its days, and of each group that these may have: ten points a millisecond, of a
 * million payments in three years.
 */
const PRICE = 10;
const PRICE_A_DAY = 0.3;
const PRICE_A_GROUP = 0.15;
/** No rail has records of more days. */
const MOST_DAYS = 3_660;

/** A group of an answer. */
export interface Row {
  readonly answer: Answer;
  readonly id: string;
  readonly key: Readonly<Partial<Record<DimensionName, KeyValue>>>;
  /** Figures of a summed row, or why it has none. Other rows read theirs from the answer. */
  readonly fixed?: ReadonlyMap<GroupName, Columns> | Hidden;
}

export type Direction = 'asc' | 'asc_nulls_first' | 'desc';

/** The columns of a measure that groups are ordered by. */
export const ORDERED_BY = {
  value: 'The value of the measure itself.',
  difference: 'Its difference from that of the span that `from` names.',
  change: 'The difference as a share of the value before. Groups that had nothing then come last.',
} as const;

export interface FigureOrder {
  readonly measure?: string | null | undefined;
  readonly dimension?: DimensionName | null | undefined;
  readonly direction: Direction;
  readonly by?: keyof typeof ORDERED_BY | null | undefined;
  readonly from?: Base | null | undefined;
}

export interface Having {
  readonly measure: string;
  readonly gte?: Decimal | null | undefined;
  readonly lte?: Decimal | null | undefined;
}

/** Columns of a measure group for each group of the answer, by its ID; or the reason why there are none. */
type Read = ReadonlyMap<string, { readonly key: Row['key']; readonly columns: Columns }> | Hidden;

/** The answer to a question: each measure group is read once, and where something asks for it. */
export class Answer {
  readonly call: Call;
  readonly question: Question;
  /** The measure groups whose figures make rows. */
  readonly shown: readonly GroupName[];
  /** The dimensions of its rows: those asked for, and the currency where figures are disclosed by it. */
  readonly keys: readonly DimensionName[];
  readonly #read = new Map<GroupName, Promise<Read>>();
  readonly #derived = new Map<string, Promise<unknown>>();
  readonly #compared = new Map<string, Answer>();

  constructor(call: Call, question: Question, shown: readonly GroupName[]) {
    this.call = call;
    this.question = question;
    this.shown = shown;
    const byCurrency = shown.map(groupOf).some((one) => one.dimensions.includes('currency') && !one.acrossCurrencies);
    this.keys = DIMENSION_NAMES.filter((name) => question.by.includes(name) || (byCurrency && name === 'currency'));
  }

  /** Makes once a value that several rows of this answer ask for alike. */
  derive<T>(name: string, make: () => Promise<T>): Promise<T> {
    const known = this.#derived.get(name) as Promise<T> | undefined;
    if (known) return known;
    const made = make();
    this.#derived.set(name, made);
    return made;
  }

  /** All groups of which there are figures, in the order of their values. */
  rows(): Promise<readonly Row[]> {
    return this.derive('rows', async () => {
      const found = new Map<string, Row>();
      const [own, ...others] = await Promise.all([
        this.#refuseUnkept().then(() => Promise.all(this.shown.map((name) => this.#rowsOf(name)))),
        ...(this.question.including ?? []).map((base) => this.comparedWith(base).rows()),
      ]);
      for (const row of own.flat()) found.set(row.id, row);
      for (const row of others.flat()) if (!found.has(row.id)) found.set(row.id, { ...row, answer: this });
      return this.#inOrder([...found.values()]);
    });
  }

  /** The same question about another span. */
  comparedWith(base: Base): Answer {
    const { including: _others, comparedDays, ...question } = this.question;
    const days = (base === 'before' && comparedDays) || daysOfBase(question, base);
    const name = `compared ${base}`;
    const known = this.#compared.get(name) ?? new Answer(this.call, { ...question, ...days }, this.shown);
    this.#compared.set(name, known);
    return known;
  }

  /** The rows that satisfy the conditions, in the order that is asked for. */
  async select(having: readonly Having[], orderBy: readonly FigureOrder[]): Promise<readonly Row[]> {
    const rows = await this.rows();
    const read = async (order: FigureOrder) => rows.map(await this.#orderOf(order));
    const [bounded, ordered] = await Promise.all([
      Promise.all(having.map(({ measure }) => read({ measure, direction: 'asc' }))),
      Promise.all(orderBy.map(read)),
    ]);
    const compare = (a: number, b: number): number => {
      for (const [index, { direction }] of orderBy.entries()) {
        const by = compareValues(ordered[index]![a]!, ordered[index]![b]!, direction);
        if (by !== 0) return by;
      }
      return a - b;
    };
    return rows
      .map((_row, place) => place)
      .filter((place) =>
        having.every(({ gte, lte }, index) => {
          const value = bounded[index]![place] as number | null;
          return value !== null && (gte == null || value >= gte.toNumber()) && (lte == null || value <= lte.toNumber());
        }),
      )
      .toSorted(compare)
      .map((place) => rows[place]!);
  }

  /** Values that rows are ordered by. */
  async #orderOf({ measure, dimension, by, from }: FigureOrder): Promise<(row: Row) => KeyValue> {
    if (!measure) return ({ key }) => placeIn(dimension!, key[dimension!] ?? null);
    const is = await this.measureOf(measure);
    if (!by || by === 'value') return (row) => toNumber(is(row));
    const was = await this.comparedWith(from ?? 'before').measureOf(measure);
    return (row) => (by === 'change' ? changeOf(is(row), was(row)) : toNumber(differenceOf(is(row), was(row))));
  }

  /** Columns of a measure group for rows; or the reason why there are none. */
  async columnsOf(name: GroupName): Promise<(row: Row) => Columns | Hidden | null> {
    const read = await this.#readGroup(name);
    const keys = this.#keysOf(name);
    const { nothing, people } = groupOf(name);
    return ({ key, fixed }) => {
      if (fixed) return fixedOf(fixed, name);
      if (typeof read === 'string') return read;
      const columns = read.get(idOf(keys, key))?.columns;
      if (!columns) return nothing;
      return people === 'none' || columns['disclosed'] === true ? columns : 'few_people';
    };
  }

  /** A measure of a row; null where it cannot be disclosed. */
  async measure(row: Row, measure: string): Promise<Value> {
    return (await this.measureOf(measure))(row);
  }

  /** The same for any row of this answer. */
  async measureOf(measure: string): Promise<(row: Row) => Value> {
    const name = GROUP_OF_MEASURE.get(measure)!;
    const columnsOf = await this.columnsOf(name);
    const { measures, people } = groupOf(name);
    const { of } = measures[measure]!;
    return (row) => {
      const columns = columnsOf(row);
      if (columns === null || typeof columns === 'string') return null;
      const value = of(columns, currencyOf(row));
      return people === 'rounded' && typeof value === 'number' ? value - (value % FEWEST_PEOPLE) : value;
    };
  }

  /** Reasons why figures of a row are null, by measure group. */
  async hiddenOf(): Promise<(row: Row) => { figures: GroupName; reason: Hidden }[]> {
    const each = await Promise.all(this.shown.map(async (name) => [name, await this.columnsOf(name)] as const));
    return (row) =>
      each.flatMap(([figures, columnsOf]) => {
        const read = columnsOf(row);
        if (typeof read === 'string') return [{ figures, reason: read }];
        return read?.['few'] === true ? [{ figures, reason: 'few_people' as const }] : [];
      });
  }

  /** Rather than no rows without a reason. */
  async #refuseUnkept(): Promise<void> {
    const reads = await Promise.all(this.shown.map((name) => this.#readGroup(name)));
    if (reads.length > 0 && reads.every((read) => read === 'not_kept_by_this_dimension'))
      throw refuseValue('by', say`none of the figures that were asked for is kept by these dimensions`);
  }

  async #rowsOf(name: GroupName): Promise<Row[]> {
    const read = await this.#readGroup(name);
    if (typeof read === 'string') return [];
    const keys = this.#keysOf(name);
    // A row without a currency is one of each that other figures have; of itself it is a row where there are no others.
    if (keys.length < this.keys.length && this.shown.some((other) => this.#keysOf(other).length > keys.length))
      return [];
    return Array.from(read, ([id, { key }]) => ({ answer: this, id, key }));
  }

  /** The keys that a measure group has of those of the answer. */
  #keysOf(name: GroupName): readonly DimensionName[] {
    return this.keys.filter((key) => key !== 'currency' || groupOf(name).dimensions.includes('currency'));
  }

  #readGroup(name: GroupName): Promise<Read> {
    const known = this.#read.get(name);
    if (known) return known;
    const read = this.#select(name);
    this.#read.set(name, read);
    return read;
  }

  async #select(name: GroupName): Promise<Read> {
    const { dimensions, always = [], price = 1 } = groupOf(name);
    const keys = this.#keysOf(name);
    if (always.some((key) => !keys.includes(key))) return 'not_over_several';
    if ([...keys, ...namedIn(this.question.slice)].some((key) => !dimensions.includes(key)))
      return 'not_kept_by_this_dimension';
    const days = countDays(this.question, this.call.now());
    charge(
      this.call,
      PRICE + PRICE_A_DAY * price * days + PRICE_A_GROUP * Math.min(guessGroups(keys, days), MOST_GROUPS),
    );
    const rows = await readTogether(this.call, name, { ...this.question, by: keys });
    if (rows.length > MOST_GROUPS) {
      const statement = groupOf(name).select(
        { ...this.question, spans: [this.question], by: keys },
        settingOf(this.call),
      );
      const counted = await this.call.analytics.row<{ groups: number }>(
        sql`select count(*)::int as groups from (${statement}) g`,
      );
      throw new Refusal(
        'validation_failed',
        `by: the question has ${counted!.groups.toLocaleString('en')} groups, and at most ${MOST_GROUPS.toLocaleString('en')} are answered: group by less, or add to the slice`,
        [{ path: 'by', message: say`has ${counted!.groups} groups, and at most ${MOST_GROUPS} are answered` }],
      );
    }
    const groups: [string, { key: Row['key']; columns: Columns }][] = [];
    for await (const batch of takeTurns(rows))
      for (const columns of batch) {
        const key: Partial<Record<DimensionName, KeyValue>> = {};
        for (const [place, one] of keys.entries()) key[one] = writeKey(one, columns[`k${place}`]);
        groups.push([idOf(keys, key), { key, columns }]);
      }
    return new Map(groups);
  }

  async #inOrder(rows: readonly Row[]): Promise<Row[]> {
    const placed: { row: Row; places: readonly (string | number | null)[] }[] = [];
    for await (const batch of takeTurns(rows))
      for (const row of batch) placed.push({ row, places: this.keys.map((key) => placeIn(key, row.key[key] ?? null)) });
    return placed.toSorted((a, b) => compareAll(a.places, b.places)).map(({ row }) => row);
  }
}

/** Rows of a measure group: those of all spans that are asked about alike at the same moment, by one statement. */
export async function readTogether(
  call: Call,
  name: GroupName,
  { from, to, timeZone, slice, by }: Question,
): Promise<readonly Columns[]> {
  const { isViewed, select } = groupOf(name);
  type Found = Map<string, readonly Columns[] | Promise<readonly Columns[]>>;
  const read = async (spans: readonly string[]): Promise<Found> => {
    const each = spans.map((span) => {
      const [first, last] = span.split(' ').map((day) => new Date(day)) as [Date, Date];
      return { from: first, to: last };
    });
    const most = spans.length * (MOST_GROUPS + 1);
    if (isViewed) await call.analytics.refresh();
    try {
      const groups = select({ spans: each, timeZone, slice, by }, settingOf(call));
      const rows = await call.analytics.rows<Columns & { span: number }>(sql`${groups} limit ${most}`);
      if (spans.length === 1 || rows.length < most) return Map.groupBy(rows, ({ span }) => spans[span]!);
    } catch (error) {
      if (spans.length === 1 || !(error instanceof Refusal)) throw error;
    }
    // They are too many together, or take too long or too much memory.
    return new Map(spans.map((span) => [span, read([span]).then((found) => found.get(span) ?? [])]));
  };
  // What groups read alike is read once for all of them.
  const first = GROUP_NAMES.find((one) => groupOf(one).select === select);
  const purpose = JSON.stringify([first, timeZone, slice, by]);
  return (await loadTogether(call, purpose, `${formatDay(from)} ${formatDay(to)}`, read)) ?? [];
}

function fixedOf(fixed: NonNullable<Row['fixed']>, name: GroupName): Columns | Hidden {
  return typeof fixed === 'string' ? fixed : (fixed.get(name) ?? 'not_additive');
}

/** Number of days of a span that can have records. */
function countDays({ from, to }: Pick<Question, 'from' | 'to'>, now: Date): number {
  const days = (Math.min(to.getTime(), now.getTime()) - from.getTime()) / DAY_MS + 1;
  return Math.min(Math.max(days, 0), MOST_DAYS);
}

/** Name of a row among those of its answer. */
export function idOf(keys: readonly DimensionName[], key: Row['key']): string {
  return JSON.stringify(keys.map((name) => key[name] ?? null));
}

/** The currency of a row's amounts; null where it has none. */
export function currencyOf({ key }: Pick<Row, 'key'>): string | null {
  return (key.currency as string | null | undefined) ?? null;
}

/** Increase of a measure; null if either value cannot be disclosed, and for moments. */
export function differenceOf(is: Value, was: Value): Decimal | null {
  const known = is !== null && was !== null && !(is instanceof Date) && !(was instanceof Date);
  return known ? new Decimal(is).minus(was) : null;
}

/** The same as a share of what was; null where that was zero. */
export function changeOf(is: Value, was: Value): number | null {
  const difference = differenceOf(is, was);
  if (!difference || Number(was) === 0) return null;
  // Moments have no difference, so this is a number.
  const before = new Decimal(was as Decimal | number).abs();
  return difference.dividedBy(before).toDecimalPlaces(6).toNumber();
}

function toNumber(value: Value): number | null {
  return value === null ? null : Number(value);
}

/** Nothing comes last, unless it is to come first. */
function compareValues(a: KeyValue, b: KeyValue, direction: Direction): number {
  if (a === b) return 0;
  if (a === null || b === null) return (a === null) === (direction === 'asc_nulls_first') ? -1 : 1;
  return (a < b ? -1 : 1) * (direction === 'desc' ? -1 : 1);
}

function compareAll(one: readonly KeyValue[], other: readonly KeyValue[]): number {
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return compareValues(one[at]!, other[at]!, 'asc');
  return 0;
}

/** Refuses to group by periods what is compared with other periods. */
export function refusePeriods({ question }: Answer, path: string): void {
  const period = question.by.find((name) => dimensionOf(name).period);
  if (period) throw refuseValue(path, say`cannot be asked of groups by ${period}: no two spans have it in common`);
}
