import { afterEach, describe, expect, it, vi } from 'vitest';
import { type ClientOptions, type RailError, createClient } from '../../../clients/typescript/src/index.ts';

// No rail runs here, whose timers would be taken from it.
afterEach(() => {
  vi.useRealTimers();
});

interface Sent extends RequestInit {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}
type Outcome = Response | Error | 'silence';

/** A client whose requests have these outcomes, one after the other, and what it sent. */
function clientOf(outcomes: readonly Outcome[], options: Partial<ClientOptions> = {}) {
  const sent: Sent[] = [];
  const client = createClient({
    baseUrl: 'https://rail.example/',
    key: 'rail_sandbox_key',
    ...options,
    fetch: async (url, init) => {
      const outcome = outcomes[sent.push({ ...init, url } as Sent) - 1];
      if (outcome === undefined) throw new Error('One request too many');
      if (outcome === 'silence')
        return new Promise((_resolve, reject) => {
          init.signal!.addEventListener('abort', () => reject(init.signal!.reason as Error));
        });
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
  });
  return { client, sent };
}

const answerOf = (status: number, body: object, headers: Readonly<Record<string, string>> = {}) =>
  Response.json(body, { status, headers });
const refusal = (status: number, code: string, headers = {}) =>
  answerOf(status, { error: { code, message: 'No' } }, headers);
const lost = () => new TypeError('fetch failed');
/** Longer than a call waits between all its attempts. */
const LONGEST_MS = 600_000;
/** The outcome of a call, however long it waits between its attempts. */
async function settled<T>(call: () => Promise<T>): Promise<T | RailError> {
  vi.useFakeTimers();
  const result = call().catch((error: unknown) => error as RailError);
  // A rail that ran in this process before may still wait for its database: its timers never end.
  await vi.advanceTimersByTimeAsync(LONGEST_MS);
  return result;
}

describe('a call that fails on its way', () => {
  it.each([
    ['no answer', lost()],
    ['a proxy without a rail', new Response('<html>', { status: 502, headers: { 'content-type': 'text/html' } })],
    ['500', refusal(500, 'internal_error')],
    ['503', refusal(503, 'unavailable', { 'retry-after': '2' })],
    ['504', refusal(504, 'adapter_timeout')],
    ['429', refusal(429, 'rate_limited', { 'retry-after': '60' })],
    ['its own first attempt, which still runs', refusal(409, 'idempotency_in_progress', { 'retry-after': '1' })],
  ])('is tried again under one key after %s', async (_name, outcome) => {
    const { client, sent } = clientOf([outcome, lost(), answerOf(200, { data: { name: 'ASMT' } })]);
    const cancelled = await settled(() => client.assessments.cancel('ASMT', { reason: 'Twice' }));
    expect(cancelled).toEqual({ name: 'ASMT' });
    expect(sent.map(({ url, body }) => [url, body])).toEqual(
      Array.from({ length: 3 }, () => [`https://rail.example/v1/assessments/ASMT:cancel`, '{"reason":"Twice"}']),
    );
    const keys = new Set(sent.map(({ headers }) => headers['idempotency-key']));
    expect([...keys]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  });

  it.each([
    ['validation_failed', refusal(422, 'validation_failed')],
    ['unauthenticated', refusal(401, 'unauthenticated')],
    ['duplicate_email', refusal(409, 'duplicate_email')],
    ['rate_limited', refusal(429, 'rate_limited', { 'retry-after': '3600' })],
    ['unexpected_answer', new Response('<html>', { headers: { 'content-type': 'text/html' } })],
    ['unexpected_answer', new Response('{', { headers: { 'content-type': 'application/json' } })],
  ])('is not tried again where that would not help: %s', async (reason, outcome) => {
    const { client, sent } = clientOf([outcome]);
    expect(await settled(() => client.get('/v1/me'))).toMatchObject({ reason, status: outcome.status });
    expect(sent.length).toBe(1);
  });

  it('waits for as long as the rail says, and else longer each time', async () => {
    const { client, sent } = clientOf([refusal(503, 'unavailable', { 'retry-after': '7' }), lost(), lost(), lost()]);
    vi.useFakeTimers();
    const result = client.get('/v1/me').catch((error: unknown) => error);
    const seen: number[] = [];
    for (const ms of [6_999, 501, 500, 500, 1_000, 1_000]) {
      await vi.advanceTimersByTimeAsync(ms);
      seen.push(sent.length);
    }
    expect(seen).toEqual([1, 2, expect.any(Number), 3, expect.any(Number), 4]);
    expect(await result).toMatchObject({ name: 'RailError', status: 0, reason: 'unreachable' });
  });

  it('ends when an attempt takes too long, at the last', async () => {
    const { client, sent } = clientOf(['silence', 'silence'], { timeoutMs: 50 });
    const call = () => client.citizens.search('CM12345678ABCD', { retries: 1 });
    expect(await settled(call)).toMatchObject({
      reason: 'timed_out',
      status: 0,
      // The message holds no personal data, since logs would keep it.
      message: 'GET /v1/citizens/search: no answer within 50 ms',
    });
    expect(sent.length).toBe(2);
  });

  it.each([
    ['an attempt', 'silence'],
    ['a pause', lost()],
  ] as const)('ends with its signal, in the middle of %s', async (_name, outcome) => {
    const { client, sent } = clientOf([outcome]);
    const end = new AbortController();
    const result = client.get('/v1/me', { signal: end.signal });
    await expect.poll(() => sent.length).toBe(1);
    end.abort(new Error('Enough'));
    await expect(result).rejects.toThrow('Enough');
    await expect(client.get('/v1/me', { signal: end.signal })).rejects.toThrow('Enough');
    expect(sent.length).toBe(1);
  });
});

describe('a credential', () => {
  const me = () => answerOf(200, { data: {} });

  it('is a key, a token that is got for each attempt, or the session of the page', async () => {
    const byKey = clientOf([me()]);
    await byKey.client.get('/v1/me');
    expect(byKey.sent[0]).toMatchObject({ credentials: 'omit', headers: { authorization: 'Bearer rail_sandbox_key' } });
    let got = 0;
    const token = async () => `token-${(got += 1)}`;
    const byToken = clientOf([lost(), me()], { key: undefined, token });
    await settled(() => byToken.client.get('/v1/me'));
    expect(byToken.sent.map(({ headers }) => headers['authorization'])).toEqual(['Bearer token-1', 'Bearer token-2']);
    const bySession = clientOf([me()], { key: undefined, session: true });
    await bySession.client.get('/v1/me');
    expect(bySession.sent[0]!.credentials).toBe('same-origin');
    expect(bySession.sent[0]!.headers).toEqual({ accept: 'application/json' });
  });

  it('goes to the address of the client alone, though a list links elsewhere', async () => {
    const link = '<https://other.example/v1/mdas?limit=1&after=URA>; rel="next"';
    const { client, sent } = clientOf([answerOf(200, { data: [] }, { link }), answerOf(200, { data: [] })]);
    for await (const rows of client.mdas.list({ limit: 1, mode: 'A' }).pages()) expect(rows).toEqual([]);
    expect(sent.map(({ url }) => url)).toEqual([
      'https://rail.example/v1/mdas?limit=1&mode=A',
      'https://rail.example/v1/mdas?limit=1&mode=A&after=URA',
    ]);
  });
});

describe('polling for events', () => {
  const event = (id: string) => ({ id, type: 'assessment.paid', data: { object: {} } });

  it('goes on after the last event, and ends where there are no more if it is not to wait', async () => {
    const pages = [[event('1'), event('2')], [event('3')], []];
    const { client, sent } = clientOf(pages.map((data) => answerOf(200, { data })));
    const seen: string[] = [];
    const options = { after: '0', types: ['assessment.paid', 'payment_intent.failed'], wait: 0, limit: 2 } as const;
    for await (const { id } of client.events.poll(options)) seen.push(id);
    expect(seen).toEqual(['1', '2', '3']);
    expect(sent.map(({ url }) => new URL(url).searchParams.get('after'))).toEqual(['0', '2', '3']);
    expect(sent[0]!.url).toContain('&types=assessment.paid%2Cpayment_intent.failed&wait=0&limit=2');
  });

  it('waits for longer than the rail does, again and again, until its signal', async () => {
    const { client, sent } = clientOf([answerOf(200, { data: [] }), answerOf(200, { data: [event('1')] }), 'silence']);
    vi.useFakeTimers();
    const end = new AbortController();
    const seen: string[] = [];
    const polled = (async () => {
      for await (const { id } of client.events.poll({ signal: end.signal })) seen.push(id);
    })().catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(34_000);
    expect([seen, sent.length]).toEqual([['1'], 3]);
    expect(sent.map(({ url }) => new URL(url).search)).toEqual(['?wait=25', '?wait=25', '?after=1&wait=25']);
    end.abort();
    expect(await polled).toMatchObject({ name: 'AbortError' });
  });
});
