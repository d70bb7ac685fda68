import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { INSTALLED, InstalledPostgres, PATH_TO_INSTALLED } from '../../../harness/chaos/database/installed.ts';
import { findBroken } from '../../../harness/chaos/invariants.ts';
import { Payer, lostOf } from '../../../harness/people/payer.ts';
import { makeStaff } from '../../../harness/people/staff.ts';
import { run, serve } from '../../../harness/processes.ts';
import { comparePayers } from '../../run/paying.ts';
import { COLLECTED, askCollected } from '../figures.ts';
import { type Context, NotRun, type Scenario } from '../../run/scenario.ts';

export const restore: Scenario = {
  name: 'restore',
  title: 'backups that are taken and restored, here and into another server, while clients pay',
  promise:
    'A backup of a busy rail is restored into an empty database. It has all that was acknowledged before it began, its ledger verifies against the heads it kept, and a process on it says what its SQL says.',
  unit: 'drills',
  full: 10,
  floor: 1,
  share: 1.5,
  async run(context) {
    if (INSTALLED === null) throw new NotRun('PostgreSQL is not installed, of which backups take pg_dump');
    const [postgres, elsewhere] = [await install(context), await install(context)];
    await postgres.query('postgres', 'create database rail');
    const place = await context.open({ DATABASE_URL: postgres.url('rail'), PATH: PATH_TO_INSTALLED });
    const { cookie } = await makeStaff(place.rail, 'oversight');
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
        // Into an empty database of the same server, and of one that has had no transaction of these.
        const into = context.tried % 2 === 1 ? elsewhere : postgres;
        await drill(context, into, { folder, env: place.environment, payers, cookie });
      }
    } finally {
      over = true;
      await paying;
    }
    await comparePayers(context, place, payers);
  },
};

/** A server that ends with the scenario. */
async function install(context: Context): Promise<InstalledPostgres> {
  const postgres = new InstalledPostgres();
  await postgres.begin();
  context.atEnd(async () => {
    await postgres.stop();
    postgres.remove();
  });
  return postgres;
}

interface Drill {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly payers: readonly Payer[];
  /** A session of somebody who reads figures. */
  readonly cookie: string;
}

async function drill(
  context: Context,
  postgres: InstalledPostgres,
  { folder, env, payers, cookie }: Drill,
): Promise<void> {
  // Acknowledged changes so far, which the backup must have. The payers go on.
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
  const address = { DATABASE_URL: postgres.url(name), DATA_DIR: join(folder, name) };
  const served = await serve('src/app/main.ts', { ...env, ...address, PORT: '0' });
  const { said } = await askCollected(served.origin, cookie);
  await served.kill();
  const [collected] = await ask<{ sum: number }>(COLLECTED);
  context.hold(said === collected!.sum, () => `${name} says ${said} was collected, its SQL ${collected!.sum}`);
  context.count(
    'payments restored',
    promised.reduce((sum, { acknowledged }) => sum + acknowledged.confirm.length, 0),
  );
}
