import { isTooFar, longestWait } from '../../../platform/reading/ends.ts';
import { AdapterFailure } from '../../../adapters/failure.ts';
import { type SmsGateway, type Taken } from '../../../adapters/sms/gateway.ts';
import { gatewayTo } from '../../../adapters/sms/gateways.ts';
import type { PayerMessageStatus, PayerMessageTransport } from '../../../generated/prisma/enums.ts';
import type { Rail } from '../../../platform/call/call.ts';
import { type Sql, sql } from '../../../platform/database/sql.ts';
import { type PayerLetter, compose } from '../../../platform/mail/letters.ts';
import { restUntil, startLoop } from '../../../kernel/loop.ts';
import { timeNextTry } from '../../../kernel/retries.ts';
import { DAY_MS } from '../../../kernel/time.ts';
import { sendsLetters } from './queue.ts';
import { findStopOf, stopUrlOf } from './stop.ts';
import { WORDS } from './words.ts';
import { type About, linkOf, toGsm, writeMessage } from './write.ts';

/** Messages that a process sends at a time. */
const BATCH = 20;
const IDLE_MS = 500;
/** For longer than a call to a gateway lasts, with what waits before it. */
const CLAIM_MS = 300_000;
/** Tries come at most two hours apart, so that an outage of a day is over soon after it ends. */
const MOST_SPACED = 4;
/** Age at which a message is news to nobody. */
const GIVEN_UP_AFTER_MS = 3 * DAY_MS;

/** The failure of a text that may have been sent. */
const LOST = 'unanswered';
/**
 * Most lost answers after which a text is sent again. No gateway says whether it had a text before, and a payer
 * notified twice of a debt may pay twice: they ask if they get none. Notices of payments and reversals may come twice.
 */
const MOST_LOST = {
  reference_issued: 0,
  demand: 0,
  unmatched: 0,
  paid: 1,
  reversed: 1,
  refunded: 1,
} as const satisfies Record<About['kind'], number>;

interface Due extends About {
  readonly name: string;
  readonly citizen: string;
  readonly intent: string | null;
  readonly transport: PayerMessageTransport;
  readonly phone: string | null;
  readonly address: Buffer | null;
  readonly attempts: number;
  readonly createdAt: Date;
  /** Times that it may have been sent: its answer was lost, or a process died that had it in hand. */
  readonly lost: number;
  /** True if it has become wrong, or somebody asked for no more. */
  readonly unwanted: boolean;
}

/** Tells payers for as long as it is not stopped. Any number of processes may. */
export function startNotifyingPayers(rail: Rail): { stop(): Promise<void> } {
  if (rail.sms.size === 0 && !sendsLetters(rail)) return { stop: async () => {} };
  return startLoop(
    rail.log,
    'payer messages',
    async () => {
      const next = await timeToNext(rail);
      if (next === null || next > 0) return restUntil(IDLE_MS, next);
      return (await notifyPayers(rail)) === BATCH ? 0 : IDLE_MS;
    },
    rail.work.hear,
  );
}

async function timeToNext({ db, now }: Rail): Promise<number | null> {
  const row = await db.row<{ at: Date }>(
    sql`select due_at as at from payer_message where status = 'Queued' order by due_at limit 1`,
  );
  return row && row.at.getTime() - now().getTime();
}

/** Sends what is due; how many messages that were. */
export async function notifyPayers(rail: Rail): Promise<number> {
  const at = rail.now();
  const due = await claimDue(rail, at);
  await Promise.all(due.map(async (one) => book(rail, one, at, await deliver(rail, one))));
  return due.length;
}

/** Has payers told now whose messages wait longer than any does; how many. */
export async function hastenMessages({ db, now }: Pick<Rail, 'db' | 'now'>): Promise<number> {
  const at = now();
  const longest = sql`greatest(${CLAIM_MS / 1_000}, ${longestWait(sql`least(attempts, ${MOST_SPACED}::int)`)})`;
  const hastened = await db.rows(sql`
    update payer_message set due_at = ${at} where status = 'Queued' and ${isTooFar(sql`due_at`, at, longest)} returning 1`);
  return hastened.length;
}

/** A claim that ran out is of a process that died: it moves what is due, so that the index holds what waits alone. */
function claimDue({ db }: Rail, at: Date): Promise<Due[]> {
  return db.rows<Due>(sql`
    with due as (
      select name, (claimed_at is not null)::int + (failure is not distinct from ${LOST})::int as lost
      from payer_message where status = 'Queued' and due_at <= ${at}
      order by due_at limit ${BATCH} for no key update skip locked
    ), claimed as (
      update payer_message m set claimed_at = ${at}, due_at = ${new Date(at.getTime() + CLAIM_MS)},
        failure = case when m.transport = 'sms' and due.lost > 0 then ${LOST} else m.failure end
      from due where m.name = due.name returning m.*, due.lost
    )
    select m.name, m.citizen, m.intent, m.kind, m.transport, m.language, m.address,
      case m.kind when 'demand' then coalesce(p.number, m.subject) else m.subject end as subject, m.attempts + 1 as attempts,
      m.created_at as "createdAt", m.lost, c.phone, a.total_amount as owed, a.currency as "owedCurrency",
      coalesce(w.amount, f.amount, a.total_amount) as amount, coalesce(w.currency, f.currency, a.currency) as currency, r.code,
      case m.kind when 'demand' then to_char(a.due_on, 'YYYY-MM-DD')
        else to_char(p.expires_at at time zone z.time_zone, 'YYYY-MM-DD HH24:MI') end as until, (
        select array_agg(l.mda order by l.owed desc, l.mda) from (
          select mda, amount as owed from split_rule where m.kind in ('paid', 'reversed') and intent = m.intent
          union all select mda, sum(amount) from refund_share where m.kind = 'refunded' and refund = m.subject group by mda
          union all select mda, sum(amount) from assessment_line
          where (m.kind in ('reference_issued', 'demand', 'unmatched') or f.money is not null) and assessment = a.name group by mda) l) as agencies,
      coalesce((m.transport = 'sms' and c.texts_stopped_at is not null)
        or (m.kind = 'reference_issued' and (p.status <> 'Issued' or p.expires_at < ${at}))
        or (m.kind = 'demand' and a.status <> 'Assessed')
        or (m.kind = 'paid' and r.status = 'Void')
        -- An aggregator corrected its report, and the payment counts.
        or exists (select from payment_event e where e.intent = w.intent and e.txn_id = w.txn_id), false) as unwanted
    from claimed m join citizen c on c.name = m.citizen join assessment a on a.name = m.assessment
      left join payment_reference p on (m.kind = 'reference_issued' and p.number = m.subject)
        or (m.kind = 'demand' and p.assessment = a.name and p.status = 'Issued')
      left join receipt r on m.kind in ('paid', 'reversed') and r.name = m.subject
      left join refund f on m.kind = 'refunded' and f.name = m.subject
      left join money_received w on m.kind = 'unmatched' and w.name = m.subject
      left join lateral (
        select k.time_zone from assessment_line l join agency_calendar k on k.mda = l.mda
        where l.assessment = a.name group by l.mda, k.time_zone order by sum(l.amount) desc, l.mda limit 1) z on true`);
}

