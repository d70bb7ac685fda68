import type { Rail } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import type { IntegratorStatus, IntegratorTier } from '../../generated/prisma/enums.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { type WebhookState, webhookState } from './endpoint.ts';

/** What an integrator sees of itself. */
export interface Profile extends WebhookState {
  readonly code: string;
  readonly displayName: string;
  readonly contactEmail: string;
  readonly organisation: string;
  readonly tier: IntegratorTier;
  readonly pricingTier: string;
  readonly status: IntegratorStatus;
  readonly emailVerified: boolean;
  readonly webhookEndpoint: string | null;
  readonly anticipatedVolumeMonthly: number | null;
  readonly contactPhone: string | null;
  readonly lastLoginAt: Date | null;
  readonly activeKeyCount: number;
  readonly totalKeyCount: number;
  readonly requestsLast7Days: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** The first secret that webhooks are signed with: shown once, by the change that sets the first endpoint. */
  readonly webhookSecret?: string | null;
}

/** How many UTC days, today among them, the counter of requests covers. */
const USAGE_DAYS = 7;

/** The profile with its counters as they are now. */
export async function getProfile({ db, now }: Rail, code: string): Promise<Profile> {
  const profile = await db.row<Profile>(sql`
    select i.code, i.display_name as "displayName", i.contact_email as "contactEmail", i.organisation, i.tier, i.pricing_tier as "pricingTier",
      i.status, i.email_verified as "emailVerified", i.webhook_endpoint as "webhookEndpoint", ${webhookState('i')},
      i.anticipated_volume_monthly as "anticipatedVolumeMonthly", i.contact_phone as "contactPhone", i.last_login_at as "lastLoginAt",
      keys.active as "activeKeyCount", keys.total as "totalKeyCount", usage.requests as "requestsLast7Days",
      i.created_at as "createdAt", i.updated_at as "updatedAt"
    from integrator i,
      lateral (select count(*) filter (where k.status = 'active') as active, count(*) as total from api_key k where k.integrator = i.code) keys,
      lateral (select coalesce(sum(u.requests), 0)::bigint as requests from daily_usage u
        where u.integrator = i.code and u.day > (${now()}::timestamptz at time zone 'utc')::date - ${USAGE_DAYS}::int) usage
    where i.code = ${code}`);
  if (!profile) throw new Refusal('not_found', 'There is no such integrator');
  return profile;
}
