import type { Call } from '../../../platform/call/call.ts';
import { sql } from '../../../platform/database/sql.ts';
import { type Decimal, sum, zero } from '../../../kernel/money.ts';
import { refuseValue } from '../../../kernel/refusal.ts';
import { say } from '../../../kernel/text/said.ts';
import { DAY_MS, formatDay } from '../../../kernel/time.ts';
import { closeLocalSpan } from '../../common/span.ts';
import { once } from '../../../platform/reading/page.ts';
import { readTogether } from '../../figures/query/answer.ts';
import type { DimensionName } from '../../figures/query/dimensions.ts';
import { type GroupName, GROUP_OF_MEASURE, groupOf } from '../../figures/query/groups.ts';
import { PAYOUTS, selectPayouts } from '../../figures/query/groups/payments/payouts.ts';
import { type Columns, settingOf } from '../../figures/query/measure-group.ts';
import { findRecordedSince, inSpans, isWithin, selectGroups } from '../../figures/query/question.ts';
import type { Slice } from '../../figures/query/slice.ts';
import type { Days } from '../../figures/query/span.ts';
import { type Quarter, monthsUpTo, quarterOf, readQuarter } from './quarter.ts';

/** An amount before a quarter, what the quarter adds to it, and their sum; null where few people are behind it. */
export interface Flow {
  readonly opening: Decimal | null;
  readonly during: Decimal | null;
  readonly closing: Decimal | null;
}

/** The measures whose amounts are followed through a quarter, by what they are called there. */
const FLOWS = {
  assessed: 'assessed',
  waived: 'waived',
  arrears: 'outstanding',
  collected: 'net',
} as const;
/** Those whose amounts stand so at the end of a day, by what their columns are called. */
const POSITIONS = ['expected', 'arrived', 'inTransit', 'missing'] as const;
type FlowName = keyof typeof FLOWS | (typeof POSITIONS)[number];

/** Amounts of a quarter in one currency: of an agency, or of all of them. */
export interface Reconciled extends Readonly<Record<FlowName, Flow>> {
  /** null: of all. */
  readonly agency: string | null;
  readonly currency: string;
}

export interface ReconciledTotal extends Reconciled {
  readonly arrearsShare: number | null;
  readonly oldArrearsShare: number | null;
  readonly byServiceShare: number | null;
  readonly arrivedShare: number | null;
}

/** Payouts of a provider for the days of a quarter, as they stand now. */
export interface ReconciledProvider extends Positions {
  readonly provider: string;
  readonly currency: string;
  readonly daysToBank: number | null;
  readonly daysToBankP90: number | null;
}

/** The days of an agency that a quarter has. */
export interface ReconciledDays {
  readonly mda: string;
  readonly closed: number;
  readonly signed: number;
  readonly signedInTime: number;
}

interface Asked {
  readonly agency?: readonly string[] | null | undefined;
  readonly currency?: readonly string[] | null | undefined;
}

const PRECISION = 6;
const MONTHS_OF_YEAR = 12;
/** Weeks after a quarter within which PEFA wants it reconciled. */
export const WEEKS_TO_SIGN = 4;
const BY_AGENCY = ['agency', 'currency'] as const;
const dayBefore = (day: Date) => new Date(day.getTime() - DAY_MS);

/** A quarter of the calendar from its opening to its closing: the present one where none is named. */
export async function reconcileQuarter(call: Call, name: string | null, slice: Asked): Promise<Reconciliation> {
  const { to: today } = await closeLocalSpan(call, { timeZone: 'country' });
  const quarter = name === null ? quarterOf(today) : readQuarter(name);
  const since = await findRecordedSince(call, { slice, timeZone: 'country' });
  if (quarter.from > today) throw refuseValue('quarter', say`must not be a quarter that is to come`);
  if (name !== null && (since === null || quarter.to < since))
    throw refuseValue('quarter', say`must not be a quarter before the first payment`);
  return new Reconciliation(call, quarter, slice, today);
}

