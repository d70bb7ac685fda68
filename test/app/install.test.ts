import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { copyGraphiql } from '../../src/app/development/copy-graphiql.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import { openRail } from '../../src/app/open-rail.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const GRAPHIQL = join(ROOT, 'src/generated/graphiql');

interface Locked {
  readonly name?: string;
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly optional?: boolean;
  readonly dev?: boolean;
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
  it('bring neither PostgreSQL, which is a part of the repository, nor what is bundled ahead', () => {
    const brought = (path: string) => Object.keys(packages[path]!.optionalDependencies!);
    const postgres = brought('src/platform/database/cluster/postgresql');
    expect(postgres.length).toBeGreaterThan(3);
    expect(brought('').filter((name) => postgres.includes(name))).toEqual([]);
    expect(brought('').every((name) => name.startsWith('node-'))).toBe(true);
    for (const name of ['echarts', 'rolldown', 'graphql-sse', 'react'])
      expect(packages[`node_modules/${name}`], name).toMatchObject({ dev: true });
    expect(packages['node_modules/graphiql']).toBeUndefined();
  });

  it('come with GraphiQL as its makers built it', () => {
    const files = readdirSync(GRAPHIQL).filter((name) => name !== 'SHA256SUMS');
    const sums = files.map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(GRAPHIQL, name)))
          .digest('hex')}  ${name}\n`,
    );
    expect(sums.toSorted().join('')).toBe(readFileSync(join(GRAPHIQL, 'SHA256SUMS'), 'utf8'));
    expect(files.filter((name) => name.endsWith('.LICENSE'))).toHaveLength(4);
  });

  it('come with GraphiQL as the registry has it', { tags: 'long' }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'rail-graphiql-'));
    try {
      copyGraphiql(folder);
      expect(readFileSync(join(folder, 'SHA256SUMS'), 'utf8')).toBe(readFileSync(join(GRAPHIQL, 'SHA256SUMS'), 'utf8'));
    } finally {
      rmSync(folder, { recursive: true });
    }
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
