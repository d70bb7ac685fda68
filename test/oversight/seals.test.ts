import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { sql } from '../../src/platform/database/sql.ts';
import { placeEvents } from '../../src/oversight/events/place.ts';
import { GENESIS, type SealedFacts, sealOf } from '../../src/platform/audit/seal-chain.ts';
import { facts, sealAll } from '../../src/oversight/seals/seal.ts';
import { verifyLedger } from '../../src/oversight/seals/verify.ts';
import { createConfirmed, makeActor } from '../harness/flow.ts';
import { testRail } from '../harness/rail.ts';

const rail = testRail();

const reports = async () => (await verifyLedger(rail.rail)).chains;

const digest = (of: string) => createHash('sha256').update(of).digest('hex');

/** Runs the script that auditors have, which knows no code of the rail; its exit code, and what it printed. */
async function recompute(agency: string): Promise<[code: number, printed: string]> {
  const { plaintext } = await rail.key('oversight.read');
  const script = spawn(
    process.execPath,
    [fileURLToPath(new URL('../../docs/recompute-seals.mjs', import.meta.url)), agency],
    {
      env: { ...process.env, RAIL: rail.origin, KEY: plaintext },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const ended = new Promise<number>((resolve) => script.once('exit', (code) => resolve(code ?? -1)));
  return Promise.all([ended, text(script.stdout)]);
}

const tamper = (statements: string) => rail.tamper(...statements.split(';'));

describe('seals', () => {
  it('number the events of each agency without gaps, and chain them', async () => {
    const actor = await makeActor(rail);
    const made = [];
    for (let i = 0; i < 4; i++) made.push(await createConfirmed(rail, actor));
    await Promise.all([sealAll(rail.rail), sealAll(rail.rail), sealAll(rail.rail)]);
    while ((await sealAll(rail.rail)) > 0);
    expect(await reports()).toMatchObject([
      { mda: 'URA', seals: 4, broken: null },
      { mda: 'URSB', seals: 4, broken: null },
    ]);
    const { data } = await actor.ask(`/v1/payment-events?intent=${made[0]!.intent}&mda=URA`);
    expect(data[0].seal).toEqual({ sequence: 1, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect((await verifyLedger(rail.rail)).findings).toEqual([]);
  });

  it('are recomputed from outside, from what oversight answers alone, those of before included', async () => {
    const actor = await makeActor(rail);
    const { intent } = await createConfirmed(rail, actor);
    while ((await placeEvents(rail.rail)) > 0);
    while ((await sealAll(rail.rail)) > 0);
    const before = await recompute('URA');
    const [head] = (await reports()).filter(({ mda }) => mda === 'URA');
    expect(before).toEqual([0, `URA: 5 seals, of which 5 recomputed; the last is ${head!.hash}\n`]);
    // Values hidden from oversight are committed to with a salt, which oversight may not read either.
    const [own] = await rail.rows<{ commitment: string; salt: string; hidden: string[] }>(sql`
      select s.commitment, k.salt, array[e.intent, e.assessment, e.aggregator_reference, e.txn_id] as hidden
      from event_seal s join seal_salt k using (event) join payment_event e on e.name = s.event
      where e.intent = ${intent} and e.mda = 'URA'`);
    expect(digest(`${own!.salt}\n${JSON.stringify(own!.hidden)}`)).toBe(own!.commitment);
    for (const query of ['select salt from seal_salt', 'select commitment from event_seal'])
      await expect(rail.rail.oversight.rows(sql([query]))).rejects.toMatchObject({ code: '42501' });
  });

  it('of the version before stand, are verified, and are continued by those of today', async () => {
    const actor = await makeActor(rail);
    await tamper(`delete from seal_salt; delete from event_seal`);
    await rail.rows(sql`
      insert into unsealed_event (mda, event) select mda, name from payment_event order by created_at, name`);
    let hash = GENESIS;
    const first = await rail.rows<SealedFacts>(
      sql`select ${facts} from payment_event e where mda = 'URA' order by created_at, name limit 3`,
    );
    for (const [index, event] of first.entries()) {
      ({ hash } = sealOf(1, hash, index + 1, event, null));
      await rail.rows(sql`
        insert into event_seal (mda, sequence, event, hash, version, sealed_at)
        values ('URA', ${index + 1}, ${event.name}, ${hash}, 1, now())`);
      await rail.rows(sql`delete from unsealed_event where event = ${event.name}`);
    }
    await createConfirmed(rail, actor);
    while ((await placeEvents(rail.rail)) > 0);
    while ((await sealAll(rail.rail)) > 0);
    expect((await verifyLedger(rail.rail)).right).toBe(true);
    expect((await recompute('URA'))[1]).toMatch(/^URA: 6 seals, of which 3 recomputed/);
    await tamper(`update event_seal set version = 1, commitment = null where mda = 'URA' and sequence = 5`);
    expect((await reports())[0]!.broken).toMatchObject({
      why: 'its seal is of an older version than the one before it',
    });
    expect((await recompute('URA'))[0]).toBe(1);
    await tamper(`delete from seal_salt; delete from event_seal`);
    await rail.rows(sql`
      insert into unsealed_event (mda, event) select mda, name from payment_event order by created_at, name`);
    while ((await sealAll(rail.rail)) > 0);
    await tamper(
      `delete from seal_salt where event = (select event from event_seal where mda = 'URA' and sequence = 4)`,
    );
    expect((await reports())[0]!.broken).toMatchObject({ sequence: 4, why: 'the salt of its commitment was removed' });
    await rail.rows(sql`
      insert into seal_salt select event, repeat('0', 64) from event_seal where mda = 'URA' and sequence = 4`);
    expect((await reports())[0]!.broken).toMatchObject({ why: 'its event or its seal was edited' });
    await tamper(`delete from seal_salt; delete from event_seal; delete from unsealed_event`);
    await rail.rows(sql`
      insert into unsealed_event (mda, event) select mda, name from payment_event order by created_at, name`);
    while ((await sealAll(rail.rail)) > 0);
  });

  it('cannot be rewritten, and neither can what they seal', async () => {
    for (const table of ['event_seal', 'seal_salt', 'payment_event', 'oversight_stream']) {
      await expect(rail.query(`truncate ${table} cascade`)).rejects.toThrow(/append-only/);
    }
  });

  it('show what was edited, removed or slipped in by whoever holds the database itself', async () => {
    const [victim] = await rail.rows<{ name: string }>(
      sql`select event as name from event_seal where mda = 'URA' and sequence = 2`,
    );
    await tamper(`update payment_event set amount = amount + 1 where name = '${victim!.name}'`);
    expect((await reports())[0]).toMatchObject({
      mda: 'URA',
      seals: 1,
      broken: { sequence: 2, event: victim!.name, why: 'its event or its seal was edited' },
    });
    await tamper(`update payment_event set amount = amount - 1 where name = '${victim!.name}'`);
    expect((await reports())[0]!.broken).toBeNull();
    await tamper(`delete from event_seal where mda = 'URSB' and sequence = 3`);
    expect((await reports())[1]).toMatchObject({
      seals: 2,
      broken: { sequence: 3, event: null, why: 'the seals from 3 to 3 are missing' },
    });
    const { findings } = await verifyLedger(rail.rail);
    expect(findings.find(({ check }) => check === 'unsealed_event')!.count).toBe(1);
  });
});
