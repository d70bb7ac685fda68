import type { PaymentChannel } from '../../adapters/payment/port.ts';
import type { Call } from '../../platform/call/call.ts';
import type { Channel } from '../../generated/prisma/enums.ts';
import { invalid } from '../../kernel/refusal.ts';

/** The adapter of a channel, or a refusal where this rail does not collect through it. */
export function openChannel(call: Call, channel: Channel): PaymentChannel {
  const adapter = call.channels[channel];
  if (!adapter) throw invalid('channel', `${channel} is not open for payments at present`, 'channel_closed');
  return adapter;
}
