import { sql } from '../../src/platform/database/sql.ts';
import { placeEvents } from '../../src/oversight/events/place.ts';
import { seedHistory } from '../../src/sandbox/history.ts';
import { sealAll } from '../../src/oversight/seals/seal.ts';
import type { KeptHead } from '../../src/oversight/seals/heads.ts';
import { type LedgerVerification, runChecks } from '../../src/oversight/seals/verify.ts';
import { collectInShift, openShift } from './people/counter.ts';
import { createConfirmed, makeActor, createPendingFor, createSent } from './flow.ts';
import type { TestRail } from './rail.ts';
import { makeStaff } from './people/staff.ts';
import { TAMPERINGS, type Tampering, seedRandom } from './chaos/tampering.ts';

/**
 * A ledger with a bit of everything: a history, live payments, a reversal, a second and a late collection, a till, and
 * some that wait.
 */
export async function fillLedger(rail: TestRail, events: number): Promise<void> {
  for await (const _ of seedHistory(rail.rail, { events, years: 1, agencies: 25, seed: 11 }));
  const actor = await makeActor(rail);
  const paid = [
    await createConfirmed(rail, actor),
    await createConfirmed(rail, actor),
    await createConfirmed(rail, actor),
  ];
  const done = async (path: string, body: object = {}) => {
    const { status, text } = await actor.post(path, body);
    if (status !== 200) throw new Error(text);
  };
  await done(`/v1/assessments/${paid[0]!.assessment}:cancel`, { reason: 'Entered twice' });
  const twice = await createSent(rail, actor);
  const again = await createPendingFor(actor, twice.assessment);
  await done(`/v1/payment-intents/${again}:initiate`, { payer_msisdn: '+256700123456' });
  await done(`/v1/payment-intents/${twice.intent}:confirm`);
  await done(`/v1/payment-intents/${again}:confirm`);
  const late = await createSent(rail, actor);
  await done(`/v1/assessments/${late.assessment}:cancel`, { reason: 'Entered twice' });
  await done(`/v1/payment-intents/${late.intent}:confirm`);
  const clerk = await makeStaff(rail, 'clerk');
  const shift = await openShift(clerk);
  await collectInShift(rail, clerk, shift);
  await catchUp(rail);
  await collectInShift(rail, clerk, shift);
  await createConfirmed(rail, actor);
}

/** Counts and seals all that waits. */
export async function catchUp({ rail }: TestRail): Promise<void> {
  while ((await placeEvents(rail)) > 0);
  while ((await sealAll(rail)) > 0);
}

class Undone extends Error {}

/** Verifies the ledger as it would be after a tampering, which is then undone. */
export async function verifyAfter(
  { rail }: TestRail,
  { run }: Tampering,
  random: () => number,
  heads: readonly KeptHead[] = [],
): Promise<{ hit: string | null; verification: LedgerVerification }> {
  let outcome: { hit: string | null; verification: LedgerVerification } | undefined;
  await rail
    .transaction(async (db) => {
      await db.rows(sql`set local session_replication_role = replica`);
      const hit = await run(db, random);
      outcome = { hit, verification: await runChecks(db, heads) };
      throw new Undone();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error;
    });
  return outcome!;
}

/**
 * Tampers for as long as there is more to do, each kind in its turn and then at random; names what was not found, with
 * the seed that shows it again.
 */
export async function tamperAtRandom(
  rail: TestRail,
  more: (tried: number) => boolean,
  seed: number,
): Promise<{ tried: number; missed: string[] }> {
  const random = seedRandom(seed);
  const missed: string[] = [];
  let tried = 0;
  for (let turn = 0; more(tried); turn++) {
    const tampering = TAMPERINGS[turn < TAMPERINGS.length ? turn : Math.floor(random() * TAMPERINGS.length)]!;
    const { hit, verification } = await verifyAfter(rail, tampering, random);
    if (hit === null) throw new Error(`${tampering.name}: there is nothing to tamper with`);
    tried++;
    if (verification.right) missed.push(`seed ${seed}, turn ${turn}: ${tampering.name}: ${hit}`);
  }
  return { tried, missed };
}
