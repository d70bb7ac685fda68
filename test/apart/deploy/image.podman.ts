import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { Agent, fetch } from 'undici';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findFreePort } from '../../../src/platform/database/cluster/free-port.ts';
import { type Outside, simulateOutside } from '../../../src/sandbox/simulators/outside.ts';
import { SMOOTH } from '../../../src/sandbox/simulators/books.ts';
import { ROOT, version } from '../../app/deploy/manifests.ts';
import { InstalledPostgres, PATH_TO_INSTALLED } from '../../harness/chaos/database/installed.ts';
import { makeBase, npmOfThisMachine } from './base.ts';
import { Podman } from './podman.ts';

const IMAGE = `localhost/revenue-rail:${version}`;
const NEXT = 'localhost/revenue-rail:next';
const HOSTS = ['127.0.0.1', '127.0.0.2'] as const;
/** As `deploy/compose.yaml` runs it. */
const CONFINED = [
  '--read-only',
  '--cap-drop=ALL',
  '--security-opt=no-new-privileges',
  '--tmpfs=/tmp',
  '--memory=1536m',
];

const folder = mkdtempSync(join(tmpdir(), 'rail-image-'));
const podman = new Podman(join(folder, 'podman'));
const postgres = new InstalledPostgres();
const ports = { http: 0, ops: 0, https: 0 };
let outside: Outside;
let base: string;

beforeAll(async () => {
  if (process.getuid?.() !== 0) throw new Error('npm run test:image runs as root');
  const absent = ['podman', 'runc', 'mmdebstrap', 'psql'].filter((name) => spawnSync('which', [name]).status !== 0);
  if (absent.length > 0) throw new Error(`${absent.join(', ')} not installed: npm run test:image:install`);
  await postgres.begin();
  const roles = ['--quiet', '--set=ON_ERROR_STOP=1', `--file=${join(ROOT, 'deploy/postgres/roles.sql')}`];
  execFileSync('psql', [...roles, postgres.url('postgres')], {
    env: { PATH: PATH_TO_INSTALLED, OWNER_PASSWORD: 'of-rail_owner', RAIL_PASSWORD: 'of-rail' },
  });
  for (const name of ['http', 'ops', 'https'] as const) ports[name] = await findFreePort();
  outside = await simulateOutside({
    folder: join(folder, 'outside'),
    rail: () => `http://${HOSTS[0]}:${ports.http}`,
    autopay: true,
    tls: true,
  });
  outside.mtn.control.plan = () => SMOOTH;
  for (const file of readdirSync(join(folder, 'outside'))) chmodSync(join(folder, 'outside', file), 0o644);
  chmodSync(join(folder, 'outside'), 0o755);
});

afterAll(async () => {
  await podman.remove();
  await outside?.close();
  await postgres.stop();
  postgres.remove();
  rmSync(folder, { recursive: true });
});

/** The base image as the registry has it, or as it is made here; which of them. */
async function prepareBase(): Promise<string> {
  const [, name] = /^FROM (\S+)/m.exec(readFileSync(join(ROOT, 'deploy/Containerfile'), 'utf8'))!;
  const pulled = await podman.try('pull', '--quiet', name!);
  if (pulled.code === 0) return 'of its registry';
  await makeBase(podman, name!);
  return `made here, since ${pulled.errors.trim().split('\n').at(-1)}`;
}

