import { DENOMINATIONS } from '../counter/shifts/denominations.ts';
import { ASSETS } from './assets.ts';
import { renderSVG } from 'uqr';
import { choicesOf } from './languages/choices.ts';
import { pivot, spread } from './charts/pivot.ts';
import { Charts } from './charts/place.ts';
import type { PageDocument } from './operations/documents.ts';
import type { Answer } from './operations/prepare.ts';
import { type DaySpan, dayBefore, dayIn, isRecorded, monthsAround } from './figures/days.ts';
import { PARTS, orderOf } from './figures/revenue/parts.ts';
import { viewRevenue } from './figures/revenue/view.ts';
import { listControls } from './figures/explore/controls.ts';
import { readQuestion, variablesOf } from './figures/explore/question.ts';
import { viewFigures } from './figures/explore/view.ts';
import type { Need } from '../platform/access/needs.ts';
import { findRefusal } from '../platform/access/viewer.ts';
import { type Filled, readFields, refuseUnknown } from './operations/fields.ts';
import { Refusal } from '../kernel/refusal.ts';
import { examplePhone, writePhone } from '../kernel/text/phone.ts';
import { isWithinReach } from '../kernel/time.ts';
import { clockOf, writeLocal } from './operations/local-time.ts';
import { changesOf } from './languages/changes.ts';
import { LANGUAGES, localeOf } from './languages/language.ts';
import { onTheWay } from './addresses.ts';
import { findOnlyPlace } from './records/places.ts';
import { recordsFor } from './records/handed.ts';
import { mergeHappenings } from './records/happenings.ts';
import { readQuery } from './answers/files.ts';
import { mistakesOf } from './answers/mistakes.ts';
import { render } from './templates.ts';
import { type Problem, type Visit, isSignedIn, lackFor, markForm, roomsOf } from './visit.ts';

/** Asks what a page asks, and shows it; with a problem, the form that was refused as it was filled in. */
export async function showPage(
  page: PageDocument,
  path: Filled,
  visit: Visit,
  problem: Problem | null = null,
): Promise<string> {
  const { html, charts } = await writePage(page, path, visit, problem);
  return charts.fill(html);
}

/** A chart of a page as a picture of its own, by its name. */
export async function showChart(page: PageDocument, path: Filled, visit: Visit, name: string): Promise<string> {
  const picture = await (await writePage(page, path, visit, null)).charts.draw(name);
  if (picture === null) throw new Refusal('not_found', 'There is no such chart on this page');
  return picture;
}

/** A page, with a place for each of its charts. */
async function writePage(
  page: PageDocument,
  path: Filled,
  visit: Visit,
  problem: Problem | null,
): Promise<{ readonly html: string; readonly charts: Charts }> {
  const data = await ask(page, path, visit, problem);
  // What an address names is not there, or not for the reader.
  if (page.path.includes('{') && isNothing(Object.values(data)[0]))
    throw new Refusal('not_found', 'There is no page at this address');
  const charts = new Charts(visit.texts, visit.address);
  const more = { data, path, problem, charts, chart: charts.place };
  return { html: renderPage(`rooms/${page.name}`, page.title, visit, more), charts };
}

/** How many days figures are of whose first day nobody says: as the schema has it. */
const USUAL_DAYS = 30;
const DAY_MS = 86_400_000;

/** The days that a page shows, as far as its address and its document say; null where one of them is none. */
function daysOf({ months }: PageDocument, { call, query }: Visit): DaySpan | null {
  const to = new Date(query.get('toDate') || call.now());
  const given = query.get('fromDate');
  if (!isWithinReach(to) || (given && !isWithinReach(new Date(given)))) return null;
  const first =
    months === null
      ? to.getTime() - (USUAL_DAYS - 1) * DAY_MS
      : Date.UTC(to.getUTCFullYear(), to.getUTCMonth() - months + 1, 1);
  const dayAt = (moment: number) => new Date(moment).toISOString().slice(0, 10);
  return { fromDate: given ? dayAt(Date.parse(given)) : dayAt(first), toDate: dayAt(to.getTime()) };
}

/** What of the days that a page shows follows from others: its first, and those that they are compared with. */
function derivedDays(page: PageDocument, visit: Visit): Filled {
  const days = daysOf(page, visit);
  if (!days) return {};
  const { before, yearAgo } = monthsAround(days);
  return {
    ...wholeDays(days, visit),
    ...(page.months !== null && !visit.query.get('fromDate') && { fromDate: days.fromDate }),
    beforeFrom: before.fromDate,
    beforeTo: before.toDate,
    yearAgoFrom: yearAgo.fromDate,
    yearAgoTo: yearAgo.toDate,
    // Of twelve months, those before are those of a year ago.
    apart: String(before.fromDate !== yearAgo.fromDate),
  };
}

