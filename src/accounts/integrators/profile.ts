import type { Rail } from '../../platform/call/call.ts';
import { type Stored, columnsOf } from '../../platform/database/record.ts';
import { sql } from '../../platform/database/sql.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { type WebhookState, webhookStatus } from './webhook-endpoint.ts';

/** What an integrator sees of itself. */
export interface Profile extends Omit<Stored<'Integrator'>, 'webhookDisabledReason'>, WebhookState {
  readonly activeKeyCount: number;
  readonly totalKeyCount: number;
  readonly requestsLast7Days: number;
  /** The first secret that webhooks are signed with: shown once, by the change that sets the first endpoint. */
  readonly webhookSecret?: string | null;
}

/** How many UTC days, today among them, the counter of requests covers. */
const USAGE_DAYS = 7;

/** The profile with its counters as they are now. */
export async function getProfile({ db, now }: Rail, code: string): Promise<Profile> {
  const profile = await db.row<Profile>(sql`
    select ${columnsOf('Integrator')}, ${webhookStatus}, keys.active as "activeKeyCount", keys.total as "totalKeyCount",
      usage.requests as "requestsLast7Days"
    from integrator r,
      lateral (select count(*) filter (where k.status = 'active') as active, count(*) as total from api_key k
        where k.integrator = r.code) keys,
      lateral (select coalesce(sum(u.requests), 0)::bigint as requests from daily_usage u
        where u.integrator = r.code and u.day > (${now()}::timestamptz at time zone 'utc')::date - ${USAGE_DAYS}::int) usage
    where r.code = ${code}`);
  if (!profile) throw new Refusal('not_found', 'The integrator does not exist');
  return profile;
}
