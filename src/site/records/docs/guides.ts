import { existsSync, readFileSync } from 'node:fs';
import { Marked, type Tokens } from 'marked';
import { Refusal } from '../../../kernel/refusal.ts';
import { say } from '../../../kernel/text/said.ts';
import { escapeHtml } from './html.ts';

const FOLDER = new URL('../../../../docs/', import.meta.url);

/** The pages of the documentation, by whom they are for: files of `docs/`. */
export const GUIDES = [
  'first-payment',
  'integrators',
  'agencies',
  'counter',
  'analysts',
  'operators',
  'growing',
  'performance',
  'architecture',
  'glossary',
] as const;

/** A page of the documentation. */
export interface Guide {
  readonly title: string;
  /** What follows its title. */
  readonly html: string;
  /** Its sections, in their order. */
  readonly contents: readonly { readonly anchor: string; readonly text: string }[];
}

const made = new Map<string, Guide>();

/** A page of the documentation by its name, as HTML; it is made once. */
export function getGuide(name: unknown): Guide {
  if (!isGuide(name)) throw new Refusal('not_found', say`There is no page at this address`);
  const guide = made.get(name) ?? makeGuide(name === FIRST_PAYMENT ? readFirstPayment() : readGuide(`${name}.md`));
  made.set(name, guide);
  return guide;
}

const readGuide = (file: string): string => readFileSync(new URL(file, FOLDER), 'utf8');

/** A section of the page that comes with the code, as a page of its own. */
const FIRST_PAYMENT = 'first-payment';

/** What the commands of the first payment begin with for their reader, who has an account or makes one on these pages. */
const [ORIGIN, OWN_KEY] = ['ORIGIN-OF-THE-RAIL', 'KEY-OF-THE-READER'];

function readFirstPayment(): string {
  const section = /^## A first payment\n([^]*?)(?=^## )/m.exec(readGuide('../README.md'))?.[1];
  const filled = section
    ?.replace(/^RAIL=.*$/m, `RAIL=${ORIGIN}\nKEY=\${RAIL_KEY:?Set RAIL_KEY to ${OWN_KEY}}`)
    .replace(/^# An account, [^]*?\n\n/m, '');
  if (!filled?.includes(OWN_KEY) || filled.includes('signup'))
    throw new Error('README.md has no section "A first payment" that begins with the address and an account');
  return `# A first payment\n${filled}`;
}

/** The first payment as programs in other languages, for the rail of their reader. */
export function firstPayments(origin: string): { readonly name: string; readonly text: string }[] {
  const program = (file: string) =>
    readGuide(`lessons/first-payment.${file}`).replace(
      /^((?:const )?RAIL = )'.*'/m,
      (_line, begin: string) => `${begin}'${origin}'`,
    );
  return [
    { name: 'TypeScript', text: program('ts') },
    { name: 'Python', text: program('py') },
  ];
}

/** A key as far as its owner is shown it. */
interface ShownKey {
  readonly prefix: string;
  readonly last4: string;
}

/**
 * A page of the documentation with the commands of its reader: their rail, and which of their keys to run them with.
 */
export function showGuide(name: unknown, origin: string, key: ShownKey | null): string {
  const named = key ? `your key ${key.prefix}…${key.last4}` : 'the key of your account';
  return getGuide(name).html.replace(ORIGIN, escapeHtml(origin)).replace(OWN_KEY, escapeHtml(named));
}

function isGuide(name: unknown): name is (typeof GUIDES)[number] {
  return GUIDES.some((guide) => guide === name);
}

/** What Markdown says, without any HTML of its own. */
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
      image: ({ text }) => escapeHtml(text),
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
  const html = marked.parse(markdown, { async: false });
  return { title, html, contents };
}

/** Where a link of a page leads: to another page, elsewhere, or, to what is only in the repository, nowhere. */
function addressOf(href: string): string | null {
  if (/^(https?:\/\/|#)/.test(href)) return href;
  if (href === '../README.md#a-first-payment') return `/docs/${FIRST_PAYMENT}`;
  const [, up, name, anchor = ''] = /^((?:\.\.\/)*)([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  if (isGuide(name)) return `/docs/${name}${anchor}`;
  return up === '' && name !== undefined && isTaskFile(name) ? `/docs/tasks/${name}` : null;
}

/** Whether there is a task of a name: a file next to the one that links to it. */
const isTaskFile = (name: string): boolean => existsSync(new URL(`tasks/en/${name}.md`, FOLDER));

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
