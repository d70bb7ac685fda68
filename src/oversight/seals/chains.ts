import type { Database } from '../../platform/database/sql.ts';
import { sql } from '../../platform/database/sql.ts';
import { GENESIS, SEAL_VERSION, type Seal, type SealedFacts, sealOf } from '../../platform/audit/seal-chain.ts';
import type { KeptHead } from './heads.ts';
import { facts } from './seal.ts';

/** Result of recomputing an agency's chain. */
export interface ChainReport {
  readonly mda: string;
  readonly seals: number;
  /** The last hash that was right: what an auditor keeps outside, and gives with `--heads` later. */
  readonly hash: string;
  /** The first row that is not as it was sealed; null where all are. */
  readonly broken: { readonly sequence: number; readonly event: string | null; readonly why: string } | null;
  /** The chain's value at the place of each head that was kept outside; left out if none was given for the agency. */
  readonly heads?: readonly ComparedHead[];
}

/** A head that was kept outside, compared with the chain. */
export interface ComparedHead extends Pick<KeptHead, 'sequence' | 'hash'> {
  /** The hash that the chain has at the same place now; null where it does not reach so far, or breaks before. */
  readonly found: string | null;
}

const BATCH = 5_000;

/**
 * Recomputes every chain, agency by agency, each from its beginning to its first broken row, a batch of seals at a
 * time.
 */
export async function* verifyChains(db: Database, heads: readonly KeptHead[]): AsyncGenerator<ChainReport> {
  // Agencies are taken from the seals, the events and the heads: one that was removed from the catalogue is verified
  // all the same.
  const found = await db.rows<{ mda: string }>(sql`
    with recursive sealed as (
      (select mda from event_seal order by mda limit 1)
      union all select (select s.mda from event_seal s where s.mda > l.mda order by s.mda limit 1) from sealed l
      where l.mda is not null
    ), paid as (
      (select mda from payment_event order by mda limit 1)
      union all select (select e.mda from payment_event e where e.mda > l.mda order by e.mda limit 1) from paid l
      where l.mda is not null
    )
    select mda from sealed where mda is not null union select mda from paid where mda is not null`);
  const agencies = new Set([...found, ...heads].map(({ mda }) => mda));
  for (const mda of [...agencies].toSorted())
    yield await verifyChain(
      db,
      mda,
      heads.filter((head) => head.mda === mda),
    );
}

async function verifyChain(db: Database, mda: string, heads: readonly KeptHead[]): Promise<ChainReport> {
  const headSequences = new Set(heads.map(({ sequence }) => sequence));
  const at = new Map<number, string>([[0, GENESIS]]);
  const report = (broken: ChainReport['broken']): ChainReport => ({
    mda,
    seals: sequence,
    hash,
    broken,
    ...(heads.length > 0 && {
      heads: heads.map((head) => ({ sequence: head.sequence, hash: head.hash, found: at.get(head.sequence) ?? null })),
    }),
  });
  let [sequence, hash, version] = [0, GENESIS, 1];
  for (;;) {
    const rows = await db.rows<SealRow>(sql`
      select s.sequence, s.event as sealed, s.hash, s.version, s.commitment, k.salt, ${facts}
      from event_seal s left join payment_event e on e.name = s.event left join seal_salt k on k.event = s.event
      where s.mda = ${mda} and s.sequence > ${sequence} order by s.sequence limit ${BATCH}`);
    for (const row of rows) {
      const why = findBreak(row, { sequence, hash, version }, mda);
      if (why) return report({ sequence: sequence + 1, event: row.sequence === sequence + 1 ? row.sealed : null, why });
      [sequence, hash, version] = [row.sequence, row.hash, row.version];
      if (headSequences.has(sequence)) at.set(sequence, hash);
    }
    if (rows.length < BATCH) return report(null);
  }
}

/** A seal with the event that it is of, as far as that is there. */
type SealRow = Partial<SealedFacts> &
  Seal & { readonly sequence: number; readonly sealed: string; readonly salt: string | null };

function findBreak(
  row: SealRow,
  before: { readonly sequence: number; readonly hash: string; readonly version: number },
  mda: string,
): string | null {
  if (row.sequence !== before.sequence + 1)
    return `the seals from ${before.sequence + 1} to ${row.sequence - 1} are missing`;
  if (row.name == null) return 'its event was removed';
  if (row.mda !== mda) return `its event belongs to ${row.mda}`;
  if (row.version < before.version) return 'its seal is of an older version than the one before it';
  if (row.version > SEAL_VERSION) return `its seal is of version ${row.version}, which this rail does not know`;
  if (row.version > 1 && row.salt === null) return 'the salt of its commitment was removed';
  const { hash, commitment } = sealOf(row.version, before.hash, row.sequence, row as SealedFacts, row.salt);
  return hash === row.hash && commitment === row.commitment ? null : 'its event or its seal was edited';
}
