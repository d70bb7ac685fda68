import { afterEach, expect, it, vi } from 'vitest';
import { startTracing } from '../../../src/adapters/tracing/otlp.ts';
import { beginRequest } from '../../../src/adapters/tracing/tracing.ts';
import { findFreePort } from '../../../src/platform/database/cluster/free-port.ts';
import { createLog } from '../../../src/kernel/log.ts';

const log = createLog('silent');
let end = async () => {};
afterEach(async () => {
  vi.unstubAllEnvs();
  await end();
});

/** Counts the recorded requests of 200. None is ended, so that none is exported. */
function recorded(sampling: Parameters<typeof startTracing>[0], traceparent?: string): number {
  ({ end } = startTracing(sampling, log));
  return Array.from({ length: 200 }, () => beginRequest('GET', { traceparent }).span).filter((one) => one.isRecording())
    .length;
}

const of = (flag: '00' | '01') => `00-0af7651916cd43dd0000000000000001-b7ad6b7169203331-${flag}`;
const strange = { callerDecides: false };
const trusted = { callerDecides: true };

it.each([
  ['no traces', { sampler: 'always_off', ratio: 1, ...strange }, of('01'), 0],
  ['all traces', { sampler: 'always_on', ratio: 1, ...strange }, of('00'), 200],
  ['no traces, of callers that are trusted', { sampler: 'always_off', ratio: 1, ...trusted }, of('01'), 200],
  ['all traces, of callers that are trusted', { sampler: 'always_on', ratio: 1, ...trusted }, of('00'), 0],
  ['all traces, where the header is none', { sampler: 'always_on', ratio: 1, ...strange }, 'zebulon', 200],
] as const)('records %s', (_what, sampling, traceparent, expected) => {
  expect(recorded(sampling, traceparent)).toBe(expected);
});

it('records a share, which no caller gets into by the id that it chooses', () => {
  // The share takes the lowest ids: by its own rule, all of these.
  const many = recorded({ sampler: 'traceidratio', ratio: 0.5, ...strange }, of('01'));
  expect(many).toBeGreaterThan(50);
  expect(many).toBeLessThan(150);
});

it('keeps the trace of a caller, and nothing that it says besides', () => {
  ({ end } = startTracing({ sampler: 'always_on', ratio: 1, ...strange }, log));
  const { span } = beginRequest('GET', { traceparent: of('01'), tracestate: 'vendor=zebulon' });
  expect(span.spanContext()).toMatchObject({ traceId: '0af7651916cd43dd0000000000000001' });
  expect(span.spanContext().traceState).toBeUndefined();
});

it('says in the log that the collector does not answer, and loses the spans', async () => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', `http://127.0.0.1:${await findFreePort()}`);
  vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', '200');
  const logged: string[] = [];
  const warnLog = createLog('warn', { write: (line: string) => void logged.push(line) });
  ({ end } = startTracing({ sampler: 'always_on', ratio: 1, ...strange }, warnLog));
  // A full batch leaves at once.
  for (let i = 0; i < 512; i++) beginRequest('GET', {}).span.end();
  await expect.poll(() => logged.join('')).toContain('"msg":"traces could not be exported"');
  // Nor does it keep the process from its end.
  beginRequest('GET', {}).span.end();
  await end();
  end = async () => {};
  expect(logged.join('')).toContain('the last traces could not be exported');
});
