import type { Chart } from '../../charts/chart.ts';
import type { Sum } from '../../charts/sum.ts';
import type { Texts } from '../../languages/texts.ts';
import { type DaySpan, nameStep, stepsOf } from '../days.ts';

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

interface Nodes<Row> {
  readonly nodes: readonly Row[];
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
    const share = month?.target && month.targetShare !== null;
    return [
      { value: money(day?.net ?? 0, currency), about: t('room.today', { count: day?.events ?? 0 }) },
      {
        value: money(month?.net ?? 0, currency),
        about: share
          ? t('room.monthOfTarget', { share: percent(month.targetShare), target: money(month.target, currency) })
          : t('room.month'),
      },
      ...(soFar?.aheadOfTarget == null
        ? []
        : [
            {
              value: money(soFar.aheadOfTarget, currency),
              about: t(soFar.aheadOfTarget < 0 ? 'room.behind' : 'room.ahead', {
                expected: money(soFar.expected, currency),
              }),
              bad: soFar.aheadOfTarget < 0,
            },
          ]),
    ];
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
    const { span } = answer.month;
    const keys = stepsOf(span, 'day');
    const upTo = (values: readonly (number | null)[]) => {
      let sum = 0;
      return values.map((value) => (sum += value ?? 0));
    };
    const since = answer.recordedSince;
    const isOver = (key: string) => since !== null && key >= since && key <= today;
    const net = upTo(month.days.map((point) => point.net));
    return {
      kind: 'lines',
      name: 'pace',
      title: t('room.pace'),
      description: t('room.paceAbout', { currency, day: texts.date(today) }),
      head: t('oversight.step.day'),
      labels: keys.map((key) => nameStep(key, 'day', texts.language)),
      unit: { currency },
      series: [
        { name: t('room.collected'), values: keys.map((key, index) => (isOver(key) ? (net[index] ?? null) : null)) },
        ...(month.target === null
          ? []
          : [
              {
                name: t('oversight.target'),
                values: upTo(month.days.map((point) => point.target)),
                as: 'target' as const,
              },
            ]),
      ],
    };
  }

  function unpaidByAge(): Chart | null {
    const list = AGES.flatMap(
      (age) => answer.unpaid?.nodes.find((row) => row.age === age && row.currency === currency) ?? [],
    );
    if (list.length === 0) return null;
    return {
      kind: 'bars',
      name: 'unpaid',
      title: t('controls.collections.byAge'),
      description: t('controls.collections.byAgeAbout'),
      head: t('controls.collections.age'),
      labels: list.map(({ age }) => t(`ageBand.${age}`)),
      unit: { currency },
      series: [{ name: t('controls.collections.outstanding'), values: list.map(({ unpaidAmount }) => unpaidAmount) }],
    };
  }
}
