import type { Rail } from '../../platform/call/call.ts';
import { columnsOf } from '../../platform/database/record.ts';
import { json, sql } from '../../platform/database/sql.ts';
import { restUntil, startLoop } from '../../kernel/loop.ts';
import { findListening } from '../../accounts/events/listening.ts';
import { messageOfEvent } from '../../collection/payments/snapshot.ts';
import type { PaymentEvent as EventRecord } from '../../generated/prisma/client.ts';
import { queueOfJob } from '../../platform/change/outbox.ts';
import { GENESIS, SEAL_VERSION, makeSalt, sealOf } from '../../platform/audit/seal-chain.ts';

/** The first half of the advisory locks under which one process at a time extends an agency's chain. */
const SEAL_LOCKS = 7_283_005;
const BATCH = 1_000;
const IDLE_MS = 1_000;

/** Members of a payment event that its seal covers. */
export const facts = columnsOf('PaymentEvent', { as: 'e', without: ['integrator', 'createdAt'] });

/** Seals payment events for as long as it is not stopped. Any number of processes may. */
export function startSealing(rail: Rail): { stop(): Promise<void> } {
  const round = async () => {
    const agencies = await listWaiting(rail);
    if (agencies.length === 0) return restUntil(IDLE_MS);
    // None are sealed where other processes are at it.
    return (await sealAgencies(rail, agencies)) > 0 ? 0 : IDLE_MS;
  };
  return startLoop(rail.log, 'seals', round, rail.work.hear);
}

type Sealing = Pick<Rail, 'db' | 'transaction' | 'now'> & Partial<Pick<Rail, 'work'>>;

/** Seals what there is to seal, a batch of each agency; how many events those were. */
export async function sealAll(rail: Sealing): Promise<number> {
  return sealAgencies(rail, await listWaiting(rail));
}

async function sealAgencies(rail: Sealing, agencies: readonly string[]): Promise<number> {
  let sealed = 0;
  for (const mda of agencies) sealed += await sealAgency(rail, mda);
  return sealed;
}

/** Agencies with something to seal. */
async function listWaiting({ db }: Sealing): Promise<string[]> {
  // Found by the index, however much that is.
  const rows = await db.rows<{ mda: string }>(sql`
    with recursive waiting as (
      (select mda from unsealed_event order by mda limit 1)
      union all
      select (select u.mda from unsealed_event u where u.mda > w.mda order by u.mda limit 1) from waiting w
      where w.mda is not null
    )
    select mda from waiting where mda is not null`);
  return rows.map(({ mda }) => mda);
}

/**
 * Extends an agency's chain by what waits longest. Numbers are given here, by one writer at a time: without gaps.
 * Listeners get the events with their seals, so that no payment waits for that.
 */
async function sealAgency({ transaction, now, work }: Sealing, mda: string): Promise<number> {
  const { sealed, announced } = await transaction(async (db) => {
    const held = await db.row<{ held: boolean }>(
      sql`select pg_try_advisory_xact_lock(${SEAL_LOCKS}, hashtext(${mda})) as held`,
    );
    if (!held!.held) return { sealed: 0, announced: 0 };
    const last = await db.row<{ sequence: number; hash: string }>(
      sql`select sequence, hash from event_seal where mda = ${mda} order by sequence desc limit 1`,
    );
    const events = await db.rows<EventRecord & { id: number }>(sql`
      select u.id, e.integrator, e.created_at as "createdAt", ${facts} from unsealed_event u join payment_event e on e.name = u.event where u.mda = ${mda}
      order by u.id limit ${BATCH}`);
    let { sequence, hash } = last ?? { sequence: 0, hash: GENESIS };
    const seals = events.map((event) => {
      const salt = makeSalt();
      const seal = sealOf(SEAL_VERSION, hash, ++sequence, event, salt);
      hash = seal.hash;
      return { id: event.id, event: event.name, sequence, salt, ...seal };
    });
    await db.rows(sql`
      with seal as (select * from jsonb_to_recordset(${json(seals)}::jsonb) as s (id bigint, event text,
        sequence bigint, salt text, version smallint, commitment text, hash text)
      ), gone as (delete from unsealed_event u using seal s where u.mda = ${mda} and u.id = s.id
      ), salted as (insert into seal_salt (event, salt) select event, salt from seal)
      insert into event_seal (mda, sequence, event, hash, version, commitment, sealed_at)
      select ${mda}, sequence, event, hash, version, commitment, ${now()} from seal`);
    const isHeard = await findListening(db, events, now());
    const messages = events.flatMap((event, index) => (isHeard(event) ? [messageOfEvent(event, seals[index]!)] : []));
    if (messages.length > 0) await db.rows(queueOfJob(messages, now()));
    return { sealed: seals.length, announced: messages.length };
  });
  if (announced > 0) work?.note();
  return sealed;
}
