import type { Call } from '../../platform/call/call.ts';
import { loadByKey } from '../../platform/reading/batch.ts';
import { sql } from '../../platform/database/sql.ts';

export interface AgencySeal {
  readonly mda: string;
  readonly sequence: number;
  readonly hash: string;
  readonly sealedAt: Date;
}

/** The last seal of agencies, by their codes. */
export const latestSealLoader = loadByKey<AgencySeal>(
  'mda',
  ({ mda }) => mda,
  ({ oversight }, mdas) =>
    oversight.rows(
      sql`select mda, sequence, hash, sealed_at as "sealedAt" from oversight.seal where mda = any(${mdas})`,
    ),
);

/** The last seal of each agency: what an auditor keeps outside, so that a chain cannot be rebuilt. */
export function readLatestSeals({ oversight }: Pick<Call, 'oversight'>): Promise<AgencySeal[]> {
  return oversight.rows<AgencySeal>(
    sql`select mda, sequence, hash, sealed_at as "sealedAt" from oversight.seal order by mda`,
  );
}
