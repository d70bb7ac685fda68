import { refuseChannel } from '../../platform/access/bounds.ts';
import { whereVisible } from '../../platform/access/owned.ts';
import { hashLinkToken, mintLinkToken } from '../../platform/access/tokens/link-token.ts';
import type { Call } from '../../platform/call/call.ts';
import { type TraceEntry, commit, retryUntilSettled } from '../../platform/change/commit.ts';
import { guard } from '../../platform/change/step.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Channel } from '../../generated/prisma/enums.ts';
import { refuseOtherCurrency } from '../../kernel/money.ts';
import { Refusal, refuseValue } from '../../kernel/refusal.ts';
import { say } from '../../kernel/text/said.ts';
import { HOUR_MS } from '../../kernel/time.ts';
import { OF_ITS_AGENCIES, findAssessment } from '../assessments/find.ts';
import { refuseUnpayable } from '../assessments/payable.ts';
import { requireReturnUrl } from '../payments/payer/return-url.ts';
import { type PaymentLink, getLink } from './find.ts';

export interface LinkInput {
  readonly assessment: string;
  readonly channels?: readonly Channel[] | null | undefined;
  readonly returnUrl?: string | null | undefined;
  readonly expiresInHours: number;
  readonly currency?: string | null | undefined;
}

/** A link and the address of its page, which is shown once: of its token a hash is kept. */
export interface LinkIssue {
  readonly link: PaymentLink;
  readonly url: string;
}

const addressOf = ({ origin }: Pick<Call, 'origin'>, token: string) => `${origin}/pay/${token}`;

/** Makes a link to a page at which an Assessed assessment can be paid by who has the link. */
export async function createPaymentLink(call: Call, input: LinkInput): Promise<LinkIssue> {
  const channels = [...new Set(input.channels)];
  if (channels.includes('cash')) throw refuseValue('channels', say`must not include cash, which is paid at a counter`);
  for (const channel of channels) refuseChannel(call.viewer, channel, 'channels');
  const returnUrl = input.returnUrl == null ? null : await requireReturnUrl(call, input.returnUrl);
  return retryUntilSettled(async () => {
    const assessment = await findAssessment(call, input.assessment);
    if (!assessment) throw refuseValue('assessment', say`could not find this Assessment`, 'not_found');
    refuseUnpayable(call, assessment, 'assessment_not_payable', 'assessment');
    refuseOtherCurrency(input.currency, assessment.currency);
    const at = call.now();
    const link: PaymentLink = {
      name: await call.docnames.next('link', at),
      assessment: assessment.name,
      integrator: assessment.integrator,
      channels,
      returnUrl,
      status: 'Open',
      expiresAt: new Date(at.getTime() + input.expiresInHours * HOUR_MS),
      revision: 1,
      createdAt: at,
      updatedAt: at,
    };
    const token = mintLinkToken();
    return (await insert(call, link, token)) ? { link, url: addressOf(call, token) } : undefined;
  });
}

function insert(call: Call, link: PaymentLink, token: string): Promise<boolean> {
  const { name, assessment, integrator, channels, returnUrl, status, expiresAt, revision, createdAt } = link;
  const changed = guard`
    insert into payment_link (name, token_hash, assessment, integrator, channels, return_url, status, expires_at,
      revision, created_at, updated_at)
    select ${name}, ${hashLinkToken(token)}, a.name, ${integrator}, ${[...channels]}::text[], ${returnUrl},
      ${status}::payment_link_status, ${expiresAt}, ${revision}, ${createdAt}, ${createdAt}
    from assessment a where a.name = ${assessment} and a.status = 'Assessed' for key share of a
    returning name`;
  return commit(call, {
    subject: name,
    guard: changed,
    trace: [traceOf(link, say`Payment link ${name} created`, { channels, expires_at: expiresAt })],
  });
}

/** The row of the timeline of its assessment. */
export function traceOf(
  { name, assessment }: PaymentLink,
  summary: TraceEntry['summary'],
  detail: TraceEntry['detail'] = {},
): TraceEntry {
  return { kind: 'assessment.update', assessment, doc: name, summary, detail };
}

/**
 * Gives a link that was made, but whose address never reached anybody since its process died before it could answer,
 * a new address.
 */
export async function createAgain(call: Call, name: string): Promise<LinkIssue> {
  const token = mintLinkToken();
  const renewed = await call.db.row(sql`
    update payment_link r set token_hash = ${hashLinkToken(token)}, updated_at = ${call.now()}
    where r.name = ${name} and r.status = 'Open' and r.revision = 1 and ${whereVisible(call.viewer, OF_ITS_AGENCIES)}
    returning 1`);
  if (!renewed)
    throw new Refusal('validation_failed', `${name} was made by this request and is in use or withdrawn; make another`);
  return { link: await getLink(call, name), url: addressOf(call, token) };
}
