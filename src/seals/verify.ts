import type { Rail } from '../call.ts';
import { sql } from '../database/sql.ts';
import { GENESIS, type SealedFacts, sealOf } from './chain.ts';
import { facts } from './seal.ts';

/** What came of recomputing an agency's chain. */
export interface ChainReport {
  readonly mda: string;
  readonly seals: number;
  /** The last hash that was right; an auditor compares it with the one that was kept outside. */
  readonly hash: string;
  /** The first row that is not as it was sealed; null where all are. */
  readonly broken: { readonly sequence: number; readonly event: string | null; readonly why: string } | null;
}

const BATCH = 5_000;

/** Recomputes every chain, agency by agency, each from its beginning to its first broken row. */
export async function* verifyLedger({ db }: Pick<Rail, 'db'>): AsyncGenerator<ChainReport> {
  const agencies = await db.rows<{ name: string }>(
    sql`select name from mda where exists (select from event_seal s where s.mda = mda.name) order by name`,
  );
  for (const { name } of agencies) yield await verifyChain({ db }, name);
}

/** Events that were never sealed and do not wait to be: rows that came by another way than the rail's. */
export async function strayEvents({ db }: Pick<Rail, 'db'>): Promise<{ count: number; first: string | null }> {
  const row = await db.row<{ count: number; first: string | null }>(sql`
    select count(*)::int as count, min(e.name) as first from payment_event e
    where not exists (select from event_seal s where s.event = e.name) and not exists (select from unsealed_event u where u.mda = e.mda and u.event = e.name)`);
  return row!;
}

async function verifyChain({ db }: Pick<Rail, 'db'>, mda: string): Promise<ChainReport> {
  let [sequence, hash] = [0, GENESIS];
  for (;;) {
    const rows = await db.rows<Partial<SealedFacts> & { sequence: number; sealed: string; hash: string }>(sql`
      select s.sequence, s.event as sealed, s.hash, ${facts} from event_seal s left join payment_event e on e.name = s.event
      where s.mda = ${mda} and s.sequence > ${sequence} order by s.sequence limit ${BATCH}`);
    for (const row of rows) {
      const why = wrongWith(row, sequence, hash, mda);
      if (why)
        return { mda, seals: sequence, hash, broken: { sequence: sequence + 1, event: row.sequence === sequence + 1 ? row.sealed : null, why } };
      [sequence, hash] = [row.sequence, row.hash];
    }
    if (rows.length < BATCH) return { mda, seals: sequence, hash, broken: null };
  }
}

function wrongWith(row: Partial<SealedFacts> & { sequence: number; hash: string }, sequence: number, hash: string, mda: string): string | null {
  if (row.sequence !== sequence + 1) return `the seals from ${sequence + 1} to ${row.sequence - 1} are missing`;
  if (row.name == null) return 'its event was removed';
  if (row.mda !== mda) return `its event belongs to ${row.mda}`;
  return sealOf(hash, row.sequence, row as SealedFacts) === row.hash ? null : 'its event or its seal was edited';
}
