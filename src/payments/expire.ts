import type { Call } from '../call.ts';
import { commit } from '../database/change.ts';
import { sql } from '../database/sql.ts';
import { getIntent } from './find.ts';
import { intentLifecycle } from './lifecycle.ts';
import { intentSnapshot } from './snapshot.ts';

const BATCH = 200;

/** Expires the intents that nobody confirmed in time; how many they were. An intent that changes meanwhile is left to the next run. */
export async function expireOverdue(call: Call): Promise<number> {
  const overdue = await call.db.rows<{ name: string }>(sql`
    select name from payment_intent where status in ('Pending', 'Sent') and expires_at <= ${call.now()} order by expires_at limit ${BATCH}`);
  let expired = 0;
  for (const { name } of overdue) if (await expire(call, name)) expired++;
  return overdue.length === BATCH && expired > 0 ? expired + (await expireOverdue(call)) : expired;
}

async function expire(call: Call, name: string): Promise<boolean> {
  const intent = await getIntent(call, name);
  const at = call.now();
  const expired = { ...intent, status: intentLifecycle.expire.to, revision: intent.revision + 1, updatedAt: at };
  const { assessment, integrator, status, revision } = expired;
  const changed = sql`
    update payment_intent set status = ${status}::intent_status, revision = ${revision}, updated_at = ${at}
    where name = ${name} and revision = ${intent.revision} and status = any(${intentLifecycle.expire.from}::intent_status[]) and expires_at <= ${at}
    returning name`;
  return commit(call, {
    subject: name,
    steps: { changed },
    trace: [
      {
        kind: 'payment_intent.update',
        assessment,
        intent: name,
        doc: name,
        summary: `${intent.status} → ${status}`,
        detail: { from: intent.status, to: status, expires_at: intent.expiresAt },
      },
    ],
    messages: [{ type: 'payment_intent.expired', object: name, sequence: revision, integrator, payload: intentSnapshot(expired) }],
  });
}
