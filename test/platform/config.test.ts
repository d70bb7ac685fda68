import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/kernel/refusal.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import { LIVE } from '../harness/live.ts';

const LIVE_RAIL = { ...LIVE, DATABASE_URL: 'postgresql://rail@db/rail' };

describe('the configuration', () => {
  it('needs nothing in sandbox mode', () => {
    expect(readConfig({})).toMatchObject({
      mode: 'sandbox',
      port: null,
      host: '127.0.0.1',
      databaseUrl: null,
      jobs: true,
      introspection: true,
      intentTtlHours: 24,
      drainSeconds: 5,
      keepAliveSeconds: 620,
    });
    expect(readConfig({ DATABASE_POOL: '20' })).toMatchObject({ maxInFlight: 40 });
    expect(readConfig({ PORT: '', JOBS: 'off' })).toMatchObject({ port: null, jobs: false });
  });

  it.each([
    ['PORT', 'x'],
    ['PORT', '70000'],
    ['MODE', 'production'],
    ['DATABASE_URL', 'mysql://x'],
    ['BASE_URL', 'ftp://x'],
    ['JOBS', 'maybe'],
    ['DRAIN_SECONDS', '-1'],
    ['COMPRESSION', 'gzip'],
    ['KEEP_ALIVE_SECONDS', '0'],
    ['LOG_LEVEL', 'loud'],
    ['INTENT_TTL_HOURS', '0'],
    ['DATABASE_POOL', '1.5'],
    ['WEBHOOK_SECRET_CARD', 'short'],
    ['SECRET_KEY', 'too-short'],
    ['SMTP_URL', 'https://mail'],
    ['RATE_LIMIT_KEY', '0'],
    ['OPS_PORT', '0'],
    ['WEBHOOK_PORTS', '443,x'],
    ['RATE_LIMIT_ANONYMOUS', '0'],
    ['MAX_IN_FLIGHT', '0'],
    ['GRAPHQL_EXECUTOR', 'another'],
    ['TRUST_PROXY', 'somewhere'],
    ['OTEL_TRACES_EXPORTER', 'jaeger'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4317'],
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote'],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
    ['WEBHOOK_SECRET_CARD', 'a-secret-of-16-characters,a-secret-of-16-characters,a-secret-of-16-characters'],
  ])('names %s where it is %s, in one line', (variable, value) => {
    expect(() => readConfig({ [variable]: value })).toThrow(new RegExp(`^${variable}: [^\\n]+$`));
  });

  it('has requests traced where OTEL_* ask for it', () => {
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
    const all = { sampler: 'always_on', ratio: 1, callerDecides: false };
    const share = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' };
    const tracingOf = (env: Record<string, string>) => readConfig(env).tracing;
    expect(tracingOf({})).toBeNull();
    expect(tracingOf(share)).toBeNull();
    expect(tracingOf({ ...endpoint, OTEL_SDK_DISABLED: 'true' })).toBeNull();
    expect(tracingOf({ ...endpoint, OTEL_TRACES_EXPORTER: 'none' })).toBeNull();
    expect(tracingOf(endpoint)).toEqual(all);
    expect(tracingOf({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://collector/v1/traces' })).toEqual(all);
    expect(tracingOf({ OTEL_TRACES_EXPORTER: 'otlp' })).toEqual(all);
    expect(tracingOf({ ...endpoint, ...share })).toEqual({ sampler: 'traceidratio', ratio: 0.1, callerDecides: false });
    const trusting = { ...endpoint, TRUST_TRACEPARENT: 'on' };
    expect(tracingOf({ ...trusting, ...share })).toMatchObject({ callerDecides: true });
    expect(tracingOf({ ...trusting, OTEL_TRACES_SAMPLER: 'always_off' })).toMatchObject({ callerDecides: false });
  });

  it('names what live mode needs', () => {
    const given = {
      ...LIVE_RAIL,
      BASE_URL: 'https://rail.example.org/',
      WEBHOOK_SECRET_CARD: 'a-secret-of-16-characters,another-secret-of-16',
    };
    expect(readConfig(given)).toMatchObject({
      mode: 'live',
      baseUrl: 'https://rail.example.org',
      introspection: false,
    });
    for (const variable of ['DEV_REVEAL', 'WEBHOOK_ALLOW_PRIVATE']) {
      expect(() => readConfig({ ...LIVE_RAIL, [variable]: 'on' })).toThrow(new RegExp(`^${variable}: `));
    }
    expect(() => readConfig({ ...LIVE_RAIL, BASE_URL: 'http://rail.example.org' })).toThrow(/^BASE_URL: /);
  });

  it('names all at once that live mode lacks, and all that is wrong', () => {
    expect(() => readConfig({ MODE: 'live' })).toThrow(
      new ConfigError('DATABASE_URL, BASE_URL, SECRET_KEY, SMTP_URL: needed in live mode'),
    );
    expect(() => readConfig({ PORT: 'x', JOBS: 'maybe' })).toThrow(/^PORT: [^;\n]+; JOBS: [^;\n]+$/);
    const embedded = { ...LIVE_RAIL, DATABASE_URL: undefined };
    expect(readConfig(embedded)).toMatchObject({ databaseUrl: null, embeddedPostgres: true });
    expect(() => readConfig({ ...embedded, EMBEDDED_POSTGRES: 'off' })).toThrow(/^DATABASE_URL: needed in live mode$/);
    // Whoever wants no mail says so.
    expect(readConfig(LIVE_RAIL).smtpUrl).toBeNull();
  });
});
