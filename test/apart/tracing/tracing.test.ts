import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeActor, twoLines } from '../../harness/flow.ts';
import { startOutsideRail } from '../../harness/outside.ts';
import { type Served, serve } from '../../harness/processes.ts';
import { type Sink, openSink } from '../../harness/sink.ts';
import { type Collector, type ExportedSpan, openCollector } from './collector.ts';

const held = startOutsideRail();
const folder = mkdtempSync(join(tmpdir(), 'rail-tracing-'));
const PERSON = { nin: 'CMZEBULON4711', full_name: 'Zebulon Canary', phone: '+256772998877' };
const CALLER = { trace: '0af7651916cd43dd8448eb211c80319c', span: 'b7ad6b7169203331' };
const traceparent = `00-${CALLER.trace}-${CALLER.span}-00`;

/** Has a process print what it loads of OpenTelemetry. */
const NAME_TELEMETRY = `--import=data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve(name, context, next) {
      const found = next(name, context);
      const part = /@opentelemetry\\/([\\w-]+)/.exec(found.url)?.[1];
      if (part) console.log('loads ' + part);
      return found;
    },
  });`)}`;
const loadedBy = (log: string) =>
  new Set([...readFileSync(join(folder, log), 'utf8').matchAll(/^loads (.*)$/gm)].map(([, part]) => part!));

let collector: Collector;
let sink: Sink;
let process: Served;
let key: string;
let citizen: string;
/** The `traceparent` of what MTN was asked, by path. */
const asked = new Map<string, string | undefined>();
const hear = (message: unknown) => {
  const { url = '', headers } = (message as { request: IncomingMessage }).request;
  if (url.startsWith('/collection/')) asked.set(url, headers.traceparent?.toString());
};

beforeAll(async () => {
  [collector, sink] = await Promise.all([openCollector(), openSink()]);
  process = await serve(
    'src/app/main.ts',
    {
      ...held.outside.environment,
      DATABASE_URL: held.rail.url,
      DATA_DIR: join(folder, 'data'),
      PORT: '0',
      OVERSIGHT: 'off',
      WEBHOOK_ALLOW_PRIVATE: 'on',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=ministry',
      OTEL_SERVICE_NAME: 'rail-of-the-test',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    },
    { log: join(folder, 'log'), flags: [NAME_TELEMETRY] },
  );
  subscribe('http.server.request.start', hear);
});

afterAll(async () => {
  unsubscribe('http.server.request.start', hear);
  await process.kill();
  await Promise.all([collector.close(), sink.close()]);
  rmSync(folder, { recursive: true, force: true });
});

async function send(method: string, path: string, body?: object, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(process.origin + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as { data: { name: string } };
  expect([path, response.status, response.ok || answer]).toEqual([path, 200, true]);
  return answer.data.name;
}

const spansOf = (traceId: string) => collector.spans.filter((span) => span.traceId === traceId);
const named = (spans: readonly ExportedSpan[], name: string) => spans.find((span) => span.name === name)!;

describe('a rail whose operators ask for traces', () => {
  it('traces a payment from request to provider and webhook, and takes and passes on traceparent', async () => {
    const actor = await makeActor(held.rail);
    key = actor.key;
    await send('PATCH', '/v1/me', { webhook_endpoint: sink.url });
    citizen = await send('POST', '/v1/citizens', PERSON);
    await fetch(`${process.origin}/v1/citizens/search?nin=${PERSON.nin}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const lines = await twoLines(held.rail);
    const assessment = await send('POST', '/v1/assessments', {
      citizen,
      lines,
      assess: true,
      reference: 'ref-zebulon',
    });
    const intent = await send('POST', '/v1/payment-intents', { assessment, channel: 'mtn_momo' });
    const payer = { payer_msisdn: PERSON.phone };
    await send('POST', `/v1/payment-intents/${intent}:initiate`, payer, { traceparent, tracestate: 'vendor=zebulon' });
    await expect.poll(() => sink.received.find(({ json }) => json.type === 'payment_intent.confirmed')).toBeDefined();
    expect(await process.stop()).toBe(0);

    const spans = spansOf(CALLER.trace);
    const request = named(spans, 'POST /v1/payment-intents/{name}:initiate');
    // The caller asks not to be recorded; that is for the operators to say.
    expect(request).toMatchObject({ parentSpanId: CALLER.span, status: 0 });
    expect(request.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/v1/payment-intents/{name}:initiate',
      'http.response.status_code': 200,
    });
    const operation = named(spans, 'mutation initiatePayment');
    expect(operation.parentSpanId).toBe(request.spanId);
    const statement = named(spans, 'update payment_intent');
    expect(statement.parentSpanId).toBe(operation.spanId);
    expect(statement.attributes['db.query.text']).toMatch(/update payment_intent .*\$1/s);
    const collection = named(spans, 'initiate mtn_momo');
    expect(collection.parentSpanId).toBe(operation.spanId);
    expect(collection.attributes).toEqual({
      'rail.connection': 'mtn_momo',
      'rail.channel': 'mtn_momo',
      'rail.payment_intent': intent,
      'rail.outcome': 'accepted',
    });
    const call = spans.filter(({ name }) => name === 'POST mtn_momo').at(-1)!;
    expect(call.parentSpanId).toBe(collection.spanId);
    expect(call.attributes).toMatchObject({ 'server.address': '127.0.0.1', 'http.response.status_code': 202 });
    expect(asked.get('/collection/v1_0/requesttopay')).toBe(`00-${CALLER.trace}-${call.spanId}-01`);

    const message = sink.received.find(({ json }) => json.type === 'payment_intent.confirmed')!;
    const [, trace, span] = message.headers.traceparent!.toString().split('-');
    const delivery = spansOf(trace!).find(({ spanId }) => spanId === span)!;
    expect(delivery).toMatchObject({ name: 'send payment_intent.confirmed', parentSpanId: '' });
    expect(delivery.attributes).toMatchObject({
      'messaging.message.id': message.json.id,
      'http.response.status_code': 200,
    });
    expect(named(spansOf(trace!), 'delete webhook_queue').parentSpanId).toBe(span);
  });

  it('exports to where OTEL_* say, under the name that they say', () => {
    expect(collector.headers[0]).toMatchObject({ ':path': '/v1/traces', 'x-tenant': 'ministry' });
    expect(collector.resource).toMatchObject({
      'service.name': 'rail-of-the-test',
      'deployment.environment.name': 'test',
      'service.instance.id': expect.any(String),
    });
  });

  it('writes the trace into the log', () => {
    const lines = readFileSync(join(folder, 'log'), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('{'));
    const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const request = named(spansOf(CALLER.trace), 'POST /v1/payment-intents/{name}:initiate');
    expect(logged.filter(({ trace_id }) => trace_id === CALLER.trace)).toContainEqual(
      expect.objectContaining({ msg: 'request', endpoint: request.name, span_id: request.spanId }),
    );
  });

  it('names nobody in a span: no person, phone, key, docname of a citizen or word of a caller', () => {
    expect(collector.spans.length).toBeGreaterThan(50);
    const exported = Buffer.concat(collector.bodies).toString('latin1');
    expect(exported).toContain('/v1/citizens/search');
    const numbers = [PERSON.phone.slice(1), PERSON.phone.slice(4)];
    for (const canary of [PERSON.nin, 'Zebulon', 'zebulon', ...numbers, key, key.slice(-12), citizen, sink.url])
      expect(exported, canary).not.toContain(canary);
  });

  it('has no spans of probes, nor of statements outside of a trace', () => {
    expect(collector.spans.filter(({ name }) => /readyz|healthz|metrics/.test(name))).toEqual([]);
    const known = new Set([...collector.spans.map(({ spanId }) => spanId), CALLER.span]);
    const orphans = collector.spans.filter(({ parentSpanId }) => parentSpanId !== '' && !known.has(parentSpanId));
    expect(orphans).toEqual([]);
    expect(
      collector.spans.filter(({ parentSpanId, attributes }) => parentSpanId === '' && attributes['db.query.text']),
    ).toEqual([]);
  });
});

describe('a rail whose operators ask for none', () => {
  it('loads nothing that traces, and passes no traceparent on', async () => {
    asked.clear();
    process = await serve(
      'src/app/main.ts',
      { ...held.outside.environment, DATABASE_URL: held.rail.url, PORT: '0', OVERSIGHT: 'off', JOBS: 'off' },
      { log: join(folder, 'off'), flags: [NAME_TELEMETRY] },
    );
    const assessment = await send('POST', '/v1/assessments', {
      citizen,
      lines: await twoLines(held.rail),
      assess: true,
    });
    const payment = { assessment, channel: 'mtn_momo', initiate: true, payer_msisdn: PERSON.phone };
    await send('POST', '/v1/payment-intents', payment, { traceparent });
    expect(await process.stop()).toBe(0);
    expect(asked.has('/collection/v1_0/requesttopay')).toBe(true);
    expect(asked.get('/collection/v1_0/requesttopay')).toBeUndefined();
    expect(loadedBy('off')).toEqual(new Set(['api']));
    expect(loadedBy('log')).toContain('sdk-trace');
    expect(readFileSync(join(folder, 'off'), 'utf8')).not.toContain('trace_id');
  });
});
