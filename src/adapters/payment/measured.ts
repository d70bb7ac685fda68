import { SpanKind } from '@opentelemetry/api';
import { Histogram } from 'prom-client';
import { AdapterFailure } from '../failure.ts';
import { inSpan } from '../tracing/tracing.ts';
import type { PaymentAdapter, ProviderStatus } from './port.ts';

/** Outcome of a call to a provider. */
type Outcome = 'accepted' | 'successful' | 'declined' | 'pending' | 'not_found' | AdapterFailure['kind'];

export type CallDurations = Histogram<'connection' | 'channel' | 'operation' | 'outcome'>;

/** Durations of calls to payment providers, and their outcomes. */
export const measureCalls = (): CallDurations =>
  new Histogram({
    name: 'provider_call_duration_seconds',
    help: 'Calls to payment providers, their repetitions included, by what came of them.',
    labelNames: ['connection', 'channel', 'operation', 'outcome'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [],
  });

const OUTCOMES = {
  SUCCESSFUL: 'successful',
  FAILED: 'declined',
  PENDING: 'pending',
  NOT_FOUND: 'not_found',
} as const satisfies Record<ProviderStatus['status'], Outcome>;

/** The outcome of a call that answers how something stands. */
const standing = ({ status }: Pick<ProviderStatus, 'status'>): Outcome => OUTCOMES[status];

/** An adapter whose calls are measured and traced. */
export function measured(
  adapter: PaymentAdapter,
  { connection, channel }: { readonly connection: string; readonly channel: string },
  durations: CallDurations,
): PaymentAdapter {
  const call = <T>(operation: string, intent: string, run: () => Promise<T>, outcomeOf: (answer: T) => Outcome) => {
    const describe = () => ({
      name: `${operation} ${connection}`,
      kind: SpanKind.CLIENT,
      attributes: { 'rail.connection': connection, 'rail.channel': channel, 'rail.payment_intent': intent },
    });
    return inSpan(describe, async (span) => {
      let outcome: Outcome = 'failed';
      const end = durations.startTimer({ connection, channel, operation });
      try {
        const answer = await run();
        outcome = outcomeOf(answer);
        return answer;
      } catch (error) {
        if (error instanceof AdapterFailure) outcome = error.kind;
        throw error;
      } finally {
        end({ outcome });
        span?.setAttribute('rail.outcome', outcome);
      }
    });
  };
  return {
    stub: adapter.stub,
    get available() {
      return adapter.available;
    },
    enquirable: adapter.enquirable,
    needsPayer: adapter.needsPayer,
    reference: (intent) => adapter.reference(intent),
    initiate: (order) =>
      call(
        'initiate',
        order.intent,
        () => adapter.initiate(order),
        () => 'accepted',
      ),
    verify: (collection) => call('verify', collection.intent, () => adapter.verify(collection), standing),
    ...(adapter.withdraw && {
      withdraw: (order) =>
        call(
          'withdraw',
          order.intent,
          () => adapter.withdraw!(order),
          () => 'accepted',
        ),
    }),
    ...(adapter.refund && {
      refund: (order) => call('refund', order.collection.intent, () => adapter.refund!(order), standing),
    }),
    ...(adapter.verifyRefund && {
      verifyRefund: (order) =>
        call('verify_refund', order.collection.intent, () => adapter.verifyRefund!(order), standing),
    }),
    ...(adapter.parseCallback && { parseCallback: (callback) => adapter.parseCallback!(callback) }),
    ...(adapter.close && { close: () => adapter.close!() }),
  };
}
