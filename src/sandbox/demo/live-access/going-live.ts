import { randomUUID } from 'node:crypto';
import { findInMail } from '../mail.ts';
import { type Caller, callAs, say } from './caller.ts';
import type { LiveRail } from './rail.ts';
import type { Member } from './staff.ts';

export interface Integrator {
  readonly code: string;
  /** A caller with a live key. */
  readonly live: Caller;
}

const SCOPES = ['citizens.read', 'assessments.write', 'payments.initiate'];

/** From the sign-up, over a refusal, to an approval and a live key. */
export async function goLive(rail: LiveRail, operator: Member, second: Member): Promise<Integrator> {
  say('Somebody signs up. On a live rail their first key is a sandbox key');
  const { code, email, key } = await signUp(rail);
  const trying = callAs(rail.base, { authorization: `Bearer ${key}` });
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
  return { code, live: callAs(rail.base, { authorization: `Bearer ${plaintext}` }) };
}

async function signUp(rail: LiveRail): Promise<{ code: string; email: string; key: string }> {
  const nobody = callAs(rail.base);
  const email = `demo-${randomUUID().slice(0, 8)}@example.com`;
  const { version } = await nobody.get<{ version: string }>('/v1/signup/tos');
  const { integrator_id: code } = await nobody.post<{ integrator_id: string }>('/v1/signup', {
    full_name: 'Demo',
    email,
    organisation: 'Demo Filing',
    tos_accepted_version: version,
  });
  const otp = await findInMail(rail.mailFolder, email, /code is (\d{6})/);
  const { plaintext } = await nobody.post<{ plaintext: string }>('/v1/signup/verify', { integrator_id: code, otp });
  return { code, email, key: plaintext };
}

function expectKey(key: string, prefix: string): void {
  if (!key.startsWith(prefix)) throw new Error(`The key was to begin with ${prefix}`);
  process.stdout.write(`The key begins with ${prefix}\n`);
}
