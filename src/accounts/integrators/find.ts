import { OF_ACCOUNTS, whereVisible } from '../../platform/access/owned.ts';
import type { Call, Tools } from '../../platform/call/call.ts';
import { loadByName } from '../../platform/reading/batch.ts';
import { ifGiven } from '../../platform/reading/conditions.ts';
import { type Page, type PageArgs, newestFirst, readPage } from '../../platform/reading/page.ts';
import { type Stored, columnsOf } from '../../platform/database/record.ts';
import { sql } from '../../platform/database/sql.ts';
import type { IntegratorStatus, IntegratorTier } from '../../generated/prisma/enums.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { matchAnywhere } from '../../kernel/text/matching.ts';
import { DEFAULT_ENDPOINT } from '../events/owner.ts';
import { type WebhookState, webhookState, withDefaultEndpoint } from '../endpoints/address.ts';
import { say } from '../../kernel/text/said.ts';

/** The account of an integrator, without its secrets. */
export interface Integrator extends Stored<'Integrator'>, WebhookState {
  /** Its code. */
  readonly name: string;
  /** The first secret that webhooks are signed with: shown once, by the change that sets the first endpoint. */
  readonly webhookSecret?: string | null;
}

/** Accounts with the columns by which lists and owners know a record. */
const accounts = sql`(select *, code as name, code as integrator from integrator)`;

const integratorSelect = sql`select r.name, ${columnsOf('Integrator')}, ${webhookState} from ${accounts} r ${withDefaultEndpoint}`;

export interface IntegratorFilter {
  readonly q?: string | null | undefined;
  readonly status?: IntegratorStatus | null | undefined;
  readonly tier?: IntegratorTier | null | undefined;
}

/** The accounts that the caller may see, newest first. */
export function listIntegrators(call: Call, filter: IntegratorFilter, page: PageArgs): Promise<Page<Integrator>> {
  return readPage(
    call,
    {
      select: integratorSelect,
      table: accounts.text,
      ...newestFirst,
      where: [whereVisible(call.viewer, OF_ACCOUNTS), sql`r.code <> ${DEFAULT_ENDPOINT}`],
      filters: [
        ifGiven(
          filter.q,
          (text) =>
            sql`fold_for_search(r.code || ' ' || r.display_name || ' ' || r.organisation || ' ' || r.contact_email) like ${matchAnywhere(text)}`,
        ),
        ifGiven(filter.status, (status) => sql`r.status = ${status}::integrator_status`),
        ifGiven(filter.tier, (tier) => sql`r.tier = ${tier}::integrator_tier`),
      ],
    },
    page,
  );
}

/** The accounts that the caller may see, by code: an integrator its own, staff all. */
export const integratorLoader = loadByName<Integrator>(({ db, viewer }, codes) =>
  db.rows(sql`${integratorSelect} where r.name = any(${codes}) and ${whereVisible(viewer, OF_ACCOUNTS)}`),
);

/** An account, for any caller. */
export async function getIntegrator({ db }: Tools, code: string): Promise<Integrator> {
  const row = await db.row<Integrator>(sql`${integratorSelect} where r.name = ${code}`);
  if (!row) throw new Refusal('not_found', say`The integrator does not exist`);
  return row;
}
