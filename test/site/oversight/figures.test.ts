import { describe, expect, it } from 'vitest';
import { daysIn, isRecorded, monthsAround, nameStep, periodsOf, stepsOf } from '../../../src/site/figures/days.ts';
import { linkTo } from '../../../src/site/figures/links.ts';
import { type RevenueAnswer, viewRevenue } from '../../../src/site/figures/revenue/view.ts';
import { textsOf } from '../../../src/site/languages/texts.ts';

const span = { fromDate: '2028-02-29', toDate: '2028-03-02' };

describe('days of figures', () => {
  it('go with those before, and those of a year ago', () => {
    expect(periodsOf(span)).toEqual({
      before: { fromDate: '2028-02-26', toDate: '2028-02-28' },
      yearAgo: { fromDate: '2027-02-28', toDate: '2027-03-02' },
    });
  });

  it('go by whole months where figures do', () => {
    expect(monthsAround({ fromDate: '2026-12-11', toDate: '2027-02-03' })).toEqual({
      before: { fromDate: '2026-09-01', toDate: '2026-11-30' },
      yearAgo: { fromDate: '2025-12-01', toDate: '2026-02-28' },
    });
    const { before, yearAgo } = monthsAround({ fromDate: '2025-12-01', toDate: '2026-11-22' });
    expect(before).toEqual(yearAgo);
  });

  it('are put together as the graph does', () => {
    expect(stepsOf(span, 'day')).toEqual(['2028-02-29', '2028-03-01', '2028-03-02']);
    expect(stepsOf(span, 'month')).toEqual(['2028-02', '2028-03']);
    expect(stepsOf({ fromDate: '2026-12-27', toDate: '2027-01-04' }, 'week')).toEqual([
      '2026-W52',
      '2026-W53',
      '2027-W01',
    ]);
    expect([...daysIn(span, 'month').values()]).toEqual([1, 2]);
    expect(
      ['2026-11-03', '2026-W45', '2026-11'].map((key, index) =>
        nameStep(key, (['day', 'week', 'month'] as const)[index]!, 'en'),
      ),
    ).toEqual(['3 Nov', 'W45 2026', 'Nov 2026']);
  });
});

const compared = {
  currency: 'UGX',
  current: 50,
  before: 100,
  yearAgo: 0,
  difference: -50,
  changeOnBefore: -0.5,
  changeOnYearAgo: null,
};

const part = {
  ...compared,
  agency: 'KCCA',
  agencyName: 'Kampala',
  sector: null,
  family: null,
  service: null,
  serviceName: null,
  channel: null,
  country: null,
  region: null,
  district: null,
  station: null,
};
const points = (...nets: number[]) => nets.map((net) => ({ net }));
const total = { ...compared, steps: points(0, 50, 0), stepsBefore: points(0, 0, 100), stepsYearAgo: points(0, 0, 0) };
const answer: RevenueAnswer = {
  fees: null,
  health: null,
  holidays: null,
  recordedSince: '2027-01-01',
  totals: { span, nodes: [total, { ...total, currency: 'KES', current: 2 }] },
  parts: { nodes: [part, { ...part, agency: null, agencyName: null }] },
  targets: [{ currency: 'UGX', fromDate: '2027-07-01', toDate: '2028-06-30', target: 3_660 }],
};
const view = (query: string, changes: Partial<RevenueAnswer> = {}, today = '2028-06-01') =>
  viewRevenue(
    { ...answer, ...changes },
    {
      query: new URLSearchParams(query),
      texts: textsOf('en'),
      agencies: [{ id: 'KCCA', name: 'Kampala', country: 'UG' }],
      today,
      timeZone: 'Africa/Kampala',
    },
  );

describe('revenue on a page', () => {
  it('has nothing, and not zero, where nothing was recorded or could be yet', () => {
    const { steps } = view('', { recordedSince: '2028-02-28' }, '2028-03-01').charts;
    expect(steps.series.map(({ name, values }) => [name, values])).toEqual([
      ['This period', [0, 50, null]],
      ['Previous period', [null, null, 100]],
      ['Target', [10, 10, 10]],
    ]);
  });

  it('is compared with periods of which nine tenths were recorded, and with none before', () => {
    const ten = { fromDate: '2028-03-01', toDate: '2028-03-10' };
    expect([
      isRecorded(ten, '2028-03-01'),
      isRecorded(ten, '2028-03-02'),
      isRecorded(ten, '2028-03-03'),
      isRecorded(ten, null),
    ]).toEqual([true, true, false, false]);
    expect(view('').against.map(({ period, recorded }) => [period, recorded])).toEqual([
      ['before', true],
      ['yearAgo', true],
    ]);
    const late = view('', { recordedSince: '2028-02-28' });
    expect(late.recorded).toEqual({ before: false, yearAgo: false });
    expect(late.charts.parts!.series.map(({ name }) => name)).toEqual(['This period']);
  });

  it('says which step is not over, and compares the days that are', () => {
    const whole = { nodes: [{ ...compared, before: 40, changeOnBefore: 0.25 }] };
    const running = view('', { whole }, '2028-03-02');
    expect([running.running, running.charts.steps.running]).toEqual([true, true]);
    expect(running.against[0]).toMatchObject({ amount: 40, change: 0.25 });
    expect([view('').running, view('').charts.steps.running]).toEqual([false, false]);
    expect(view('step=month').charts.steps.labels).toEqual(['Feb 2028 (1 day)', 'Mar 2028 (2 days)']);
  });

  it('has days on which nothing came, beside the first day of another period its first, and a target for each', () => {
    const { charts, currency, currencies } = view('');
    expect([currency, currencies]).toEqual(['UGX', ['UGX', 'KES']]);
    expect(charts.steps.series.map(({ values }) => values)).toEqual([
      [0, 50, 0],
      [0, 0, 100],
      [0, 0, 0],
      [10, 10, 10],
    ]);
  });

  it('leads from each part to its own parts, and back', () => {
    const [kampala, other] = view('order=loss').parts;
    expect([kampala!.name, kampala!.link]).toEqual(['Kampala', '/oversight?order=loss&agency=KCCA&by=sector']);
    expect([other!.name, other!.link]).toEqual(['Not assigned', null]);
    const { chosen, charts } = view('agency=KCCA&by=sector&sector=Roads');
    expect(chosen.map(({ name, link }) => [name, link])).toEqual([
      ['Kampala', '/oversight?by=sector&sector=Roads'],
      ['Roads', '/oversight?agency=KCCA&by=sector'],
    ]);
    expect([view('').noTarget, view('agency=KCCA').noTarget, view('channel=cash').noTarget]).toEqual([
      null,
      null,
      'narrowed',
    ]);
    expect(view('currency=KES').noTarget).toBe('none');
    // Targets are those of agencies, not of their sectors.
    expect(charts.steps.series).toHaveLength(3);
    expect(linkTo('/oversight', new URLSearchParams('after=x&agency='), { by: null })).toBe('/oversight');
  });
});
