import { AdapterFailure } from '../../adapters/failure.ts';
import type { Accepted, CollectionOrder, PaymentAdapter } from '../../adapters/payment/port.ts';
import { getAssessment } from '../assessments/find.ts';
import { refuseAgency, refuseChannel, whereAllowed } from '../../platform/access/bounds.ts';
import type { Call } from '../../platform/call/call.ts';
import { refuseInProgress } from '../../platform/change/idempotency.ts';
import { type TraceEntry, commit, noteTrace } from '../../platform/change/commit.ts';
import { guard } from '../../platform/change/step.ts';
import { transition } from '../../platform/change/transition.ts';
import { beginOf } from '../../platform/database/docnames.ts';
import { PRESENCE_LOCKS } from '../../platform/database/presence.ts';
import { json, sql } from '../../platform/database/sql.ts';
import { loadTogether } from '../../platform/reading/batch.ts';
import { allows } from '../../kernel/lifecycle.ts';
import { refuseBecause } from '../../kernel/refusal.ts';
import { adapterOf } from './aggregator.ts';
import { type PaymentIntent, collectionOf, getIntent, getOneIntent } from './find.ts';
import { timeNextEnquiry } from './enquiries/schedule.ts';
import { intentLifecycle } from './lifecycle.ts';
import {
  type PayerInput,
  type Payer,
  lacksPayer,
  openPayerEmail,
  readPayer,
  requirePayer,
  sealPayerEmail,
} from './payer/payer.ts';
import { keptAction } from './payer/next-action.ts';
import { returnUrlOf } from './payer/return-url.ts';
import { trackIntent } from './snapshot.ts';
import { say } from '../../kernel/text/said.ts';

export interface Initiation {
  readonly intent: PaymentIntent;
  readonly adapterResponse: unknown;
  /** Warning of a request that works here, and would not in live mode. */
  readonly warning: string | null;
}

/** A claim older than any call to an aggregator can last is stale, even if its process lives. */
const CLAIM_LASTS_MS = 120_000;

/**
 * Asks the channel's aggregator to collect. The reference is written and the intent claimed before the call, and the
 * call is made outside any transaction: after any failure in between, initiating again reaches the same collection.
 * A return address that is given here is used instead of the intent's own, and kept nowhere: it may hold a secret.
 */
export async function initiatePayment(
  call: Call,
  input: PayerInput & { readonly name: string },
  booked?: Booked,
  returnUrl?: string,
): Promise<Initiation> {
  return collect(call, await claim(call, input.name, readPayer(input)), booked, returnUrl);
}

/** Time at which the request's key was booked: with the change, or with the creation of the intent. */
type Booked = 'now' | 'before';

/** Asks the aggregator to collect an intent that is in the hands of this process. */
export async function collect(
  call: Call,
  claimed: Claimed,
  booked: Booked = 'now',
  returnUrl = claimed.returnUrl,
): Promise<Initiation> {
  let accepted: Accepted;
  try {
    const adapter = adapterOf(call, claimed);
    requirePayer(adapter, claimed);
    accepted = await adapter.initiate(orderOf(call, claimed, returnUrl));
  } catch (error) {
    await release(call, claimed, error);
    if (!(error instanceof AdapterFailure) || error.kind !== 'refused') throw error;
    call.log.warn({ request_id: call.requestId, adapter: error.adapter, kind: error.kind }, error.message);
    throw refuseBecause('collection_refused', error.message);
  }
  return answerInitiation(call, await send(call, claimed, accepted, booked), accepted.response);
}

function answerInitiation(call: Call, intent: PaymentIntent, adapterResponse: unknown): Initiation {
  const adapter = call.rail.aggregators.get(intent.aggregator)?.adapter;
  const warned = adapter?.stub && lacksPayer(adapter, intent);
  const warning = `payerMsisdn is missing: in live mode, ${intent.channel} requires the payer's phone number`;
  return { intent, adapterResponse, warning: warned ? warning : null };
}

/** The answer to an initiation that was stored, but whose process died before it could answer. */
export async function initiationOf(call: Call, name: string): Promise<Initiation> {
  const intent = await getIntent(call, name);
  return answerInitiation(call, intent, (await readResponse(call, intent)) ?? {});
}

