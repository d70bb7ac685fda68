import { AdapterFailure } from '../failure.ts';
import { Decimal } from '../../kernel/money.ts';
import { callingCodeOf } from '../../kernel/text/phone.ts';
import { readMember, readTextMember } from '../http/members.ts';
import { Peer, wasNotReached } from '../http/peer.ts';
import type { SmsGateway, Taken, TextCost } from './gateway.ts';
import type { SmsConnection } from './options.ts';

const TAKEN = new Set(['100', '101', '102']);
const BLACKLISTED = '406';
/** Failures that trying again does not change: a wrong number, no route, a network that refuses. */
const FINAL = new Set(['401', '403', '404', '407', '409', '502']);
/** Answers after which nobody knows whether the text was taken. */
const UNSURE = new Set([500, 502, 504]);

const DELIVERED = new Set(['Success']);
const FAILED = new Set(['Rejected', 'Failed', 'Expired', 'AbsentSubscriber']);

/** Texts by Africa's Talking, in its form-encoded protocol. */
export function openAfricasTalking({
  name,
  countries,
  peer: reached,
  username,
  apiKey,
  sender,
}: SmsConnection): SmsGateway {
  const peer = new Peer(name, reached);
  return {
    name,
    prefixes: countries.map((code) => callingCodeOf(code)!),
    takesReplies: sender !== null && /^\d+$/.test(sender),
    async send({ to, text }) {
      const asked = {
        method: 'POST',
        path: '/version1/messaging',
        headers: { apiKey },
        form: { username, to, message: text, ...(sender !== null && { from: sender }) },
        // It has no way to say that a text is the same as before.
        safe: false,
      } as const;
      const answer = await peer.ask(asked).catch((error: unknown) => {
        if (!(error instanceof AdapterFailure) || !wasNotReached(error)) throw error;
        throw peer.failure('unavailable', 'could not be reached', { cause: error });
      });
      if (UNSURE.has(answer.status))
        throw peer.failure('failed', `did not say whether it took a text: ${answer.status}`);
      const recipients = readMember(answer.body, 'SMSMessageData', 'Recipients');
      const recipient: unknown = Array.isArray(recipients) ? recipients[0] : undefined;
      const ok = answer.status === 200 || answer.status === 201;
      if (ok && answer.body === null) throw peer.failure('failed', 'did not say whether it took a text');
      const taken = ok && recipient !== undefined ? outcomeOf(recipient) : null;
      if (!taken) throw peer.failure('refused', `did not take a text: ${reasonOf(recipient) ?? answer.status}`);
      return taken;
    },
    readReport(fields) {
      const [id, status] = [fields.get('id'), fields.get('status')];
      if (id === null || status === null) return null;
      const outcome = DELIVERED.has(status) ? 'delivered' : FAILED.has(status) ? 'failed' : null;
      return { id, outcome, reason: outcome === 'failed' ? wordOf(fields.get('failureReason') ?? status) : null };
    },
    readText(fields) {
      const [from, text] = [fields.get('from'), fields.get('text')];
      return from === null || text === null ? null : { from, text };
    },
    close: () => peer.close(),
  };
}

/** Null of what can be tried again. */
function outcomeOf(recipient: unknown): Taken | null {
  const code = readTextMember(recipient, 'statusCode') ?? '';
  if (TAKEN.has(code)) {
    const id = readTextMember(recipient, 'messageId');
    return { outcome: 'taken', id: id === 'None' ? null : id, cost: costOf(readTextMember(recipient, 'cost')) };
  }
  const reason = reasonOf(recipient) ?? code;
  if (code === BLACKLISTED) return { outcome: 'stopped', reason };
  return FINAL.has(code) ? { outcome: 'refused', reason } : null;
}

/** `UGX 35.0000`; a text that costs nothing costs `0`. */
function costOf(cost: string | null): TextCost | null {
  const [, currency, amount] = /^([A-Z]{3}) (\d{1,12}(?:\.\d{1,4})?)$/.exec(cost ?? '') ?? [];
  return amount === undefined ? null : { amount: new Decimal(amount), currency: currency! };
}

function reasonOf(recipient: unknown): string | null {
  const status = readTextMember(recipient, 'status');
  return status === null ? null : wordOf(status);
}

/** A reason as the gateway has them, which are words; anything else could quote a number. */
function wordOf(reason: string): string {
  return /^[A-Za-z]{1,60}$/.test(reason) ? reason : 'unknown';
}
