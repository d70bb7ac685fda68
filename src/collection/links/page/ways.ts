import type { Call } from '../../../platform/call/call.ts';
import { BILLER_CHANNELS, type BillerChannel, servesMoney } from '../../../platform/config/billers.ts';
import { covers } from '../../../platform/access/grants.ts';
import { Channel } from '../../../generated/prisma/enums.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { chooseAggregator, countriesOf } from '../../payments/aggregator.ts';
import type { PayPage } from './find.ts';

/** A way to pay at the page itself. */
export interface PayWay {
  readonly channel: Channel;
  /** True if it asks the payer on their phone. */
  readonly needsPhone: boolean;
}

const isByNumber = (channel: Channel): channel is BillerChannel =>
  (BILLER_CHANNELS as readonly Channel[]).includes(channel);

/** True if a link offers a way to pay that its account may use. */
function offers({ link, as }: PayPage, channel: Channel): boolean {
  return (
    (link.channels.length === 0 || link.channels.includes(channel)) &&
    covers(as.viewer.account?.allowedChannels ?? ['*'], channel)
  );
}

/** The ways to pay at the page that are open. */
export async function listWays(page: PayPage): Promise<PayWay[]> {
  const offered = Object.values(Channel).filter(
    (channel) => channel !== 'cash' && !isByNumber(channel) && offers(page, channel),
  );
  const ways = await Promise.all(offered.map((channel) => findWay(page, channel)));
  return ways.filter((way) => way !== null);
}

async function findWay({ as, assessment }: PayPage, channel: Channel): Promise<PayWay | null> {
  try {
    const { adapter } = await chooseAggregator(as, channel, assessment);
    return adapter.available ? { channel, needsPhone: adapter.needsPayer } : null;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

/** True if somebody takes money for a payment reference of the assessment. */
export async function isPaidByNumber(page: PayPage): Promise<boolean> {
  const { assessment, as } = page;
  const money = { countries: await countriesOf(as, assessment.lines), currency: assessment.currency };
  return as.config.billers.some(
    (biller) => biller.channels.some((channel) => offers(page, channel)) && servesMoney(biller, money),
  );
}

/** True if the caller may make up the outcome of a payment: in a sandbox, where nobody is asked to pay. */
export function isMadeUp({ config, rail }: Call, { aggregator }: { readonly aggregator: string }): boolean {
  return config.mode === 'sandbox' && rail.aggregators.get(aggregator)?.adapter.stub === true;
}