/** Variables in a file, as `docs/operators.md` has them. */
function settings(user: string, host: string = HOSTS[0]): string[] {
  const variables = {
    MODE: 'live',
    BASE_URL: `https://localhost:${ports.https}`,
    TRUST_PROXY: '1',
    MIGRATE: 'off',
    DATABASE_URL: postgres.url('rail', `${user}:of-${user}`),
    SECRET_KEY: 'a-secret-of-at-least-32-characters',
    SMTP_URL: 'none',
    PORT: String(ports.http),
    OPS_PORT: String(ports.ops),
    DRAIN_SECONDS: '3',
    RAIL_OPERATOR: 'image-test',
    // For the one that asks all the time while processes are replaced.
    RATE_LIMIT_ADDRESS: '10000000',
    RATE_LIMIT_ANONYMOUS: '10000000',
    ...outside.environment,
    CONNECTIONS: '/etc/rail/connections.json',
    HOST: host,
  };
  const file = join(folder, `${user}-${host}.env`);
  writeFileSync(
    file,
    Object.entries(variables)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
  return [...CONFINED, `--env-file=${file}`, `--volume=${join(folder, 'outside')}:/etc/rail:ro`];
}

const admin = (image: string, user: string, ...args: readonly string[]) =>
  podman.run(settings(user), image, 'admin', ...args);

/** Starts a process, and waits until it is ready. */
async function start(name: string, host: string, image: string): Promise<void> {
  const volumes = [`--volume=${name}:/var/lib/revenue-rail`, '--volume=archive:/var/lib/revenue-rail/archive'];
  await podman.start(name, [...settings('rail', host), ...volumes], image);
  await expect
    .poll(async () => ((await isRunning(name)) ? statusOf(`http://${host}:${ports.ops}/readyz`) : logOf(name)))
    .toBe(200);
}

/** Asks a process to stop, and answers what it ended with, having looked for errors in its log. */
async function stop(name: string): Promise<string> {
  await podman.do('stop', '--time', '20', name);
  expect(await logOf(name)).not.toMatch(/EROFS|EACCES|"level":(50|60)/);
  const code = await podman.do('inspect', '--format', '{{.State.ExitCode}}', name);
  await podman.do('rm', name);
  return code;
}

const isRunning = async (name: string) =>
  (await podman.do('inspect', '--format', '{{.State.Running}}', name)) === 'true';

async function logOf(name: string): Promise<string> {
  const { output, errors } = await podman.try('logs', name);
  return output + errors;
}

const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
afterAll(() => dispatcher.destroy());

const statusOf = (url: string) =>
  fetch(url, { dispatcher }).then(
    async (answer) => (await answer.text(), answer.status),
    () => null,
  );

async function ask<T>(path: string, key: string, body?: object): Promise<T> {
  const answer = await fetch(`https://localhost:${ports.https}${path}`, {
    dispatcher,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text}`);
  return (JSON.parse(text) as { data: T }).data;
}

it('is built as the documentation says, from a checkout that its owner alone can read', async () => {
  base = await prepareBase();
  const context = join(folder, 'checkout');
  const ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8').trim().split('\n');
  const excludes = ignored.map((line) => `--exclude=${line.startsWith('**/') ? line.slice(3) : `./${line}`}`);
  mkdirSync(context);
  execFileSync('sh', [
    '-c',
    'from=$1; to=$2; shift 2; tar -C "$from" "$@" -cf - . | tar -C "$to" -xf -',
    '-',
    ROOT,
    context,
    ...excludes,
  ]);
  execFileSync('chmod', ['-R', 'go=', context]);
  const [documented] = /podman build .*(?= \.$)/m.exec(readFileSync(join(ROOT, 'docs/deployment.md'), 'utf8'))!;
  const here = ['--isolation=chroot', '--network=host', '--pull=never', ...npmOfThisMachine(folder)];
  await podman.do(
    ...documented
      .replace(/-f (\S+)/, `-f ${context}/$1`)
      .split(' ')
      .slice(1),
    ...here,
    context,
  );
});

it('is built on the image of Node.js', (context) => {
  if (base !== 'of its registry') context.skip(`The base image was ${base}`);
});

it('has a rail of less than 200 MB, and no package manager', async () => {
  const { output } = await podman.run([], IMAGE, 'sh', '-c', 'du -sm . && ls /usr/local/bin');
  const [size, ...programs] = output.trim().split('\n');
  expect(Number.parseInt(size!)).toBeLessThan(200);
  expect(programs).toEqual(expect.arrayContaining(['admin', 'node']));
  expect(programs.filter((name) => /^(npm|npx|corepack|yarn)/.test(name))).toEqual([]);
});

it('names all that it has, with licences, in the form of CycloneDX', async () => {
  const bill = JSON.parse((await podman.run([], IMAGE, 'cat', 'sbom.cdx.json')).output) as {
    components: { name: string; licenses: unknown[] }[];
  };
  const names = new Set(bill.components.map(({ name }) => name));
  for (const name of [
    'graphql',
    'express',
    `@duckdb/node-bindings-linux-${process.arch}`,
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

/** A schema that the makers of CycloneDX publish. */
function readCycloneDx(name: string): object {
  const file = `node_modules/@cyclonedx/cyclonedx-library/res/schema/${name}.SNAPSHOT.schema.json`;
  return JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as object;
}

it('refuses a database that is not migrated, and migrates it as its owner', async () => {
  expect(await podman.run(settings('rail'), IMAGE)).toMatchObject({
    code: 1,
    errors: expect.stringMatching(/^The rail does not start\. DATABASE_URL: the database lacks .*; run admin migrate/m),
  });
  expect((await admin(IMAGE, 'rail', '--help')).output).toContain('ledger:verify');
  expect(await admin(IMAGE, 'rail_owner', 'migrate')).toMatchObject({
    code: 0,
    errors: '',
    output: expect.stringMatching(/\d+ migrations and definitions applied/),
  });
  expect(await admin(IMAGE, 'rail', 'catalogue:load', '--file', 'prisma/catalogue/UG.json')).toMatchObject({
    code: 0,
    errors: '',
  });
});

it('refuses a volume that belongs to another user', async () => {
  const { code, errors } = await podman.run([...settings('rail'), '--tmpfs=/var/lib/revenue-rail:mode=755'], IMAGE);
  expect([code, errors]).toEqual([1, expect.stringContaining('cannot write to /var/lib/revenue-rail (EACCES)')]);
});

it('serves as a user without a name, without rights, from a root that nobody can write to', async () => {
  await Promise.all(HOSTS.map((host, index) => start(`rail-${index + 1}`, host, IMAGE)));
  for (const page of ['/docs/operators', '/docs/api', '/signin/staff', '/v1/mdas'])
    expect(await statusOf(`http://${HOSTS[1]}:${ports.http}${page}`), page).toBe(200);
  const status = await podman.do('exec', 'rail-1', 'cat', '/proc/1/status');
  expect(status).toMatch(/^Uid:\t10001\t10001\t10001\t10001$/m);
  expect(status).toMatch(/^CapEff:\t0+$/m);
  expect((await podman.try('exec', 'rail-1', 'touch', '/opt/revenue-rail/x')).errors).toContain(
    'Read-only file system',
  );
  // On a busy machine its program starts later than the check waits.
  await expect.poll(async () => (await podman.try('healthcheck', 'run', 'rail-1')).code).toBe(0);
  await expect
    .poll(async () => (await podman.do('exec', 'rail-1', 'ls', '/var/lib/revenue-rail')).split('\n'))
    .toEqual(['analytics', 'archive', 'compiled']);
  expect(await podman.do('exec', 'rail-1', 'ls', '/tmp')).toBe('');
});

it('has a payment once, through two processes behind the proxy, and goes on while they are upgraded', async (context) => {
  if (spawnSync('which', ['caddy']).status !== 0) context.skip('caddy is not installed');
  const proxy = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', writeCaddyfile()], {
    env: { PATH: process.env['PATH'], HOME: folder },
    stdio: 'ignore',
  });
  const gone = once(proxy, 'exit');
  const upgraded = new AbortController();
  try {
    const url = `https://localhost:${ports.https}/v1/mdas?limit=1`;
    await expect.poll(() => statusOf(url)).toBe(200);
    const issued = await admin(
      IMAGE,
      'rail',
      'key:issue',
      '--organisation',
      'Bank',
      '--email',
      'it@bank.example',
      '--json',
      '--scopes',
      'citizens.read,citizens.write,assessments.write,payments.initiate',
    );
    const { plaintext: key } = JSON.parse(issued.output) as { plaintext: string };
    await pay(key, 'CM12345678ABCD');

    await podman.do(
      'build',
      '--isolation=chroot',
      '--pull=never',
      '--format=docker',
      '-t',
      NEXT,
      '-f',
      writeNext(),
      folder,
    );
    const answers = (async () => {
      const seen = new Set<number | null>();
      while (!upgraded.signal.aborted) seen.add(await statusOf(url));
      return [...seen];
    })();
    const migrated = await admin(NEXT, 'rail_owner', 'migrate');
    expect([migrated.code, migrated.output]).toEqual([0, expect.stringContaining('9000_next')]);
    for (const [index, host] of HOSTS.entries()) {
      expect(await stop(`rail-${index + 1}`)).toBe('0');
      await start(`rail-${index + 1}`, host, NEXT);
    }
    upgraded.abort();
    expect(await answers).toEqual([200]);
    await pay(key, 'CF87654321WXYZ');
    expect(outside.mtn.books.entries.size).toBe(2);
    expect(await admin(NEXT, 'rail', 'ledger:verify')).toMatchObject({ code: 0 });
    for (const index of HOSTS.keys()) expect(await stop(`rail-${index + 1}`)).toBe('0');
  } finally {
    upgraded.abort();
    proxy.kill();
    await gone;
  }
});

