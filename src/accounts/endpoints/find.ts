import { OF_OWN_AGENCY, whereVisible } from '../../platform/access/owned.ts';
import type { Call } from '../../platform/call/call.ts';
import { isDocname } from '../../platform/database/docnames.ts';
import { type Stored, columnsOf } from '../../platform/database/record.ts';
import { sql } from '../../platform/database/sql.ts';
import { loadByName } from '../../platform/reading/batch.ts';
import { type Page, type PageArgs, readPage } from '../../platform/reading/page.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { say } from '../../kernel/text/said.ts';
import { whereOwn } from '../events/owner.ts';

/** An endpoint for messages, without its secrets. */
export type Endpoint = Stored<'WebhookEndpoint'> & {
  /** The secret that messages are signed with: shown once, by the change that made it. */
  readonly secretOnce?: string | null;
};

const columns = columnsOf('WebhookEndpoint');
/** One without an address was removed, never set, or waits to be approved. */
const isThere = sql`r.url is not null`;

/** The caller's own endpoints, by name. */
export function listEndpoints(call: Call, page: PageArgs): Promise<Page<Endpoint>> {
  return readPage(
    call,
    {
      select: sql`select ${columns} from webhook_endpoint r`,
      table: 'webhook_endpoint',
      order: ['name'],
      direction: 'asc',
      where: [whereOwn(call.viewer), isThere],
    },
    page,
  );
}

/** The endpoints that the caller may see, by docname. */
export const endpointLoader = loadByName<Endpoint>(({ db, viewer }, names) =>
  db.rows(sql`
    select ${columns} from webhook_endpoint r
    where r.name = any(${names}) and ${isThere} and ${whereVisible(viewer, OF_OWN_AGENCY)}`),
);

/** One of the caller's own endpoints. */
export async function getEndpoint({ db, viewer }: Call, name: string): Promise<Endpoint> {
  const endpoint = isDocname('endpoint', name)
    ? await db.row<Endpoint>(
        sql`select ${columns} from webhook_endpoint r where r.name = ${name} and ${isThere} and ${whereOwn(viewer)}`,
      )
    : null;
  if (!endpoint) throw new Refusal('not_found', say`The webhook endpoint does not exist`);
  return endpoint;
}

/** One of the caller's own endpoints, also where it was removed or has to be approved. */
export async function readEndpoint({ db, viewer }: Call, name: string): Promise<Endpoint> {
  const endpoint = await db.row<Endpoint>(
    sql`select ${columns} from webhook_endpoint r where r.name = ${name} and ${whereOwn(viewer)}`,
  );
  return endpoint!;
}
