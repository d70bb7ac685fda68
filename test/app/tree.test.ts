import { existsSync, globSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const files = globSync('{src,rest,clients/typescript/src}/**/*.ts', { cwd: ROOT, exclude: ['src/generated/**'] });

/** The floors of `src`, from the top: an import goes down only. The client library stands on nothing of them. */
const FLOORS = [
  'app',
  'sandbox',
  'site',
  'oversight',
  'console',
  'counter',
  'identity',
  'accounts',
  'collection',
  'graphql',
  'platform',
  'adapters',
  'kernel',
  'clients',
] as const;

/** Those that hold domains: whom they are for. */
const DOMAIN_FLOORS: readonly string[] = ['oversight', 'console', 'counter', 'identity', 'accounts', 'collection'];

/** The folder of `src` that a file stands on, `rest` or `clients`. */
function floorOf(file: string): string {
  const [top, floor] = file.split('/');
  return top === 'src' ? floor! : top!;
}

/** The domain that a file is a part of: its floor and the folder in it; null on floors that hold no domains. */
function domainOf(file: string): string | null {
  const [, floor, folder, ...rest] = file.split('/');
  if (!DOMAIN_FLOORS.includes(floor!)) return null;
  return rest.length > 0 ? `${floor}/${folder}` : floor!;
}

const importsOf = (file: string) => {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [...text.matchAll(/^(?:import|export)\s[^;]*?from '(\.[^']+)'|^import '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm)]
    .map(([statement, from, bare, later]) => ({
      file,
      target: relative(ROOT, join(ROOT, dirname(file), (from ?? bare ?? later)!)),
      /** True if it is loaded together with the file that imports it. */
      atOnce: later === undefined && !/^(?:import|export) type /.test(statement),
    }))
    .filter(({ target }) => !target.startsWith('src/generated/'));
};
const imports = files.flatMap(importsOf);

