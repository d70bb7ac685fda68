import { renderSVG } from 'uqr';
import { writeCsv } from '../../graphql/files/csv.ts';
import { DENOMINATIONS } from '../../counter/shifts/denominations.ts';
import { isOwnPath } from '../../kernel/text/own-path.ts';
import { examplePhone, writePhone } from '../../kernel/text/phone.ts';
import { Said } from '../../kernel/text/said.ts';
import { onTheWay } from '../addresses.ts';
import { ASSETS } from '../assets.ts';
import { pivot, spread } from '../charts/pivot.ts';
import { viewRoom } from '../figures/agency/room.ts';
import { dayIn } from '../../kernel/time.ts';
import { isRecorded } from '../figures/days.ts';
import { listControls } from '../figures/explore/controls.ts';
import { viewFigures } from '../figures/explore/view.ts';
import { type Asked, THEMES, listQuestions } from '../figures/questions/questions.ts';
import { viewQuestion } from '../figures/questions/view.ts';
import { PARTS } from '../figures/revenue/parts.ts';
import { linkTo } from '../figures/links.ts';
import { isOfFigures } from '../../oversight/views/save.ts';
import { viewWhy } from '../figures/why/view.ts';
import { viewRevenue } from '../figures/revenue/view.ts';
import { changesOf } from '../languages/changes.ts';
import { choicesOf } from '../languages/choices.ts';
import { wordFailure } from '../languages/failures.ts';
import { LANGUAGES, localeOf } from '../languages/language.ts';
import { translate } from '../languages/said.ts';
import { listFields, memberOf } from '../operations/filled.ts';
import { clockOf, writeLocal } from '../operations/local-time.ts';
import { RULE_KINDS, listCategories, nameCategory, readTariff } from '../operations/tariff.ts';
import { recordsFor } from '../records/handed.ts';
import { listsFor, presetsOf } from '../records/lists.ts';
import { referenceFor } from '../records/docs/handed.ts';
import { mergeHappenings } from '../records/happenings.ts';
import { type HandedTo, render } from '../templates.ts';
import {
  type Problem,
  type PageContext,
  isSignedIn,
  lackFor,
  markForm,
  mayOf,
  areasOf,
  whoOpens,
} from '../page-context.ts';
import { mistakesOf } from './mistakes.ts';
import { isDismissable, versionOf } from './notices.ts';

/** A page that asks nothing. */
export function renderPage<Name extends string>(
  template: Name,
  title: string,
  context: PageContext,
  { problem = null, ...more }: More<Name>,
): string {
  return render<string>(template, { ...frameOf(title, context, problem), ...more });
}

/** Values for a page beyond those of any page; and the clock, null if a page shows no times. */
type More<Name extends string> = Omit<HandedTo<Name>, keyof Frame> & {
  readonly problem?: Problem | null;
  readonly clock?: null;
};

/** A page above another, by its address alone or with another text than its title; null for none. */
type Step = string | readonly [path: string, text: string] | null;

const stepsFor = ({ pages, texts }: PageContext, steps: readonly Step[]) =>
  steps.flatMap((step) => {
    if (!step) return [];
    if (typeof step !== 'string') return { path: step[0], text: step[1] };
    return { path: step, text: texts.t(pages.find(({ path }) => path === step.split('?')[0])!.title) };
  });

/** Values for the template of any page. */
export type Frame = ReturnType<typeof frameOf>;