/** Outcome of a try. */
interface Outcome {
  readonly status: PayerMessageStatus;
  readonly failure?: string;
  readonly gateway?: string;
  readonly taken?: Extract<Taken, { outcome: 'taken' }>;
}

async function deliver(rail: Rail, due: Due): Promise<Outcome> {
  if (due.unwanted) return { status: 'Suppressed' };
  try {
    return due.transport === 'sms' ? await sendText(rail, due) : await sendLetter(rail, due);
  } catch (error) {
    if (!(error instanceof AdapterFailure)) throw error;
    // A letter that comes twice says that it is the same.
    if (due.transport !== 'sms') return { status: 'Queued', failure: error.kind };
    const lost = due.lost + (error.mayHaveDone ? 1 : 0);
    return { status: lost > MOST_LOST[due.kind] ? 'Failed' : 'Queued', failure: lost > 0 ? LOST : error.kind };
  }
}

async function sendText(rail: Rail, due: Due): Promise<Outcome> {
  if (due.lost > MOST_LOST[due.kind]) return { status: 'Failed', failure: LOST };
  const gateway = due.phone === null ? null : gatewayTo(rail.sms, due.phone);
  if (!gateway) return { status: 'Failed', failure: 'no_gateway' };
  const taken = await gateway.send({ name: due.name, to: due.phone!, text: textOf(rail, gateway, due) });
  switch (taken.outcome) {
    case 'taken':
      return { status: 'Sent', gateway: gateway.name, taken };
    case 'refused':
      return { status: 'Failed', failure: taken.reason, gateway: gateway.name };
    case 'stopped':
      return { status: 'Suppressed', failure: taken.reason, gateway: gateway.name };
  }
}

function textOf({ origin }: Rail, { takesReplies }: SmsGateway, due: Due): string {
  const { stop } = WORDS[due.language];
  return toGsm(
    [writeMessage(due), linkOf(origin, due), takesReplies ? stop : null].filter((part) => part !== null).join(' '),
  );
}

async function sendLetter(rail: Rail, due: Due): Promise<Outcome> {
  const to = due.address === null ? null : rail.vault.open('payer', due.intent!, due.address);
  if (to === null) return { status: 'Failed', failure: 'no_address' };
  if (await findStopOf(rail, to)) return { status: 'Suppressed' };
  const { subjects, stopLetters } = WORDS[due.language];
  const page: PayerLetter = {
    language: due.language,
    subject: subjects[due.kind],
    said: writeMessage(due),
    link: linkOf(rail.origin, due),
    stop: stopLetters,
    stopUrl: stopUrlOf(rail, to),
  };
  const expiresAt = new Date(due.createdAt.getTime() + GIVEN_UP_AFTER_MS);
  const secret = JSON.stringify(page);
  await rail.mailer.send({
    to,
    ...compose('payer/payment', { name: '', secret, origin: rail.origin, integrator: null, expiresAt }),
  });
  return { status: 'Sent' };
}

/** Books what came of a try, unless the claim ran out meanwhile and another process has it. */
async function book({ db, now }: Rail, due: Due, claimedAt: Date, outcome: Outcome): Promise<void> {
  const { name, attempts, createdAt } = due;
  const at = now();
  const givenUp = outcome.status === 'Queued' && at.getTime() - createdAt.getTime() >= GIVEN_UP_AFTER_MS;
  const status = givenUp ? 'Failed' : outcome.status;
  const again = timeNextTry(Math.min(attempts, MOST_SPACED), at, Math.random())!;
  const { failure = null, gateway = null, taken } = outcome;
  const when = (moment: PayerMessageStatus): Sql => (status === moment ? sql`${at}::timestamptz` : sql`null`);
  await db.row(sql`
    update payer_message set status = ${status}::payer_message_status, attempts = ${attempts}, due_at = ${again},
      claimed_at = null, failure = ${failure}, gateway = ${gateway}, gateway_id = ${taken?.id ?? null},
      cost = ${taken?.cost?.amount ?? null}, currency = ${taken?.cost?.currency ?? null}, sent_at = ${when('Sent')},
      address = ${status === 'Queued' ? sql`address` : sql`null`}, updated_at = ${at}
    where name = ${name} and status = 'Queued' and claimed_at = ${claimedAt}`);
}
