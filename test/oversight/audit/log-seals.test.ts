import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readHeads } from '../../../src/oversight/seals/heads.ts';
import { sealLogs } from '../../../src/oversight/seals/logs/seal.ts';
import { verifyLedger } from '../../../src/oversight/seals/verify.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();
const DAY = 86_400_000;
const LOGS = ['approval', 'citizen_access', 'money_received', 'operator_audit'];
const day = (number: number) => new Date(Date.UTC(2026, 5, number)).toISOString().slice(0, 10);

/** Writes an operator's change and a look at a citizen on a day. */
async function writeRows(number: number): Promise<void> {
  const at = new Date(Date.UTC(2026, 5, number, 12));
  await rail.rows(sql`
    insert into operator_audit (at, actor, action, subject, before, after, reason, request_id)
    values (${at}, 'admin@agency.example', 'integrator.suspend', 'SOME-CODE', '{"b": 1, "a": 2.50}', null, 'Why', 'r')`);
  await rail.rows(sql`
    insert into citizen_access (id, at, citizen, purpose, caller, actor, request_id)
    values (gen_random_uuid(), ${at}, null, 'search', 'staff', 'clerk@agency.example', 'r')`);
  await rail.rows(sql`
    insert into money_received (name, provider, txn_id, kind, amount, currency, channel, received_at, created_at)
    values (${`MON-2026-06-00000${number}`}, 'mpesa', ${`T${number}`}, 'unknown_reference', 5000, 'UGX', 'agent', ${at}, ${at})`);
  // It is asked for on this day, and refused on the next.
  await rail.rows(sql`
    insert into approval (name, kind, subject, proposal, status, asked_by, created_at, updated_at, decided_by, decided_at,
      expires_at)
    values (${`GRT-2026-06-00000${number}`}, 'claim', ${`mpesa:T${number}`}, '{}', 'Refused', 'a@agency.example', ${at},
      ${new Date(at.getTime() + DAY)}, 'b@agency.example', ${new Date(at.getTime() + DAY)}, ${new Date(at.getTime() + 7 * DAY)})`);
}

/** Changes rows of a log as somebody would who owns the database. */
async function tamper(table: string, change: ReturnType<typeof sql>): Promise<void> {
  await rail.rail.transaction(async (db) => {
    await db.rows(sql`set local session_replication_role = replica`);
    await db.rows(change);
  });
}

const findings = async (heads: ReturnType<typeof readHeads> = []) => {
  const { findings: found } = await verifyLedger(rail.rail, heads);
  return found
    .filter(({ check }) => check === 'sealed_log' || check === 'kept_log_seal')
    .flatMap(({ rows }) => rows.map(({ row, why }) => `${row}: ${why}`));
};

describe('the seals of logs', () => {
  it('cover each day that is over, from the first on, with and without rows', async () => {
    await writeRows(1);
    await writeRows(3);
    rail.advance((Date.UTC(2026, 5, 4, 0, 30) - Date.now()) / 3_600_000);
    // The last day is sealed an hour after its end.
    expect(await sealLogs(rail.rail)).toBe(2 * LOGS.length);
    rail.advance(1);
    expect(await sealLogs(rail.rail)).toBe(LOGS.length);
    expect(await sealLogs(rail.rail)).toBe(0);
    const seals = await rail.rows(sql`select log, day::text, rows from log_seal order by log, day`);
    expect(seals).toEqual(
      LOGS.flatMap((log) => [
        { log, day: day(1), rows: 1 },
        // A decision is a row of its own, on its own day.
        { log, day: day(2), rows: log === 'approval' ? 1 : 0 },
        { log, day: day(3), rows: 1 },
      ]),
    );
    expect(await findings()).toEqual([]);
  });

  it('are made once where two processes are at it', async () => {
    await writeRows(4);
    rail.advance(24);
    const made = await Promise.all([sealLogs(rail.rail), sealLogs(rail.rail)]);
    expect(made.reduce((sum, one) => sum + one)).toBe(LOGS.length);
  });

  it('are shown to auditors: those of the last day, or of one that is asked for', async () => {
    const auditor = await makeStaff(rail, 'auditor');
    const { data } = await auditor.ask('/v1/ops/log-seals');
    expect(data).toMatchObject(LOGS.map((log) => ({ log, day: day(4), rows: log === 'approval' ? 2 : 1 })));
    expect((await auditor.ask(`/v1/ops/log-seals?day=${day(2)}`)).data).toMatchObject(
      LOGS.map((log) => ({ log, rows: log === 'approval' ? 1 : 0 })),
    );
    expect((await auditor.ask('/v1/ops/log-seals?day=2020-01-01')).data).toEqual([]);
    expect((await auditor.ask('/v1/ops/log-seals?day=yesterday')).status).toBe(422);
    expect((await (await makeStaff(rail, 'clerk')).ask('/v1/ops/log-seals')).status).toBe(403);
  });

  it('name the day whose rows were changed, removed or added, and the seal that is missing', async () => {
    const auditor = await makeStaff(rail, 'auditor');
    const path = join(rail.dataDir, 'heads.json');
    writeFileSync(path, (await auditor.ask('/v1/ops/log-seals')).text);
    const kept = readHeads(path);
    expect(await findings(kept)).toEqual([]);
    const at = new Date(Date.UTC(2026, 5, 3, 12));
    await tamper('operator_audit', sql`update operator_audit set actor = 'somebody@else.example' where at = ${at}`);
    expect(await findings()).toEqual([`operator_audit ${day(3)}: has other rows than when it was sealed`]);
    await tamper('citizen_access', sql`delete from citizen_access where at = ${new Date(at.getTime() - 2 * DAY)}`);
    expect(await findings()).toContain(`citizen_access ${day(1)}: has 0 rows, and had 1 when it was sealed`);
    const money = sql`update money_received set amount = amount - 1 where created_at = ${at}`;
    await tamper('money_received', money);
    expect(await findings()).toContain(`money_received ${day(3)}: has other rows than when it was sealed`);
    await tamper('approval', sql`update approval set decided_by = 'c@agency.example' where created_at = ${at}`);
    expect(await findings()).toContain(`approval ${day(4)}: has other rows than when it was sealed`);
    await tamper('approval', sql`update approval set proposal = '{"amount": 1}' where created_at = ${at}`);
    expect(await findings()).toContain(`approval ${day(3)}: has other rows than when it was sealed`);
    // Whoever makes the seals anew as well is found by what was kept outside.
    await tamper('log_seal', sql`truncate log_seal`);
    await sealLogs(rail.rail);
    expect(await findings()).toEqual([]);
    const found = await findings(kept);
    expect(found).toHaveLength(LOGS.length);
    for (const [index, log] of LOGS.entries())
      expect(found[index]).toContain(`${log} ${day(4)}: was kept outside with another hash than `);
    await tamper('log_seal', sql`delete from log_seal where log = 'operator_audit' and day = ${day(3)}::date`);
    expect(await findings()).toContain(`operator_audit ${day(4)}: the seals of the days before are missing`);
  });
});
