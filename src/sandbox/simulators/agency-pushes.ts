import { createHmac, randomUUID } from 'node:crypto';
import type { Express } from 'express';
import { wordOf } from '../../platform/config/connections.ts';
import { deliverCallback } from './callbacks.ts';

/** A message that an agency sends to the rail unasked. */
export interface AgencyPush {
  readonly type: string;
  readonly object: string;
  readonly data: object;
}

export type Send = (word: AgencyPush) => Promise<void>;

/** The signing secret of a kind of agency, and the variable that configures it. */
export function secretOfKind(kind: string): { readonly variable: string; readonly secret: string } {
  const word = wordOf(kind);
  return { variable: `WEBHOOK_SECRET_${word.toUpperCase()}`, secret: `sim-word-of-${word}` };
}

/** Sender of messages to the rail by the agencies of a kind. Nobody reads the answers. */
export function openSend(kind: string, rail: () => string): Send {
  const { secret } = secretOfKind(kind);
  return (word) => {
    const body = JSON.stringify({ event_id: randomUUID(), ...word });
    const signature = createHmac('sha256', secret).update(body).digest('hex');
    const url = `${rail()}/v1/webhooks/${wordOf(kind)}`;
    return deliverCallback(url, 'POST', body, { 'x-service-signature': signature });
  };
}

/** Has an agency send the rail what is posted here, for trying it by hand. */
export function sendByHand(app: Express, send: Send): void {
  app.post('/simulate', (req, res) => {
    const { type = '', object = '', data = {} } = (req.body ?? {}) as Partial<AgencyPush>;
    void send({ type, object, data }).then(() => res.status(202).end());
  });
}

/** Fate of a notice that was taken: its receipt goes with the answer, or follows; or it is rejected after. */
export type NoticePlan = 'receipt' | 'later' | 'rejected';

const FOLLOWS_MS = 50;

/** By the quantity of its first line, for trying things by hand. */
export function planByQuantity(notice: { readonly lines?: readonly { readonly quantity: number }[] }): NoticePlan {
  return ({ 2: 'later', 3: 'rejected' } as const)[notice.lines?.[0]?.quantity ?? 1] ?? 'receipt';
}

/** Tells what follows a notice that was answered. */
export function follow(send: Send, plan: NoticePlan, object: string, receipt: string): void {
  if (plan === 'receipt') return;
  const word: AgencyPush =
    plan === 'later'
      ? { type: 'receipt.issued', object, data: { receipt_number: receipt } }
      : { type: 'notice.rejected', object, data: { reason: 'The account of the taxpayer is closed' } };
  setTimeout(() => void send(word), FOLLOWS_MS).unref();
}
