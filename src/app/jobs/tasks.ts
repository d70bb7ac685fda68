import type { JobHelpers, TaskList } from 'graphile-worker';
import { randomUUID } from 'node:crypto';
import { inSpan } from '../../adapters/tracing/tracing.ts';
import { z } from '../../kernel/zod.ts';
import { purgeAnswers } from '../../platform/change/idempotency.ts';
import { actAsSystem } from '../../platform/access/viewer.ts';
import { type Call, type Rail, callOf } from '../../platform/call/call.ts';
import { purgeSigningKeys, resealSigningKeys } from '../../platform/access/tokens/signing-keys.ts';
import { purgeMail } from '../../platform/mail/purge.ts';
import { sendMail } from '../../platform/mail/send.ts';
import { resealSecrets } from '../../accounts/endpoints/reseal.ts';
import { purgeAssertions } from '../../accounts/agency-keys/purge.ts';
import { purgeAccounts } from '../../accounts/integrators/sign-up/purge.ts';
import { archiveMonths, purgeArchive } from '../../platform/audit/archive.ts';
import { trimFeed } from '../../platform/analytics/feed.ts';
import { announceOverdue } from '../../collection/assessments/overdue.ts';
import { expireApprovals } from '../../collection/approvals/expire.ts';
import { lookForAnomalies, lookForSealGaps } from '../../collection/anomalies/search.ts';
import { purgeProbeDays } from '../../collection/agencies/probes/days.ts';
import { purgeClaims } from '../../collection/callbacks/claims/keep.ts';
import { purgeCounts } from '../../platform/call/limits/shared-counter.ts';
import { purgeLookUps } from '../../collection/citizens/look-ups.ts';
import { settlePayouts } from '../../collection/reconciliation/payouts/search.ts';
import { applyAccountChanges } from '../../collection/catalogue/accounts/apply.ts';
import { expireOverdue } from '../../collection/payments/enquiries/expire.ts';
import { correctReceipts } from '../../collection/receipts/correct.ts';
import { sumChannelDays } from '../../accounts/status/channels.ts';
import { purgeEvents } from '../../accounts/events/log.ts';
import { purgeDeliveries } from '../../accounts/webhooks/relay.ts';
import { purgeSessions } from '../../accounts/sessions/purge.ts';
import { mailDigests } from '../../console/anomalies/alerts/digest.ts';
import { sendAlerts } from '../../console/anomalies/alerts/send.ts';
import { closeDays } from '../../oversight/closes/days/close.ts';
import { mailViews } from '../../oversight/views/send.ts';
import { writeMailOf } from '../../site/answers/mail.ts';
import { schema } from '../schema.ts';
import { sealLogs } from '../../oversight/seals/logs/seal.ts';
import { purgeStaff } from '../../identity/purge.ts';
import { resealSecondFactors } from '../../identity/second-factor/reseal.ts';

/**
 * Scheduled work of the rail (cron, UTC). Each is safe to run twice, and on any number of processes. One of each task
 * waits at a time: the minutes that a clock jumped over are not made up for one by one.
 */
export const CRONTAB = `
* * * * * expire_intents
1 * * * * announce_overdue
11 * * * * expire_approvals
19 * * * * correct_receipts
* * * * * apply_account_changes
17 * * * * purge_answers
27 * * * * purge_sessions
28 * * * * purge_tokens
37 3 * * * purge_accounts
47 3 * * * purge_staff
57 * * * * reseal_secrets
7 2 * * * archive_audit
23 * * * * look_for_anomalies
33 * * * * sum_channel_days
13 1 * * * seal_logs
2 * * * * close_days
41 * * * * trim_feed
43 2 * * * look_for_seal_gaps
47 * * * * settle_payouts
53 2 * * * purge_probe_days
3 * * * * mail_views
33 2 * * * purge_events
5 * * * * mail_digests
* * * * * send_alerts
`.replaceAll(/(\w+)$/gm, '$1 ?jobKey=$1&jobKeyMode=preserve_run_at');

const mailJob = z.object({ id: z.uuid() });

export function tasks(rail: Rail): TaskList {
  const job =
    (name: string, run: (call: Call, payload: unknown) => Promise<number>) =>
    async (payload: unknown, { abortSignal: over }: JobHelpers): Promise<void> => {
      const call = callOf(rail, actAsSystem(`job:${name}`), randomUUID(), { over });
      const done = await inSpan(
        () => ({ name: `job ${name}` }),
        () => run(call, payload),
      );
      if (done === 0) return;
      rail.work.note();
      rail.log.info({ job: name, done }, 'job');
    };
  return {
    expire_approvals: job('expire_approvals', expireApprovals),
    announce_overdue: job('announce_overdue', announceOverdue),
    expire_intents: job('expire_intents', expireOverdue),
    correct_receipts: job('correct_receipts', correctReceipts),
    apply_account_changes: job('apply_account_changes', applyAccountChanges),
    purge_answers: job(
      'purge_answers',
      async (call) =>
        (await purgeAnswers(call)) + (await purgeLookUps(call)) + (await purgeClaims(call)) + (await purgeCounts(call)),
    ),
    purge_events: job('purge_events', async (call) => (await purgeEvents(call)) + (await purgeDeliveries(call))),
    purge_sessions: job('purge_sessions', purgeSessions),
    purge_tokens: job('purge_tokens', async (call) => (await purgeAssertions(call)) + (await purgeSigningKeys(call))),
    purge_accounts: job('purge_accounts', async (call) => (await purgeAccounts(call)) + (await purgeMail(call))),
    purge_staff: job('purge_staff', purgeStaff),
    reseal_secrets: job('reseal_secrets', async (call) => {
      const resealed =
        (await resealSecrets(call)) + (await resealSecondFactors(call)) + (await resealSigningKeys(call));
      // Operators wait for this before they remove the former key.
      if (resealed === 0 && rail.vault.isChangingKeys)
        rail.log.info('all that is kept for long is sealed under the first SECRET_KEY');
      return resealed;
    }),
    archive_audit: job('archive_audit', async (call) => (await archiveMonths(call)) + (await purgeArchive(call))),
    sum_channel_days: job('sum_channel_days', sumChannelDays),
    purge_probe_days: job('purge_probe_days', purgeProbeDays),
    look_for_anomalies: job('look_for_anomalies', lookForAnomalies),
    seal_logs: job('seal_logs', sealLogs),
    close_days: job('close_days', closeDays),
    trim_feed: job('trim_feed', trimFeed),
    settle_payouts: job('settle_payouts', settlePayouts),
    look_for_seal_gaps: job('look_for_seal_gaps', lookForSealGaps),
    mail_views: job('mail_views', (call) => mailViews(call, writeMailOf(schema))),
    mail_digests: job('mail_digests', mailDigests),
    send_alerts: job('send_alerts', sendAlerts),
    send_mail: job('send_mail', (call, payload) => sendMail(call, mailJob.parse(payload).id)),
  };
}
