import {
  type Attributes,
  type Context,
  type Span,
  type SpanOptions,
  type Tracer,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  context,
  propagation,
  trace,
} from '@opentelemetry/api';
import type { IncomingHttpHeaders } from 'node:http';

/** Attributes of a span: never a value of a statement, a body, an address or a name of a person. */
interface Described extends SpanOptions {
  readonly name: string;
}

/** Null where operators asked for no traces: nothing of the SDK is loaded then, and each use here is a comparison. */
let tracer: Tracer | null = null;

/** Switches traces on, or off again. */
export function traceBy(by: Tracer | null): void {
  tracer = by;
}

export const isTracing = (): boolean => tracer !== null;

/** Runs something as a span below the current one. Of what it throws only the kind is kept: messages can quote people. */
export function inSpan<T>(describe: () => Described, run: (span: Span | null) => Promise<T>): Promise<T> {
  if (tracer === null) return run(null);
  const { name, ...options } = describe();
  return tracer.startActiveSpan(name, options, (span) => endWith(span, run(span)));
}

async function endWith<T>(span: Span, running: Promise<T>): Promise<T> {
  try {
    return await running;
  } catch (error) {
    span.setAttribute('error.type', error instanceof Error ? error.name : 'Error');
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}

/** The same for what is too small to be a trace of its own: it is a span where one is under way, and is recorded. */
export function inSmallSpan<T>(describe: () => Described, run: () => Promise<T>): Promise<T> {
  return tracer !== null && trace.getActiveSpan()?.isRecording() ? inSpan(describe, run) : run();
}

/** A function that runs in the trace in which it was made, also where another trace calls it. */
export function inThisTrace<T>(run: () => T): () => T {
  return tracer === null ? run : context.bind(context.active(), run);
}

/** A caller's `traceparent`. Its `tracestate` is not read: it could carry anything to those who are called. */
const CALLER = {
  get: ({ traceparent }: IncomingHttpHeaders, name: string) =>
    name === 'traceparent' ? traceparent?.toString() : undefined,
  keys: () => ['traceparent'],
};

/** Begins the span of a request, below that of its caller; and the context in which it is to be answered. */
export function beginRequest(method: string, headers: IncomingHttpHeaders): { span: Span; within: Context } {
  const caller = propagation.extract(ROOT_CONTEXT, headers, CALLER);
  const attributes: Attributes = { 'http.request.method': method };
  const span = tracer!.startSpan(method, { kind: SpanKind.SERVER, attributes }, caller);
  return { span, within: trace.setSpan(caller, span) };
}

/** The headers that have the trace go on where something outside is called. */
export function headersOfTrace(): Record<string, string> {
  const headers = {};
  if (tracer !== null) propagation.inject(context.active(), headers);
  return headers;
}

/** Members of a log line that name its trace. */
export function idsOfTrace(): Record<string, string> {
  const span = trace.getActiveSpan()?.spanContext();
  return span ? { trace_id: span.traceId, span_id: span.spanId } : {};
}
