import type { Chart } from '../../charts/chart.ts';
import type { Sum } from '../../charts/sum.ts';
import type { Texts } from '../../languages/texts.ts';
import { type DaySpan, nameStep, stepsOf } from '../days.ts';
import { type Nodes, drawPanel } from '../panel.ts';

interface Taken {
  readonly currency: string | null;
  readonly net: number | null;
  readonly events: number | null;
}

interface Unpaid {
  readonly currency: string | null;
  readonly unpaidAssessments: number | null;
  readonly unpaidAmount: number | null;
}

/** What `pages/agency/room` answers of an agency, as far as the page sums it up. */
export interface RoomAnswer {
  readonly currency: string | null;
  /** The first day of which anything is recorded; null while nothing is. */
  readonly recordedSince: string | null;
  readonly today: Nodes<Taken> | null;
  readonly soFar: Nodes<Taken & { readonly expected: number | null; readonly aheadOfTarget: number | null }> | null;
  readonly month:
    | (Nodes<
        Taken & {
          readonly target: number | null;
          readonly targetShare: number | null;
          readonly days: readonly { readonly net: number | null; readonly target: number | null }[];
        }
      > & { readonly span: DaySpan })
    | null;
  readonly unpaid: (Nodes<Unpaid & { readonly age: string | null }> & { readonly totals: readonly Unpaid[] }) | null;
  readonly dead?: { readonly totalCount: number } | null;
  readonly rejected?: { readonly totalCount: number } | null;
}

const AGES = ['days_0_7', 'days_8_30', 'days_31_90', 'days_91_365', 'days_over_365'];

/** The day, the month and the debts of an agency, in one currency: that of its country, unless another is asked for. */
export function viewRoom(
  answer: RoomAnswer,
  { query, texts, today }: { readonly query: URLSearchParams; readonly texts: Texts; readonly today: string },
) {
  const { t, money, number, percent } = texts;
  const found = [...(answer.month?.nodes ?? []), ...(answer.unpaid?.nodes ?? [])].flatMap((row) => row.currency ?? []);
  const own = answer.currency ?? found[0] ?? 'UGX';
  const currency = query.get('currency') || own;
  const currencies = [...new Set([own, ...found])];
  const of = <Row extends { readonly currency: string | null }>(list: readonly Row[] | undefined) =>
    list?.find((row) => row.currency === currency);
  const [day, soFar, month] = [of(answer.today?.nodes), of(answer.soFar?.nodes), of(answer.month?.nodes)];
  const owed = of(answer.unpaid?.totals);
  const failed = answer.dead && answer.rejected ? answer.dead.totalCount + answer.rejected.totalCount : null;
  return { currency, currencies, sums: [...takings(), ...debts(), ...notices()], pace: pace(), unpaid: unpaidByAge() };

  function takings(): Sum[] {
    const [target, share] = [month?.target, month?.targetShare];
    const ahead = soFar?.aheadOfTarget;
    const ofTarget = target && share != null && { share: percent(share), target: money(target, currency) };
    const sums = [
      { value: money(day?.net ?? 0, currency), about: t('room.today', { count: day?.events ?? 0 }) },
      {
        value: money(month?.net ?? 0, currency),
        about: ofTarget ? t('room.monthOfTarget', ofTarget) : t('room.month'),
      },
    ];
    if (ahead == null) return sums;
    const about = t(ahead < 0 ? 'room.behind' : 'room.ahead', { expected: money(soFar?.expected, currency) });
    return [...sums, { value: money(ahead, currency), about, bad: ahead < 0 }];
  }

  function debts(): Sum[] {
    if (!answer.unpaid) return [];
    const kept = owed && owed.unpaidAmount === null;
    return [
      {
        value: kept ? t('figure.kept') : money(owed?.unpaidAmount ?? 0, currency),
        about: t('room.unpaid', { count: owed?.unpaidAssessments ?? 0, number: number(owed?.unpaidAssessments ?? 0) }),
      },
    ];
  }

  function notices(): Sum[] {
    if (failed === null) return [];
    return [{ value: number(failed), about: t('room.failed', { count: failed }), bad: failed > 0 }];
  }

  /** What was collected of the month by each of its days, and what should be by then. */
  function pace(): Chart | null {
    if (!answer.month || !month) return null;
    const since = answer.recordedSince;
    const isOver = (key: string) => since !== null && key >= since && key <= today;
    const upTo = (figure: 'net' | 'target') => {
      let sum = 0;
      return month.days.map((point) => (sum += point[figure] ?? 0));
    };
    const [net, target] = [upTo('net'), upTo('target')];
    return drawPanel({
      kind: 'lines',
      name: 'pace',
      title: t('room.pace'),
      description: t('room.paceAbout', { currency, day: texts.date(today) }),
      head: t('oversight.step.day'),
      currency,
      rows: stepsOf(answer.month.span, 'day'),
      label: (key) => nameStep(key, 'day', texts.language),
      columns: [
        { name: t('room.collected'), of: (key, index) => (isOver(key) ? (net[index] ?? null) : null) },
        month.target === null
          ? null
          : { name: t('oversight.target'), of: (_key, index) => target[index] ?? null, as: 'target' },
      ],
    });
  }

  function unpaidByAge(): Chart | null {
    const rows = AGES.flatMap(
      (age) => answer.unpaid?.nodes.find((row) => row.age === age && row.currency === currency) ?? [],
    );
    if (rows.length === 0) return null;
    return drawPanel({
      kind: 'bars',
      name: 'unpaid',
      title: t('controls.collections.byAge'),
      description: t('controls.collections.byAgeAbout'),
      head: t('controls.collections.age'),
      currency,
      rows,
      label: ({ age }) => t(`ageBand.${age}`),
      columns: [{ name: t('controls.collections.outstanding'), of: ({ unpaidAmount }) => unpaidAmount }],
    });
  }
}
