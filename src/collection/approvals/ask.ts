import { actAsSystem } from '../../platform/access/viewer.ts';
import type { Call } from '../../platform/call/call.ts';
import { type Change, commit } from '../../platform/change/commit.ts';
import { type Step, guard, step } from '../../platform/change/step.ts';
import { type Sql, json, sql } from '../../platform/database/sql.ts';
import { refuseBecause } from '../../kernel/refusal.ts';
import { DAY_MS } from '../../kernel/time.ts';
import { expireApprovals } from './expire.ts';
import { getApproval } from './find.ts';
import type { Approval, Kind, Proposed } from './kinds.ts';

/** Days for which a request waits to be decided. */
const WAIT_DAYS = 7;

export interface Asked<Proposal> {
  /** Subject of a request, of which one of a kind waits at a time: a docname, an address, a code. */
  readonly subject: string;
  /** The staff and accounts that it is about: the approver is none of them, and independent of them. */
  readonly about: readonly string[];
  /** The agencies concerned; left out where it is no matter of agencies. */
  readonly mdas?: readonly string[];
  readonly proposal: Proposal;
  readonly reason: string | null;
}

/**
 * Asks for something that another, independent person has to approve, and changes nothing else. Refuses where the
 * subject waits for another one already.
 */
export async function requestApproval<Proposal>(
  call: Call,
  kind: Kind<Proposal>,
  asked: Asked<Proposal>,
): Promise<Approval> {
  const { name, row } = await draft(call, kind, asked);
  const { subject, proposal, reason } = asked;
  const operated = {
    action: 'approval.request',
    subject,
    before: null,
    after: { approval: name, kind: kind.kind, proposal },
    reason,
  };
  const changed = guard`${insert(row)} returning name`;
  if (!(await commit(call, { subject: name, guard: changed, operated })))
    throw refuseBecause('approval_pending', `${subject} waits for another request to be decided; see \`approvals\``);
  return getApproval(call, name);
}

/**
 * The step that asks for it together with a change, instead of another proposal that waits. The same that
 * waits already stays as it is.
 */
export async function askWith<Proposal>(
  call: Call,
  kind: Kind<Proposal>,
  changed: Step,
  asked: Asked<Proposal>,
): Promise<Step> {
  const { row } = await draft(call, kind, asked);
  const other = sql`a.proposal <> ${json(asked.proposal)}::jsonb`;
  const withdrawn = withdrawEach(call, [kind], changed, [asked.subject], 'Something else was asked for', other);
  // Withdraws the earlier request before the new one is inserted.
  return step('asked')`${insert(row, sql`${changed} where (select count(*) from ${withdrawn}) >= 0`)}`;
}

/** The change by which somebody who decided on a request asks for a second decision, while a relation has a row. */
export async function askForSecond<Proposal>(
  call: Call,
  kind: Kind<Proposal>,
  first: Proposed<Proposal>,
  held: Step,
): Promise<Change> {
  const { name, subject, mdas, proposal, askedBy, askedKeyIssuedBy, askedReason: reason } = first;
  const about = [...new Set([...first.about, askedBy, ...(askedKeyIssuedBy === null ? [] : [askedKeyIssuedBy])])];
  const { row } = await draft(call, kind, { subject, about, mdas, proposal, reason });
  const after = { kind: kind.kind, proposal };
  return {
    subject: name,
    guard: guard`${insert(row, sql`${held}`)} returning name`,
    operated: { action: 'approval.request', subject, before: null, after, reason },
  };
}

/** The step that refuses what a subject waits for, since another change has overtaken it. */
export function withdraw(
  call: Call,
  kind: Pick<Kind<unknown>, 'kind'>,
  changed: Step,
  subject: string,
  reason: string,
): Step {
  return withdrawEach(call, [kind], changed, [subject], reason);
}

/** The step that refuses what subjects wait for, of some kinds. */
export function withdrawEach(
  { viewer, now }: Call,
  kinds: readonly Pick<Kind<unknown>, 'kind'>[],
  changed: Step,
  subjects: readonly string[],
  reason: string,
  which: Sql = sql`true`,
): Step {
  return step('withdrawn')`
    update approval a set status = 'Refused', decided_by = ${viewer.actor}, decided_at = ${now()},
      decided_reason = ${reason}, updated_at = ${now()}
    from ${changed} where a.kind = any(${kinds.map(({ kind }) => kind)}) and a.subject = any(${[...subjects]}) and a.status = 'Pending' and ${which} returning a.name`;
}

async function draft<Proposal>(call: Call, { kind }: Kind<Proposal>, asked: Asked<Proposal>) {
  // One that is over and that no job has ended yet would still wait in its place.
  await expireApprovals({ ...call, viewer: actAsSystem('job:expire_approvals') });
  const { docnames, now, viewer } = call;
  const at = now();
  const name = await docnames.next('grant', at);
  const { subject, about, mdas = [], proposal, reason } = asked;
  const expiresAt = new Date(at.getTime() + WAIT_DAYS * DAY_MS);
  const row = sql`${name}, ${kind}, ${subject}, ${[...about]}::text[], ${[...mdas]}::text[], ${json(proposal)}::jsonb,
    'Pending'::approval_status, ${viewer.actor}, ${viewer.issuedBy}, ${reason}, ${at}::timestamptz, ${at}::timestamptz, ${expiresAt}::timestamptz`;
  return { name, row };
}

function insert(row: Sql, relation?: Sql): Sql {
  return sql`
    insert into approval (name, kind, subject, about, mdas, proposal, status, asked_by, asked_key_issued_by, asked_reason,
      created_at, updated_at, expires_at)
    select ${row} ${relation ? sql`from ${relation}` : sql``}
    -- The same request waits already, and is decided once.
    on conflict (kind, subject) where status = 'Pending' do nothing`;
}