/** Among the domains of one floor, who may use whom. */
const NEIGHBOURS: Readonly<Record<string, readonly string[]>> = {
  'collection/catalogue': ['collection/anomalies', 'collection/approvals'],
  'collection/approvals': ['collection/anomalies'],
  'collection/citizens': ['collection/agencies', 'collection/anomalies', 'collection/catalogue'],
  'collection/assessments': ['collection/approvals', 'collection/catalogue', 'collection/citizens'],
  'collection/propagation': ['collection/anomalies', 'collection/assessments', 'collection/catalogue'],
  'collection/references': [
    'collection/assessments',
    'collection/catalogue',
    'collection/citizens',
    'collection/receipts',
  ],
  'collection/links': [
    'collection/assessments',
    'collection/callbacks',
    'collection/catalogue',
    'collection/citizens',
    'collection/payments',
    'collection/receipts',
    'collection/references',
  ],
  'collection/money': [
    'collection/anomalies',
    'collection/assessments',
    'collection/citizens',
    'collection/references',
  ],
  'collection/payments': [
    'collection/anomalies',
    'collection/approvals',
    'collection/assessments',
    'collection/catalogue',
    'collection/citizens',
    'collection/money',
    'collection/propagation',
    'collection/references',
    'collection/receipts',
  ],
  'collection/receipts': ['collection/assessments', 'collection/catalogue'],
  'collection/reconciliation': [
    'collection/anomalies',
    'collection/callbacks',
    'collection/catalogue',
    'collection/money',
    'collection/payments',
  ],
  'collection/fiscal': ['collection/assessments', 'collection/catalogue', 'collection/payments'],
  'collection/callbacks': [
    'collection/anomalies',
    'collection/approvals',
    'collection/assessments',
    'collection/catalogue',
    'collection/citizens',
    'collection/fiscal',
    'collection/money',
    'collection/payments',
    'collection/propagation',
    'collection/references',
  ],
  'accounts/agency-keys': ['accounts/keys'],
  'accounts/browser-keys': ['accounts/keys'],
  'accounts/integrators': ['accounts/endpoints', 'accounts/events', 'accounts/keys'],
  'accounts/requests': ['accounts/integrators', 'accounts/keys'],
  'accounts/sandbox': ['accounts/keys', 'accounts/webhooks'],
  'accounts/sessions': ['accounts/integrators', 'accounts/keys'],
  'accounts/status': ['accounts/notices'],
  'accounts/notices': ['accounts/events'],
  'accounts/webhooks': ['accounts/endpoints', 'accounts/events', 'accounts/integrators', 'accounts/notices'],
  'accounts/endpoints': ['accounts/events', 'accounts/keys'],
  'console/anomalies': ['console', 'console/audit'],
  'console/catalogue': ['console', 'console/audit'],
  'console/overview': ['console'],
  'counter/supervision': ['counter/shifts'],
  'identity/grants': ['identity/staff'],
  'identity/links': [
    'identity/attempts',
    'identity/passwords',
    'identity/second-factor',
    'identity/sessions',
    'identity/staff',
  ],
  'identity/login': [
    'identity/attempts',
    'identity/passwords',
    'identity/second-factor',
    'identity/sessions',
    'identity/single-sign-on',
    'identity/staff',
  ],
  'identity/members': [
    'identity/grants',
    'identity/links',
    'identity/passwords',
    'identity/second-factor',
    'identity/sessions',
    'identity/staff',
  ],
  'identity/passwords': ['identity/attempts', 'identity/sessions', 'identity/staff'],
  'identity/second-factor': ['identity/attempts', 'identity/sessions', 'identity/staff'],
  'identity/sessions': ['identity/staff'],
  'identity/single-sign-on': ['identity/sessions', 'identity/staff'],
  'oversight/anomalies': ['oversight/common'],
  'oversight/cancellations': ['oversight/common', 'oversight/figures'],
  'oversight/closes': ['oversight/common', 'oversight/figures'],
  'oversight/events': ['oversight/anomalies', 'oversight/common'],
  'oversight/facts': ['oversight/common'],
  'oversight/fees': ['oversight/common'],
  'oversight/figures': ['oversight/common', 'oversight/facts'],
  'oversight/revenue': ['oversight/common', 'oversight/facts', 'oversight/figures'],
  'oversight/seals': ['oversight/closes', 'oversight/common', 'oversight/figures'],
  'oversight/settlements': ['oversight/common', 'oversight/figures'],
  'oversight/targets': ['oversight/common', 'oversight/figures'],
  'oversight/unpaid': ['oversight/common', 'oversight/figures'],
};

/** The imports that are in a circle of them. */
function circlesIn(all: readonly { readonly file: string; readonly target: string }[]): string[] {
  // A file that imports nothing, or that nothing imports, is in no circle. Such files are removed until none is left.
  let left = all;
  for (let before = Infinity; left.length < before;) {
    before = left.length;
    const importing = new Set(left.map(({ file }) => file));
    const imported = new Set(left.map(({ target }) => target));
    left = left.filter(({ file, target }) => importing.has(target) && imported.has(file));
  }
  return [...new Set(left.map(({ file, target }) => `${file} → ${target}`))];
}

const MOST_ENTRIES = 15;

/** Maps of modules that nobody who calls can fill, and with what they are filled. */
const KEPT_WHOLE: Readonly<Record<string, string>> = {
  'rest/input/body.ts': 'the sizes of bodies that handlers take',
  'rest/wording.ts': 'nothing',
  'src/site/languages/texts.ts': 'languages',
  'src/site/records/docs/guides.ts': 'pages of the documentation',
  'src/site/records/docs/tasks.ts': 'tasks of the documentation',
  'src/collection/approvals/kinds.ts': 'kinds of approvals, as modules register them',
  'src/kernel/time.ts': 'time zones, as many as the tz database has',
  'src/platform/analytics/engine.ts': 'files that this process has open',
  'src/platform/database/record.ts': 'models of the database',
};

