import { basename } from 'node:path';
import { Marked, type Token, type Tokens } from 'marked';
import type { Sample } from '../reference/samples.ts';
import { ASSETS } from '../../assets.ts';
import { addressOf } from './files.ts';
import { escapeHtml } from '../reference/text.ts';

/** A page of the documentation. */
export interface Guide {
  readonly title: string;
  /** Content below its title: HTML, and between it the same program in several languages. */
  readonly parts: readonly (string | readonly Sample[])[];
  /** All HTML of it. */
  readonly html: string;
  /** Its sections, in their order. */
  readonly contents: readonly { readonly anchor: string; readonly text: string }[];
}

/** Width and height of a picture, in pixels. */
export const PICTURE_SIZE = [800, 500] as const;

/** Names of the languages of programs. */
const LANGUAGES: Readonly<Record<string, string>> = { sh: 'curl', ts: 'TypeScript', py: 'Python' };

/** Pieces of Markdown, and between them programs that follow one another, each in another language. */
function partsOf(tokens: readonly Token[]): (Token[] | { readonly samples: Sample[] })[] {
  const parts: (Token[] | { readonly samples: Sample[] })[] = [];
  let [text, programs]: [Token[], Tokens.Code[]] = [[], []];
  const end = () => {
    const languages = new Set(programs.map(({ lang }) => lang));
    if (programs.length > 1 && languages.size === programs.length)
      parts.push(text, { samples: programs.map(({ lang, text: of }) => ({ name: LANGUAGES[lang!]!, text: of })) });
    else parts.push([...text, ...programs]);
    [text, programs] = [[], []];
  };
  for (const token of tokens) {
    if (token.type === 'space') continue;
    const isProgram = token.type === 'code' && LANGUAGES[(token as Tokens.Code).lang ?? ''] !== undefined;
    if (!isProgram && programs.length > 0) end();
    if (isProgram) programs.push(token as Tokens.Code);
    else text.push(token);
  }
  end();
  return parts;
}

/** Guide from Markdown, without any HTML of its own. */
export function makeGuide(markdown: string): Guide {
  const contents: Guide['contents'][number][] = [];
  const marked = new Marked({ gfm: true });
  let title = '';
  marked.use({
    renderer: {
      html: ({ text }) => (text.trimStart().startsWith('<!--') ? '' : escapeHtml(text)),
      heading({ tokens, depth }) {
        const text = readText(this.parser.parseInline(tokens, this.parser.textRenderer));
        const anchor = anchorOf(text);
        if (depth === 1) {
          title = text;
          return '';
        }
        if (depth === 2) contents.push({ anchor, text });
        return `<h${depth} id="${escapeHtml(anchor)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const target = addressOf(href);
        return target === null ? text : `<a href="${escapeHtml(target)}">${text}</a>`;
      },
      image({ href, text }) {
        const path = ASSETS.pictureOf(basename(href));
        if (path === null) return escapeHtml(text);
        const [width, height] = PICTURE_SIZE;
        return `<img src="${path}" alt="${escapeHtml(text)}" width="${width}" height="${height}" loading="lazy">`;
      },
      code: ({ text }: Tokens.Code) => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`,
      table({ header, rows }) {
        const row = (cells: readonly Tokens.TableCell[], open: string, close: string) =>
          `<tr>${cells.map(({ tokens }) => open + this.parser.parseInline(tokens) + close).join('')}</tr>`;
        // The corner of a table, which nothing is the head of, is no head.
        const head = row(header, '<th scope="col">', '</th>').replaceAll('<th scope="col"></th>', '<td></td>');
        const body = rows.map((cells) => row(cells, '<td>', '</td>')).join('\n');
        const label = escapeHtml(header.flatMap(({ text }) => readText(text) || []).join(', '));
        return `<div class="scroll" role="group" aria-label="${label}" tabindex="0">
<table><thead>${head}</thead><tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  const parts = partsOf(marked.lexer(markdown)).map((part) => ('samples' in part ? part.samples : marked.parser(part)));
  return { title, parts, html: parts.filter((part) => typeof part === 'string').join(''), contents };
}

/** The anchor of a heading, as GitHub makes it. */
function anchorOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

/** Text without what marks it up. */
function readText(text: string): string {
  return text.replaceAll('`', '').replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
}
