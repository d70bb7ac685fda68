import { type Client, createClient } from '../../../clients/typescript/src/index.ts';
import { registerSomebody } from './cast.ts';
import { signUpAccount } from './flow.ts';
import type { Receiver } from './receiver.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);

/** Shows integrators their tools: a reference, two endpoints with filters, events to fetch, a clock, and the library. */
export function walkTools(base: string, mailFolder: string): Promise<void> {
  return signUpAccount(base, mailFolder, async ({ integrator, key, webhooks }) => {
    const citizen = await registerSomebody(base, integrator);
    const rail = createClient({ baseUrl: base, key });
    const secrets = webhooks && (await addEndpoints(rail, webhooks.receiver));

    const [service] = await rail.get('/v1/services', { query: { code: 'URA-MVTRANSFER' } });
    const assessment = await rail.assessments.create({
      citizen,
      lines: [{ service: service!.name }],
      assess: true,
      reference: 'INV-2026-0042',
      metadata: { branch: 'Jinja' },
    });
    say(`${assessment.name} is ${assessment.status}, under the reference ${assessment.reference}`);
    const found = await rail.get('/v1/assessments', { query: { reference: 'INV-2026-0042' } });
    say(`The reference finds ${found.map(({ name }) => name).join(', ')}`);

    const events = rail.events.poll({ wait: 5 });
    // A payer who does not answer: the payment expires a day later, which the clock brings about at once.
    const asked = { assessment: assessment.name, channel: 'mtn_momo', initiate: true } as const;
    await rail.paymentIntents.create({ ...asked, payer_msisdn: '+256700123000' });
    const { seconds } = await rail.post('/v1/sandbox/clock:advance', { body: { seconds: 25 * 3_600 } });
    say(`${seconds} seconds have passed`);
    const { name } = await rail.paymentIntents.create({ ...asked, payer_msisdn: '+256700123000' });
    await rail.post('/v1/sandbox/payment-intents/{name}:succeed', { path: { name } });

    for await (const { id, type } of events) {
      say(`Fetched ${type}, ${id}`);
      if (type === 'payment_event.created') break;
    }
    if (webhooks && secrets) await showMessages(webhooks.receiver, secrets);
  });
}

/** Adds an endpoint for payments and one for assessments; their secrets by the type that each waits for. */
async function addEndpoints(rail: Client, receiver: Receiver): Promise<Readonly<Record<string, string>>> {
  const secrets: Record<string, string> = {};
  for (const type of ['payment_intent.confirmed', 'assessment.paid']) {
    const { name, secret } = await rail.post('/v1/me/webhook-endpoints', {
      body: { url: `${receiver.url}/${type}`, types: [type.replace(/\..*/, '.*')] },
    });
    say(`${name} gets ${type.replace(/\..*/, '.*')}`);
    secrets[type] = secret!;
  }
  return secrets;
}

async function showMessages(receiver: Receiver, secrets: Readonly<Record<string, string>>): Promise<void> {
  for (const [type, secret] of Object.entries(secrets)) {
    const came = await receiver.next(type, secret, undefined, `/webhooks/${type}`);
    say(came ? `${type} came, and its signature is ${came.genuine ? 'right' : 'WRONG'}` : `${type} did not come`);
  }
}
