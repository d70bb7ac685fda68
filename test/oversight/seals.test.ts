import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sql } from '../../src/platform/database/sql.ts';
import { sealAll } from '../../src/oversight/seals/seal.ts';
import { verifyLedger } from '../../src/oversight/seals/verify.ts';
import { createConfirmed, makeActor } from '../harness/flow.ts';
import { testRail } from '../harness/rail.ts';

const rail = testRail();

const reports = async () => (await verifyLedger(rail.rail)).chains;

/** What no user of the rail can do. */
async function tamper(statement: string): Promise<void> {
  await rail.rail.prisma.$transaction([
    rail.rail.prisma.$executeRawUnsafe('set local session_replication_role = replica'),
    rail.rail.prisma.$executeRawUnsafe(statement),
  ]);
}

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
    // As an auditor recomputes it.
    const [e] = data;
    const facts = [
      e.name,
      e.intent,
      e.assessment,
      e.mda,
      String(e.amount),
      e.currency,
      e.channel,
      e.kind,
      e.aggregator_reference,
      e.txn_id,
      e.occurred_at,
    ];
    expect(
      createHash('sha256')
        .update(`${'0'.repeat(64)}\n1\n${JSON.stringify(facts)}`)
        .digest('hex'),
    ).toBe(e.seal.hash);
    expect((await verifyLedger(rail.rail)).findings).toEqual([]);
  });

  it('cannot be rewritten, and neither can what they seal', async () => {
    for (const table of ['event_seal', 'payment_event', 'oversight_stream']) {
      await expect(rail.rail.prisma.$executeRawUnsafe(`truncate ${table} cascade`)).rejects.toThrow(/append-only/);
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
