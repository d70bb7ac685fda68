import { type Caller, say } from '../caller.ts';
import { signUp } from '../cast.ts';
import { findInMail } from '../waiting.ts';
import type { LiveRail } from './rail.ts';

export interface Integrator {
  readonly code: string;
  /** A caller with a live key. */
  readonly live: Caller;
}

const SCOPES = ['citizens.read', 'assessments.write', 'payments.initiate'];

/** From the sign-up, over a refusal, to an approval and a live key. */
export async function goLive(rail: LiveRail, operator: Caller, second: Caller): Promise<Integrator> {
  say('Somebody signs up. On a live rail their first key is a sandbox key');
  const { integrator: code, email, key } = await signUp(rail.callAs(), rail.mailFolder);
  const trying = rail.callAs({ authorization: `Bearer ${key}` });
  expectKey(key, 'rail_sandbox_');
  await trying.get('/v1/mdas?limit=1');
  await trying.refused(403, 'GET', '/v1/citizens/search?nin=CM12345678ABCD');
  await trying.refused(403, 'POST', '/v1/payment-intents', {});

  say('They ask to go live, and operators refuse it at first');
  const ask = (note: string) =>
    trying.post<{ name: string }>('/v1/me:request-live', {
      agencies: ['URA', 'KCCA'],
      channels: ['mtn_momo', 'card'],
      note,
    });
  const { name: first } = await ask('We file taxes for small businesses');
  await operator.get('/v1/ops/live-requests?status=Pending');
  await operator.post(`/v1/ops/live-requests/${first}:refuse`, { reason: 'Send us your licence' });
  process.stdout.write(
    `A letter came: ${await findInMail(rail.mailFolder, email, /Subject: (Your request.*?)\r?\n/)}\n`,
  );

  say('They ask again. One operator wants it for the tax authority alone, and another one approves that');
  const { name: asked } = await ask('Licence 4711 is in your mail');
  await trying.refused(403, 'GET', '/v1/assessments');
  const { pending_approval: waiting } = await operator.post<{ pending_approval: { name: string } }>(
    `/v1/ops/live-requests/${asked}:approve`,
    { agencies: ['URA'], limit_per_minute: 1_000 },
  );
  await second.post(`/v1/ops/approvals/${waiting.name}:approve`);
  process.stdout.write(
    `A letter came: ${await findInMail(rail.mailFolder, email, /Subject: (Your account.*?)\r?\n/)}\n`,
  );
  await trying.get('/v1/me');
  const { plaintext } = await trying.post<{ plaintext: string }>('/v1/me/keys', { label: 'Live', scopes: SCOPES });
  expectKey(plaintext, 'rail_live_');
  return { code, live: rail.callAs({ authorization: `Bearer ${plaintext}` }) };
}

function expectKey(key: string, prefix: string): void {
  if (!key.startsWith(prefix)) throw new Error(`The key was to begin with ${prefix}`);
  process.stdout.write(`The key begins with ${prefix}\n`);
}
