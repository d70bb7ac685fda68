import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { RailError, webhooks } from '../../../clients/typescript/src/index.ts';
import { eventCatalogue } from '../../../src/accounts/events/event-types.ts';
import { signatureHeadersOf } from '../../../src/accounts/webhooks/signature.ts';

const someSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const [current, previous] = [someSecret(), someSecret()];
const { example } = eventCatalogue.find(({ type }) => type === 'payment_intent.confirmed')!;
const bodyAt = (at: Date) => JSON.stringify({ ...(example as object), created_at: at.toISOString(), note: 'Ünï' });
const body = bodyAt(new Date());

/** The header fields of the message, as a rail that still has two secrets sends it. */
const signed = (at = new Date(), of = body) => signatureHeadersOf({ current, previous }, 'MSG-1', at, of);
const ownOf = ({
  'X-Service-Signature': own,
  'X-Service-Signature-Previous': before,
}: Readonly<Record<string, string>>) => ({ 'x-service-signature': own, 'x-service-signature-previous': before });
const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000);
const refused = (headers: Readonly<Record<string, string | undefined>>, of = body, secret = current, options = {}) =>
  webhooks.unwrap(of, headers, secret, options).then(
    () => null,
    (error: unknown) => error instanceof RailError && [error.status, error.reason],
  );

describe('webhooks.unwrap', () => {
  it('answers the event, typed, of a message as it was received', async () => {
    const event = await webhooks.unwrap(body, signed(), current);
    expect(event).toEqual(JSON.parse(body));
    if (event.type !== 'payment_intent.confirmed') throw new Error(event.type);
    expect(event.data.object.splits[0]!.amount satisfies number).toBeGreaterThan(0);
    expect(await webhooks.unwrap(Buffer.from(body), new Headers(signed()), current)).toEqual(event);
  });

  it('takes either secret while one replaces the other', async () => {
    for (const secret of [current, previous])
      expect(await webhooks.unwrap(body, signed(), secret)).toMatchObject({ type: 'payment_intent.confirmed' });
  });

  it('refuses a message whose standard signature was taken away, however new it is', async () => {
    expect(await refused(ownOf(signed()))).toEqual([401, 'invalid_signature']);
  });

  it('takes the form of old rails where it is told to, by either secret, for five minutes', async () => {
    const tryOwn = (of: string, secret = current) =>
      refused(ownOf(signed(new Date(), of)), of, secret, { legacy: true });
    for (const secret of [current, previous]) expect(await tryOwn(bodyAt(ago(290)), secret)).toBe(null);
    const old = [bodyAt(ago(302)), bodyAt(ago(400 * 86_400)), bodyAt(ago(-302)), '{}', 'null', 'no JSON'];
    for (const of of old) expect([of, await tryOwn(of)]).toEqual([of, [401, 'invalid_signature']]);
    expect(await refused(ownOf(signed()), `${body} `, current, { legacy: true })).toEqual([401, 'invalid_signature']);
    const wrong = { ...signed(), 'webhook-signature': 'v1,AAAA' };
    expect(await refused(wrong, body, current, { legacy: true })).toEqual([401, 'invalid_signature']);
  });

  it.each([
    ['another secret', signed(), body, someSecret()],
    ['another body', signed(), `${body} `, current],
    ['another id', { ...signed(), 'webhook-id': 'MSG-2' }, body, current],
    ['another time', { ...signed(), 'webhook-timestamp': String(Math.floor(Date.now() / 1_000) - 1) }, body, current],
    ['no time', { ...signed(), 'webhook-timestamp': undefined }, body, current],
    ['a time that is none', { ...signed(), 'webhook-timestamp': 'now' }, body, current],
    ['a time too long ago', signed(ago(302)), body, current],
    ['a time to come', signed(ago(-302)), body, current],
    ['the other form right alone', { ...signed(), 'webhook-signature': 'v1,AAAA' }, body, current],
    [
      'another version',
      { ...signed(), 'webhook-signature': signed()['webhook-signature']!.replaceAll('v1,', 'v2,') },
      body,
      current,
    ],
    ['half a signature', { 'x-service-signature': signed()['X-Service-Signature']!.slice(0, 32) }, body, current],
    ['no signature', {}, body, current],
  ])('refuses a message with %s', async (_name, headers, of, secret) => {
    expect(await refused(headers, of, secret)).toEqual([401, 'invalid_signature']);
  });

  it('takes a message until five minutes after it was sent', async () => {
    expect(await refused(signed(ago(298)))).toBe(null);
  });
});
