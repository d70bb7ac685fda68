import { buildSchema, parse, validate } from 'graphql';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { REASONS } from '../../../src/kernel/reasons.ts';
import { statusOf } from '../../../src/kernel/refusal.ts';
import { EVENT_TYPES } from '../../../src/accounts/events/event-types.ts';
import { GROUP_NAMES, groupOf } from '../../../src/oversight/figures/query/groups.ts';
import { KEY_SCOPES, ROLES } from '../../../src/platform/access/needs.ts';
import { documents } from '../../harness/schema/documents.ts';
import { PAGES, type Page, pageAt } from '../../harness/pages.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const everything = PAGES.map(({ text }) => text).join('\n');

/** The addresses of the endpoints, as expressions: a parameter in braces stands for one segment. */
const endpoints = documents.definitions.flatMap((definition) => {
  const rest =
    'directives' in definition ? definition.directives?.find(({ name }) => name.value === 'rest') : undefined;
  const path = rest?.arguments?.find(({ name }) => name.value === 'path')?.value;
  return path?.kind === 'StringValue' ? [new RegExp(`^${path.value.replace(/\{\w+\}/g, '[^/:]+')}$`)] : [];
});
/** Paths that are served in addition to the REST documents. */
const OTHERS = ['/v1/docs', '/v1/openapi.json', '/v1/asyncapi.json'];

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf({ text }: Page): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

describe('the documentation', () => {
  it('has no command that nobody runs: what is not tested installs, or shows where something is to be filled in', () => {
    // Those of lessons are run from their page, with what that fills in: test/site/integrators/lessons.test.ts.
    const loose = PAGES.filter(({ path }) => !path.startsWith('docs/lessons/')).flatMap(({ path, blocks }) =>
      blocks
        .filter(({ tested, language, text }) => language === 'sh' && tested === null && !/…|^npm ci/m.test(text))
        .map(({ text }) => `${path}: ${text}`),
    );
    expect(loose).toEqual([]);
  });

  it('has JSON that is JSON, and queries that the schema knows', () => {
    const schema = buildSchema(readFileSync(join(ROOT, 'schema.graphql'), 'utf8'));
    const blocks = PAGES.flatMap((page) => page.blocks);
    for (const { language, text } of blocks) {
      if (language === 'json') expect(() => JSON.parse(text) as unknown, text).not.toThrow();
      if (language === 'graphql' && !text.includes('@rest')) expect(validate(schema, parse(text)), text).toEqual([]);
    }
  });

  it('names endpoints that there are', () => {
    const named = [...everything.matchAll(/`(?:[A-Z]+ )?(\/v1\/[^\s`?]+)[^`]*`/g)]
      .map(([, path]) => path!)
      .filter((path) => !path.endsWith('/…'));
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((path) => !OTHERS.includes(path) && !endpoints.some((one) => one.test(path)))).toEqual([]);
  });

  it('has links that lead somewhere', () => {
    const broken = PAGES.flatMap((page) =>
      [...page.text.matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, link]) => link!)
        .filter((link) => !/^https?:/.test(link))
        .filter((link) => {
          const [file, anchor] = link.split('#');
          const path = file === '' ? page.path : join(dirname(page.path), file!);
          if (!existsSync(join(ROOT, path))) return true;
          return anchor !== undefined && !anchorsOf(pageAt(path)).includes(anchor);
        })
        .map((link) => `${page.path}: ${link}`),
    );
    expect(broken).toEqual([]);
  });

  it('names to each reader all of what there is for them', () => {
    const missing = (path: string, words: readonly string[]) =>
      words.filter((word) => !pageAt(path).text.includes(`\`${word}\``));
    expect(
      missing('docs/integrators.md', [
        ...Object.keys(statusOf),
        ...Object.keys(REASONS),
        ...KEY_SCOPES,
        ...EVENT_TYPES,
      ]),
    ).toEqual([]);
    expect(missing('docs/counter.md', ROLES)).toEqual([]);
  });

  it('lists each type of message, and each group of measures with its dimensions, where it lists them', () => {
    const listed = (path: string, beginning: string) => {
      const [, list = ''] = new RegExp(`${beginning} ([^\n]*?)\\.(?=\\s)`).exec(pageAt(path).text) ?? [];
      return [...list.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
    };
    const ofOperators = ['alert.raised'];
    expect(listed('docs/integrators.md', 'Types are').toSorted()).toEqual(
      EVENT_TYPES.filter((type) => !ofOperators.includes(type)).toSorted(),
    );
    const ofAgencies = listed('docs/agencies.md', 'They are');
    expect(ofAgencies.length).toBeGreaterThan(3);
    expect(EVENT_TYPES).toEqual(expect.arrayContaining(ofAgencies));
    const groups = GROUP_NAMES.map((name) => {
      const { measures, dimensions } = groupOf(name);
      const names = Object.keys(measures).map((measure) => `\`${measure}\``);
      return `| \`${name}\` | ${names.join(', ')} | ${dimensions.join(', ')} |`;
    });
    expect(pageAt('docs/analysts.md').text).toContain(groups.join('\n'));
  });

  it('names every script', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const shown = Object.keys(scripts).filter(
      (name) => !name.startsWith('check:') && !['postinstall', 'prestart'].includes(name),
    );
    expect(shown.filter((script) => !new RegExp(`npm (run )?(-s )?${script}\\b`).test(everything))).toEqual([]);
  });

  it('lists every background job and loop', () => {
    const { text } = pageAt('docs/architecture.md');
    const read = (file: string) => readFileSync(join(ROOT, 'src/app/jobs', file), 'utf8');
    const jobs = [...read('tasks.ts').matchAll(/^ {4}(\w+): job\(/gm)].map(([, name]) => name!);
    const loops = [...read('worker.ts').matchAll(/import \{ start\w+ \} from '\.\.\/\.\.\/(.+)'/g)];
    expect([jobs.length, loops.length].every((count) => count > 5)).toBe(true);
    const names = [...jobs, ...loops.map(([, file]) => `src/${file}`)];
    expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });

  it('lists every advisory lock with its number', () => {
    const { text } = pageAt('docs/architecture.md');
    const locks = globSync('src/**/*.ts', { cwd: ROOT }).flatMap((file) =>
      [...readFileSync(join(ROOT, file), 'utf8').matchAll(/_LOCKS? = ([\d_]+);/g)].map(([, number]) => [
        number!.replaceAll('_', ''),
        file,
      ]),
    );
    expect(locks.length).toBeGreaterThan(5);
    expect(locks.filter(([number, file]) => !new RegExp(`\\| ${number}[^|]*\\| \`${file}\``).test(text))).toEqual([]);
  });
});
