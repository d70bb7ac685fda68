import type { Call } from '../../platform/call/call.ts';
import { type PageArgs, ifGiven, readPage } from '../../platform/change/page.ts';
import { columnsOf } from '../../platform/database/record.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Anomaly } from '../../generated/prisma/client.ts';
import type { AnomalyStatus } from '../../generated/prisma/enums.ts';
import { Refusal } from '../../kernel/refusal.ts';

const columns = columnsOf('Anomaly');

export interface AnomalyFilter {
  readonly status?: AnomalyStatus | null | undefined;
  readonly kind?: readonly string[] | null | undefined;
  readonly mda?: string | null | undefined;
}

/** Anomalies, newest first. */
export function listAnomalies(call: Call, filter: AnomalyFilter, page: PageArgs): Promise<Anomaly[]> {
  return readPage<Anomaly>(
    call,
    {
      select: sql`select ${columns} from anomaly r`,
      table: 'anomaly',
      order: ['raised_at', 'name'],
      direction: 'desc',
      where: [],
      filters: [
        ifGiven(filter.status, (status) => sql`r.status = ${status}::anomaly_status`),
        ifGiven(filter.kind, (kinds) => sql`r.kind = any(${kinds})`),
        ifGiven(filter.mda, (mda) => sql`r.mdas @> array[${mda}::text]`),
      ],
    },
    page,
  );
}

export async function getAnomaly({ db }: Call, name: string): Promise<Anomaly> {
  const row = await db.row<Anomaly>(sql`select ${columns} from anomaly r where r.name = ${name}`);
  if (!row) throw new Refusal('not_found', 'The anomaly does not exist');
  return row;
}
