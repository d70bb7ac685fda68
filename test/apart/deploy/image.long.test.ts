import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findFreePort } from '../../../src/kernel/free-port.ts';
import { OwnPostgres } from '../../harness/postgres.ts';
import { buildImage } from './containerfile.ts';
import { type Image, enter } from './enter.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const DEPLOY = join(ROOT, 'deploy');
const missing = listMissing();

function listMissing(): string {
  if (process.getuid?.() !== 0) return 'skipped: only root can enter another root folder';
  const absent = ['debootstrap', 'unshare', 'chroot'].filter((name) => spawnSync('which', [name]).status !== 0);
  if (absent.length > 0) return `skipped: ${absent.join(', ')} not installed`;
  return spawnSync('unshare', ['--mount', '--pid', '--fork', 'true']).status === 0 ? '' : 'skipped: no namespaces here';
}

describe.skipIf(missing !== '')(`the image, in a root folder of Debian's packages ${missing}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'rail-image-'));
  let image: Image;
  let postgres: OwnPostgres;
  const settings = (user: string): Record<string, string> => ({
    MODE: 'live',
    BASE_URL: 'https://rail.example.org',
    SECRET_KEY: 'a-secret-of-at-least-32-characters',
    SMTP_URL: 'none',
    MIGRATE: 'off',
    EMBEDDED_POSTGRES: 'on',
    RAIL_OPERATOR: 'image test',
    DATABASE_URL: postgres.url.replace(/\/\/[^@]*@(.*)\/rail$/, `//${user}:of-${user}@$1/rail_live`),
  });

  beforeAll(async () => {
    image = buildImage(join(DEPLOY, 'Containerfile'), folder, {
      context: ROOT,
      base: makeBase(folder),
      ...npmOfThisMachine(),
    });
    postgres = await OwnPostgres.start();
    await makeRoles(postgres);
  }, 600_000);
  afterAll(async () => {
    await postgres?.remove();
    execFileSync('rm', ['--recursive', '--force', folder]);
  }, 300_000);

  /** The command of a container with a read-only root, in which the volumes and /tmp are empty and in memory. */
  const contain = (env: Readonly<Record<string, string>>, command: readonly string[]) =>
    enter(
      { ...image, env: { ...image.env, ...env } },
      { binds: [], tmpfs: ['/tmp', ...image.volumes], readOnly: true },
      command,
    );

  function admin(user: string, ...args: readonly string[]): { status: number | null; stdout: string; stderr: string } {
    const [program, ...more] = contain(settings(user), ['admin', ...args]);
    return spawnSync(program!, more, { encoding: 'utf8', timeout: 120_000 });
  }

  it('has a rail of less than 200 MB, and no package manager', () => {
    const [size = ''] = execFileSync('du', ['-sm', join(image.root, image.workdir)], { encoding: 'utf8' }).split('\t');
    expect(Number(size)).toBeLessThan(200);
    expect(readdirSync(join(image.root, 'usr/local/bin')).toSorted()).toEqual(['admin', 'node']);
  });

  it('names all that it has, with licences, in the form of CycloneDX', () => {
    const bill = JSON.parse(readFileSync(join(image.root, image.workdir, 'sbom.cdx.json'), 'utf8')) as {
      components: { name: string; licenses: unknown[] }[];
    };
    const names = new Set(bill.components.map(({ name }) => name));
    for (const name of [
      'graphql',
      'express',
      '@duckdb/node-bindings-linux-x64',
      'node',
      'libc6',
      'echarts',
      'graphiql',
    ])
      expect(names, name).toContain(name);
    expect(names).not.toContain('vitest');
    expect(bill.components.filter(({ licenses }) => licenses.length === 0)).toEqual([]);
    const ajv = new Ajv({ strict: false, validateFormats: false });
    for (const name of ['spdx', 'jsf-0.82'])
      ajv.addSchema(readCycloneDx(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
    const validate = ajv.compile(readCycloneDx('bom-1.6'));
    validate(bill);
    expect(validate.errors).toBeNull();
  });

  it('runs commands', () => {
    const help = admin('rail_server', '--help');
    expect([help.status, help.stderr]).toEqual([0, '']);
    expect(help.stdout).toContain('ledger:verify');
    const migrated = admin('rail_owner', 'migrate');
    expect([migrated.status, migrated.stderr]).toEqual([0, '']);
    expect(migrated.stdout).toMatch(/\d+ migrations and definitions applied/);
    expect(admin('rail_server', 'catalogue:load', '--file', 'prisma/catalogue/UG.json')).toMatchObject({
      status: 0,
      stderr: '',
    });
  });

  it('serves as a user without a name from a root that nobody can write to, and stops when it is told to', async () => {
    const [port, opsPort] = [String(await findFreePort()), String(await findFreePort())];
    const env = { ...settings('rail_server'), PORT: port, OPS_PORT: opsPort, DRAIN_SECONDS: '0' };
    const [program, ...args] = contain(env, image.cmd);
    const rail = spawn(program!, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let log = '';
    for (const output of [rail.stdout, rail.stderr]) output.on('data', (chunk: Buffer) => (log += chunk.toString()));
    const gone = once(rail, 'close');
    try {
      const status = (path: string, at: string) =>
        fetch(`http://127.0.0.1:${at}${path}`).then(
          (answer) => answer.status,
          () => null,
        );
      await expect
        .poll(() => (rail.exitCode === null ? status('/readyz', opsPort) : log), { timeout: 120_000, interval: 500 })
        .toBe(200);
      expect(await status('/healthz', opsPort)).toBe(200);
      const listed = await fetch(`http://127.0.0.1:${port}/v1/mdas?limit=1`);
      expect(((await listed.json()) as { data: unknown[] }).data).toHaveLength(1);
      for (const page of ['/docs/operators', '/docs/api', '/signin/staff'])
        expect(await status(page, port), page).toBe(200);

      const pid = readFileSync(`/proc/${rail.pid}/task/${rail.pid}/children`, 'utf8').trim();
      expect(readFileSync(`/proc/${pid}/status`, 'utf8')).toMatch(/^Uid:\t10001\t10001\t10001\t10001$/m);
      const checked = spawnSync(
        'nsenter',
        [`--target=${pid}`, '--mount', '--pid', `--root=/proc/${pid}/root`, 'env', '-i', `OPS_PORT=${opsPort}`].concat(
          image.healthcheck.map((word) => (word === 'node' ? '/usr/local/bin/node' : word)),
        ),
        { encoding: 'utf8' },
      );
      expect([checked.status, checked.stderr]).toEqual([0, '']);
      const written = (path: string) => readdirSync(`/proc/${pid}/root${path}`).toSorted();
      await expect.poll(() => written(image.volumes[0]!), { timeout: 30_000 }).toEqual(['analytics', 'compiled']);
      expect(written('/tmp')).toEqual([]);

      process.kill(Number(pid), 'SIGTERM');
      expect((await gone)[0]).toBe(0);
      expect(log).not.toMatch(/EROFS|EACCES|"level":(50|60)/);
    } finally {
      rail.kill('SIGKILL');
    }
  });
});

/** A schema that the makers of CycloneDX publish. */
function readCycloneDx(name: string): object {
  const file = `node_modules/@cyclonedx/cyclonedx-library/res/schema/${name}.SNAPSHOT.schema.json`;
  return JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as object;
}

/** What the image of Node.js is: Debian, with Node.js and npm. Debian's part stays for the next time. */
function makeBase(folder: string): string {
  const kept = join(tmpdir(), 'rail-image-base', 'bookworm');
  if (!existsSync(kept)) {
    const half = `${kept}-${process.pid}`;
    mkdirSync(half, { recursive: true });
    execFileSync('debootstrap', ['--variant=minbase', 'bookworm', half], { stdio: 'ignore' });
    renameSync(half, kept);
  }
  const base = join(folder, 'base');
  execFileSync('cp', ['--archive', '--link', kept, base]);
  cpSync(process.execPath, join(base, 'usr/local/bin/node'), { dereference: true });
  const npm = join(realpathSync(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim()), '../..');
  mkdirSync(join(base, 'usr/local/lib/node_modules'));
  cpSync(npm, join(base, 'usr/local/lib/node_modules/npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(base, 'usr/local/bin/npm'));
  return base;
}

/** How this machine reaches a registry: a build with an engine has the network of its own. */
function npmOfThisMachine(): { binds: [string, string][]; env: Record<string, string> } {
  const config = (name: string) => execFileSync('npm', ['config', 'get', name], { encoding: 'utf8' }).trim();
  const authorities = process.env['NODE_EXTRA_CA_CERTS'];
  const files = ['/etc/resolv.conf', '/etc/hosts', ...(authorities ? [authorities] : [])];
  mkdirSync(config('cache'), { recursive: true });
  return {
    binds: [[config('cache'), '/var/cache/npm'], ...files.map((file): [string, string] => [file, file])],
    env: {
      HOME: '/root',
      npm_config_cache: '/var/cache/npm',
      npm_config_prefer_offline: 'true',
      npm_config_registry: config('registry'),
      ...(authorities ? { NODE_EXTRA_CA_CERTS: authorities } : {}),
    },
  };
}

/** The roles and the database that `deploy/postgres/roles.sql` makes, with the variables that psql would fill in. */
async function makeRoles(postgres: OwnPostgres): Promise<void> {
  const statements = readFileSync(join(DEPLOY, 'postgres/roles.sql'), 'utf8')
    .replaceAll(/^(--|\\getenv).*$/gm, '')
    .replace(":'owner_password'", `'of-rail_owner'`)
    .replace(":'rail_password'", `'of-rail_server'`)
    // The names that the PostgreSQL of a test has already.
    .replace('role rail login', 'role rail_server login')
    .replace('database rail ', 'database rail_live ')
    .split(';');
  for (const statement of statements) if (statement.trim()) await postgres.query(statement);
}
