import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/platform/config/config.ts';
import { openRail } from '../../src/app/open-rail.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

interface Locked {
  readonly name?: string;
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly optional?: boolean;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
}

const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>;
};
/** All but this repository, and the parts of it that are linked as packages. */
const installed = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);

describe('the lock file', () => {
  it('holds the content of every package, wherever it is fetched from', () => {
    for (const [path, { integrity, resolved }] of installed) {
      expect(integrity, path).toMatch(/^sha512-/);
      expect(resolved, path).toBeUndefined();
    }
  });

  it('has Node.js itself as optional packages of platforms, none of which runs a script', () => {
    const brought = installed.filter(([, { bin }]) => bin?.['node']);
    expect(brought.length).toBeGreaterThan(2);
    for (const [path, { version, optional, hasInstallScript }] of brought) {
      expect(version, path).toMatch(/^24\./);
      expect(optional, path).toBe(true);
      expect(hasInstallScript, path).toBeUndefined();
    }
  });
});

describe('the packages of a server', () => {
  it('are those of the repository itself: its parts bring PostgreSQL, and stand for what GraphiQL has inside', () => {
    const brought = (path: string) => Object.keys(packages[path]!.optionalDependencies!);
    const postgres = brought('src/platform/database/cluster/postgresql');
    expect(postgres.length).toBeGreaterThan(3);
    expect(brought('').filter((name) => postgres.includes(name))).toEqual([]);
    expect(brought('').every((name) => name.startsWith('node-'))).toBe(true);
    for (const name of ['@graphiql/react', '@graphiql/plugin-doc-explorer', '@graphiql/plugin-history'])
      expect(packages[`node_modules/${name}`], name).toEqual({
        resolved: `src/graphql/endpoint/graphiql/built-in/${name.slice('@graphiql/'.length)}`,
        link: true,
      });
    expect(Object.values(packages).map(({ name }) => name)).not.toContain('empty-npm-package');
  });
});

describe('a platform for which no PostgreSQL comes with the rail', () => {
  it('is told to name one', async () => {
    const arch = Object.getOwnPropertyDescriptor(process, 'arch')!;
    Object.defineProperty(process, 'arch', { ...arch, value: 'riscv64' });
    try {
      const starting = openRail(readConfig({ DATA_DIR: join(tmpdir(), 'rail-never-made') }), pino({ enabled: false }));
      await expect(starting).rejects.toThrow(
        /^DATABASE_URL: needed here, since no PostgreSQL comes with the rail for \w+-riscv64/,
      );
    } finally {
      Object.defineProperty(process, 'arch', arch);
    }
  });
});

describe('what Prisma generates', () => {
  it.skipIf(!existsSync(join(ROOT, '.git')))('is in the repository as far as it runs', () => {
    const { stdout, status } = spawnSync('git', ['diff', '--stat', '--', 'src/generated'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    expect(status).toBe(0);
    expect(stdout, 'add what `npx prisma generate` has written').toBe('');
  });
});
