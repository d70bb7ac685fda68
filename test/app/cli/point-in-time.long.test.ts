import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { createConfirmed, makeActor } from '../../harness/flow.ts';
import { catchUp } from '../../harness/ledger.ts';
import { pageAt } from '../../harness/pages.ts';
import { capture } from '../../harness/processes.ts';
import { TestRail } from '../../harness/rail.ts';
import { INSTALLED, InstalledPostgres, PATH_TO_INSTALLED } from '../../harness/chaos/database/installed.ts';

const ADMIN = 'src/app/cli/admin.ts';
const folder = mkdtempSync(join(tmpdir(), 'rail-recovery-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const commands = pageAt('docs/operators.md').blocks.find(({ tested }) => tested === 'recovery')!.text;
const possible = INSTALLED !== null && process.getuid?.() === 0 && existsSync('/usr/bin/tar');

describe.skipIf(!possible)('point-in-time recovery (needs root, tar and a PostgreSQL of the machine)', () => {
  it('brings back what was acknowledged before the moment, and not the mistake after it', async () => {
    const postgres = new InstalledPostgres();
    const archive = await postgres.makeFolder('archive');
    const archiving = ['archive_mode=on', `archive_command='test ! -f ${archive}/%f && cp %p ${archive}/%f'`];
    await postgres.begin(archiving);
    await postgres.query('postgres', 'create database rail');
    const rail = new TestRail({ DATABASE_URL: postgres.url('rail'), MIGRATE: 'on' });
    await rail.start();
    const env = { PATH: PATH_TO_INSTALLED, DATABASE_URL: postgres.url('rail') };
    const actor = await makeActor(rail);
    const acknowledged = [(await createConfirmed(rail, actor)).intent];
    await catchUp(rail);
    const made = await capture(ADMIN, ['backup', folder, '--base', '--json'], env);
    const backup = (JSON.parse(made) as { folder: string }).folder;

    for (let count = 0; count < 3; count++) acknowledged.push((await createConfirmed(rail, actor)).intent);
    await catchUp(rail);
    const [moment] = await postgres.query<{ at: string }>('rail', 'select clock_timestamp()::text as at');
    await postgres.query(
      'rail',
      'set session_replication_role = replica; delete from payment_event; delete from event_seal',
    );
    const { intent: later } = await createConfirmed(rail, actor);
    await rail.stop();
    await postgres.stop();

    const data = join(postgres.folder, 'recovered');
    const given = { PATH: PATH_TO_INSTALLED, BACKUP: backup, ARCHIVE: archive, DATA: data, MOMENT: moment!.at };
    const { status, stderr } = spawnSync('bash', ['-euc', commands], {
      env: given,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    expect(stderr).toBe('');
    expect(status).toBe(0);
    await postgres.startOn(data);
    await expect
      .poll(() => postgres.query('rail', 'select pg_is_in_recovery() as recovering'))
      .toEqual([{ recovering: false }]);
    const recovered = { ...env, DATABASE_URL: postgres.url('rail') };
    const heads = join(backup, 'manifest.json');
    const verified = await capture(ADMIN, ['ledger:verify', '--heads', heads, '--json'], recovered);
    expect(JSON.parse(verified)).toMatchObject({ right: true });

    const again = new TestRail({ DATABASE_URL: postgres.url('rail'), MIGRATE: 'on' });
    await again.start();
    const intents = await again.rows<{ intent: string }>(
      sql`select distinct intent from payment_event order by intent`,
    );
    expect(intents.map(({ intent }) => intent)).toEqual(acknowledged.toSorted());
    expect(await again.count(sql`select from payment_intent where name = ${later}`)).toBe(0);
    await createConfirmed(again, await makeActor(again));
    await again.stop();
    await postgres.stop(data);
    postgres.remove();
  });
});
