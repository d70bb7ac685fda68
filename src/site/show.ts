import { Charts } from './charts/place.ts';
import type { PageDocument } from './operations/documents.ts';
import { isNothing } from './operations/named.ts';
import type { Answer } from './operations/prepare.ts';
import { type DaySpan, dayBefore, monthOf, monthsAround } from './figures/days.ts';
import { orderOf } from './figures/revenue/parts.ts';
import { askQuestion } from './figures/questions/questions.ts';
import { readQuestion, variablesOf } from './figures/explore/question.ts';
import { type Filled, readFields, refuseUnknown } from './operations/fields.ts';
import { Refusal } from '../kernel/refusal.ts';
import { dayIn, isWithinReach } from '../kernel/time.ts';
import { findOnlyLink } from './records/links.ts';
import { readQuery } from './answers/files.ts';
import { renderPage } from './answers/frame.ts';
import type { Own, Page } from './answers/handed.ts';
import { type Problem, type PageContext, mayOf } from './page-context.ts';
import { say } from '../kernel/text/said.ts';

/** Asks what a page asks, and shows it; with a problem, the form that was refused as it was filled in. */
export async function showPage(
  page: PageDocument,
  path: Filled,
  context: PageContext,
  problem: Problem | null = null,
): Promise<string> {
  const { html, charts } = await writePage(page, path, context, problem);
  return charts.fill(html);
}

/** A page, with a place for each of its charts. */
export async function writePage(
  page: PageDocument,
  path: Filled,
  context: PageContext,
  problem: Problem | null,
): Promise<{ readonly html: string; readonly charts: Charts }> {
  const data = await ask(page, path, context, problem);
  // The record that the address names does not exist, or the reader may not see it.
  if (page.named.some((place) => isNothing(valueAt(data, place))))
    throw new Refusal('not_found', say`There is no page at this address`);
  const charts = new Charts(context.texts, context.address);
  const own: Own<Page<unknown, Filled>> = { data, path, charts, chart: charts.place, sums: charts.sum };
  return { html: renderPage(`pages/${page.name}`, page.title, context, { ...own, problem }), charts };
}

/** Days of figures without a first day: the default of the schema. */
const DEFAULT_DAYS = 30;
const DAY_MS = 86_400_000;

/** The days that a page shows, as far as its address and its document say; null where one of them is none. */
function daysOf({ months }: PageDocument, { call, query }: PageContext): DaySpan | null {
  const to = new Date(query.get('toDate') || call.now());
  const given = query.get('fromDate');
  if (!isWithinReach(to) || (given && !isWithinReach(new Date(given)))) return null;
  const first =
    months === null
      ? to.getTime() - (DEFAULT_DAYS - 1) * DAY_MS
      : Date.UTC(to.getUTCFullYear(), to.getUTCMonth() - months + 1, 1);
  const dayAt = (moment: number) => new Date(moment).toISOString().slice(0, 10);
  return { fromDate: given ? dayAt(Date.parse(given)) : dayAt(first), toDate: dayAt(to.getTime()) };
}

/** Days of a page that follow from others: its first, and those that they are compared with. */
function derivedDays(page: PageDocument, context: PageContext): Filled {
  const days = daysOf(page, context);
  if (!days) return {};
  const { before, yearAgo } = monthsAround(days);
  return {
    ...wholeDays(days, context),
    ...(page.months !== null && !context.query.get('fromDate') && { fromDate: days.fromDate }),
    ...monthOf(dayIn(context.call.now(), context.timeZone)),
    beforeFrom: before.fromDate,
    beforeTo: before.toDate,
    yearAgoFrom: yearAgo.fromDate,
    yearAgoTo: yearAgo.toDate,
    // For twelve months, the span before is that of a year ago.
    apart: String(before.fromDate !== yearAgo.fromDate),
  };
}

/** Days of a span that are over, without today: only these can be compared with whole days. */
function wholeDays({ fromDate, toDate }: DaySpan, { call, query, timeZone }: PageContext): Filled {
  const today = dayIn(call.now(), timeZone);
  const to = query.get('toDate') ? toDate : today;
  const from = query.get('fromDate') ? fromDate : dayBefore(to, DEFAULT_DAYS - 1);
  return { wholeFrom: from, wholeTo: dayBefore(today, 1), running: String(to >= today && from < today) };
}

/** Address that a search goes on to; null if its results are shown. */
export async function findOnward(page: PageDocument, context: PageContext): Promise<string | null> {
  return page.single ? findOnlyLink(await ask(page, {}, context), mayOf(context)) : null;
}

/** Runs a page's queries with the values of its address and its reader. */
async function ask(
  page: PageDocument,
  path: Filled,
  context: PageContext,
  problem: Problem | null = null,
): Promise<Answer> {
  const { operation } = page;
  const { language } = context.texts;
  if (page.asksNamed) {
    const asked = problem ? null : await askQuestion(context, path['question']);
    return { ...(await operation.run(context.call, {}, language)), asked };
  }
  if (page.question && problem) return operation.run(context.call, { asked: false }, language);
  if (page.question) {
    const variables = readFields(operation.fields, variablesOf(readQuestion(context.query)));
    refuseUnknown(operation.fields, variables);
    return operation.run(context.call, variables, language);
  }
  const { call, query } = context;
  const may = mayOf(context);
  const said = {
    me: call.viewer.actor,
    attempt: context.attempt,
    readsPayments: may('payments.read'),
    readsPeople: may('citizens.read'),
    readsNotices: may('propagation.read'),
    operates: may('operations.read'),
    readsAssessments: may('assessments.read'),
    readsAgency: may('agency.read'),
  };
  const own = Object.entries(said).filter(([asked]) => operation.fields.some(({ name }) => name === asked));
  // Days that somebody filters by are those of the clock that pages show.
  const filled = {
    ...readQuery(query),
    ...orderOf(query.get('order')),
    ...derivedDays(page, context),
    today: dayIn(call.now(), context.timeZone),
    weekAgo: dayBefore(dayIn(call.now(), context.timeZone), 6),
    ...path,
    _timeZone: context.timeZone,
  };
  const read = readFields(operation.fields, filled);
  // Going back shows as many rows before a place, and not the first that a page shows otherwise.
  const backwards = read['last'] === undefined || read['first'] !== undefined ? {} : { first: null };
  return operation.run(call, { ...read, ...backwards, ...Object.fromEntries(own) }, language);
}

/** Value of an answer at a path. */
const valueAt = (data: Answer, place: readonly string[]) =>
  place.reduce<unknown>((value, name) => (value as Answer | null)?.[name] ?? null, data);
