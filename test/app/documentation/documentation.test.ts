import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { signUpAccount } from '../../../src/sandbox/demo/flow.ts';
import { DEADLINES } from '../../harness/run/deadlines.ts';
import { createConfirmed, makeActor } from '../../harness/flow.ts';
import { pageAt } from '../../harness/pages.ts';
import { type Served, serve } from '../../harness/processes.ts';
import { testRail } from '../../harness/rail.ts';
import { environmentOf, walk } from './walking.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const rail = testRail({ DEV_REVEAL: 'on' });
const folder = mkdtempSync(join(tmpdir(), 'rail-documentation-'));
let served: Served;

beforeAll(async () => {
  served = await serve('src/app/main.ts', {
    DATABASE_URL: rail.url,
    DATA_DIR: folder,
    PORT: '0',
    LOG_LEVEL: 'error',
    WEBHOOK_ALLOW_PRIVATE: 'on',
  });
});
afterAll(async () => {
  await served.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the tested commands of pages in one shell, as a reader of one page after the other would; what they printed. */
function follow(...paths: readonly string[]): string {
  const commands = paths
    .flatMap((path) => pageAt(path).blocks)
    .filter(({ tested, language }) => tested !== null && language === 'sh')
    .map(({ text }) => text.replace('RAIL=http://127.0.0.1:4000', `RAIL=${served.origin}`))
    // Readers first change the number of rows.
    .flatMap((text) => (/\bfirst: 3\b/.test(text) ? [text, text.replace('first: 3', 'first: 10')] : text));
  const script = `set -euo pipefail\n${commands.join('\necho\n')}`;
  const { status, stdout, stderr } = spawnSync('bash', ['-c', script], {
    cwd: ROOT,
    env: environmentOf(folder, rail.url),
    encoding: 'utf8',
    timeout: DEADLINES.test,
  });
  expect(stderr.replace(/npm warn.*\n?/g, '')).toBe('');
  expect(status).toBe(0);
  return stdout;
}

// In the order of the pages: what one page leaves behind, the next may find.
describe.skipIf(spawnSync('curl', ['--version']).status !== 0)('the documentation', () => {
  it('takes integrators from sign-up to a first payment, and on to keys, refusals, repetitions and webhooks', () => {
    const stdout = follow('README.md', 'docs/integrators.md');
    expect(stdout).toContain('"status":"Confirmed"');
    expect(stdout).toContain('Assessed → Paid');
    expect(stdout).toMatch(/"endpoint":"POST \/v1\/payment-intents\/\{name\}:confirm","event":"api.auth.granted"/);
    const overGraphql = stdout.split('\n').filter((line) => line.startsWith('{"data":{"assessments":'));
    expect(overGraphql).toHaveLength(2);
    for (const answer of overGraphql)
      expect(JSON.parse(answer).data.assessments.nodes[0]).toMatchObject({
        totalAmount: 273_000,
        intents: {
          nodes: [
            {
              status: 'Confirmed',
              splits: [
                { agency: { name: 'Ministry of Works and Transport' } },
                { agency: { name: 'Uganda Revenue Authority' } },
              ],
            },
          ],
        },
      });
    expect(stdout).toContain('"status":"revoked"');
    expect(stdout).toContain('"code":"already_confirmed"');
    expect(stdout).toMatch(/"decision":"confirmed","intent":"PI-/);
    expect(stdout).toMatch(/^(ASMT-\S+)\n\1$/m);
    expect(stdout).toMatch(/"type":"webhook\.test"/);
  });

  it('takes clerks through a shift and cash, and supervisors to its variance', { tags: 'long' }, () => {
    const stdout = follow('docs/counter.md');
    expect(stdout).toMatch(/"channel":"cash","status":"Confirmed"/);
    expect(stdout).toMatch(/"variance":-1000,"variance_reason":"Wrong change given","variance_status":"Pending"/);
    expect(stdout).toMatch(/"variance_status":"Approved"/);
    const [overGraphql] = stdout.split('\n').filter((line) => line.startsWith('{"data":{"agency":'));
    expect(JSON.parse(overGraphql!).data.agency.shifts.nodes[0]).toMatchObject({
      clerkId: 'clerk@example.com',
      variance: -1000,
      varianceStatus: 'Approved',
      assessments: { nodes: [{ lines: [{ service: { serviceName: expect.any(String) } }] }] },
    });
  });

  it('takes analysts through figures, files and seals', { tags: 'long' }, () => {
    const stdout = follow('docs/analysts.md');
    expect(stdout).toContain('"nodes":[{"key":{"month":');
    expect(stdout).toMatch(/^304$/m);
    expect(stdout).toMatch(/^\d{4}-\d{2} Uganda Revenue Authority \d+$/m);
    expect(stdout).toMatch(/^\d{4}-\d{2} \d+$/m);
    expect(stdout).toMatch(/^\uFEFF.*net.*payments/m);
    expect(stdout).toContain('"origins":["https://dashboard.example.org"]');
    expect(stdout).toContain('name,mda,amount,currency,channel,kind,proof,occurred_at,seal');
    expect(stdout).toMatch(/URA +\d+ seals, all right/);
    expect(stdout).toMatch(/^URA: \d+ seals, of which \d+ recomputed/m);
  });

  it(
    'takes operators through commands, accounts, a statement, probes and keys, and an agency to a token',
    { tags: 'long' },
    () => {
      const stdout = follow('docs/operators.md', 'docs/security/keys.md', 'docs/agencies.md');
      expect(stdout).toMatch(/"status":"revoked".*"revoked_reason":"Registered to try it out"/);
      expect(stdout).toMatch(/^\{"keys":\[\{.*"crv":"Ed25519"/m);
      // The answer to the agency's token.
      expect(stdout.trim().split('\n').at(-1)).toMatch(/^\{"data":\{"KE":\{"identity"/);
      expect(stdout).toContain('"action":"integrator.suspend"');
      expect(stdout).toContain('"outcome":"missing_here"');
      expect(stdout).toContain('"status":"ready"');
      const metrics = [...pageAt('docs/operators.md').text.matchAll(/^\| (`\w+`.*) \| /gm)].flatMap(
        ([, names]) => names!.match(/(http|adapter|clock)_\w+/g) ?? [],
      );
      expect(metrics.length).toBeGreaterThan(5);
      expect(metrics.filter((name) => !stdout.includes(`# HELP ${name} `))).toEqual([]);
    },
  );

  it.skipIf(spawnSync('python3', ['--version']).status !== 0)('has a notebook for analysts', async () => {
    await createConfirmed(rail, await makeActor(rail));
    const { plaintext } = await rail.key('oversight.read');
    const { text } = pageAt('docs/analysts.md').blocks.find(({ tested }) => tested === 'notebook')!;
    const env = { ...environmentOf(folder, rail.url), RAIL: served.origin, AUDITOR: plaintext };
    const { stdout, stderr } = spawnSync('python3', ['-c', text], { env, encoding: 'utf8', timeout: DEADLINES.test });
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^Uganda Revenue Authority \d+ UGX$/m);
  });

  it.each([
    ['analyst', ['byAgency', 'byChannel', 'anomalies']],
    ['grammar', ['figures']],
  ])('has a query for analysts (%s)', async (name, members) => {
    const { plaintext } = await rail.key('oversight.read');
    const { text: query } = pageAt('docs/analysts.md').blocks.find(({ tested }) => tested === name)!;
    const { json } = await rail.ask('/graphql', { key: plaintext, body: { query } });
    expect(json.errors).toBeUndefined();
    expect(Object.keys(json.data.oversight)).toEqual(members);
  });
});

describe('the demo', () => {
  it('ends with a paid assessment, its events and trace', { tags: 'long' }, () => {
    const stdout = walk([], { ...environmentOf(folder, rail.url), BASE_URL: served.origin });
    expect(stdout).toMatch(/ASMT-\S+ is Paid: 273000 UGX/);
    expect(stdout).toContain('payment_event.created');
    expect(stdout).toContain('A webhook came, and its signature is right:');
  });

  it('says before anything else that no webhook will come, where the rail sends none to this machine', async () => {
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    let said = '';
    await signUpAccount(rail.origin, folder, async () => void (said = write.mock.calls.join('\n'))).finally(() =>
      write.mockRestore(),
    );
    expect(said).toContain('WEBHOOK_ALLOW_PRIVATE=on');
  });

  it('of tools fetches, waits and is notified', { tags: 'long' }, () => {
    const stdout = walk(['--tools'], { ...environmentOf(folder, rail.url), BASE_URL: served.origin });
    expect(stdout).toMatch(
      /under the reference INV-2026-0042\nThe reference finds ASMT-\S+\n90000 seconds have passed/,
    );
    expect(stdout).toMatch(/Fetched payment_intent\.expired[^]*Fetched payment_event\.created/);
    for (const type of ['payment_intent.confirmed', 'assessment.paid'])
      expect(stdout).toContain(`${type} came, and its signature is right`);
  });

  it('of a citizen ends with a receipt that is void', () => {
    const stdout = walk(['--citizen'], { ...environmentOf(folder, rail.url), BASE_URL: served.origin });
    expect(stdout).toMatch(/"decision": "confirmed"[^]*Receipt\n-{42}\n/);
    expect(stdout).toMatch(/genuine[^]*The page \/verify says: Valid/);
    expect(stdout).toMatch(/The receipt is void, and the page says: Not valid/);
  });

  it('of charges states, computes and divides them, and makes those of a file once', { tags: 'long' }, () => {
    const stdout = walk(['--charges'], { ...environmentOf(folder, rail.url), BASE_URL: served.origin });
    expect(stdout).toMatch(/is Paid: 1840000 UGX[^]*is Assessed: 5000 UGX[^]*is Assessed: 40 USD[^]*is Paid: 0 UGX/);
    expect(stdout).toMatch(/"replaced_by": \[[^]*Sent: 999 created, 1 refused\n[^]*Sent again: 999 already, 1 refused/);
  });

  it(
    'of a refund gives a second payment back although answers are lost, and leaves the first as it is',
    { tags: 'long' },
    () => {
      const stdout = walk(['--refund'], { ...environmentOf(folder, rail.url), BASE_URL: served.origin });
      expect(stdout.match(/"status": "Done"/g)).toHaveLength(3);
      expect(stdout).toMatch(/"open": 0,[^]*"allocated"[^]*"returned"/);
      expect(
        [stdout.match(/RCP-\S+ is void/g), stdout.match(/RCP-\S+ is valid/g)].map((found) => found?.length),
      ).toEqual([1, 1]);
    },
  );

  it('of a day at a counter ends with the closing sheet', { tags: 'long' }, () => {
    const stdout = walk(['--counter'], { ...environmentOf(folder, rail.url), BASE_URL: served.origin });
    const sheet = stdout.slice(stdout.indexOf('CLOSING SHEET'));
    const figure = (label: string) => Number(new RegExp(`${label} +([-\\d,]+)`).exec(sheet)?.[1]?.replaceAll(',', ''));
    // 20 in cash, one of them reversed, and 10 by mobile money.
    const fee = figure('Other collections') / 10;
    expect(fee).toBeGreaterThan(0);
    const labels = ['Opening float', 'Cash collected', 'Expected cash', 'Cash counted', 'Variance', 'Collections'];
    expect(labels.map(figure)).toEqual([100_000, 19 * fee, 100_000 + 19 * fee, 98_000 + 19 * fee, -2_000, 29]);
    expect(sheet).toMatch(/Review +Approved by supervisor-/);
  });
});
