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
  /** What it is a part of: the title of its page. */
  readonly within: string | null;
  readonly text: string;
}

/** A place that was found, with the words around what was searched for. */
interface Hit extends Omit<Place, 'text'> {
  readonly excerpt: string;
}

const MOST_HITS = 20;
/** How much of a text is shown, before what was found in it and in all. */
const [BEFORE, LENGTH] = [60, 200];
/** How much a word counts in a title. */
const IN_TITLE = 20;

const read = new WeakMap<Description, readonly Place[]>();

/** Finds the places that have all words, those first that have them in their title or most often. */
export function searchDocs(description: Description, query: string): Hit[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}_.]+/gu) ?? [];
  if (words.length === 0) return [];
  const places = read.get(description) ?? listPlaces(description);
  read.set(description, places);
  return places
    .map((place) => ({ place, score: scoreOf(place, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MOST_HITS)
    .map(({ place: { text, ...place } }) => ({ ...place, excerpt: excerptOf(text, words) }));
}

function scoreOf({ title, text }: Place, words: readonly string[]): number {
  const [heading, body] = [title.toLowerCase(), text.toLowerCase()];
  const scores = words.map((word) => (heading.includes(word) ? IN_TITLE : 0) + body.split(word).length - 1);
  return scores.every((score) => score > 0) ? scores.reduce((sum, score) => sum + score) : 0;
}

function excerptOf(text: string, words: readonly string[]): string {
  const found = Math.max(text.toLowerCase().indexOf(words[0]!), 0);
  const from = found <= BEFORE ? 0 : text.indexOf(' ', found - BEFORE) + 1;
  const cut = text.slice(from, from + LENGTH).trim();
  return `${from > 0 ? '…' : ''}${cut}${from + LENGTH < text.length ? '…' : ''}`;
}

function listPlaces(description: Description): Place[] {
  const operations = listOperations(description).map(({ id, method, path, summary }) => ({
    path: `/docs/api/${id}`,
    title: summary,
    within: `${method} ${path}`,
    text: description.paths[path]![method.toLowerCase()]!.description ?? '',
  }));
  const events = listEvents(description).map(({ type, about }) => ({
    path: `/docs/events/${type}`,
    title: type,
    within: null,
    text: about,
  }));
  const tasks = TASK_NAMES.map((name) => {
    const { title, html } = getTask(name, 'en');
    return { path: `/docs/tasks/${name}`, title, within: null, text: textOf(html) };
  });
  return [...tasks, ...GUIDES.flatMap(sectionsOf), ...operations, ...events];
}

/** The sections of a page, and what is above the first. */
function sectionsOf(name: string): Place[] {
  const { title, html } = getGuide(name);
  const [above = '', ...sections] = html.split(/(?=<h2 id=")/);
  return [
    { path: `/docs/${name}`, title, within: null, text: textOf(above) },
    ...sections.map((section) => {
      const [, anchor, heading] = /^<h2 id="([^"]*)">(.*?)<\/h2>/s.exec(section)!;
      const rest = section.slice(section.indexOf('</h2>') + '</h2>'.length);
      return { path: `/docs/${name}#${anchor}`, title: textOf(heading!), within: title, text: textOf(rest) };
    }),
  ];
}

/** What HTML says, without its marks. */
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
