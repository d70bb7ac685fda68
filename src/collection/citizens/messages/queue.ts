import type { PayerMessageKind } from '../../../generated/prisma/enums.ts';
import type { Call } from '../../../platform/call/call.ts';
import { type Step, step } from '../../../platform/change/step.ts';
import { empty, json, sql } from '../../../platform/database/sql.ts';
import { ELSEWHERE, LANGUAGE_OF_COUNTRY } from './words.ts';

/** News for the payer of an assessment. */
export interface News {
  readonly kind: PayerMessageKind;
  readonly assessment: string;
  /** Null of what is about no collection. */
  readonly intent: string | null;
  /** Subject: the number of a payment reference, or the docname of a receipt, of money that paid nothing, or of an assessment. */
  readonly subject: string;
  /** Of an assessment that this very change makes: what it has. */
  readonly made?: { readonly citizen: string; readonly mda: string };
}

/** Demand of an assessment from its payer. */
export function demandOf({ name, citizen, lines }: Made): News {
  return {
    kind: 'demand',
    assessment: name,
    intent: null,
    subject: name,
    made: { citizen, mda: lines[0]!.mda },
  };
}

interface Made {
  readonly name: string;
  readonly citizen: string;
  readonly lines: readonly { readonly mda: string }[];
}

/** True if letters from this rail reach anybody. */
export function sendsLetters({ config }: Pick<Call, 'config'>): boolean {
  return config.mode === 'sandbox' || config.smtpUrl !== null;
}

/**
 * The steps that queue what a payer is to know of a change, for the loop that sends it. A text goes to the citizen's own
 * phone, and never to the one that paid, which may be anybody's; a letter to the address that was given for the
 * payment, which is read before the change forgets it. Where a change makes or assesses several, each has its own news. Nothing is queued for who cannot be reached or asked for no more.
 */
export async function notifyPayer(call: Call, changed: Step, news: readonly News[], at: Date): Promise<Step[]> {
  const prefixes = [...call.rail.sms.values()].flatMap((gateway) => gateway.prefixes.map((prefix) => `${prefix}%`));
  const letters = sendsLetters(call);
  if (news.length === 0 || (prefixes.length === 0 && !letters)) return [];
  const made = news.some((one) => one.made);
  const names = await call.docnames.take('payerMessage', news.length * 2, at);
  const rows = news.map(({ made: own, ...one }, index) => ({
    ...one,
    ...own,
    text: names[2 * index],
    letter: names[2 * index + 1],
  }));
  return [
    step('payer_told')`
    insert into payer_message (name, citizen, assessment, intent, subject, kind, transport, language, status, address,
      due_at, created_at, updated_at)
    select w.name, c.name, t.assessment, coalesce(t.intent, w.intent), t.subject, t.kind, w.transport,
      coalesce(c.language, ${json(LANGUAGE_OF_COUNTRY)}::jsonb ->> (
        select m.country from mda m where m.name = coalesce(t.mda, (
          select l.mda from assessment_line l where l.assessment = t.assessment order by l.idx limit 1))), ${ELSEWHERE}),
      'Queued', w.address, ${at}, ${at}, ${at}
    from ${changed} g, jsonb_to_recordset(${json(rows)}::jsonb) as t (kind payer_message_kind, assessment text, intent text,
        subject text, citizen text, mda text, text text, letter text)
      left join assessment a on a.name = t.assessment join citizen c on c.name = coalesce(t.citizen, a.citizen)
      cross join lateral (
        select t.text as name, 'sms'::payer_message_transport as transport, null::text as intent, null::bytea as address
        where c.phone like any(${prefixes}::text[]) and c.texts_stopped_at is null
        union all (
          select t.letter, 'mail', i.name, i.payer_email from payment_intent i
          where ${letters} and i.assessment = t.assessment and (t.intent is null or i.name = t.intent)
            and i.payer_email is not null
          order by i.created_at desc limit 1)
      ) w ${made ? sql`where g.name = t.assessment` : empty}`,
  ];
}
