import { type DaySpan, isRecorded, nameStep, periodsOf, stepsOf } from '../days.ts';
import { type FigureRow, nameIn } from '../explore/names.ts';
import { type Changes, linkTo } from '../links.ts';
import { type Asked, type Nodes, drawPanel } from '../panel.ts';
import { type Contribution, type Taken, largest, splitChange } from './contributions.ts';
import { type Happened, marksOf } from './marks.ts';

/** A part, by the dimension that it is one by, with its net revenue in both spans. */
type Moved = FigureRow & Readonly<Record<'now' | 'was' | 'difference', number>>;

/** Net revenue of a span, whole and by its days. */
interface Spanned {
  readonly revenue: Taken & { readonly net: number };
  readonly days: readonly { readonly net: number }[];
}

interface Total extends Spanned {
  readonly currency: string;
  readonly was: Spanned & { readonly difference: number; readonly change: number | null };
}

/** Dimensions that a change is broken down by. */
const PARTS = ['agency', 'service', 'channel', 'counter'] as const;

/** Answer of `pages/oversight/why`. */
interface WhyAnswer extends Readonly<Record<(typeof PARTS)[number], Nodes<Moved>>>, Happened {
  readonly total: Nodes<Total> & { readonly span: DaySpan };
  readonly recordedSince: string | null;
}

/** Explains why net revenue rose or fell: by the number and size of payments, services, channels, counters and days. */
export function viewWhy(answer: WhyAnswer, asked: Asked) {
  const { query, texts, agencies } = asked;
  const { t } = texts;
  const { span, nodes: rows } = answer.total;
  const wanted = query.get('currency');
  const most = rows.toSorted((a, b) => Math.abs(b.was.difference) - Math.abs(a.was.difference))[0];
  const found = wanted ? rows.find(({ currency }) => currency === wanted) : most;
  const base = query.get('to') === 'year_ago' ? ('yearAgo' as const) : ('before' as const);
  const other = periodsOf(span)[base];
  const recorded = isRecorded(other, answer.recordedSince);
  const link = (changes: Changes) => linkTo('/oversight/why', query, changes);
  const scope = agencies.find(({ id }) => id === query.get('agency'))?.name ?? null;
  const page = { span, other, base, recorded, scope, link };
  if (!found || !recorded) return { ...page, total: null };
  const { currency, revenue, was } = found;
  const total = {
    name: t('why.others'),
    now: revenue.net,
    was: was.revenue.net,
    difference: was.difference,
    link: null,
  };
  const [keys, before] = [stepsOf(span, 'day'), stepsOf(other, 'day')];
  const days = keys.map((key, index): Contribution => {
    const [now, then] = [found.days[index]?.net ?? 0, was.days[index]?.net ?? 0];
    return { name: nameStep(key, 'day', texts.language), now, was: then, difference: now - then, link: null };
  });
  const nameOf = (row: Moved, by: string) => {
    if (by !== 'counter') return nameIn(row, by, texts);
    return row['office'] == null
      ? t('why.notAtCounter')
      : `${row['office']} ${row['label'] ?? t('controls.counters.unlabelled')}`;
  };
  const contribution = (row: Moved, by: string): Contribution => {
    const value = (row[by] ?? null) as string | null;
    const into = value === null || query.get(by) === value ? null : link({ [by]: value });
    return { name: nameOf(row, by), now: row.now, was: row.was, difference: row.difference, link: into };
  };
  return {
    ...page,
    currency,
    currencies: rows.map((row) => row.currency),
    total,
    change: was.change,
    payments: { now: revenue.payments, was: was.revenue.payments },
    split: splitChange(revenue, was.revenue),
    parts: PARTS.flatMap((by) => {
      const own = answer[by].nodes.filter((row) => row['currency'] === currency);
      const list = own.map((row) => contribution(row, by));
      return own.length <= 1 && by !== 'counter' ? [] : [{ by, list: largest(list, total) }];
    }),
    days: largest(days, { ...total, name: t('why.otherDays') }),
    // Day by day: the first of the one span with the first of the other.
    chart: drawPanel({
      kind: 'lines',
      name: 'why',
      title: t('why.byDay'),
      description: t('why.byDayAbout', { currency }),
      head: t('oversight.step.day'),
      unit: { currency },
      rows: days,
      label: ({ name }) => name,
      marks: marksOf(answer, keys, asked),
      columns: [
        { name: t('oversight.current'), of: ({ now }) => now },
        { name: t(`oversight.${base}`), of: (day, at) => (at in before ? day.was : null), as: 'comparison' },
      ],
    }),
  };
}
