import { Decimal } from '../../../kernel/money.ts';
import { refuseValue } from '../../../kernel/refusal.ts';
import { DAY_MS } from '../../../kernel/time.ts';
import { Answer, type FigureOrder, type Row, idOf, refusePeriods } from './answer.ts';
import { type DimensionName, type Every, namePeriod } from './dimensions.ts';
import { GROUP_NAMES, groupOf } from './groups.ts';
import type { Columns } from './measure-group.ts';
import { findRecordedSince } from './question.ts';
import { type Base, findFiscalMonth, periodsOf } from './span.ts';
import { say } from '../../../kernel/text/said.ts';

/** The same group in another span. */
export function compare(row: Row, base: Base): Row {
  refusePeriods(row.answer, 'compared');
  return { answer: row.answer.comparedWith(base), id: row.id, key: row.key };
}

/** One period of a series. */
export interface Point extends Row {
  readonly at: Date;
  /** True if the whole period lies in the span, and is over. */
  readonly complete: boolean;
}

/** The figures of a group period by period; of periods of which nothing is recorded there are points too. */
export async function listPoints(row: Row, every: Every, today: Date): Promise<Point[]> {
  refusePeriods(row.answer, 'series');
  const { call, question, shown, keys } = row.answer;
  const [parts, fiscalMonth, since] = await row.answer.derive(`series ${every}`, async () => {
    const finer = new Answer(call, { ...question, by: [...question.by, every] }, shown);
    const month = every === 'fiscal_year' ? await findFiscalMonth(call, question.slice) : 1;
    return [finer, month, await findRecordedSince(call, question)] as const;
  });
  return periodsOf(question, every, fiscalMonth).map(({ first, next }) => {
    const key = { ...row.key, [every]: namePeriod(every, first, fiscalMonth) };
    const last = new Date(next.getTime() - DAY_MS);
    return {
      answer: parts,
      id: idOf(keys, key),
      key,
      at: first,
      complete: first >= question.from && last <= question.to && last < today,
      ...((since === null || since > question.to || last < since) && { fixed: 'not_recorded' as const }),
    };
  });
}

/** The groups within a group, as many as are asked for. */
export async function listWithin(
  row: Row,
  by: readonly DimensionName[],
  orderBy: readonly FigureOrder[],
  first: number,
): Promise<readonly Row[]> {
  const again = by.find((name) => row.answer.keys.includes(name));
  if (again) throw refuseValue('by', say`must not have ${again}, which the rows are grouped by`);
  const { call, question, shown, keys } = row.answer;
  const within = await row.answer.derive(JSON.stringify(['within', by, orderBy]), async () => {
    const finer = new Answer(call, { ...question, by: [...question.by, ...by] }, shown);
    return Map.groupBy(await finer.select([], orderBy), ({ key }) => idOf(keys, key));
  });
  return (within.get(idOf(keys, row.key)) ?? []).slice(0, first);
}

/** Everything that the question is about, without groups: a row for each currency. */
export function total(answer: Answer): Promise<readonly Row[]> {
  const { call, question, shown } = answer;
  return (question.by.length === 0 ? answer : new Answer(call, { ...question, by: [] }, shown)).rows();
}

/** Sums of the rows that are not shown: a row for each currency. */
export async function addRest(rows: readonly Row[], shown: ReadonlySet<string>): Promise<Row[]> {
  const others = Map.groupBy(
    rows.filter(({ id }) => !shown.has(id)),
    ({ key }) => key.currency ?? null,
  );
  const added = [...others].map(async ([currency, group]): Promise<Row> => {
    const { answer } = group[0]!;
    const fixed = new Map<(typeof GROUP_NAMES)[number], Columns>();
    for (const name of answer.shown) {
      const { nothing } = groupOf(name);
      if (!nothing) continue;
      const each = group.map(await answer.columnsOf(name));
      fixed.set(
        name,
        addColumns(
          nothing,
          each.filter((one) => one !== null && typeof one !== 'string'),
        ),
      );
    }
    return { answer, id: `rest ${currency}`, key: { currency }, fixed };
  });
  return Promise.all(added);
}

function addColumns(nothing: Columns, each: readonly Columns[]): Columns {
  return Object.fromEntries(
    Object.entries(nothing).map(([name, start]) => [
      name,
      each.reduce<unknown>((sum, columns) => addTwo(sum, columns[name]), start),
    ]),
  );
}

function addTwo(a: unknown, b: unknown): unknown {
  return a instanceof Decimal ? a.plus(b as Decimal) : (a as number) + (b as number);
}

/** Its net revenue as a part of that of all rows that have the same of some dimensions. */
export async function shareOf(row: Row, within: readonly DimensionName[]): Promise<number | null> {
  const { answer } = row;
  const outside = within.find((name) => !answer.keys.includes(name));
  if (outside) throw refuseValue('within', say`must not have ${outside}, which is not grouped by`);
  const dimensions: readonly DimensionName[] = [...within, 'currency'];
  const netOf = await answer.measureOf('net');
  const wholes = await answer.derive(JSON.stringify(['whole', within]), async () => {
    const sums = new Map<string, Decimal>();
    for (const one of await answer.rows()) {
      const id = idOf(dimensions, one.key);
      const net = netOf(one) as Decimal | null;
      if (net) sums.set(id, (sums.get(id) ?? new Decimal(0)).plus(net));
    }
    return sums;
  });
  const [net, whole] = [netOf(row), wholes.get(idOf(dimensions, row.key))];
  if (!(net instanceof Decimal) || !whole || whole.isZero()) return null;
  return net.dividedBy(whole).toDecimalPlaces(6).toNumber();
}
