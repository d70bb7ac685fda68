import type { Call } from '../../../platform/call/call.ts';
import { retryUntilSettled } from '../../../platform/change/commit.ts';
import { type Step, step } from '../../../platform/change/step.ts';
import { violatedUniqueOf } from '../../../platform/database/errors.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Channel } from '../../../generated/prisma/enums.ts';
import { Refusal, refuseValue } from '../../../kernel/refusal.ts';
import { say } from '../../../kernel/text/said.ts';
import { readLabels } from '../../assessments/labels.ts';
import { tryToOpenIntent } from '../../payments/create.ts';
import { expireUnasked } from '../../payments/enquiries/expire.ts';
import { collect, initiatePayment } from '../../payments/initiate.ts';
import { type PayerInput, readPayer, refuseWithoutPhone } from '../../payments/payer/payer.ts';
import type { PaymentLink } from '../find.ts';
import { type PayPage, getPayPage, requirePayable } from './find.ts';
import { listWays } from './ways.ts';
import { withdrawOthers } from './withdraw-others.ts';

interface StartInput extends PayerInput {
  readonly channel: Channel;
}

/**
 * Has the payer asked to pay in a way that the link offers. Of each way one payment is under way at a time: who asks
 * again, by a second tab, another link or after going back, is answered with that one.
 */
export async function startPayment(call: Call, input: StartInput): Promise<PayPage> {
  const payer = readPayer(input);
  const begun = await retryUntilSettled(async () => {
    const page = await getPayPage(call);
    const { link, as } = page;
    // It was paid while the payer filled in the form.
    if (page.state === 'paid') return { as };
    requirePayable(page);
    const way = (await listWays(page)).find(({ channel }) => channel === input.channel);
    if (!way) throw refuseValue('channel', say`is not open for this link`, 'channel_closed');
    if (way.needsPhone && payer.msisdn === null) throw refuseWithoutPhone(input.channel);
    // One that was begun in another way may turn out to be paid.
    if ((await withdrawOthers(call, page, input.channel)).state === 'paid') return { as };
    const before = await findBegun(page, input.channel);
    // Money that arrives late is booked all the same.
    if (before?.overdue) {
      await expireUnasked(as, before.name);
      return undefined;
    }
    if (before) return { as, before };
    const opened = await unlessBegun(
      tryToOpenIntent(
        as,
        { channel: input.channel, assessment: link.assessment, initiate: true },
        { ...readLabels({}), returnUrl: null, link: link.name },
        payer,
        useLink(link, call.now()),
      ),
    );
    return opened && { as, opened };
  });
  const { as, opened, before } = { opened: null, before: null, ...begun };
  // The page of an aggregator sends the browser back here, where the receipt is.
  const back = `${call.origin}/pay/${call.viewer.payer!.token}/wait`;
  if (opened) await collect(as, opened, 'before', back);
  else if (before?.status === 'Pending') await tryAgain(as, { ...input, name: before.name }, back);
  return getPayPage(call);
}

/** Initiates a payment again, unless another tab was faster. */
async function tryAgain(as: Call, input: PayerInput & { readonly name: string }, back: string): Promise<void> {
  try {
    await initiatePayment(as, input, undefined, back);
  } catch (error) {
    if (!(error instanceof Refusal) || error.details[0]?.code !== 'not_pending') throw error;
  }
}

/** The answer to a start that was stored, but whose process died before it could answer: the payer is asked again. */
export async function startAgain(call: Call, input: StartInput): Promise<PayPage> {
  const page = await getPayPage(call);
  return page.attempt?.status === 'Pending' ? startPayment({ ...call, once: null }, input) : page;
}

/** A payment of a way; links begin no other one until it is over. */
interface Begun {
  readonly name: string;
  readonly status: 'Pending' | 'Sent';
  /** True if it is to expire. */
  readonly overdue: boolean;
}

/** A payment of a way that is under way already, or that a link has begun and that is to be tried again. */
function findBegun({ link, as }: PayPage, channel: Channel): Promise<Begun | null> {
  const overdue = sql`expires_at <= ${as.now()}`;
  return as.db.row(sql`
    select name, status, ${overdue} as overdue from payment_intent
    where assessment = ${link.assessment} and channel = ${channel}::channel
      and (link is not null and status in ('Pending', 'Sent') or status = 'Sent' and not ${overdue})
    order by ${overdue}, status = 'Sent' desc, created_at desc limit 1`);
}

/** The opened intent; undefined if another link was faster. */
async function unlessBegun<Opened>(opening: Promise<Opened | undefined>): Promise<Opened | undefined> {
  try {
    return await opening;
  } catch (error) {
    if (violatedUniqueOf(error) !== 'payment_intent_begun_key') throw error;
    return undefined;
  }
}

/** The step that yields a row while a link stands as it was read: two payments at once do not both begin. */
function useLink({ name, revision }: PaymentLink, at: Date): Step {
  return step('linked')`
    update payment_link set revision = revision + 1, updated_at = ${at}
    where name = ${name} and revision = ${revision} and status = 'Open' returning name`;
}
