import type { Call } from '../../platform/call/call.ts';
import { type PageArgs, readPage } from '../../platform/change/page.ts';
import { type Stored, columnsOf } from '../../platform/database/record.ts';
import { sql } from '../../platform/database/sql.ts';
import { Refusal } from '../../kernel/refusal.ts';

/** An endpoint of a connected agency, under its id for a name. */
export type AgencyEndpoint = Omit<Stored<'AgencyEndpoint'>, 'id'> & {
  readonly name: string;
  /** Where agencies of this kind are reached; null where none is connected. */
  readonly baseUrl: string | null;
};

const endpoints = sql`(select id as name, * from agency_endpoint)`;

const columns = sql`r.name, ${columnsOf('AgencyEndpoint', { without: ['id'] })}`;

/** The registry of agency endpoints, by kind, path and method. */
export async function listAgencyEndpoints(call: Call, page: PageArgs): Promise<AgencyEndpoint[]> {
  const rows = await readPage<Omit<AgencyEndpoint, 'baseUrl'>>(
    call,
    {
      select: sql`select ${columns} from ${endpoints} r`,
      table: endpoints.text,
      order: ['agency_kind', 'path', 'method', 'name'],
      direction: 'asc',
      where: [],
    },
    page,
  );
  return rows.map((row) => ({ ...row, baseUrl: addressOf(call, row) }));
}

export async function getAgencyEndpoint(call: Call, id: string): Promise<AgencyEndpoint> {
  const row = await call.db.row<Omit<AgencyEndpoint, 'baseUrl'>>(
    sql`select ${columns} from ${endpoints} r where r.name = ${id}`,
  );
  if (!row) throw new Refusal('not_found', 'The endpoint does not exist');
  return { ...row, baseUrl: addressOf(call, row) };
}

function addressOf(
  { config }: Call,
  { agencyKind, authMode }: Pick<AgencyEndpoint, 'agencyKind' | 'authMode'>,
): string | null {
  const connected = config.connections.agencies[agencyKind];
  return (authMode === 'mTLS' ? connected?.mtls?.url : connected?.url) ?? null;
}
