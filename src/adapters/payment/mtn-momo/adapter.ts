import { createHmac, randomUUID } from 'node:crypto';
import { minorDigitsOf, readAmount } from '../../../kernel/money.ts';
import { parseJson, redactObject, readTextMember } from '../../http/members.ts';
import { Peer } from '../../http/peer.ts';
import { Tokens } from '../../http/tokens.ts';
import { identifyBytes, isEqualText } from '../proof.ts';
import { requireAmount } from '../status.ts';
import { type CallbackPayload, type PaymentAdapter, type RawCallback, type ProviderStatus, onlyNext } from '../port.ts';
import type { ConnectionSettings } from '../provider.ts';
import { REFUSALS, STATUSES, codeOf } from './answers.ts';
import type { MtnMomoOptions } from './options.ts';
import { openMtnRefunds } from './refunds.ts';

const open = { txnId: null, amount: null, currency: null, settledAt: null, reason: null };

/**
 * MTN MoMo Collections (`requesttopay`). The reference is an UUID of ours, sent as `X-Reference-Id`, under which MTN
 * takes a collection once. MTN calls back once at most and signs nothing: the address that it is given carries the
 * proof instead, and a callback is only ever a reason to ask. Splits travel in `splits`, which MTN's settlement or
 * the party in front of it executes.
 */
export function openMtnMomo(options: MtnMomoOptions, settings: ConnectionSettings): PaymentAdapter {
  const {
    subscription_key: subscriptionKey,
    api_user: apiUser,
    api_key: apiKey,
    target_environment: targetEnvironment,
    disbursement,
  } = options;
  const { name, secrets, origin } = settings;
  const peer = new Peer(name, settings.peer, (answer) => answer.status >= 500 && !REFUSALS.has(codeOf(answer)));
  const product = { 'ocp-apim-subscription-key': subscriptionKey };
  const tokens = new Tokens(peer, {
    method: 'POST',
    path: '/collection/token/',
    headers: { ...product, authorization: `Basic ${Buffer.from(`${apiUser}:${apiKey}`).toString('base64')}` },
  });
  const target = { ...product, 'x-target-environment': targetEnvironment };

  const callbackUrl = (intent: string): string => {
    const url = new URL(`${origin()}/v1/webhooks/${name}`);
    url.searchParams.set('intent', intent);
    if (secrets[0] !== undefined) url.searchParams.set('proof', proofOf(secrets[0], intent));
    return url.href;
  };

  return {
    stub: false,
    get available() {
      return peer.available;
    },
    enquirable: true,
    needsPayer: true,
    reference: () => randomUUID(),
    async initiate(collection) {
      const { intent, amount, currency, payerMsisdn, splits, sender } = collection;
      const reference = collection.reference!;
      const json = {
        amount: amount.toFixed(minorDigitsOf(currency)),
        currency,
        externalId: intent,
        payer: { partyIdType: 'MSISDN', partyId: payerMsisdn!.replace('+', '') },
        payerMessage: `Payment ${intent}`,
        payeeNote: intent,
        splits: splits.map((share) => ({
          account: share.account,
          amount: share.amount.toFixed(minorDigitsOf(currency)),
          reference: share.mda,
        })),
      };
      const headers = { ...target, 'x-reference-id': reference, 'x-callback-url': callbackUrl(intent) };
      const answer = await tokens.authorised((bearer) =>
        peer.ask({
          method: 'POST',
          path: '/collection/v1_0/requesttopay',
          headers: { ...headers, ...bearer },
          json,
          safe: false,
          calledFor: { sender, number: payerMsisdn },
        }),
      );
      // 409: this very collection was taken before, and its answer lost.
      if (answer.status === 202 || answer.status === 409) {
        return {
          reference,
          nextAction: onlyNext('push'),
          request: redactObject(json),
          response: { http_status: answer.status, ...redactObject(answer.body ?? {}) },
        };
      }
      const code = codeOf(answer);
      if (answer.status === 400 || REFUSALS.has(code)) throw peer.failure('refused', `refused the collection: ${code}`);
      throw peer.failure('failed', `did not take the collection: ${answer.status} ${code}`);
    },
    async verify({ intent, reference, payerMsisdn }) {
      if (reference === null) return { ...open, status: 'NOT_FOUND', response: {} };
      const path = `/collection/v1_0/requesttopay/${encodeURIComponent(reference)}`;
      const answer = await tokens.authorised((bearer) =>
        peer.ask({
          method: 'GET',
          path,
          headers: { ...target, ...bearer },
          safe: true,
          calledFor: { sender: null, number: payerMsisdn },
        }),
      );
      const response = { http_status: answer.status, ...redactObject(answer.body ?? {}) };
      if (answer.status === 404) return { ...open, status: 'NOT_FOUND', response };
      const status = STATUSES[readTextMember(answer.body, 'status') ?? ''];
      if (answer.status !== 200 || !status)
        throw peer.failure('failed', `did not say how the collection stands: ${answer.status} ${codeOf(answer)}`);
      if (readTextMember(answer.body, 'externalId') !== intent)
        throw peer.failure('failed', 'answered for another collection');
      return requireAmount(peer, { ...providerStatusOf(answer.body, status), response });
    },
    ...(disbursement && openMtnRefunds(peer, disbursement, targetEnvironment)),
    parseCallback: (callback) => parseCallback(callback, secrets),
    close: () => peer.close(),
  };
}

function providerStatusOf(body: unknown, status: ProviderStatus['status']): Omit<ProviderStatus, 'response'> {
  const amount = readTextMember(body, 'amount');
  return {
    status,
    txnId: readTextMember(body, 'financialTransactionId'),
    amount: readAmount(amount ?? '')?.amount ?? null,
    currency: readTextMember(body, 'currency'),
    settledAt: null,
    // A code alone, or with a message.
    reason: readTextMember(body, 'reason', 'code') ?? readTextMember(body, 'reason'),
  };
}

/** MTN's own callback is the same object as its status, without a proof of its own. */
function parseCallback({ body, query }: RawCallback, secrets: readonly string[]): CallbackPayload | null {
  const { intent, proof } = query;
  if (intent == null) return null;
  const said = parseJson(body.toString('utf8'));
  const status = STATUSES[readTextMember(said, 'status') ?? ''] ?? 'PENDING';
  const isOurs = proof != null && secrets.some((secret) => isEqualText(proofOf(secret, intent), proof));
  return {
    eventId: identifyBytes(intent, body),
    intent,
    reference: null,
    proof: proof == null ? 'unsigned' : isOurs ? 'signed' : 'forged',
    claimed: { ...providerStatusOf(said, status), response: redactObject(said ?? {}) },
  };
}

/** Proof that a caller was given the address for the callbacks of an intent. */
function proofOf(secret: string, intent: string): string {
  return createHmac('sha256', secret).update(`callback ${intent}`).digest('hex');
}
