import type { Call } from '../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../platform/change/commit.ts';
import { guard, step } from '../../platform/change/step.ts';
import { sql } from '../../platform/database/sql.ts';
import { LONGEST_REASON, requireText } from '../../kernel/text/free-text.ts';
import { getAgency } from '../catalogue/find.ts';
import { isObsolete } from './known.ts';
import { propagationLifecycle } from './lifecycle.ts';

/** Result of retrying an agency's failed notices: each is retried or left, for one of two reasons. */
export interface RetriedAll {
  readonly retried: number;
  /** Those of payments that were cancelled before the agency knew of them: there is nothing to tell it. */
  readonly cancelled: number;
  /** Those beyond as many as are retried at a time. */
  readonly remaining: number;
}

/** Most notices that are retried at a time. */
export const MOST_RETRIED = 1_000;

interface Dead {
  readonly name: string;
  readonly obsolete: boolean;
}

/** Begins again to tell an agency what all tries to tell failed, the oldest first, with one entry in the operators' audit. */
export function retryAll(call: Call, input: { agency: string; reason: string }): Promise<RetriedAll> {
  const { agency } = input;
  const reason = requireText('reason', input.reason, LONGEST_REASON);
  const { to } = propagationLifecycle.retry;
  return retryUntilSettled(async () => {
    await getAgency(call, agency);
    const dead = await call.db.rows<Dead>(sql`
      select p.name, ${isObsolete} as obsolete
      from propagation p join assessment a on a.name = p.assessment
      where p.mda = ${agency} and p.status = 'dead' order by p.created_at, p.name`);
    const due = dead.filter(({ obsolete }) => !obsolete);
    const names = due.slice(0, MOST_RETRIED).map(({ name }) => name);
    const answer = {
      retried: names.length,
      cancelled: dead.length - due.length,
      remaining: due.length - names.length,
    };
    if (names.length === 0) return answer;
    const at = call.now();
    const locked = step('locked')`
      select name from propagation where name = any(${names}) and status = 'dead' order by name for update`;
    // All that was read, or nothing: what somebody else retries meanwhile is not counted twice.
    const changed = guard`select from (select count(*) as found from ${locked}) l where l.found = ${names.length}::int`;
    const retried = step('retried')`
      update propagation p set status = ${to}, attempts = 0, next_attempt_at = ${at}, last_error = null, updated_at = ${at}
      from ${changed} where p.name in (select name from ${locked})`;
    const operated = { action: 'propagation.retry_all', subject: agency, before: null, after: { ...answer }, reason };
    return (await commit(call, { subject: agency, guard: changed, steps: [retried], operated })) ? answer : undefined;
  });
}

/** Notices that an earlier try of the request retried, from the operators' audit. */
export async function retryAllAgain({ db, once }: Call, agency: string): Promise<RetriedAll> {
  const row = await db.row<{ after: RetriedAll }>(sql`
    select after from operator_audit where subject = ${agency} and action = 'propagation.retry_all'
      and request_id = ${once!.requestId}`);
  return row!.after;
}
