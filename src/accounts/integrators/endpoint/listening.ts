import { type Database, sql } from '../../../platform/database/sql.ts';
import { DEFAULT_ENDPOINT } from './default-endpoint.ts';

/** Those of some integrators that have an endpoint; null, what staff made, where there is the default endpoint. */
export async function findListening(
  db: Database,
  integrators: readonly (string | null)[],
): Promise<ReadonlySet<string | null>> {
  const codes = [...new Set(integrators.map((code) => code ?? DEFAULT_ENDPOINT))];
  const rows = await db.rows<{ code: string }>(
    sql`select code from integrator where code = any(${codes}) and webhook_endpoint is not null`,
  );
  return new Set(rows.map(({ code }) => (code === DEFAULT_ENDPOINT ? null : code)));
}
