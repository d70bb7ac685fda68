import { isOver, isTooFar, longestWait } from '../../platform/reading/ends.ts';
import type { Call } from '../../platform/call/call.ts';
import type { Decimal } from '../../kernel/money.ts';
import { type Step, step } from '../../platform/change/step.ts';
import { sql } from '../../platform/database/sql.ts';
import { isObsolete } from './known.ts';
import type { PropagationKind } from './lifecycle.ts';

/** An agency that this process is about to tell. */
export interface Due {
  readonly name: string;
  readonly assessment: string;
  readonly mda: string;
  readonly country: string;
  readonly mdaType: string;
  readonly kind: PropagationKind;
  /** The refund that it is about; null for payments, and for reversals by a cancellation. */
  readonly refund: string | null;
  /** True if there is nothing left to notify it of. */
  readonly obsolete: boolean;
  /** Amount that the payment paid it; null if none. */
  readonly paid: Decimal | null;
  readonly rejections: number;
  /** This try among its tries. */
  readonly attempts: number;
}

/**
 * A process that died gives what it had in hand back after this long: longer than a call with its repetitions lasts.
 */
const CLAIM_SECONDS = 120;

/** Agencies whose turn it is to be told. Of one that died with its process, nobody knows whether it was told. */
export function claimDueNotices({ db, now }: Call, most: number): Promise<Due[]> {
  const at = now();
  return db.rows<Due>(sql`
    with due as (
      select name from propagation where status = 'pending' and next_attempt_at <= ${at}
        and (claimed_until is null or ${isOver(sql`claimed_until`, at, CLAIM_SECONDS)})
      order by next_attempt_at limit ${most} for no key update skip locked
    )
    update propagation p set claimed_until = ${new Date(at.getTime() + CLAIM_SECONDS * 1_000)},
      maybe_told = p.maybe_told or p.claimed_until is not null
    from due, mda m, assessment a where p.name = due.name and m.name = p.mda and a.name = p.assessment
    returning p.name, p.assessment, p.mda, p.kind, p.refund, p.attempts + 1 as attempts, p.rejections, ${isObsolete} as obsolete,
      m.country, m.mda_type as "mdaType", (
        select e.amount from paying_intent i
        join payment_event e on e.intent = i.intent and e.mda = p.mda and e.kind = 'payment'
        where i.assessment = p.assessment) as paid`);
}

/** Milliseconds until an agency is to be told that nobody has in hand; null where there is none. */
export async function timeToNextNotice({ db, now }: Call): Promise<number | null> {
  const at = now();
  const next = await db.row<{ at: Date }>(sql`
    select next_attempt_at as at from propagation
    where status = 'pending' and (claimed_until is null or ${isOver(sql`claimed_until`, at, CLAIM_SECONDS)})
    order by next_attempt_at limit 1`);
  return next && next.at.getTime() - at.getTime();
}

/** Has agencies told now whose notices wait longer than any does; how many. */
export async function hastenNotices({ db, now }: Pick<Call, 'db' | 'now'>): Promise<number> {
  const at = now();
  const hastened = await db.rows(sql`
    update propagation set next_attempt_at = ${at} where status = 'pending'
      and ${isTooFar(sql`next_attempt_at`, at, longestWait(sql`attempts`))} returning 1`);
  return hastened.length;
}

/** The step that brings forward when the agencies of an account's payments are told next. */
export function bringNoticesForward(integrator: string, seconds: number): Step {
  return step('notices')`
    update propagation p set next_attempt_at = p.next_attempt_at - ${seconds} * interval '1 second'
    from assessment a where a.name = p.assessment and a.integrator = ${integrator} and p.status = 'pending'
    returning p.name`;
}