/** The aggregator's last answer to a request to collect an intent; null before it. */
export function readResponse(
  call: Call,
  { name, assessment }: Pick<PaymentIntent, 'name' | 'assessment'>,
): Promise<unknown> {
  // Timelines are found by their assessment, and the month of that.
  return loadTogether(call, readResponse, `${assessment} ${name}`, async (keys) => {
    const rows = await call.db.rows<{ key: string; response: unknown }>(sql`
      select k.key, t.response from unnest(${[...keys]}::text[], ${keys.map((key) => beginOf(key))}::timestamptz[]) k (key, since)
      cross join lateral (
        select detail -> 'response' as response from trace_row
        where assessment = split_part(k.key, ' ', 1) and at >= k.since and intent = split_part(k.key, ' ', 2)
          and kind = 'adapter.initiate'
        order by id desc limit 1) t`);
    return new Map(rows.map(({ key, response }) => [key, response]));
  });
}

/** An intent in the hands of this process, with the account of each agency in its splits, and what records leave out. */
export type Claimed = PaymentIntent & {
  readonly accounts: Readonly<Record<string, string>>;
  /** Sealed. */
  readonly payerEmail: Uint8Array | null;
};

function orderOf(call: Call, { accounts, payerEmail, ...intent }: Claimed, returnUrl: string | null): CollectionOrder {
  // Claiming it is the first change of an intent, and its second revision: a caller who finds a later one was not the
  // first to ask.
  const repeated = intent.revision > 2;
  return {
    ...collectionOf(intent),
    sender: intent.integrator ?? intent.link,
    repeated,
    returnUrl: returnUrl && returnUrlOf(returnUrl, intent.name, intent.aggregatorReference!),
    payerEmail: openPayerEmail(call, intent.name, payerEmail),
    splits: intent.splits.map(({ mda, amount }) => ({ mda, amount, account: accounts[mda]! })),
  };
}

/** Claim of a new intent: as if it were claimed after it was made. */
export function claimOf(call: Call, adapter: PaymentAdapter, name: string, at: Date) {
  return { claimedBy: call.rail.presence, claimedAt: at, aggregatorReference: adapter.reference(name), revision: 2 };
}

/**
 * Takes a Pending intent for one call to its aggregator. A claim of a process that died is nobody's. From here on the
 * collection may exist, so that the aggregator is asked about it even if the call fails.
 */
async function claim(call: Call, name: string, { msisdn, email }: Payer): Promise<Claimed> {
  const at = call.now();
  const aggregators = [...call.rail.aggregators.values()];
  const references = Object.fromEntries(
    aggregators.map((aggregator) => [aggregator.name, aggregator.adapter.reference(name)]),
  );
  const enquirable = aggregators.filter(({ adapter }) => adapter.enquirable).map((aggregator) => aggregator.name);
  const free = sql`(r.claimed_by is null or r.claimed_at < ${new Date(at.getTime() - CLAIM_LASTS_MS)} or not exists (
    select from pg_locks l where l.locktype = 'advisory' and l.classid = ${PRESENCE_LOCKS}::oid
      and l.objid = r.claimed_by::bigint::oid and l.granted))`;
  const claimed = await getOneIntent<Pick<Claimed, 'accounts' | 'payerEmail'>>(
    call,
    (columns, visible) => sql`
      update payment_intent r set claimed_by = ${call.rail.presence}, claimed_at = ${at},
        payer_msisdn = coalesce(${msisdn}, r.payer_msisdn),
        payer_email = coalesce(${sealPayerEmail(call, name, email)}::bytea, r.payer_email),
        aggregator_reference = coalesce(r.aggregator_reference, ${json(references)}::jsonb ->> r.aggregator),
          revision = r.revision + 1, updated_at = ${at},
        enquire_at = case when r.aggregator = any(${enquirable}) then ${timeNextEnquiry(sql`0`, at)} end, enquiries = 0
      from assessment a
      where r.name = ${name} and ${visible} and r.status = any(${intentLifecycle.initiate.from}::intent_status[])
        and r.expires_at > ${at}
        and a.name = r.assessment and a.status = 'Assessed' and ${free}
        and ${whereAllowed(call.viewer, 'allowedChannels', sql`r.channel`)} and not exists (
          select from split_rule s
          where s.intent = r.name and not ${whereAllowed(call.viewer, 'allowedAgencies', sql`s.mda`)})
      returning ${columns}, r.payer_email as "payerEmail", (
        select jsonb_object_agg(m.name, m.collection_account) from split_rule s join mda m on m.name = s.mda
        where s.intent = r.name) as accounts`,
  );
  return claimed ?? refuseInitiation(call, name, at);
}