/** Of days to which today belongs, those that are over: only these can be compared with whole days. */
function wholeDays({ fromDate, toDate }: DaySpan, { call, query, timeZone }: Visit): Filled {
  const today = dayIn(call.now(), timeZone);
  const to = query.get('toDate') ? toDate : today;
  const from = query.get('fromDate') ? fromDate : dayBefore(to, USUAL_DAYS - 1);
  return { wholeFrom: from, wholeTo: dayBefore(today, 1), running: String(to >= today && from < today) };
}

/** Where a search goes on; null where what it found is shown. */
export async function findOnward(page: PageDocument, visit: Visit): Promise<string | null> {
  return page.single ? findOnlyPlace(await ask(page, {}, visit), mayOf(visit)) : null;
}

/** What a page asks, with what its address and the reader say. */
async function ask(page: PageDocument, path: Filled, visit: Visit, problem: Problem | null = null): Promise<Answer> {
  const { operation } = page;
  if (page.question && problem) return operation.run(visit.call, { asked: false });
  if (page.question) {
    const variables = readFields(operation.fields, variablesOf(readQuestion(visit.query)));
    refuseUnknown(operation.fields, variables);
    return operation.run(visit.call, variables);
  }
  const { call, query } = visit;
  const may = mayOf(visit);
  const said = {
    me: call.viewer.actor,
    attempt: visit.attempt,
    readsPayments: may('payments.read'),
    readsPeople: may('citizens.read'),
    readsNotices: may('propagation.read'),
    operates: may('operations.read'),
  };
  const own = Object.entries(said).filter(([asked]) => operation.fields.some(({ name }) => name === asked));
  // Days that somebody filters by are those of the clock that pages show.
  const filled = {
    ...readQuery(query),
    ...orderOf(query.get('order')),
    ...derivedDays(page, visit),
    ...path,
    _timeZone: visit.timeZone,
  };
  const read = readFields(operation.fields, filled);
  // Going back shows as many rows before a place, and not the first that a page shows otherwise.
  const backwards = read['last'] === undefined || read['first'] !== undefined ? {} : { first: null };
  return operation.run(call, { ...read, ...backwards, ...Object.fromEntries(own) });
}

const mayOf =
  ({ call }: Pick<Visit, 'call'>) =>
  (need: Need) =>
    findRefusal(call.viewer, need) === null;

/** Whether a page has nothing to show of what its address names: there is none, or it is of another type. */
function isNothing(first: unknown): boolean {
  return first === null || (typeof first === 'object' && Object.keys(first).length === 0);
}

/** A page that asks nothing. */
export function renderPage(
  template: string,
  title: string,
  visit: Visit,
  more: { readonly data?: Answer; readonly path?: Filled; readonly problem?: Problem | null } & Record<string, unknown>,
): string {
  const { call, texts, schema, address, query, notices, timeZone } = visit;
  const { problem = null } = more;
  const done = query.get('done');
  /** What a field of a form holds: what was sent, where the form was refused, or else what it usually does. */
  const valueOf = (name: string, usual: unknown = '') => memberOf(problem?.filled, name) ?? usual;
  const mistakes = problem ? mistakesOf(problem.refusal, texts) : [];
  const errorOf = (name: string) => mistakes.find(({ field }) => field === name) ?? null;
  const may = mayOf({ call });
  return render(template, {
    ...texts,
    title: texts.t(title),
    assets: ASSETS,
    languages: LANGUAGES,
    mode: call.config.mode,
    origin: call.origin,
    mailInFiles: call.config.mode === 'sandbox' && call.config.smtpUrl === null,
    explorer: call.config.introspection,
    singleSignOn: call.config.singleSignOn !== null,
    visitor: call.viewer,
    rooms: roomsOf(visit),
    opens: (path: string) => lackFor(visit, path) === null,
    may,
    timeZone,
    clock: clockOf(timeZone, call.now()),
    locale: localeOf(texts.language),
    today: dayIn(call.now(), timeZone),
    mergeHappenings,
    onTheWay,
    signedIn: isSignedIn(call),
    ...recordsFor(texts, timeZone, may),
    isRecorded,
    pivot,
    spread,
    address,
    query,
    notices,
    done: done !== null && texts.has(`done.${done}`) ? texts.t(`done.${done}`) : null,
    mark: problem?.mark ?? markForm(),
    mistakes,
    denominations: DENOMINATIONS,
    qrCode: (text: string) => renderSVG(text, { border: 2 }),
    choices: (type: string, family: string) => choicesOf(schema, texts, type, family),
    valueOf,
    errorOf,
    writeLocal,
    writePhone,
    examplePhone,
    parts: PARTS,
    viewRevenue,
    viewFigures,
    listControls,
    changes: (entry: Parameters<typeof changesOf>[1]) => changesOf(texts, entry, timeZone),
    ...more,
  });
}

/** A member of what a form said, by its name as the form has it: `lines[0][quantity]`. */
function memberOf(filled: Filled | undefined, name: string): unknown {
  return name
    .split(/[[\]]+/)
    .filter((part) => part !== '')
    .reduce<unknown>(
      (value, part) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, part)
          ? (value as Record<string, unknown>)[part]
          : undefined,
      filled,
    );
}
