import { createAssessedFor } from '../flow.ts';
import { expect } from 'vitest';
import type { Answer, TestRail } from '../rail.ts';
import { type StaffActor, makeStaff } from './staff.ts';

interface Poster {
  post(path: string, body?: unknown): Promise<Answer>;
}

export async function openShift(clerk: Poster, body: object = {}): Promise<string> {
  const answer = await clerk.post('/v1/counter-shifts', { mda: 'URA', ...body });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.data.name;
}

/** An intent of a shift that is Sent, over 50,000 UGX (`URA-TCC`) or what `code` costs. */
export async function sendInShift(
  rail: TestRail,
  clerk: Poster,
  shift: string,
  channel = 'cash',
  code = 'URA-TCC',
  payer = '+256700123456',
): Promise<{ assessment: string; intent: string; amount: number }> {
  const { assessment, amount } = await createAssessedFor(rail, clerk, code, { shift });
  const { data } = await clerk.post('/v1/payment-intents', { assessment, channel });
  const sent = await clerk.post(
    `/v1/payment-intents/${data.name}:initiate`,
    channel === 'cash' ? {} : { payer_msisdn: payer },
  );
  if (sent.status !== 200) throw new Error(sent.text);
  return { assessment, intent: data.name, amount };
}

/** A collection in a shift. */
export async function collectInShift(rail: TestRail, clerk: Poster, shift: string, channel = 'cash', code = 'URA-TCC') {
  const made = await sendInShift(rail, clerk, shift, channel, code);
  const answer = await clerk.post(`/v1/payment-intents/${made.intent}:confirm`);
  if (answer.status !== 200) throw new Error(answer.text);
  return made;
}

/** Closes a shift. */
export function closeShift(clerk: Poster, shift: string, body: object): Promise<Answer> {
  return clerk.post(`/v1/counter-shifts/${shift}:close`, body);
}

/** A shift that was closed with more or less in the till than expected. */
export async function closeWith(
  rail: TestRail,
  variance: number,
  clerk?: StaffActor,
): Promise<{ shift: string; clerk: StaffActor }> {
  const who = clerk ?? (await makeStaff(rail, 'clerk'));
  const shift = await openShift(who, { opening_float: 20_000 });
  const answer = await closeShift(who, shift, { cash_counted: 20_000 + variance, variance_reason: 'Miscounted' });
  if (answer.status !== 200) throw new Error(answer.text);
  return { shift, clerk: who };
}

/** Expects a refusal of one value. */
export function expectMistake(answer: Answer, path: string): void {
  expect(answer).toMatchObject({ status: 422, code: 'validation_failed' });
  expect(answer.json.error.details).toMatchObject([{ path }]);
}
