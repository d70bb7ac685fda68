import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { INSTALLED, InstalledPostgres, PATH_TO_INSTALLED } from '../../../harness/chaos/database/installed.ts';
import { findBroken } from '../../../harness/chaos/invariants.ts';
import { Payer, lostOf } from '../../../harness/people/payer.ts';
import { run } from '../../../harness/processes.ts';
import { comparePayers } from '../../run/paying.ts';
import { type Context, NotRun, type Scenario } from '../../run/scenario.ts';

export const restore: Scenario = {
  name: 'restore',
  title: 'backups that are taken and restored while clients pay',
  promise:
    'A backup of a busy rail is restored into an empty database. It has all that was acknowledged before it began, and its ledger verifies against the heads it kept.',
  unit: 'drills',
  full: 10,
  floor: 1,
  share: 1.5,
  async run(context) {
    if (INSTALLED === null) throw new NotRun('PostgreSQL is not installed, of which backups take pg_dump');
    const postgres = new InstalledPostgres();
    await postgres.begin();
    context.atEnd(async () => {
      await postgres.stop();
      postgres.remove();
    });
    await postgres.query('postgres', 'create database rail');
    const place = await context.open({ DATABASE_URL: postgres.url('rail'), PATH: PATH_TO_INSTALLED });
    await place.start(2);
    const shop = await place.shop(context.random);
    const folder = mkdtempSync(join(tmpdir(), 'rail-backup-'));
    context.atEnd(() => rmSync(folder, { recursive: true, force: true }));
    const payers = Array.from({ length: 6 }, () => new Payer(shop));
    let over = false;
    const paying = Promise.all(payers.map((payer) => payer.payUntil(() => over)));
    try {
      while (context.more()) {
        await sleep(1_500);
        await drill(context, postgres, { folder, env: place.environment, payers });
      }
    } finally {
      over = true;
      await paying;
    }
    await comparePayers(context, place, payers);
  },
};

interface Drill {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly payers: readonly Payer[];
}

async function drill(context: Context, postgres: InstalledPostgres, { folder, env, payers }: Drill): Promise<void> {
  // What was promised by now, which the backup has to have; the payers go on.
  const promised = payers.map(({ acknowledged }) => ({ acknowledged: structuredClone(acknowledged) }));
  const backup = await run('src/app/cli/admin.ts', ['backup', folder, '--json'], env);
  if (backup.code !== 0) throw new Error(`backup ended with ${backup.code}: ${backup.errors}`);
  const made = JSON.parse(backup.output) as { folder: string };
  const name = `restored_${context.tried}`;
  await postgres.query('postgres', `create database ${name}`);
  const restored = await run('src/app/cli/admin.ts', ['restore', made.folder, '--into', postgres.url(name)], env);
  context.hold(restored.code === 0, () => `restore ended with ${restored.code}: ${restored.output}${restored.errors}`);
  const ask = <Row extends object>(text: string, values: unknown[] = []) => postgres.query<Row>(name, text, { values });
  context.lose('acknowledged and not restored', await lostOf(promised, ask));
  context.lose('invariants broken where it was restored', await findBroken(ask));
  context.count(
    'payments restored',
    promised.reduce((sum, { acknowledged }) => sum + acknowledged.confirm.length, 0),
  );
}
