import type { Texts } from '../../languages/texts.ts';
import { type DaySpan, isRecorded, nameStep, periodsOf, stepsOf } from '../days.ts';
import { linkTo } from '../links.ts';
import { type Nodes, drawPanel } from '../panel.ts';
import { type Contribution, type Taken, largest, splitChange } from './contributions.ts';
import { type Happened, marksOf, whereOf } from './marks.ts';

interface Moved {
  readonly key: {
    readonly currency: string;
    readonly agencyId?: string | null;
    readonly agency?: { readonly name: string } | null;
    readonly serviceId?: string | null;
    readonly service?: { readonly serviceName: string } | null;
    readonly channel?: string | null;
    readonly counter?: { readonly agencyId: string; readonly label: string | null } | null;
  };
  readonly revenue: { readonly net: number };
  readonly was: { readonly revenue: { readonly net: number }; readonly difference: number };
}

/** Net revenue of a span, whole and by its days. */
interface Spanned {
  readonly revenue: Taken & { readonly net: number };
  readonly days: readonly { readonly revenue: { readonly net: number } }[];
}

interface Total extends Spanned {
  readonly key: { readonly currency: string };
  readonly was: Spanned & { readonly difference: number; readonly change: number | null };
}

/** What a change is taken apart by. */
const PARTS = ['agency', 'service', 'channel', 'counter'] as const;
type Part = (typeof PARTS)[number];

/** What `pages/oversight/why` answers. */
export interface WhyAnswer extends Readonly<Record<Part, Nodes<Moved>>>, Happened {
  readonly total: Nodes<Total> & { readonly span: DaySpan };
  readonly recordedSince: string | null;
}

interface Asked {
  readonly query: URLSearchParams;
  readonly texts: Texts;
  readonly timeZone: string;
  readonly agencies: readonly { readonly id: string; readonly name: string; readonly country: string }[];
}

/** Why net revenue rose or fell: how many payments of what size, of which services, channels, counters and days. */
export function viewWhy(answer: WhyAnswer, { query, texts, timeZone, agencies }: Asked) {
  const { t, language } = texts;
  const { span, nodes: rows } = answer.total;
  const wanted = query.get('currency');
  const most = rows.toSorted((a, b) => Math.abs(b.was.difference) - Math.abs(a.was.difference))[0];
  const total = wanted ? rows.find(({ key }) => key.currency === wanted) : most;
  const base = query.get('to') === 'year_ago' ? 'yearAgo' : 'before';
  const other = periodsOf(span)[base];
  const recorded = isRecorded(other, answer.recordedSince);
  const link = (changes: Readonly<Record<string, string | null>>) => linkTo('/oversight/why', query, changes);
  const scope = agencies.find(({ id }) => id === query.get('agency'))?.name ?? null;
  if (!total || !recorded) return { span, other, base, recorded, scope, total: null, link };
  const { revenue, was } = total;
  const { currency } = total.key;
  const whole = {
    name: t('why.others'),
    now: revenue.net,
    was: was.revenue.net,
    difference: was.difference,
    link: null,
  };
  const keys = stepsOf(span, 'day');
  const before = stepsOf(other, 'day');
  const days = keys.map((key, index): Contribution => {
    const [now, then] = [total, was].map((one) => one.days[index]?.revenue.net ?? 0) as [number, number];
    return { name: nameStep(key, 'day', language), now, was: then, difference: now - then, link: null };
  });
  const marks = marksOf(answer, keys, { texts, timeZone, ...whereOf(query, agencies) });
  const nameOf = (key: Moved['key'], by: Part) => {
    if (by === 'agency') return key.agency?.name ?? t('oversight.none');
    if (by === 'service') return key.service?.serviceName ?? t('oversight.none');
    if (by === 'channel') return key.channel ? t(`channel.${key.channel}`) : t('oversight.none');
    if (!key.counter) return t('why.notAtCounter');
    return `${key.counter.agencyId} ${key.counter.label ?? t('controls.counters.unlabelled')}`;
  };
  const contribution = (row: Moved, by: Part): Contribution => {
    const value = { agency: row.key.agencyId, service: row.key.serviceId, channel: row.key.channel, counter: null }[by];
    const into = value == null || query.get(by) === value ? null : link({ [by]: value });
    const [now, then] = [row.revenue.net, row.was.revenue.net];
    return { name: nameOf(row.key, by), now, was: then, difference: row.was.difference, link: into };
  };
  return {
    span,
    other,
    base,
    recorded,
    scope,
    link,
    currency,
    currencies: rows.map(({ key }) => key.currency),
    total: whole,
    change: was.change,
    payments: { now: revenue.payments, was: was.revenue.payments },
    split: splitChange(revenue, was.revenue),
    parts: PARTS.flatMap((by) => {
      const own = answer[by].nodes.filter(({ key }) => key.currency === currency);
      if (own.length <= 1 && by !== 'counter') return [];
      const parts = own.map((row) => contribution(row, by));
      return [{ by, list: largest(parts, whole) }];
    }),
    days: largest(days, { ...whole, name: t('why.otherDays') }),
    marks,
    // Day by day: the first of the one span with the first of the other.
    chart: drawPanel({
      kind: 'lines',
      name: 'why',
      title: t('why.byDay'),
      description: t('why.byDayAbout', { currency }),
      head: t('oversight.step.day'),
      currency,
      rows: days,
      label: ({ name }) => name,
      marks,
      columns: [
        { name: t('oversight.current'), of: ({ now }) => now },
        { name: t(`oversight.${base}`), of: ({ was: then }, day) => (day in before ? then : null), as: 'comparison' },
      ],
    }),
  };
}