/** The proxy's configuration, with addresses of this machine for the names of Compose, and nothing kept elsewhere. */
function writeCaddyfile(): string {
  const config = readFileSync(join(ROOT, 'deploy/proxy/Caddyfile'), 'utf8')
    .replace('rail-1:4000 rail-2:4000', HOSTS.map((host) => `${host}:${ports.http}`).join(' '))
    .replace('health_port 9100', `health_port ${ports.ops}`)
    .replace('{$RAIL_HOST:localhost}', `localhost:${ports.https}`);
  const options = `{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n\tstorage file_system ${folder}/caddy\n}\n`;
  writeFileSync(join(folder, 'Caddyfile'), options + config);
  return join(folder, 'Caddyfile');
}

/** The image of a version that brings a migration. */
function writeNext(): string {
  const migration = 'create table next_was_here (id int primary key);';
  const path = 'prisma/migrations/9000_next';
  writeFileSync(
    join(folder, 'Next'),
    `FROM ${IMAGE}\nUSER 0\nRUN mkdir ${path} && echo '${migration}' > ${path}/migration.sql\nUSER 10001:10001\n`,
  );
  return join(folder, 'Next');
}

/** An assessment that is paid by mobile money, through whichever process takes each request; charged once. */
async function pay(key: string, nin: string): Promise<void> {
  const { name: citizen } = await ask<{ name: string }>('/v1/citizens', key, {
    nin,
    full_name: 'Okello James',
    phone: '+256772000001',
  });
  const [service] = await ask<{ name: string }[]>('/v1/services?code=URA-PAYE', key);
  const lines = [{ service: service!.name }];
  const assessment = await ask<{ name: string }>('/v1/assessments', key, { citizen, lines, assess: true });
  const { name } = await ask<{ name: string }>('/v1/payment-intents', key, {
    assessment: assessment.name,
    channel: 'mtn_momo',
    initiate: true,
    payer_msisdn: '+256772123456',
  });
  const intent = () => ask<{ status: string }>(`/v1/payment-intents/${name}`, key);
  await expect.poll(async () => (await intent()).status).toBe('Confirmed');
  const charged = [...outside.mtn.books.entries.values()].filter((entry) => entry.intent === name);
  expect(charged.map(({ charges }) => charges.length)).toEqual([1]);
}
