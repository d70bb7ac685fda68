import type { Call } from '../platform/call/call.ts';
import { commit, retryUntilSettled } from '../platform/change/commit.ts';
import { type PageArgs, ifGiven, readPage } from '../platform/change/page.ts';
import { type Stored, columnsOf } from '../platform/database/record.ts';
import { sql } from '../platform/database/sql.ts';
import type { IntegratorStatus, IntegratorTier } from '../generated/prisma/enums.ts';
import { type WebhookState, webhookStatus } from '../accounts/integrators/webhook-endpoint.ts';
import { type OperatorsPart, changeAccount } from '../accounts/integrators/change.ts';
import { integratorLifecycle } from '../accounts/integrators/lifecycle.ts';
import { allows } from '../kernel/lifecycle.ts';
import { Refusal } from '../kernel/refusal.ts';
import { matchAnywhere } from '../kernel/text/matching.ts';
import { readText, requireText } from '../kernel/text/free-text.ts';

/** An account as operators see it. */
export interface OperatedIntegrator extends Omit<Stored<'Integrator'>, 'code' | 'webhookDisabledReason'>, WebhookState {
  readonly name: string;
  readonly activeKeyCount: number;
  readonly totalKeyCount: number;
}

const accounts = sql`(select *, code as name from integrator)`;

const columns = sql`r.name, ${columnsOf('Integrator', { without: ['code'] })}, ${webhookStatus},
  (select count(*) from api_key k where k.integrator = r.name and k.status = 'active') as "activeKeyCount",
  (select count(*) from api_key k where k.integrator = r.name) as "totalKeyCount"`;

export interface IntegratorFilter {
  readonly q?: string | null | undefined;
  readonly status?: IntegratorStatus | null | undefined;
  readonly tier?: IntegratorTier | null | undefined;
}

/** Accounts, newest first. */
export function listIntegrators(call: Call, filter: IntegratorFilter, page: PageArgs): Promise<OperatedIntegrator[]> {
  return readPage<OperatedIntegrator>(
    call,
    {
      select: sql`select ${columns} from ${accounts} r`,
      table: accounts.text,
      order: ['created_at', 'name'],
      direction: 'desc',
      where: [],
      filters: [
        ifGiven(
          filter.q,
          (text) =>
            sql`lower(r.code || ' ' || r.display_name || ' ' || r.organisation || ' ' || r.contact_email) like ${matchAnywhere(text)}`,
        ),
        ifGiven(filter.status, (status) => sql`r.status = ${status}::integrator_status`),
        ifGiven(filter.tier, (tier) => sql`r.tier = ${tier}::integrator_tier`),
      ],
    },
    page,
  );
}

export async function getIntegrator({ db }: Call, code: string): Promise<OperatedIntegrator> {
  const row = await db.row<OperatedIntegrator>(sql`select ${columns} from ${accounts} r where r.name = ${code}`);
  if (!row) throw new Refusal('not_found', 'The integrator does not exist');
  return row;
}

export interface AccountChanges {
  readonly code: string;
  readonly tier?: IntegratorTier | null | undefined;
  readonly notes?: string | null | undefined;
  readonly reason?: string | null | undefined;
}

/** Changes what operators decide of an account: its tier, and what they write down about it. */
export function amendIntegrator(call: Call, changes: AccountChanges): Promise<OperatedIntegrator> {
  const reason = readText('reason', changes.reason, 280);
  return commitAmendment(call, changes.code, (before) => {
    const tier = changes.tier ?? before.tier;
    const notes = changes.notes === undefined ? before.notes : readText('notes', changes.notes, 4_000);
    if (tier === before.tier && notes === before.notes) return null;
    const shown = { was: { tier: before.tier, notes: before.notes }, is: { tier, notes } };
    return { after: { ...before, tier, notes }, action: 'integrator.amend', ...shown, reason };
  });
}

/** Suspends an account, whose keys and sessions answer 401 from the very next request on, or takes that back. */
export function moveIntegrator(
  call: Call,
  action: 'suspend' | 'reactivate',
  input: { code: string; reason: string },
): Promise<OperatedIntegrator> {
  const reason = requireText('reason', input.reason, 280);
  const { from, to } = integratorLifecycle[action];
  return commitAmendment(call, input.code, (before) => {
    const { status, name } = before;
    if (!allows({ from }, status))
      throw new Refusal(
        'validation_failed',
        `${name} is ${status}; only an ${from.join(' or ')} integrator can be moved to ${to}`,
      );
    const after = { ...before, status: to, suspendedReason: action === 'suspend' ? reason : null };
    return { after, action: `integrator.${action}`, was: { status }, is: { status: to }, reason };
  });
}

interface Amendment {
  readonly after: OperatorsPart;
  readonly action: string;
  readonly was: Readonly<Record<string, unknown>>;
  readonly is: Readonly<Record<string, unknown>>;
  readonly reason: string | null;
}

/** Makes a change of an account as it was read, with its audit entry; null: there is nothing to change. */
function commitAmendment(
  call: Call,
  code: string,
  decide: (before: OperatedIntegrator) => Amendment | null,
): Promise<OperatedIntegrator> {
  return retryUntilSettled(async () => {
    const before = await getIntegrator(call, code);
    const amendment = decide(before);
    if (!amendment) return before;
    const { after, action, was, is, reason } = amendment;
    const operated = { action, subject: code, before: was, after: is, reason };
    const changed = changeAccount(call, code, before, after);
    return (await commit(call, { subject: code, guard: changed, operated })) ? getIntegrator(call, code) : undefined;
  });
}
