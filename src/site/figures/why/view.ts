import type { Chart } from '../../charts/chart.ts';
import type { Texts } from '../../languages/texts.ts';
import { type DaySpan, isRecorded, nameStep, periodsOf, stepsOf } from '../days.ts';
import { linkTo } from '../links.ts';
import { type Contribution, largest, splitChange } from './contributions.ts';
import { type Happened, marksOf, whereOf } from './marks.ts';

interface Taken {
  readonly net: number;
  readonly collected: number;
  readonly reversed: number;
  readonly payments: number;
}

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

type Days = readonly { readonly revenue: { readonly net: number } }[];

interface Nodes<Row> {
  readonly nodes: readonly Row[];
}

/** What `pages/oversight/why` answers. */
export interface WhyAnswer extends Readonly<Record<(typeof PARTS)[number], Nodes<Moved>>>, Happened {
  readonly total: Nodes<{
    readonly key: { readonly currency: string };
    readonly revenue: Taken;
    readonly days: Days;
    readonly was: {
      readonly revenue: Taken;
      readonly difference: number;
      readonly change: number | null;
      readonly days: Days;
    };
  }> & { readonly span: DaySpan };
  readonly recordedSince: string | null;
}

/** What a change is taken apart by. */
const PARTS = ['agency', 'service', 'channel', 'counter'] as const;

interface Asked {
  readonly query: URLSearchParams;
  readonly texts: Texts;
  readonly timeZone: string;
  readonly agencies: readonly { readonly id: string; readonly name: string; readonly country: string }[];
}

/** Why net revenue rose or fell: how many payments of what size, of which services, channels, counters and days. */
export function viewWhy(answer: WhyAnswer, { query, texts, timeZone, agencies }: Asked) {
  const { t } = texts;
  const rows = answer.total.nodes;
  const wanted = query.get('currency');
  const most = rows.toSorted((a, b) => Math.abs(b.was.difference) - Math.abs(a.was.difference))[0];
  const total = wanted ? rows.find(({ key }) => key.currency === wanted) : most;
  const { span } = answer.total;
  const base = query.get('to') === 'year_ago' ? 'yearAgo' : 'before';
  const other = periodsOf(span)[base];
  const recorded = isRecorded(other, answer.recordedSince);
  const link = (changes: Readonly<Record<string, string | null>>) => linkTo('/oversight/why', query, changes);
  const named = query.get('agency');
  const scope = agencies.find(({ id }) => id === named)?.name ?? null;
  if (!total || !recorded) return { span, other, base, recorded, scope, total: null, link };
  const { currency } = total.key;
  const whole: Contribution = {
    name: t('why.others'),
    now: total.revenue.net,
    was: total.was.revenue.net,
    difference: total.was.difference,
    link: null,
  };
  const keys = stepsOf(span, 'day');
  const before = stepsOf(other, 'day');
  const netOf = (days: Days, index: number) => days[index]?.revenue.net ?? 0;
  const days = keys.map((key, index): Contribution => {
    const [now, was] = [netOf(total.days, index), netOf(total.was.days, index)];
    return { name: nameStep(key, 'day', texts.language), now, was, difference: now - was, link: null };
  });
  const marks = marksOf(answer, keys, { texts, timeZone, ...whereOf(query, agencies) });
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
    change: total.was.change,
    payments: { now: total.revenue.payments, was: total.was.revenue.payments },
    split: splitChange(total.revenue, total.was.revenue),
    parts: PARTS.flatMap((by) => {
      const own = answer[by].nodes.filter(({ key }) => key.currency === currency);
      return own.length > 1 || by === 'counter'
        ? [
            {
              by,
              list: largest(
                own.map((row) => contribution(row, by)),
                whole,
              ),
            },
          ]
        : [];
    }),
    days: largest(days, { ...whole, name: t('why.otherDays') }),
    marks,
    chart: chartDays(),
  };

  function contribution({ key, revenue, was }: Moved, by: (typeof PARTS)[number]): Contribution {
    const value = { agency: key.agencyId, service: key.serviceId, channel: key.channel, counter: null }[by] ?? null;
    const { difference } = was;
    const into = value === null || query.get(by) === value ? null : link({ [by]: value });
    return { name: nameOf(key, by), now: revenue.net, was: was.revenue.net, difference, link: into };
  }

  function nameOf(key: Moved['key'], by: (typeof PARTS)[number]): string {
    if (by === 'agency') return key.agency?.name ?? t('oversight.none');
    if (by === 'service') return key.service?.serviceName ?? t('oversight.none');
    if (by === 'channel') return key.channel ? t(`channel.${key.channel}`) : t('oversight.none');
    if (!key.counter) return t('why.notAtCounter');
    return `${key.counter.agencyId} ${key.counter.label ?? t('controls.counters.unlabelled')}`;
  }

  /** Day by day: the first of the one span with the first of the other. */
  function chartDays(): Chart {
    return {
      kind: 'lines',
      name: 'why',
      title: t('why.byDay'),
      description: t('why.byDayAbout', { currency }),
      head: t('oversight.step.day'),
      labels: keys.map((key) => nameStep(key, 'day', texts.language)),
      unit: { currency },
      marks,
      series: [
        { name: t('oversight.current'), values: days.map(({ now }) => now) },
        {
          name: t(`oversight.${base}`),
          values: before.map((_key, index) => days[index]?.was ?? null),
          as: 'comparison',
        },
      ],
    };
  }
}
