import { ANOMALY_KINDS } from '../../../collection/anomalies/kinds.ts';
import { themeOf } from '../../../graphql/operations/named.ts';
import type { Language } from '../../languages/language.ts';
import type { Texts } from '../../languages/texts.ts';
import type { Description } from '../reference/description.ts';
import { listEvents } from '../reference/event.ts';
import { listOperations } from '../reference/operation.ts';
import { GUIDES } from './files.ts';
import { getGuide } from './guides.ts';
import { TASK_NAMES, getTask } from './tasks.ts';

/** A place of the documentation. */
interface Place {
  readonly path: string;
  readonly title: string;
  /** The language of its title and text. */
  readonly lang: Language;
  /** Title of the page that it is a part of. */
  readonly within: string | null;
  readonly text: string;
  /** Other words of its readers for it, in their language. */
  readonly also?: string;
}

/** A place that was found, with the words around what was searched for. */
interface Hit extends Omit<Place, 'text' | 'also'> {
  readonly excerpt: string;
}

const MOST_HITS = 20;
/** The rest of a longer query is left aside: each word is looked for in the whole documentation. */
const MOST_WORDS = 8;
/** Characters of a text that are shown, before the match and in all. */
const [BEFORE, LENGTH] = [60, 200];
/** Weights of a word in a title, and in readers' other words; and of all words, as they are, in a title. */
const [IN_TITLE, IN_ALSO, WHOLE_IN_TITLE] = [20, 5, 50];
/** Beyond so many times, a text is not more about a word for having it. */
const MOST_OFTEN = 10;

/** A place with its title, its text and what else it is called, as they are compared. */
type Read = readonly [place: Place, title: string, text: string, also: string];

const read = new WeakMap<Description, Map<Language, readonly Read[]>>();

/** Finds the places that have all of the first words, those first that have them in their title or most often. */
export function searchDocs(description: Description, query: string, texts: Texts): Hit[] {
  const words = (fold(query).match(/[\p{L}\p{N}_.]+/gu) ?? []).slice(0, MOST_WORDS);
  if (words.length === 0) return [];
  const byLanguage = read.get(description) ?? new Map<Language, readonly Read[]>();
  const places = byLanguage.get(texts.language) ?? listPlaces(description, texts).map(readPlace);
  read.set(description, byLanguage.set(texts.language, places));
  return places
    .map((place) => ({ place: place[0], score: scoreOf(place, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MOST_HITS)
    .map(({ place: { text, also: _also, ...place } }) => ({ ...place, excerpt: excerptOf(text, words) }));
}

/** A text as it is compared: without capitals and accents, which people leave out. */
const fold = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

const readPlace = (place: Place): Read => [place, fold(place.title), fold(place.text), fold(place.also ?? '')];

function scoreOf([, heading, body, called]: Read, words: readonly string[]): number {
  const scores = words.map((word) => {
    return (heading.includes(word) ? IN_TITLE : 0) + (called.includes(word) ? IN_ALSO : 0) + countIn(body, word);
  });
  if (scores.includes(0)) return 0;
  const whole = heading.includes(words.join(' ')) ? WHOLE_IN_TITLE : 0;
  return scores.reduce((sum, score) => sum + score, whole);
}

/** Number of a word's occurrences in a text, as far as that counts. */
function countIn(text: string, word: string): number {
  let [count, at] = [0, text.indexOf(word)];
  while (at >= 0 && count < MOST_OFTEN) [count, at] = [count + 1, text.indexOf(word, at + word.length)];
  return count;
}

function excerptOf(text: string, words: readonly string[]): string {
  const found = Math.max(fold(text).indexOf(words[0]!), 0);
  const from = found <= BEFORE ? 0 : text.indexOf(' ', found - BEFORE) + 1;
  const cut = text.slice(from, from + LENGTH).trim();
  return `${from > 0 ? '…' : ''}${cut}${from + LENGTH < text.length ? '…' : ''}`;
}

function listPlaces(description: Description, texts: Texts): Place[] {
  const { t, has, language } = texts;
  const operations = listOperations(description).map(({ id, method, path, summary, task }) => {
    const { description: about = '', 'x-events': events = [] } = description.paths[path]![method.toLowerCase()]!;
    const named = [t(`api.task.${task}`), t(`api.taskAbout.${task}`), ...events.map(nameOfEvent(texts))];
    return {
      path: `/docs/api/${id}`,
      title: summary,
      lang: ENGLISH,
      within: `${method} ${path}`,
      text: about.replaceAll('`', ''),
      also: named.join(' '),
    };
  });
  const events = listEvents(description).map(({ type, about }) => ({
    path: `/docs/events/${type}`,
    title: type,
    lang: ENGLISH,
    within: nameOfEvent(texts)(type),
    text: about,
    also: nameOfEvent(texts)(type),
  }));
  const tasks = TASK_NAMES.map((name) => {
    const { title, html, language: lang } = getTask(name, language);
    const also = has(`docs.also.${name}`) ? t(`docs.also.${name}`) : '';
    return { path: `/docs/tasks/${name}`, title, lang, within: null, text: textOf(html), also };
  });
  const questions = [...themeOf.keys()].map((name) => ({
    path: `/oversight/questions/${name}`,
    title: t(`questions.name.${name}`),
    lang: language,
    within: t('questions.title'),
    text: name,
  }));
  const anomalies = ANOMALY_KINDS.map((kind) => ({
    path: `/docs/anomalies#${kind}`,
    title: t(`anomaly.${kind}`),
    lang: language,
    within: t('docs.anomalies'),
    text: `${kind} ${t(`anomalyToDo.${kind}`)}`,
  }));
  return [
    ...tasks,
    ...GUIDES.flatMap((name) => sectionsOf(name, texts)),
    ...operations,
    ...events,
    ...questions,
    ...anomalies,
  ];
}

const ENGLISH = 'en' as const;

/** Name of a type of message on pages. */
const nameOfEvent =
  ({ t }: Texts) =>
  (type: string): string =>
    t(`eventType.${type.replace('.', '_')}`);

/** The sections of a page, and what is above the first. */
function sectionsOf(name: string, { t }: Texts): Place[] {
  const { title, html } = getGuide(name);
  const [above = '', ...sections] = html.split(/(?=<h2 id=")/);
  const called = `${t(`docs.page.${name}`)} ${t(`docs.pageAbout.${name}`)}`;
  return [
    { path: `/docs/${name}`, title, lang: ENGLISH, within: null, text: textOf(above), also: called },
    ...sections.map((section) => {
      const [, anchor, heading] = /^<h2 id="([^"]*)">(.*?)<\/h2>/s.exec(section)!;
      const rest = section.slice(section.indexOf('</h2>') + '</h2>'.length);
      return {
        path: `/docs/${name}#${anchor}`,
        title: textOf(heading!),
        lang: ENGLISH,
        within: title,
        text: textOf(rest),
      };
    }),
  ];
}

/** Text of HTML, without its marks. */
const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();
