import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findFreePort } from '../../../src/platform/database/cluster/free-port.ts';
import { LIVE } from '../../harness/live.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { type Served, run, serve } from '../../harness/processes.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail(LIVE);
const env = () => ({ ...LIVE, DATABASE_URL: rail.url, DATA_DIR: rail.dataDir });
const operate = (...args: string[]) => run('src/app/cli/admin.ts', args, { ...env(), RAIL_OPERATOR: 'Grace' });

/** The output of a live rail at its start, with these settings. */
async function printed(settings: Readonly<Record<string, string>>): Promise<string> {
  const log = join(rail.dataDir, 'printed');
  let served: Served | undefined;
  try {
    served = await serve('src/app/main.ts', { ...env(), JOBS: 'off', LOG_LEVEL: 'warn', ...settings }, { log });
  } finally {
    await served?.stop();
  }
  return readFileSync(log, 'utf8');
}

describe('a live rail', () => {
  it(
    'says at its start that nobody can approve, and offers no demo; with two independent admins it says nothing',
    { tags: 'long' },
    async () => {
      const port = String(await findFreePort());
      const alone = await printed({ PORT: port });
      expect(alone).toContain('no two operators are independent');
      expect(alone).toContain('Revenue Rail (live) is listening on');
      expect(alone).not.toContain('npm run demo');
      await Promise.all([makeStaff(rail, 'admin'), makeStaff(rail, 'admin')]);
      expect(await printed({ PORT: port })).not.toContain('independent');
    },
  );

  it('has what waits for a second person approved by a command, which names who ran it', async () => {
    const asker = await makeStaff(rail, 'admin');
    const { email } = await makeStaff(rail, 'clerk');
    const { data } = await asker.ask(`/v1/ops/staff/${email}`, { method: 'PATCH', body: { roles: ['supervisor'] } });
    const { name } = data.pending_approval;
    const { code, output, errors } = await operate('approvals:break-glass', name, '--reason', 'The only one', '--json');
    expect([code, errors]).toEqual([0, '']);
    expect(JSON.parse(output)).toMatchObject({ name, kind: 'roles', status: 'Approved' });
    const decided = (await asker.ask(`/v1/ops/approvals/${name}`)).data;
    expect(decided).toMatchObject({ status: 'Approved', decided_reason: 'The only one' });
    expect(decided.decided_by).toBe('command line (Grace)');
    expect((await asker.ask(`/v1/ops/staff/${email}`)).data.roles).toEqual(['supervisor']);
  });

  it('takes no catalogue but its own', async () => {
    expect(await operate('catalogue:load')).toMatchObject({
      code: 1,
      output: '',
      errors: '--file: needed in live mode; the profiles that come with the rail are examples\n',
    });
  });
});

describe('catalogue:load on a live rail', () => {
  it('changes what takes two people with --alone and its reason, and not without', async () => {
    const file = join(rail.dataDir, 'profile.json');
    const shipped = readFileSync(new URL('../../../prisma/catalogue/KE.json', import.meta.url), 'utf8');
    writeFileSync(file, JSON.stringify({ ...JSON.parse(shipped), cash_limit: 1 }));
    const refused = await operate('catalogue:load', '--file', file);
    expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining('takes two people')]);
    const { code, output } = await operate('catalogue:load', '--file', file, '--alone', 'The law of today');
    expect([code, output]).toEqual([0, expect.stringContaining('1 changes')]);
  });
});

describe('a port that another process has', () => {
  it('is named: of a rail that was told to have it, which ends with 1', { tags: 'long' }, async () => {
    const port = String(await findFreePort());
    const other = await serve('src/app/main.ts', { ...env(), JOBS: 'off', PORT: port });
    try {
      expect(await run('src/app/main.ts', [], { ...env(), JOBS: 'off', PORT: port, LOG_LEVEL: 'fatal' })).toMatchObject(
        {
          code: 1,
          errors: `The rail does not start. PORT: ${port} is taken by another process\n`,
        },
      );
    } finally {
      await other.stop();
    }
  });
});