function frameOf(title: string, context: PageContext, problem: Problem | null) {
  const { call, texts, schema, address, query, notices, timeZone, describe } = context;
  const [done, cameFrom] = [query.get('done'), query.get('back')];
  /** Value of a form's field: the sent one, if the form was refused, or else its default. */
  const valueOf = (name: string, fallback: unknown = '') => memberOf(problem?.filled, name) ?? fallback;
  const mistakes = problem?.refusal ? mistakesOf(problem.refusal, texts, problem.filled) : [];
  const errorOf = (name: string) => mistakes.find(({ field }) => field === name) ?? null;
  const may = mayOf({ call });
  const today = dayIn(call.now(), timeZone);
  return {
    ...texts,
    /** A moment by the clock of a place, or else of the reader; nothing for none. */
    moment: (at: unknown, zone?: string) => (at == null ? '' : texts.moment(at, zone ?? timeZone)),
    /** What a value is called in a family of messages, or else the value. */
    word: (family: string, value: string) => (texts.has(`${family}.${value}`) ? texts.t(`${family}.${value}`) : value),
    title: texts.t(title),
    assets: ASSETS,
    languages: LANGUAGES,
    mode: call.config.mode,
    origin: call.origin,
    mailInFiles: call.config.mode === 'sandbox' && call.config.smtpUrl === null,
    explorer: call.config.introspection,
    singleSignOn: call.config.singleSignOn !== null,
    visitor: call.viewer,
    areas: areasOf(context),
    opens: (path: string) => lackFor(context, path) === null,
    whoOpens: (path: string) => whoOpens(context, path),
    /** The way down to a page that has a heading of its own; written unescaped. */
    crumbs: (...steps: readonly Step[]) => render('frame/head', { steps: stepsFor(context, steps), title: null }),
    /** The same, and the title of the page as its heading. */
    head: (...steps: readonly Step[]) =>
      render('frame/head', { steps: stepsFor(context, steps), title: texts.t(title) }),
    may,
    timeZone,
    clock: clockOf(timeZone, call.now()),
    locale: localeOf(texts.language),
    today,
    presets: presetsOf(today, context.fiscalYearMonth),
    ...listsFor(texts, address, query),
    mergeHappenings,
    onTheWay,
    signedIn: isSignedIn(call),
    ...recordsFor(texts, timeZone, may),
    ...referenceFor(describe, call.origin, query, texts),
    isOfFigures,
    isRecorded,
    pivot,
    spread,
    address,
    query,
    cameFrom: isOwnPath(cameFrom) ? cameFrom : null,
    notices: notices.map((one) => ({ ...one, dismiss: isDismissable(one) ? versionOf(one) : null })),
    done: done !== null && texts.has(`done.${done}`) ? texts.t(`done.${done}`) : null,
    mark: problem?.mark ?? markForm(),
    mistakes,
    denominations: DENOMINATIONS,
    qrCode: (text: string) => renderSVG(text, { border: 2 }),
    choices: (type: string, family: string) => choicesOf(schema, texts, type, family),
    /** Records as the choices of a field, by their names. */
    byName: (records: readonly { readonly id: string; readonly name: string }[]) =>
      records.map(({ id, name }) => ({ value: id, text: name })),
    valueOf,
    errorOf,
    listFields,
    ruleKinds: RULE_KINDS,
    listCategories,
    nameCategory,
    readTariff,
    writeLocal,
    writePhone,
    examplePhone,
    parts: PARTS,
    viewRevenue,
    viewWhy,
    viewRoom,
    linkTo,
    viewFigures,
    questionThemes: THEMES,
    questions: () => listQuestions(schema),
    viewQuestion: (name: unknown, data: unknown) =>
      viewQuestion(name, (data as { asked: Asked | null }).asked, { schema, texts, origin: call.origin, query }),
    listControls,
    /** A sentence that was said with its values, in the language of the page. */
    say: (form: string, values: readonly string[]) => translate(new Said(form, values), texts),
    /** The address of a table as a CSV file, which the page has in it. */
    csvOf: (...table: Parameters<typeof writeCsv>) =>
      `data:text/csv;base64,${Buffer.from(writeCsv(...table)).toString('base64')}`,
    wordFailure: (reason: string) => wordFailure(reason, texts),
    changes: (entry: Parameters<typeof changesOf>[1]) => changesOf(texts, entry, timeZone),
    problem,
  };
}