/** Says why an intent could not be claimed. */
async function refuseInitiation(call: Call, name: string, at: Date): Promise<never> {
  const intent = await getIntent(call, name);
  refuseChannel(call.viewer, intent.channel, 'name');
  for (const { mda } of intent.splits) refuseAgency(call.viewer, mda, 'name');
  const assessment = await getAssessment(call, intent.assessment);
  if (!allows(intentLifecycle.initiate, intent.status)) {
    throw refuseBecause(
      intent.status === 'Expired' ? 'expired' : 'not_pending',
      `${name} is ${intent.status}; only a Pending intent can be initiated`,
    );
  }
  if (intent.expiresAt <= at) throw refuseBecause('expired', `${name} has expired; create a new intent`);
  if (assessment.status !== 'Assessed')
    throw refuseBecause(
      'assessment_not_payable',
      `${assessment.name} is ${assessment.status}; there is nothing to collect`,
    );
  // That may be the same request, sent twice at once: kept under its key, this would be the answer to both.
  throw call.once
    ? refuseInProgress()
    : refuseBecause('being_initiated', `${name} is being initiated by another request`);
}

async function release(call: Call, claimed: PaymentIntent, error: unknown): Promise<void> {
  await call.db.row(sql`
    update payment_intent set claimed_by = null, claimed_at = null
    where name = ${claimed.name} and claimed_by = ${claimed.claimedBy} and revision = ${claimed.revision}`);
  if (!(error instanceof AdapterFailure)) return;
  const { kind, message, mayHaveDone } = error;
  const summary = mayHaveDone
    ? say`Unknown whether ${claimed.aggregator} accepted the collection: ${kind}`
    : say`${claimed.aggregator} did not accept the collection: ${kind}`;
  await noteTrace(call, [
    {
      ...traceInitiation(claimed),
      summary,
      detail: { error: message, outcome: mayHaveDone ? 'unknown' : kind, failure: kind },
    },
  ]);
}

function traceInitiation({ name, assessment }: PaymentIntent): Pick<TraceEntry, 'kind' | 'assessment' | 'intent'> {
  return { kind: 'adapter.initiate', assessment, intent: name };
}

async function send(call: Call, claimed: PaymentIntent, accepted: Accepted, booked: Booked): Promise<PaymentIntent> {
  const at = call.now();
  const sent: PaymentIntent = {
    ...claimed,
    status: intentLifecycle.initiate.to,
    aggregatorReference: accepted.reference,
    nextAction: accepted.nextAction && keptAction(accepted.nextAction),
    claimedBy: null,
    claimedAt: null,
    initiatedAt: at,
    revision: claimed.revision + 1,
    updatedAt: at,
  };
  const { name, aggregator, status, nextAction } = sent;
  const changed = guard`
    update payment_intent set status = ${status}::intent_status, aggregator_reference = ${accepted.reference},
      next_action = ${nextAction && json(nextAction)}::jsonb, claimed_by = null, claimed_at = null,
      initiated_at = ${at}, revision = ${sent.revision}, updated_at = ${at}
    where name = ${name} and revision = ${claimed.revision}
      and status = any(${intentLifecycle.initiate.from}::intent_status[])
    returning name`;
  const request: TraceEntry = {
    ...traceInitiation(claimed),
    summary: say`${aggregator} accepted the collection`,
    detail: {
      reference: accepted.reference,
      ...(accepted.request && { request: accepted.request }),
      response: accepted.response,
    },
  };
  const moved = transition(trackIntent(sent), intentLifecycle.initiate, claimed.status);
  const subject = booked === 'now' ? name : null;
  if (await commit(call, { subject, guard: changed, trace: [request, moved] })) return sent;
  // A callback was faster than the answer to the call, or the intent expired meanwhile: it stands as it stands.
  await noteTrace(call, [request]);
  return getIntent(call, name);
}
