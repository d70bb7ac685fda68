import { z } from '../../kernel/zod.ts';

const SAMPLERS = ['always_on', 'always_off', 'traceidratio'] as const;
const PARENT_BASED = ['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'] as const;

const isTrue = z.string().transform((word) => word.toLowerCase() === 'true');
const collector = z.url({ protocol: /^https?$/ }).optional();

/**
 * The variables of OpenTelemetry that decide whether and what is traced. Its SDK reads those of the exporter and of the
 * resource itself: headers, certificates, timeouts, the name of the service.
 */
export const tracingVariables = {
  OTEL_SDK_DISABLED: isTrue.default(false).describe('true: nothing is traced'),
  OTEL_TRACES_EXPORTER: z.enum(['otlp', 'none']).optional().describe('otlp, or none: nothing is traced'),
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.describe('where traces go, such as http://127.0.0.1:4318'),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collector.describe('the same with its whole path, such as /v1/traces'),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.literal('http/protobuf').optional().describe('http/protobuf, the only one'),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: z.literal('http/protobuf').optional().describe('http/protobuf, the only one'),
  OTEL_TRACES_SAMPLER: z
    .enum([...SAMPLERS, ...PARENT_BASED])
    .default('parentbased_always_on')
    .describe('what decides whether a trace is recorded'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('the share of traces that traceidratio records'),
};

type TracingVariables = z.output<z.ZodObject<typeof tracingVariables>>;

/** Settings of traces. */
export interface Tracing {
  /** Sampler of traces that begin here, with the share for `traceidratio`. */
  readonly sampler: (typeof SAMPLERS)[number];
  readonly ratio: number;
  /** True if a caller decides instead, for requests that belong to its trace. */
  readonly callerDecides: boolean;
}

/** Null where nobody asked for traces. `trusted`: whether callers may decide which of their requests are recorded. */
export function readTracing(given: TracingVariables, trusted: boolean): Tracing | null {
  const { OTEL_TRACES_EXPORTER: exporter, OTEL_TRACES_SAMPLER: asked } = given;
  const endpoint = given.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? given.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (given.OTEL_SDK_DISABLED || exporter === 'none' || (exporter === undefined && endpoint === undefined)) return null;
  const sampler = SAMPLERS.find((name) => asked.endsWith(name))!;
  return { sampler, ratio: given.OTEL_TRACES_SAMPLER_ARG, callerDecides: trusted && sampler !== asked };
}
