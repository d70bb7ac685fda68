import type { Call } from '../../platform/call/call.ts';
import { type Step, step } from '../../platform/change/step.ts';
import { type Database, type Sql, sql } from '../../platform/database/sql.ts';

/** The docname of the default endpoint of an account: the one that it has, or a new one. */
export async function nameDefault(
  { db, docnames, now }: Pick<Call, 'db' | 'docnames' | 'now'>,
  account: string,
): Promise<string> {
  const row = await db.row<{ name: string }>(
    sql`select name from webhook_endpoint where integrator = ${account} and is_default`,
  );
  return row?.name ?? docnames.next('endpoint', now());
}

/** Enables an endpoint again, after other columns that are set. */
export const ENABLED: Sql = sql`, disabled_at = null, disabled_reason = null, failing_since = null, prompt = false`;

/** Values of a default endpoint. */
interface Written {
  readonly name: string;
  readonly at: Date;
}

/**
 * The step that sets the address of the default endpoint of each account `code` of a step, which enables it, or takes it
 * away. Its first secret is entered where it has none. Where the address has to be approved, one is entered without.
 */
export function setDefault(
  changed: Step,
  { name, at, url, first, waits = false }: Written & { url: string | null; first: Buffer | null; waits?: boolean },
): Step {
  return step('endpoint')`
    insert into webhook_endpoint as e (name, integrator, place, label, url, secret, secret_at, created_at, updated_at)
    select ${name}, code, 0, 'default', ${waits ? null : url}, ${first}, case when ${first !== null} then ${at}::timestamptz end, ${at}, ${at}
    from ${changed} where ${url !== null || first !== null}
      or exists (select from webhook_endpoint o where o.integrator = code and o.is_default)
    on conflict (integrator, place) do update set url = excluded.url,
      secret_at = case when e.secret is null then excluded.secret_at else e.secret_at end,
      secret = coalesce(e.secret, excluded.secret), updated_at = excluded.updated_at ${ENABLED}
    where not ${waits}`;
}

/** The step that gives the default endpoint of each account `code` of a step a new secret; the one before signs until then. */
export function rotateDefault(
  changed: Step,
  { name, at, sealed, until }: Written & { sealed: Buffer; until: Date },
): Step {
  return step('endpoint')`
    insert into webhook_endpoint as e (name, integrator, place, label, secret, secret_at, created_at, updated_at)
    select ${name}, code, 0, 'default', ${sealed}, ${at}, ${at}, ${at} from ${changed}
    on conflict (integrator, place) do update set previous_secret = e.secret,
      previous_until = case when e.secret is not null then ${until}::timestamptz end,
      secret = excluded.secret, secret_at = excluded.secret_at, updated_at = excluded.updated_at`;
}

/** Replaces the secret of a default endpoint, which nobody has seen; until when the one before it signs. */
export async function replaceUnseen(db: Database, account: string, sealed: Buffer, at: Date): Promise<Date | null> {
  const row = await db.row<{ until: Date | null }>(sql`
    update webhook_endpoint set secret = ${sealed}, secret_at = ${at} where integrator = ${account} and is_default
    returning previous_until as until`);
  return row!.until;
}

/** Enters a secret, unless another request has meanwhile; the one that is there. */
export async function enterFirst(db: Database, endpoint: string, sealed: Buffer): Promise<Buffer> {
  const row = await db.row<{ secret: Buffer }>(sql`
    update webhook_endpoint set secret = coalesce(secret, ${sealed}) where name = ${endpoint} returning secret`);
  return row!.secret;
}
