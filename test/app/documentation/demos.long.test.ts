import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { LIVE } from '../../harness/live.ts';
import { serve } from '../../harness/processes.ts';
import { testRail } from '../../harness/rail.ts';
import { environmentOf, walk } from './walking.ts';

const connected = testRail();
const live = testRail(LIVE);
const told = testRail();
const folder = mkdtempSync(join(tmpdir(), 'rail-demos-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the demo', () => {
  it('of live access lets in who is to get in, and nobody else', () => {
    const stdout = walk(['--live-access'], { ...environmentOf(folder, live.url), SECRET_KEY: LIVE.SECRET_KEY });
    for (const reason of ['agency_not_allowed', 'channel_not_allowed', 'cash_needs_shift'])
      expect(stdout).toContain(reason);
    expect(stdout).toContain('Whoever was to get in got in, and nobody else');
    // It starts a rail, and runs a command for each of its people.
  });

  it('of real protocols walks a sandbox with the outside world simulated', async () => {
    const DATA_DIR = join(folder, 'sandbox');
    const sandbox = await serve('src/app/cli/scripts/sandbox.ts', {
      DATABASE_URL: connected.url,
      DATA_DIR,
      PORT: '0',
      LOG_LEVEL: 'error',
    });
    const stdout = walk(['--live'], { ...environmentOf(folder, connected.url), DATA_DIR, BASE_URL: sandbox.origin });
    await sandbox.stop();
    expect(stdout).toContain('Nobody called back; job:enquire asked, and healed it.');
    expect(stdout).toMatch(/"transaction_charge": 143000,\s+"transaction_charge_type": "flat_subaccount"/);
    expect(stdout).toMatch(/The tax authority was told over mTLS, and gave RCPT-\d+/);
    expect(stdout.match(/A webhook came, and its signature is right:/g)).toHaveLength(3);
    expect(stdout).toContain('"propagated_to"');
    expect(stdout).toMatch(/ASMT-\S+ is Paid/);
  });

  it('of a settlement follows a week of payouts to banks, and a receipt to its payout', async () => {
    const DATA_DIR = join(folder, 'told');
    const { origin, stop } = await serve('src/app/main.ts', {
      DATABASE_URL: told.url,
      DATA_DIR,
      PORT: '0',
      LOG_LEVEL: 'error',
    });
    const environment = { ...environmentOf(folder, told.url), DATA_DIR, BASE_URL: origin };
    walk(['--story', '--days', '8'], environment);
    const stdout = walk(['--settlement'], environment);
    await stop();
    for (const found of ['payouts are arrived\n', 'payouts are missing\n', '"state": "short"'])
      expect(stdout).toContain(found);
    expect(stdout).toMatch(
      /"followed": \[[^]*"arrived_on": "\d{4}-[^]*The signature of URA, [-\d]+, holds\n[^]*"quarter":/,
    );
  });
});
