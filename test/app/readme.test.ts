import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Served, serve } from '../harness/processes.ts';
import { testRail } from '../harness/rail.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
const rail = testRail();
const connected = testRail();
const folder = mkdtempSync(join(tmpdir(), 'rail-readme-'));
let served: Served;

beforeAll(async () => {
  served = await serve('src/app/main.ts', { DATABASE_URL: rail.url, DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'error', WEBHOOK_ALLOW_PRIVATE: 'on' });
});
afterAll(async () => {
  await served.stop();
  rmSync(folder, { recursive: true, force: true });
});

function block(name: string): string {
  const [, commands] = new RegExp(`<!-- tested: ${name} -->\\n\`\`\`sh\\n([\\s\\S]*?)\`\`\``).exec(README)!;
  return commands!.replace('RAIL=http://127.0.0.1:4000', `RAIL=${served.origin}`);
}

const environment = () => ({ PATH: process.env['PATH'], HOME: process.env['HOME'], DATABASE_URL: rail.url, DATA_DIR: folder, NODE_NO_WARNINGS: '1' });

describe('the README', () => {
  it.skipIf(spawnSync('curl', ['--version']).status !== 0)(
    'takes its reader from sign-up to a first payment and their own log, over REST and over GraphQL',
    () => {
      const script = `set -euo pipefail\n${block('first-payment')}\n${block('account')}\n${block('counter')}\n${block('oversight')}\necho; ${block('graphql')}`;
      const { status, stdout, stderr } = spawnSync('bash', ['-c', script], { cwd: ROOT, env: environment(), encoding: 'utf8', timeout: 60_000 });
      expect(stderr.replace(/npm warn.*\n?/g, '')).toBe('');
      expect(status).toBe(0);
      expect(stdout).toContain('"status":"Confirmed"');
      expect(stdout).toContain('Assessed → Paid');
      expect(stdout).toMatch(/"endpoint":"POST \/v1\/payment-intents\/\{name\}:confirm","event":"api.auth.granted"/);
      expect(stdout).toContain('"status":"revoked"');
      expect(stdout).toMatch(/"variance":-1000,"variance_reason":"Wrong change given","variance_status":"Pending"/);
      expect(stdout).toContain('name,mda,amount,currency,channel,kind,occurred_at,seal');
      expect(stdout).toMatch(/URA +\d+ seals, all right|"sequence":\d+/);
      const [last] = stdout.trim().split('\n').slice(-1);
      expect(JSON.parse(last!).data.assessments[0]).toMatchObject({
        totalAmount: 273_000,
        intents: [{ status: 'Confirmed', splits: [{ mda: 'MOWT' }, { mda: 'URA' }] }],
      });
    },
    90_000,
  );

  it('has a query for analysts', async () => {
    const { plaintext } = await rail.key('oversight.read');
    const [, query] = /<!-- tested: analyst -->\n```graphql\n([\s\S]*?)```/.exec(README)!;
    const { json } = await rail.ask('/graphql', { key: plaintext, body: { query } });
    expect(json.errors).toBeUndefined();
    expect(Object.keys(json.data.oversight)).toEqual(['byAgency', 'byChannel', 'anomalies']);
  });

  it('has a demo that ends with a paid assessment, its events and trace', () => {
    const demo = spawnSync(process.execPath, ['src/app/sandbox/demo.ts'], {
      cwd: ROOT,
      env: { ...environment(), BASE_URL: served.origin },
      encoding: 'utf8',
      timeout: 60_000,
    });
    expect(demo.stderr).toBe('');
    expect(demo.stdout).toMatch(/ASMT-\S+ is Paid: 273000 UGX/);
    expect(demo.stdout).toContain('payment_event.created');
    expect(demo.stdout).toContain('A webhook came, and its signature is right:');
  }, 90_000);

  it('has a demo of a day at a counter, which ends with the closing sheet', () => {
    const demo = spawnSync(process.execPath, ['src/app/sandbox/demo.ts', '--counter'], {
      cwd: ROOT,
      env: { ...environment(), BASE_URL: served.origin },
      encoding: 'utf8',
      timeout: 60_000,
    });
    expect(demo.stderr).toBe('');
    const sheet = demo.stdout.slice(demo.stdout.indexOf('CLOSING SHEET'));
    const figure = (label: string) => Number(new RegExp(`${label} +([-\\d,]+)`).exec(sheet)?.[1]?.replaceAll(',', ''));
    // 20 in cash, one of them reversed, and 10 by mobile money.
    const fee = figure('Other collections') / 10;
    expect(fee).toBeGreaterThan(0);
    expect([
      figure('Opening float'),
      figure('Cash collected'),
      figure('Expected cash'),
      figure('Cash counted'),
      figure('Variance'),
      figure('Collections'),
    ]).toEqual([100_000, 19 * fee, 100_000 + 19 * fee, 98_000 + 19 * fee, -2_000, 29]);
    expect(sheet).toMatch(/Review +Approved by supervisor-/);
  }, 90_000);

  it('has a sandbox with the outside world simulated, and a demo of real protocols on it', async () => {
    const DATA_DIR = join(folder, 'sandbox');
    const sandbox = await serve('src/app/sandbox/start.ts', { DATABASE_URL: connected.url, DATA_DIR, PORT: '0', LOG_LEVEL: 'error' });
    const demo = spawnSync(process.execPath, ['src/app/sandbox/demo.ts', '--live'], {
      cwd: ROOT,
      env: { ...environment(), DATABASE_URL: connected.url, DATA_DIR, BASE_URL: sandbox.origin },
      encoding: 'utf8',
      timeout: 90_000,
    });
    await sandbox.stop();
    expect(demo.stderr).toBe('');
    expect(demo.stdout).toContain('Nobody called back; job:enquire asked, and healed it.');
    expect(demo.stdout).toMatch(/"transaction_charge": 143000,\s+"transaction_charge_type": "flat_subaccount"/);
    expect(demo.stdout).toMatch(/The tax authority was told over mTLS, and gave RCPT-\d+/);
    expect(demo.stdout.match(/A webhook came, and its signature is right:/g)).toHaveLength(3);
    expect(demo.stdout).toContain('"propagated_to"');
    expect(demo.stdout).toMatch(/ASMT-\S+ is Paid/);
  }, 120_000);

  it('names every variable of the configuration, and every script', () => {
    const variables = [...readFileSync(join(ROOT, 'src/platform/config/config.ts'), 'utf8').matchAll(/^ {2}([A-Z_]+): /gm)].map(([, name]) => name!);
    expect(variables.length).toBeGreaterThan(10);
    for (const name of variables) expect(README, name).toContain(name);
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
    for (const script of Object.keys(scripts).filter((name) => !name.startsWith('check:') && !['postinstall', 'prestart'].includes(name))) {
      expect(README, script).toMatch(new RegExp(`npm (run )?(-s )?${script}\\b`));
    }
  });
});
