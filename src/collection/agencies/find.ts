import type { Agencies } from '../../adapters/agencies/port.ts';
import type { Call } from '../../platform/call/call.ts';
import { loadByName } from '../../platform/reading/batch.ts';
import { type Page, type PageArgs, readPage } from '../../platform/reading/page.ts';
import { type Stored, columnsOf } from '../../platform/database/record.ts';
import { sql } from '../../platform/database/sql.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { say } from '../../kernel/text/said.ts';

/** An endpoint of a connected agency, under its id for a name. */
export type AgencyEndpoint = Omit<Stored<'AgencyEndpoint'>, 'id'> & {
  readonly name: string;
  /** Address of agencies of this kind; null if none is connected. */
  readonly baseUrl: string | null;
  /** Availability for calls. */
  readonly availability: AgencyAvailability;
};

/** Connection of the agencies of a kind. */
export type AgencyAvailability = ReturnType<Agencies['statusOf']>;

type StoredEndpoint = Omit<AgencyEndpoint, 'baseUrl' | 'availability'>;

const endpoints = sql`(select id as name, * from agency_endpoint)`;

const columns = sql`r.name, ${columnsOf('AgencyEndpoint', { without: ['id'] })}`;

/** The registry of agency endpoints, by kind, path and method. */
export async function listAgencyEndpoints(call: Call, args: PageArgs): Promise<Page<AgencyEndpoint>> {
  const page = await readPage<StoredEndpoint>(
    call,
    {
      select: sql`select ${columns} from ${endpoints} r`,
      table: endpoints.text,
      order: ['agency_kind', 'path', 'method', 'name'],
      direction: 'asc',
      where: [],
    },
    args,
  );
  return { ...page, rows: page.rows.map((row) => locate(call, row)) };
}

/** Endpoints by their ids. */
export const endpointLoader = loadByName<AgencyEndpoint>(async (call, ids) => {
  const rows = await call.db.rows<StoredEndpoint>(
    sql`select ${columns} from ${endpoints} r where r.name = any(${ids})`,
  );
  return rows.map((row) => locate(call, row));
});

export async function getAgencyEndpoint(call: Call, id: string): Promise<AgencyEndpoint> {
  const endpoint = await endpointLoader.load(call, id);
  if (!endpoint) throw new Refusal('not_found', say`The endpoint does not exist`);
  return endpoint;
}

function locate({ config, rail }: Call, endpoint: StoredEndpoint): AgencyEndpoint {
  const connected = config.connections.agencies[endpoint.agencyKind];
  const baseUrl = (endpoint.authMode === 'mTLS' ? connected?.mtls?.url : connected?.url) ?? null;
  return { ...endpoint, baseUrl, availability: rail.agencies.statusOf(endpoint.agencyKind) };
}
