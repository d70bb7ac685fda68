import { isTooFar, longestWait } from '../../platform/reading/ends.ts';
import { type Span, SpanKind } from '@opentelemetry/api';
import type { Dispatcher } from 'undici';
import { headersOfTrace, inSpan } from '../../adapters/tracing/tracing.ts';
import type { Rail } from '../../platform/call/call.ts';
import { guard, statement, step } from '../../platform/change/step.ts';
import { sql } from '../../platform/database/sql.ts';
import { DISABLED_REASONS, type DisabledReason } from '../endpoints/address.ts';
import { envelopeOf } from '../events/envelope.ts';
import { DEFAULT_ENDPOINT } from '../events/owner.ts';
import { noteDelivery, noteFailure } from '../endpoints/health.ts';
import { sendable } from '../endpoints/matching.ts';
import { postLetter } from '../../platform/mail/send.ts';
import { ForbiddenAddress } from './guard.ts';
import { type Claimed, type Free, PROMPT_MS } from './in-flight.ts';
import { deliveryLifecycle } from './lifecycle.ts';
import { timeNextTry } from '../../kernel/retries.ts';
import { CLAIM_SECONDS, free, isPlace } from './queue.ts';
import { getSigningSecrets } from '../endpoints/secret.ts';
import { signatureHeadersOf } from './signature.ts';
import { DAY_MS } from '../../kernel/time.ts';

interface Outcome {
  readonly httpStatus: number | null;
  readonly durationMs: number;
  readonly error: string | null;
  readonly answer: string | null;
}

/** Longest time for an endpoint's answer. */
const TIMEOUT_MS = 10_000;
/** Most bytes of an answer that are read, and kept. */
const MOST_READ_BYTES = 64 * 1024;
const KEPT_BYTES = 1_024;
const MOST_OF_TYPE = 100;

/** Messages on their way to one endpoint at a time: to one that answers promptly, and to any other. */
const MOST_OF_PROMPT = 8;
const MOST_OF_OTHERS = 3;

/**
 * Messages that are due, each the first of its object that waits for its endpoint; of one endpoint only so many at a
 * time, and of all those in trouble only so many together, so that they delay no other. What each endpoint has waiting
 * is found by an index, however much it is.
 */
export function claimDueMessages({ db, now }: Rail, { healthy, failing, slow }: Free): Promise<Claimed[]> {
  const at = now();
  return db.rows<Claimed>(sql`
    with waiting as (
      select e.name, e.failing_since is not null or e.name = any(${slow}) as failing, e.prompt
      -- With a limit it is one step in an index for each endpoint; without, each message that waits could be read.
      from ${sendable} e cross join lateral (
        select from webhook_queue q where q.endpoint = e.name and q.next_attempt_at <= ${at}
        order by q.next_attempt_at limit 1
      ) due
    ), candidate as (
      select q.*, w.failing, row_number() over (partition by w.failing order by q.next_attempt_at, q.delivery) as place
      from waiting w
      cross join lateral (
        select q.delivery, q.endpoint, q.object, q.sequence, q.next_attempt_at from webhook_queue q
        -- The first that waits is one step in an index, also before anything is known of how many wait.
        where q.endpoint = w.name and q.next_attempt_at <= ${at} and ${free} and q.sequence = (
          select f.sequence from webhook_queue f where f.endpoint = q.endpoint and f.object = q.object
          order by f.object, f.sequence limit 1)
        order by q.next_attempt_at limit greatest(0,
          case when w.prompt and not w.failing then ${MOST_OF_PROMPT}::int else ${MOST_OF_OTHERS}::int end - (
            select count(*) from webhook_queue q where q.endpoint = w.name and q.claimed_until is not null and not ${free})::int)
      ) q
    ), due as (
      select delivery, endpoint, object, sequence, failing from candidate where place <=
        case when failing then ${failing}::int else ${healthy}::int end
    ), picked as (
      select d.delivery, d.failing from webhook_queue q join due d on ${isPlace} where ${free} for no key update of q skip locked
    )
    update webhook_queue q set claimed_until = now() + ${CLAIM_SECONDS}::int * interval '1 second'
    from picked, webhook_delivery d, webhook_endpoint e, outbox o
    where d.name = picked.delivery and ${isPlace} and e.name = q.endpoint and o.id = d.message
    returning d.name, d.message, e.name as endpoint, e.url, d.type, d.object, d.sequence, d.attempts + 1 as attempts,
      q.claimed_until as "claimedUntil", o.payload, o.created_at as "createdAt", picked.failing`);
}

/** Has messages tried again now that wait longer than any does; how many. */
export async function hastenMessages({ db, now }: Pick<Rail, 'db' | 'now'>): Promise<number> {
  const at = now();
  const hastened = await db.rows(sql`
    update webhook_queue q set next_attempt_at = ${at} from webhook_delivery d
    where d.name = q.delivery and ${isTooFar(sql`q.next_attempt_at`, at, longestWait(sql`d.attempts`))} returning 1`);
  return hastened.length;
}

/** Sends a message, and books what came of it: a trace of its own, as nothing of it says which request it came of. */
export function deliverMessage(rail: Rail, dispatcher: Dispatcher, claimed: Claimed): Promise<void> {
  const describe = () => ({
    name: `send ${claimed.type}`,
    kind: SpanKind.PRODUCER,
    attributes: {
      'messaging.system': 'webhook',
      'messaging.operation.type': 'send',
      'messaging.destination.name': claimed.endpoint,
      'messaging.message.id': claimed.message,
    },
  });
  return inSpan(describe, (span) => deliver(rail, dispatcher, claimed, span));
}

