import { createHmac } from 'node:crypto';
import { readAmount } from '../../../kernel/money.ts';
import { readMember, parseJson, redactObject, readTextMember } from '../../http/members.ts';
import { Peer } from '../../http/peer.ts';
import { identifyBytes, isEqualText } from '../proof.ts';
import { requireAmount } from '../status.ts';
import type {
  CallbackPayload,
  Dispute,
  IgnoredCallback,
  PaymentAdapter,
  RawCallback,
  Share,
  ProviderStatus,
} from '../port.ts';
import type { ConnectionSettings } from '../provider.ts';
import { type FlutterwaveOptions, HASH, SIGNATURE } from './options.ts';
import { openFlutterwaveRefunds } from './refunds.ts';

/** States of a charge in its versions 3 and 4. */
const STATUSES: Readonly<Record<string, ProviderStatus['status']>> = {
  successful: 'SUCCESSFUL',
  succeeded: 'SUCCESSFUL',
  failed: 'FAILED',
  pending: 'PENDING',
};

/** Refusals to collect. An outage, a limit or a wrong key says nothing of the collection. */
const REFUSED = new Set([400, 404, 409, 422]);

const open = { txnId: null, amount: null, currency: null, settledAt: null, reason: null };

/** Time for which a sub-account that was found for an account is believed. */
const KNOWN_FOR_MS = 600_000;

/**
 * Cards, by an aggregator with Flutterwave's protocol. A collection is a page that the payer pays at; the rail's
 * reference is `tx_ref`, the intent's docname. Each split goes to the sub-account of the agency's collection account,
 * as a flat amount.
 */
export function openFlutterwave(
  options: FlutterwaveOptions,
  { name, secrets, origin, peer: reached }: ConnectionSettings,
): PaymentAdapter {
  const peer = new Peer(name, reached);
  const headers = { authorization: `Bearer ${options.secret_key}` };
  const known = new Map<string, { id: string; until: number }>();

  const subaccountOf = async ({ account, mda }: Share): Promise<string> => {
    const found = known.get(account);
    if (found && found.until > performance.now()) return found.id;
    const { status, body } = await peer.ask({
      method: 'GET',
      path: '/v3/subaccounts',
      query: { account_number: account },
      headers,
      safe: true,
    });
    if (status >= 500 || status === 429)
      throw peer.failure('unavailable', `did not find the account of ${mda}: ${status}`);
    const rows = readMember(body, 'data');
    const row: unknown = Array.isArray(rows)
      ? rows.find((entry) => readTextMember(entry, 'account_number') === account)
      : undefined;
    const id = readTextMember(row, 'subaccount_id');
    if (status !== 200 || id === null)
      throw peer.failure('refused', `has no sub-account for the collection account of ${mda}`);
    known.set(account, { id, until: performance.now() + KNOWN_FOR_MS });
    return id;
  };

  return {
    stub: false,
    get available() {
      return peer.available;
    },
    enquirable: true,
    needsPayer: false,
    reference: (intent) => intent,
    async initiate({ intent, amount, currency, payerMsisdn, payerEmail, returnUrl, splits, sender }) {
      const subaccounts = await Promise.all(
        splits.map(async (share) => ({
          id: await subaccountOf(share),
          transaction_charge_type: 'flat_subaccount',
          transaction_charge: share.amount.toNumber(),
        })),
      );
      // It requires an address, a different one of each customer, mails receipts to it, and documents no form for payers
      // without one: under RFC 2606 this one is nobody's.
      const email = payerEmail ?? `${intent.toLowerCase()}@payer.invalid`;
      const json = {
        tx_ref: intent,
        amount: amount.toNumber(),
        currency,
        payment_options: 'card',
        // It adds `status`, `tx_ref` and `transaction_id` to the query.
        redirect_url: returnUrl ?? origin(),
        customer: {
          email,
          ...(payerMsisdn && { phonenumber: payerMsisdn }),
        },
        subaccounts,
      };
      const calledFor = { sender, number: payerMsisdn };
      const answer = await peer.ask({ method: 'POST', path: '/v3/payments', headers, json, safe: false, calledFor });
      const response = { http_status: answer.status, ...redactObject(answer.body ?? {}) };
      const url = readTextMember(answer.body, 'data', 'link');
      if (answer.status === 200 && url !== null) {
        const shown = {
          ...json,
          // The part after the host may let the payer in there.
          redirect_url: new URL(json.redirect_url).origin,
          // A sub-account is shown as the account that it stands for is.
          subaccounts: subaccounts.map(({ id, ...share }) => ({ account: id, ...share })),
        };
        const nextAction = { type: 'redirect', url, expiresAt: null } as const;
        return { reference: intent, nextAction, request: redactObject(shown), response };
      }
      // It may repeat what it does not like, and what it says is kept and shown.
      const said = readTextMember(answer.body, 'message') ?? 'no reason';
      const message = said.replaceAll(email, '…').replaceAll(json.redirect_url, '…');
      if (REFUSED.has(answer.status)) throw peer.failure('refused', `refused the collection: ${message}`);
      throw peer.failure('failed', `did not take the collection: ${answer.status} ${message}`);
    },
    async verify({ intent, reference }) {
      if (reference === null) return { ...open, status: 'NOT_FOUND', response: {} };
      const answer = await peer.ask({
        method: 'GET',
        path: '/v3/transactions/verify_by_reference',
        query: { tx_ref: reference },
        headers,
        safe: true,
      });
      const response = { http_status: answer.status, ...redactObject(answer.body ?? {}) };
      const data = readMember(answer.body, 'data');
      // There is no transaction until somebody pays at the page.
      if ((answer.status === 400 || answer.status === 404) && data == null)
        return { ...open, status: 'PENDING', response };
      const status = STATUSES[readTextMember(data, 'status') ?? ''];
      if (answer.status !== 200 || !status)
        throw peer.failure('failed', `did not say how the collection stands: ${answer.status}`);
      if (readTextMember(data, 'tx_ref') !== intent) throw peer.failure('failed', 'answered for another collection');
      return requireAmount(peer, { ...providerStatusOf(data, status), response });
    },
    /** Its page is closed by its address: https://developer.flutterwave.com/docs/flutterwave-standard-1. */
    async withdraw({ page }) {
      if (page === null) throw peer.failure('unavailable', 'has no page of the collection');
      const path = '/v3/payments/link/disable';
      const answer = await peer.ask({ method: 'POST', path, headers, json: { link: page }, safe: true });
      const response = { http_status: answer.status, ...redactObject(answer.body ?? {}) };
      const said = readTextMember(answer.body, 'message') ?? 'no reason';
      // It refuses to close again what is closed.
      if (answer.status === 200 || (answer.status === 400 && /inactive/i.test(said))) return response;
      const kind = REFUSED.has(answer.status) ? 'refused' : 'failed';
      throw peer.failure(kind, `did not withdraw the collection: ${answer.status} ${said.replaceAll(page, '…')}`);
    },
    ...openFlutterwaveRefunds(peer, headers),
    parseCallback: (callback) => parseCallback(callback, secrets),
    close: () => peer.close(),
  };
}

