import type { Chart } from '../../charts/chart.ts';
import type { Sum } from '../../charts/sum.ts';
import type { Texts } from '../../languages/texts.ts';
import { type DaySpan, nameStep, stepsOf } from '../days.ts';
import { type Asked, type Nodes, type Recorded, drawPanel, isRecordedIn } from '../panel.ts';

type Figures<Name extends string> = Readonly<Record<Name, number | null>> & { readonly currency: string | null };
type Unpaid = Figures<'unpaidAssessments' | 'unpaidAmount'> & { readonly age?: string | null };
type Month = Figures<'net' | 'target' | 'targetShare'> & { readonly days: readonly { readonly net: number | null }[] };

/** Answer of `pages/agency/room` about an agency, as far as the page sums it up. */
interface RoomAnswer extends Omit<Recorded, 'today'> {
  readonly currency: string | null;
  readonly today: Nodes<Figures<'net' | 'events'>> | null;
  readonly soFar: Nodes<Figures<'expected' | 'aheadOfTarget'>> | null;
  readonly month: (Nodes<Month> & { readonly span: DaySpan }) | null;
  readonly unpaid: Nodes<Unpaid> | null;
  readonly dead?: { readonly totalCount: number } | null;
  readonly rejected?: { readonly totalCount: number } | null;
}

const AGES = ['days_0_7', 'days_8_30', 'days_31_90', 'days_91_365', 'days_over_365'];

/** The day, the month and the debts of an agency, in one currency: that of its country, unless another is asked for. */
export function viewRoom(answer: RoomAnswer, { query, texts, today }: Pick<Asked, 'query' | 'texts' | 'today'>) {
  const { t, money, number, percent } = texts;
  const found = [...(answer.month?.nodes ?? []), ...(answer.unpaid?.nodes ?? [])].flatMap((row) => row.currency ?? []);
  const own = answer.currency ?? found[0] ?? 'UGX';
  const currency = query.get('currency') || own;
  const isShown = (row: { readonly currency: string | null }) => row.currency === currency;
  const [day, soFar] = [answer.today?.nodes.find(isShown), answer.soFar?.nodes.find(isShown)];
  const month = answer.month?.nodes.find(isShown);
  const ahead = soFar?.aheadOfTarget ?? null;
  // No more is kept back by age than of the whole.
  const owed = (answer.unpaid?.nodes ?? []).filter(isShown);
  const sumOf = (figure: 'unpaidAssessments' | 'unpaidAmount') =>
    owed.reduce((sum, row) => sum + (row[figure] ?? 0), 0);
  const failed = answer.dead && answer.rejected ? answer.dead.totalCount + answer.rejected.totalCount : null;
  const sums: Sum[] = [
    { value: money(day?.net ?? 0, currency), about: t('room.today', { count: day?.events ?? 0 }) },
    { value: money(month?.net ?? 0, currency), about: t('room.month') },
  ];
  if (month?.target && month.targetShare !== null) {
    const ofTarget = { share: percent(month.targetShare), target: money(month.target, currency) };
    sums[1] = { ...sums[1]!, about: t('room.monthOfTarget', ofTarget) };
  }
  if (ahead !== null) {
    const about = t(ahead < 0 ? 'room.behind' : 'room.ahead', { expected: money(soFar?.expected, currency) });
    sums.push({ value: money(ahead, currency), about, bad: ahead < 0 });
  }
  if (answer.unpaid) {
    const count = sumOf('unpaidAssessments');
    const isKept = owed.length > 0 && owed.every(({ unpaidAmount }) => unpaidAmount === null);
    const value = isKept ? t('figure.kept') : money(sumOf('unpaidAmount'), currency);
    sums.push({ value, about: t('room.unpaid', { count, number: number(count) }) });
  }
  if (failed !== null)
    sums.push({ value: number(failed), about: t('room.failed', { count: failed }), bad: failed > 0 });
  return {
    currency,
    currencies: [...new Set([own, ...found])],
    sums,
    pace: answer.month && month ? drawPace(month, answer.month.span, { ...answer, currency, today }, texts) : null,
    unpaid: drawUnpaid(owed, currency, texts),
  };
}

/** Chart of the month's collections by each of its days, and the target by then. */
function drawPace({ days, target }: Month, span: DaySpan, about: Recorded & { currency: string }, texts: Texts): Chart {
  const { t, language } = texts;
  const { currency, today } = about;
  const isRecorded = isRecordedIn('day', about);
  let sum = 0;
  const net = days.map((day) => (sum += day.net ?? 0));
  return drawPanel({
    kind: 'lines',
    name: 'pace',
    title: t('room.pace'),
    description: t('room.paceAbout', { currency, day: texts.date(today) }),
    head: t('oversight.step.day'),
    unit: { currency },
    rows: stepsOf(span, 'day'),
    label: (key) => nameStep(key, 'day', language),
    columns: [
      { name: t('room.collected'), of: (key, index) => (isRecorded(key) ? (net[index] ?? null) : null) },
      // A month is of one fiscal year, whose target is the same on each of its days.
      target === null
        ? null
        : {
            name: t('oversight.target'),
            of: (_key, index) => Math.round((target * (index + 1)) / days.length),
            as: 'target',
          },
    ],
  });
}

/** Chart of debts by age; null if there are none. */
function drawUnpaid(unpaid: readonly Unpaid[], currency: string, { t }: Texts): Chart | null {
  const rows = AGES.flatMap((age) => unpaid.find((row) => row.age === age) ?? []);
  if (rows.length === 0) return null;
  return drawPanel({
    kind: 'bars',
    name: 'unpaid',
    title: t('controls.collections.byAge'),
    description: t('controls.collections.byAgeAbout'),
    head: t('controls.collections.age'),
    unit: { currency },
    rows,
    label: ({ age }) => t(`ageBand.${age}`),
    columns: [{ name: t('controls.collections.outstanding'), of: ({ unpaidAmount }) => unpaidAmount }],
  });
}
