import { randomUUID } from 'node:crypto';
import type { Rail } from '../../platform/call/call.ts';
import type { Cast } from './cast.ts';
import { type Random, hourOf } from './stage.ts';

/** Requests of integrators, the most frequent first. */
const ENDPOINTS = [
  'GET /v1/payment-intents/{name}',
  'POST /v1/payment-intents/{name}:confirm',
  'POST /v1/assessments',
  'POST /v1/assessments/{name}:assess',
  'POST /v1/payment-intents',
  'POST /v1/payment-intents/{name}:initiate',
  'GET /v1/services',
  'GET /v1/citizens',
  'GET /v1/assessments/{name}',
  'POST /graphql',
  'GET /v1/payment-events',
] as const;

const EACH_PAYMENT = 5;

/** Books the requests of a day, of which the verbs of the story know nothing: who is in trouble is refused often. */
export function bookRequests(rail: Rail, { integrators }: Cast, random: Random, day: Date, payments: number): void {
  const troubled = integrators.at(-1)!;
  for (let number = 0; number < payments * EACH_PAYMENT; number++) {
    const integrator = random.pick(integrators, 1.8);
    const ts = hourOf(day, 7 + random.draw() * 12);
    if (ts >= rail.now()) continue;
    rail.audit.note({
      id: randomUUID(),
      ts,
      requestId: randomUUID(),
      httpStatus: statusOf(random.draw() * (integrator === troubled ? 0.2 : 1)),
      endpoint: random.pick(ENDPOINTS, 1.5),
      viewer: integrator.viewer,
    });
  }
}

function statusOf(random: number): number {
  if (random < 0.002) return 500;
  if (random < 0.012) return 403;
  if (random < 0.03) return 422;
  if (random < 0.04) return 404;
  return random < 0.045 ? 429 : 200;
}