function providerStatusOf(data: unknown, status: ProviderStatus['status']): Omit<ProviderStatus, 'response'> {
  const amount = readTextMember(data, 'amount');
  const settledAt = new Date(readTextMember(data, 'created_at') ?? '');
  return {
    status,
    txnId: readTextMember(data, 'flw_ref') ?? readTextMember(data, 'id'),
    amount: readAmount(amount ?? '')?.amount ?? null,
    currency: readTextMember(data, 'currency'),
    settledAt: Number.isNaN(settledAt.getTime()) ? null : settledAt,
    reason: status === 'FAILED' ? readTextMember(data, 'processor_response') : null,
  };
}

/**
 * `charge.completed`, of version 3 (`event`, proven by the secret itself in `verif-hash`, which does not bind the body)
 * or of version 4 (`type`, proven by the base64 HMAC-SHA256 of the body in `flutterwave-signature`). Accounts of version
 * 2 still send charges with `txRef` and no `data`. `chargeback.created` and `chargeback.updated` are disputes. Other events are ignored.
 */
function parseCallback(
  { body, headers }: RawCallback,
  secrets: readonly string[],
): CallbackPayload | IgnoredCallback | null {
  const said = parseJson(body.toString('utf8'));
  const event = readTextMember(said, 'event') ?? readTextMember(said, 'type') ?? readTextMember(said, 'event.type');
  if (event === null) return null;
  const proof = proofOf(body, headers, secrets);
  const older = readTextMember(said, 'txRef');
  const data = older === null ? readMember(said, 'data') : said;
  const reference = older ?? readTextMember(data, 'tx_ref') ?? readTextMember(data, 'reference');
  const dispute = event.startsWith('chargeback.') ? disputeOf(data) : null;
  if ((event !== 'charge.completed' && older === null && !dispute) || reference === null)
    return { ignored: true, proof };
  return {
    eventId: readTextMember(said, 'webhook_id') ?? identifyBytes(body),
    intent: null,
    reference,
    proof,
    claimed: {
      ...providerStatusOf(data, STATUSES[readTextMember(data, 'status') ?? ''] ?? 'PENDING'),
      response: redactObject(said),
    },
    dispute,
  };
}

/** The dispute that an event is about; null where it does not say of how much. */
function disputeOf(data: unknown): Dispute | null {
  const reference = readTextMember(data, 'id');
  const amount = readAmount(readTextMember(data, 'amount') ?? '')?.amount;
  const answerBy = new Date(readTextMember(data, 'due_datetime') ?? readTextMember(data, 'due_date') ?? '');
  return reference === null || !amount
    ? null
    : {
        reference,
        amount,
        currency: readTextMember(data, 'currency'),
        answerBy: Number.isNaN(answerBy.getTime()) ? null : answerBy,
      };
}

function proofOf(body: Buffer, headers: RawCallback['headers'], secrets: readonly string[]): CallbackPayload['proof'] {
  const signature = headers[SIGNATURE];
  const hash = headers[HASH];
  if (signature == null && hash == null) return 'unsigned';
  // The one of both that binds the body decides.
  const fits = (secret: string) =>
    signature == null
      ? isEqualText(secret, hash!)
      : isEqualText(createHmac('sha256', secret).update(body).digest('base64'), signature);
  return secrets.some(fits) ? 'signed' : 'forged';
}
