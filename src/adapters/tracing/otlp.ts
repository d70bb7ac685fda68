import { DiagLogLevel, context, diag, propagation } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  RandomIdGenerator,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { traceBy } from './tracing.ts';

/** Rules for recording traces. */
interface Sampling {
  readonly sampler: 'always_on' | 'always_off' | 'traceidratio';
  readonly ratio: number;
  readonly callerDecides: boolean;
}

/** The longest statement that a span shows. */
const MOST_CHARACTERS = 4_096;
/** For how long the end of a process waits for the collector. */
const END_MS = 1_000;
/** Most characters of a collector's failure in the log. */
const MOST_TOLD = 300;

/** Has traces sent to a collector until it is ended. The SDK reads where to, and under which name, from the environment. */
export function startTracing(sampling: Sampling, log: Logger): { end(): Promise<void> } {
  const tell = (message: string) => log.warn({ reason: message.slice(0, MOST_TOLD) }, 'traces could not be exported');
  const ignore = () => {};
  diag.setLogger({ error: tell, warn: tell, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.WARN);
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'revenue-rail' }))
      .merge(detectResources({ detectors: [serviceInstanceIdDetector, envDetector] })),
    sampler: samplerOf(sampling),
    spanLimits: { attributeValueLengthLimit: MOST_CHARACTERS },
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  traceBy(provider.getTracer('revenue-rail'));
  return {
    async end() {
      traceBy(null);
      const ended = provider
        .shutdown()
        .catch((error: unknown) => log.warn({ err: error }, 'the last traces could not be exported'));
      await Promise.race([ended, sleep(END_MS, null, { ref: false })]);
      context.disable();
      propagation.disable();
      diag.disable();
    },
  };
}

/**
 * A trace's beginning decides for all below it. A request that belongs to a trace of its caller is decided on as if it
 * began here, unless callers are trusted: a stranger's flag, or an ID that a share would take, must not fill the
 * collector.
 */
function samplerOf({ sampler, ratio, callerDecides }: Sampling): Sampler {
  const root: Sampler =
    sampler === 'always_on'
      ? new AlwaysOnSampler()
      : sampler === 'always_off'
        ? new AlwaysOffSampler()
        : new TraceIdRatioBasedSampler(ratio);
  if (callerDecides) return new ParentBasedSampler({ root });
  const ids = new RandomIdGenerator();
  const own: Sampler = {
    shouldSample: (within, _theirs, ...rest) => root.shouldSample(within, ids.generateTraceId(), ...rest),
    toString: () => `Own{${root.toString()}}`,
  };
  return new ParentBasedSampler({ root, remoteParentSampled: own, remoteParentNotSampled: own });
}
