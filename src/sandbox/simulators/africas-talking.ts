import type { ServerOptions } from 'node:https';
import { createApplication, createTrouble, cutOff, serveApplication } from './web.ts';

const CREDENTIALS = { username: 'sim-rail', api_key: 'sim-sms-key' };

/** A text as the gateway has it in its books. */
export interface SimulatedText {
  readonly id: string;
  readonly to: string;
  readonly from: string | null;
  readonly text: string;
}

/** Outcome of the next texts: taken, refused for good, or taken without an answer. */
export type SmsPlan = 'taken' | 'blacklisted' | 'invalid' | 'no_balance' | 'cut' | 'unsure';

const REFUSALS: Readonly<Partial<Record<SmsPlan, readonly [number, string]>>> = {
  blacklisted: [406, 'UserInBlacklist'],
  invalid: [403, 'InvalidPhoneNumber'],
  no_balance: [405, 'InsufficientBalance'],
};

/** Texts as Africa's Talking's public documentation has it, with books of its own. `rail` is where it posts to. */
export async function simulateAfricasTalking(
  { name, rail, secret }: { name: string; rail: () => string; secret: string },
  tls?: ServerOptions,
) {
  const trouble = createTrouble();
  const texts: SimulatedText[] = [];
  const control: { plan: SmsPlan } = { plan: 'taken' };
  const app = createApplication(trouble);

  app.post('/version1/messaging', (req, res) => {
    const { username, to, message, from = null } = req.body as Record<string, string>;
    if (req.headers['apikey'] !== CREDENTIALS.api_key || username !== CREDENTIALS.username)
      return void res.status(401).send('The supplied authentication is invalid');
    const answer = (recipient: object) =>
      res
        .status(201)
        .json({ SMSMessageData: { Message: 'Sent to 1/1 Total Cost: UGX 35.0000', Recipients: [recipient] } });
    const refusal = REFUSALS[control.plan];
    if (refusal) {
      const [statusCode, status] = refusal;
      return void answer({ statusCode, number: to, status, cost: '0', messageId: 'None' });
    }
    const id = `ATXid_${texts.length + 1}`;
    texts.push({ id, to: to!, from, text: message! });
    if (control.plan === 'cut') return cutOff(res);
    if (control.plan === 'unsure') return void res.status(502).send('Bad gateway');
    answer({ statusCode: 101, number: to, status: 'Success', cost: 'UGX 35.0000', messageId: id });
  });

  /** Posts a form to the rail, as the address that it was given says. */
  const post = (what: 'reports' | 'messages', fields: Record<string, string>, proof: string | null = secret) =>
    fetch(`${rail()}/v1/sms/${name}/${what}${proof === null ? '' : `?proof=${encodeURIComponent(proof)}`}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    });

  const served = await serveApplication(app, tls);
  const connection = {
    name,
    gateway: 'africas_talking',
    url: served.url,
    countries: ['UG'],
    sender: '20880',
    ...CREDENTIALS,
  };
  return {
    ...served,
    texts,
    trouble,
    control,
    connection,
    report: (id: string, status: string, proof?: string | null) =>
      post('reports', { id, status, phoneNumber: '+256700010001', networkCode: '64110', retryCount: '0' }, proof),
    reply: (from: string, text: string, proof?: string | null) =>
      post('messages', { id: 'in-1', date: '2026-11-26 10:00:00', to: '20880', from, text }, proof),
  };
}