async function deliver(rail: Rail, dispatcher: Dispatcher, claimed: Claimed, span: Span | null): Promise<void> {
  const secrets = await getSigningSecrets(rail, claimed.endpoint);
  const body = JSON.stringify(envelopeOf(claimed));
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'revenue-rail',
    'accept-encoding': 'identity',
    ...headersOfTrace(),
    ...signatureHeadersOf(secrets, claimed.message, rail.now(), body),
  };
  const outcome = await post(dispatcher, claimed.url, headers, body);
  if (outcome.httpStatus !== null) span?.setAttribute('http.response.status_code', outcome.httpStatus);
  await recordAttempt(rail, claimed, outcome);
}

async function post(
  dispatcher: Dispatcher,
  endpoint: string,
  headers: Record<string, string>,
  body: string,
): Promise<Outcome> {
  const started = performance.now();
  const done = (rest: Omit<Outcome, 'durationMs'>): Outcome => ({
    durationMs: Math.round(performance.now() - started),
    ...rest,
  });
  try {
    const { interceptors, request } = await import('undici');
    // It follows no redirect unless told to.
    const response = await request(endpoint, {
      method: 'POST',
      dispatcher: dispatcher.compose(interceptors.decompress({ skipErrorResponses: false })),
      headers,
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    // The status is the answer: a body that breaks off does not undo it.
    const answer = await readBeginning(response).catch(() => null);
    return done({ httpStatus: response.statusCode, error: null, answer });
  } catch (error) {
    return done({ httpStatus: null, error: describeFailure(error), answer: null });
  }
}

/** The beginning of an answer, in the charset that it names; of one that is no text, its size and type. */
async function readBeginning({ headers, body }: Dispatcher.ResponseData): Promise<string> {
  const chunks: Buffer[] = [];
  let read = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    read += chunk.length;
    if (read >= MOST_READ_BYTES) break;
  }
  const type = String(headers['content-type'] ?? 'no type');
  const [, charset = 'utf-8'] = /charset="?([\w-]+)/i.exec(type) ?? [];
  const bytes = Buffer.concat(chunks);
  try {
    const decoder = new TextDecoder(charset, { fatal: true });
    return decoder.decode(bytes.subarray(0, KEPT_BYTES), { stream: true }).replaceAll('\0', '');
  } catch {
    return `${read} bytes of ${type.slice(0, MOST_OF_TYPE)}`;
  }
}

/** Explains a failure without naming anything internal. */
function describeFailure(error: unknown): string {
  for (let link = error; link instanceof Error; link = link.cause) {
    if (link instanceof ForbiddenAddress) return link.message;
    if (link.name === 'TimeoutError') return 'The endpoint did not respond in time';
    if ('code' in link && typeof link.code === 'string') return `The endpoint could not be reached: ${link.code}`;
  }
  return 'The endpoint could not be reached';
}

/**
 * Books a try with its consequences: delivered, another try, or dead; and an endpoint that only fails is switched off.
 * Only the process that still has the claim books.
 */
async function recordAttempt(rail: Rail, claimed: Claimed, outcome: Outcome): Promise<void> {
  const at = rail.now();
  const { name, attempts, endpoint, url, object, sequence, claimedUntil } = claimed;
  const { httpStatus, durationMs, error, answer } = outcome;
  const delivered = httpStatus !== null && httpStatus >= 200 && httpStatus < 300;
  const again = delivered ? null : timeNextTry(attempts, at, Math.random());
  const { succeed, postpone, giveUp } = deliveryLifecycle;
  const { from, to } = delivered ? succeed : again ? postpone : giveUp;
  const left = again
    ? sql`update webhook_queue set next_attempt_at = ${again}, claimed_until = null`
    : sql`delete from webhook_queue`;
  const prompt = delivered && durationMs <= PROMPT_MS;
  const reason: DisabledReason = httpStatus === 410 ? 'answered_gone' : 'kept_failing';
  const health = delivered ? noteDelivery(endpoint, prompt) : noteFailure({ endpoint, url, reason, at });
  // Agencies and operators have no mailbox here: they see how their endpoints do.
  const off = sql`(select integrator from ${health} where disabled_at is not null
    and integrator <> ${DEFAULT_ENDPOINT}) off`;
  const mailExpiresAt = new Date(at.getTime() + 7 * DAY_MS);
  const place = sql`endpoint = ${endpoint} and object = ${object} and sequence = ${sequence}`;
  const held = step('held')`${left} where ${place} and claimed_until = ${claimedUntil} returning delivery`;
  const changed = guard`
    update webhook_delivery d set status = ${to}, attempts = ${attempts}, last_http_status = ${httpStatus},
      delivered_at = ${delivered ? at : null}, updated_at = ${at}
    from ${held} h where d.name = h.delivery and d.status = any(${from}) returning d.name`;
  const tried = step('tried')`
    insert into webhook_attempt (delivery, at, endpoint, http_status, duration_ms, error, answer)
    select ${name}, ${at}, ${url}, ${httpStatus}, ${durationMs}, ${error}, ${answer} from ${changed}`;
  const letter = delivered ? null : postLetter(rail, 'webhook_off', off, DISABLED_REASONS[reason], mailExpiresAt);
  await rail.db.row(statement(letter ? sql`select count(*) from ${letter}` : sql`select 1`, [tried, health]));
}