describe('the tree', () => {
  it('imports down its floors only', () => {
    const wrong = imports.filter(({ file, target }) => {
      const [from, to] = [floorOf(file), floorOf(target)];
      if (from === to) return false;
      // A demo shows the client library; nothing that runs knows it.
      if (to === 'clients') return !file.startsWith('src/sandbox/demo/');
      // The REST layer stands beside the process: it knows the schema and the platform, and no domain.
      if (from === 'rest') return !['graphql', 'platform', 'kernel'].includes(to);
      if (to === 'rest') return from !== 'app';
      // Foreign protocols know no floor but the last.
      if (from === 'adapters') return to !== 'kernel';
      return FLOORS.indexOf(to as (typeof FLOORS)[number]) < FLOORS.indexOf(from as (typeof FLOORS)[number]);
    });
    expect(wrong.map(({ file, target }) => `${file} → ${target}`)).toEqual([]);
    expect([...new Set(files.map(floorOf))].toSorted()).toEqual([...FLOORS, 'rest'].toSorted());
  });

  it('has no circle of files that import one another, be it for their types alone', () => {
    const tests = globSync('test/**/*.ts', { cwd: ROOT, exclude: ['**/node_modules/**'] }).flatMap(importsOf);
    expect(circlesIn([...imports, ...tests])).toEqual([]);
  });

  it('has no circle of folders that import one another, be it for their types alone', () => {
    const between = imports.flatMap((one) => {
      const [from, to] = [one.file, one.target].map((path) => path.replace(/^src\//, '').split('/')) as [
        string[],
        string[],
      ];
      const depth = from.findIndex((part, i) => part !== to[i]) + 1;
      // A file among folders stands in none of them.
      if (depth >= from.length || depth >= to.length) return [];
      return [{ file: from.slice(0, depth).join('/'), target: to.slice(0, depth).join('/') }];
    });
    expect(circlesIn(between)).toEqual([]);
  });

  it('lets the domains of a floor use one another as agreed', () => {
    const wrong = imports.filter(({ file, target }) => {
      const [from, to] = [domainOf(file), domainOf(target)];
      if (!from || !to || from === to || floorOf(file) !== floorOf(target)) return false;
      // A file beside the domains of its floor gathers them.
      return from.includes('/') && !NEIGHBOURS[from]?.includes(to);
    });
    expect(wrong.map(({ file, target }) => `${file} → ${target}`)).toEqual([]);
  });

  it(`has at most ${MOST_ENTRIES} entries in a folder`, () => {
    const exclude = ['src/generated/**', '**/node_modules/**'];
    const everything = globSync('{src,rest,test}/**/*.*', { cwd: ROOT, exclude });
    const entries = new Map<string, Set<string>>();
    for (const file of everything) {
      const parts = file.split('/');
      parts.slice(1).forEach((entry, depth) => {
        const folder = parts.slice(0, depth + 1).join('/');
        entries.set(folder, (entries.get(folder) ?? new Set()).add(entry));
      });
    }
    expect(entries.size).toBeGreaterThan(80);
    expect(
      [...entries]
        // There are as many as floors, which the next test names.
        .filter(([folder, inside]) => folder !== 'test' && inside.size > MOST_ENTRIES)
        .map(([folder, inside]) => `${folder}: ${inside.size}`),
    ).toEqual([]);
  });

  it('names the same audiences in the source, in REST and in tests', () => {
    const audiences = FLOORS.filter((floor) => DOMAIN_FLOORS.includes(floor));
    expect(readdirSync(join(ROOT, 'rest/operations')).toSorted()).toEqual(audiences.toSorted());
    const others = ['apart', 'bench', 'chaos', 'compat', 'harness', 'rest', 'soak', 'torture'];
    expect(readdirSync(join(ROOT, 'test')).toSorted()).toEqual(
      [...FLOORS.filter((floor) => floor !== 'clients'), ...others].toSorted(),
    );
  });

  it('keeps what a sandbox makes up apart: a rail fills a new sandbox and makes its staff, and the command line writes a history, tells a story and walks demos', () => {
    const apart = (file: string) => file.startsWith('src/sandbox/');
    const users = imports.filter(({ file, target }) => apart(target) && !apart(file)).map(({ file }) => file);
    expect([...new Set(users)].toSorted()).toEqual([
      'src/app/cli/commands/seed-history.ts',
      'src/app/cli/scripts/demo.ts',
      'src/app/cli/scripts/fill-with-story.ts',
      'src/app/cli/scripts/sandbox.ts',
      'src/app/open-rail.ts',
      'src/app/process/serve.ts',
    ]);
  });

  it('has commands load what they need when they run, so that --help answers at once', () => {
    const loaded = new Set(['src/app/cli/program.ts']);
    for (const one of loaded)
      for (const { file, target, atOnce } of imports) if (file === one && atOnce) loaded.add(target);
    expect(loaded).toContain('src/app/cli/with-rail.ts');
    const heavy = [...loaded].filter((file) =>
      /^src\/(app\/(?!cli)|sandbox|site|oversight|console|counter|identity|accounts|collection|graphql)/.test(file),
    );
    expect(heavy).toEqual([]);
  });

  it('reads the environment in one place', () => {
    const readers = files.filter((file) => readFileSync(join(ROOT, file), 'utf8').includes('process.env'));
    // The cluster and backups pass their environment on to PostgreSQL's programs; the commands pass theirs to config.
    // Variables that npm sets are no settings: messages use them to name the command that started the process.
    expect(readers.toSorted()).toEqual([
      'src/app/cli/admin.ts',
      'src/app/cli/backup/programs.ts',
      'src/app/cli/scripts/demo.ts',
      'src/app/cli/scripts/sandbox.ts',
      'src/app/cli/with-rail.ts',
      'src/app/development/dev.ts',
      'src/app/main.ts',
      'src/platform/config/started-by.ts',
      'src/platform/database/cluster/programs.ts',
    ]);
  });

  it('has every file that its documentation names', () => {
    const pages = globSync('{*.md,docs/**/*.md}', { cwd: ROOT });
    const named = pages.flatMap((page) => [
      ...readFileSync(join(ROOT, page), 'utf8').matchAll(/`((?:src|rest|test|prisma|docs)\/[\w./-]+)`/g),
    ]);
    expect(named.length).toBeGreaterThan(30);
    expect(named.map(([, path]) => path!).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('gives each advisory lock a number of its own', () => {
    const numbers = files.flatMap((file) =>
      [...readFileSync(join(ROOT, file), 'utf8').matchAll(/_LOCKS? = ([\d_]+);/g)].map(([, number]) => number!),
    );
    expect(numbers.length).toBeGreaterThan(5);
    expect(numbers.toSorted()).toEqual([...new Set(numbers)].toSorted());
  });

  it('keeps nothing for as long as the process lives without a bound by size', () => {
    const texts = files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')] as const);
    const caches = texts.flatMap(([file, text]) =>
      [...text.matchAll(/new LRUCache[^;]*;/g)].map(([cache]) => ({ file, bounded: cache.includes('maxSize:') })),
    );
    expect(caches.length).toBeGreaterThan(4);
    expect(caches.filter(({ bounded }) => !bounded)).toEqual([]);
    // Collections that begin empty and are filled while the process runs.
    const maps = texts.filter(([, text]) => /^(?:export )?const \w+[^=\n]*= new (?:Map|Set)(?:<.*>)?\(\);/m.test(text));
    expect(maps.map(([file]) => file).toSorted()).toEqual(Object.keys(KEPT_WHOLE).toSorted());
  });

  it('lets only verbs and reads touch the database: no schema does', () => {
    for (const file of files.filter((name) => name.endsWith('schema.ts'))) {
      expect(readFileSync(join(ROOT, file), 'utf8'), file).not.toMatch(/database\/sql|\.db\b|\$queryRaw/);
    }
  });
});