/** The figures of a quarter, read as they are asked for. Those that are asked alike of several spans are read by one statement. */
export class Reconciliation {
  readonly quarter: Quarter;
  /** The last day that counts: that of the quarter, or today. */
  readonly upTo: Date;
  readonly #call: Call;
  readonly #slice: Slice;
  /** Payouts of all days up to the last before the quarter, and up to its own, as they stood then. */
  readonly #standings: readonly (() => Promise<readonly Columns[]>)[];
  /** Those of the days of the quarter, as they stand now. */
  readonly #paidOut: () => Promise<readonly Columns[]>;

  constructor(call: Call, quarter: Quarter, slice: Slice, today: Date) {
    this.#call = call;
    this.quarter = quarter;
    this.upTo = new Date(Math.min(quarter.to.getTime(), today.getTime()));
    this.#slice = slice;
    const setting = settingOf(call);
    this.#standings = [dayBefore(quarter.from), quarter.to].map((last) =>
      once(() => {
        const reading = this.#readingOf({ from: new Date(0), to: last }, BY_AGENCY);
        return call.analytics.rows(selectPayouts(reading, setting, last));
      }),
    );
    this.#paidOut = once(() => {
      const payouts = PAYOUTS.select(this.#readingOf(quarter, ['provider', 'currency']), setting);
      return call.analytics.rows(sql`select * from (${payouts}) order by k0, k1`);
    });
  }

  async agencies(): Promise<Reconciled[]> {
    const flows = await this.#flows(BY_AGENCY);
    return flows.map(([[mda, currency], flow]) => ({ agency: mda!, currency: currency!, ...flow }));
  }

  async totals(): Promise<ReconciledTotal[]> {
    const { to } = this.quarter;
    const year = { from: monthsUpTo(this.quarter, MONTHS_OF_YEAR), to };
    const old = { from: new Date(0), to: dayBefore(year.from) };
    const [flows, collected, overdue, services, payouts] = await Promise.all([
      this.#flows(['currency']),
      this.#read('net', year, ['currency']),
      this.#read('outstanding', old, ['currency']),
      this.#read('net', this.quarter, ['service', 'currency']),
      this.#paidOut(),
    ]);
    const paidIn = positionsIn(payouts, ['k1']);
    return flows.map(([[currency], flow]) => {
      const key = JSON.stringify([currency]);
      const own = [...services].map(([id, amount]) => [JSON.parse(id) as (string | null)[], amount ?? zero] as const);
      const ofCurrency = own.filter(([[, of]]) => of === currency);
      const named = ofCurrency.filter(([[service]]) => service !== null);
      const add = (rows: typeof own) => sum(rows.map(([, amount]) => amount));
      const paid = paidIn.get(key);
      return {
        agency: null,
        currency: currency!,
        ...flow,
        arrearsShare: shareOf(flow.arrears.closing, collected.get(key)),
        oldArrearsShare: shareOf(overdue.has(key) ? overdue.get(key) : zero, flow.arrears.closing),
        byServiceShare: shareOf(add(named), add(ofCurrency)),
        arrivedShare: shareOf(paid?.arrived, paid?.expected),
      };
    });
  }

  async providers(): Promise<ReconciledProvider[]> {
    const rows = await this.#paidOut();
    return rows.map((row) => ({
      provider: row['k0'] as string,
      currency: row['k1'] as string,
      ...positionsOf([row]),
      daysToBank: row['p50'] as number | null,
      daysToBankP90: row['p90'] as number | null,
    }));
  }

  async days(): Promise<ReconciledDays[]> {
    const reading = this.#readingOf(this.quarter, ['agency']);
    const facts = inSpans(
      reading,
      (days, span) => sql`select ${span}, *, day as on_day from agency_day where ${isWithin(days, sql`day`)}`,
    );
    const inTime = sql`f.signed_on <= ${formatDay(this.quarter.to)}::date + ${7 * WEEKS_TO_SIGN}`;
    return this.#call.analytics.rows<ReconciledDays>(sql`
      select k0 as mda, closed, signed, "signedInTime" from (${selectGroups(reading, facts, [
        sql`count(*) as closed`,
        sql`count(f.signed_on) as signed`,
        sql`count(*) filter (where ${inTime}) as "signedInTime"`,
      ])}) g order by mda`);
  }

  /** The flows of each group, by the values of its dimensions. */
  async #flows(by: readonly DimensionName[]) {
    const before = { from: new Date(0), to: dayBefore(this.quarter.from) };
    const names = Object.keys(FLOWS) as (keyof typeof FLOWS)[];
    const keys = by.length === 1 ? ['k1'] : ['k0', 'k1'];
    const [figures, standings] = await Promise.all([
      Promise.all(
        names.map((name) => Promise.all([before, this.quarter].map((span) => this.#read(FLOWS[name], span, by)))),
      ),
      Promise.all(this.#standings.map(async (standing) => positionsIn(await standing(), keys))),
    ]);
    const ids = new Set([...figures, standings].flat().flatMap((rows) => [...rows.keys()]));
    return [...ids].toSorted().map((id) => {
      const flows = names.map((name, index) => {
        const [opened, during] = figures[index]!.map((rows) => (rows.has(id) ? rows.get(id)! : zero));
        return [name, flowOf(opened!, during!)] as const;
      });
      const positions = POSITIONS.map((name) => {
        const [opened, closed] = standings.map((rows) => rows.get(id)?.[name] ?? zero) as [Decimal, Decimal];
        return [name, flowOf(opened, closed.minus(opened))] as const;
      });
      return [
        JSON.parse(id) as (string | null)[],
        Object.fromEntries([...flows, ...positions]) as Record<FlowName, Flow>,
      ] as const;
    });
  }

  /** A measure of the groups of a span; null where it is about few people. */
  async #read(measure: string, span: Days, by: readonly DimensionName[]): Promise<Map<string, Decimal | null>> {
    const group = GROUP_OF_MEASURE.get(measure) as GroupName;
    const { measures, people } = groupOf(group);
    const valueOf = (row: Columns) =>
      people === 'none' || row['disclosed'] === true ? (measures[measure]!.of(row, null) as Decimal | null) : null;
    const rows = await readTogether(this.#call, group, { ...this.#readingOf(span, by), from: span.from, to: span.to });
    const keys = by.map((_name, place) => `k${place}`);
    return new Map(rows.map((row) => [idIn(row, keys), valueOf(row)]));
  }

  #readingOf(span: Days, by: readonly DimensionName[]) {
    return { spans: [span], timeZone: 'country', slice: this.#slice, by } as const;
  }
}

/** A group by the values of its keys. */
const idIn = (row: Columns, keys: readonly string[]) => JSON.stringify(keys.map((key) => row[key]));

type Positions = Readonly<Record<(typeof POSITIONS)[number], Decimal>>;

/** What some payouts come to. */
const positionsOf = (rows: readonly Columns[]) =>
  Object.fromEntries(POSITIONS.map((name) => [name, sum(rows.map((row) => row[name] as Decimal))])) as Positions;

/** The same of each group. */
const positionsIn = (rows: readonly Columns[], keys: readonly string[]): ReadonlyMap<string, Positions> =>
  new Map([...Map.groupBy(rows, (row) => idIn(row, keys))].map(([id, of]) => [id, positionsOf(of)]));

function flowOf(opening: Decimal | null, during: Decimal | null): Flow {
  return { opening, during, closing: opening && during && opening.plus(during) };
}

/** An amount as a share of another; null where one of them is not disclosed, or the other is zero. */
function shareOf(part: Decimal | null | undefined, whole: Decimal | null | undefined): number | null {
  if (!part || !whole || whole.isZero()) return null;
  return part.dividedBy(whole).toDecimalPlaces(PRECISION).toNumber();
}
