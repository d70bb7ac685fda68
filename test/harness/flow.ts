import { sql } from '../../src/platform/database/sql.ts';
import type { AskedGrants } from '../../src/accounts/keys/grants.ts';
import type { Scope } from '../../src/platform/access/needs.ts';
import { makeStaff } from './people/staff.ts';
import type { Answer, Ask, TestRail } from './rail.ts';

export interface Actor {
  readonly key: string;
  readonly integrator: string;
  ask(path: string, options?: Ask): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
}

/** An integrator that may do everything a main flow needs, and what operators grant it beside. */
export async function makeActor(rail: TestRail, grants: AskedGrants = {}, ...scopes: Scope[]): Promise<Actor> {
  const { plaintext: key, integrator } = await rail.keyGranted(
    grants,
    'citizens.read',
    'citizens.write',
    'assessments.write',
    'assessments.cancel',
    'payments.initiate',
    ...scopes,
  );
  const ask = (path: string, options: Ask = {}) => rail.ask(path, { key, ...options });
  return { key, integrator, ask, post: (path, body = {}, headers = {}) => ask(path, { body, headers }) };
}

export async function someCitizen(rail: TestRail): Promise<string> {
  const [row] = await rail.rows<{ name: string }>(sql`select name from citizen order by name limit 1`);
  return row!.name;
}

export async function serviceNamed(rail: TestRail, code: string): Promise<string> {
  const [row] = await rail.rows<{ name: string }>(sql`select name from service where code = ${code}`);
  return row!.name;
}

/** Two services of two agencies in one currency: 450,000 and 135,000 UGX. */
export async function twoLines(rail: TestRail): Promise<{ service: string }[]> {
  return Promise.all(['URA-PAYE', 'URSB-COMPANY'].map(async (code) => ({ service: await serviceNamed(rail, code) })));
}

export const TWO_LINES_TOTAL = 585_000;

function dataOf(answer: Answer): { name: string } {
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  return answer.data as { name: string };
}

export async function draft(rail: TestRail, actor: Actor): Promise<string> {
  return dataOf(await actor.post('/v1/assessments', { citizen: await someCitizen(rail), lines: await twoLines(rail) }))
    .name;
}

export async function createAssessed(rail: TestRail, actor: Actor): Promise<string> {
  const name = await draft(rail, actor);
  return dataOf(await actor.post(`/v1/assessments/${name}:assess`)).name;
}

/** An exemption that a supervisor asked for and a finance officer approved, of half of all that is owed to an agency. */
export async function exempt(rail: TestRail, citizen: string, more: object = {}, mda = 'URA'): Promise<string> {
  const today = rail.rail.now().toISOString().slice(0, 10);
  const half = { percent: 50, ground: 'disability', document_hash: 'ab'.repeat(32), valid_from: '2020-01-01' };
  const body = { ...half, citizen, valid_to: `${Number(today.slice(0, 4)) + 5}-12-31`, ...more };
  const [asker, officer] = [await makeStaff(rail, 'supervisor'), await makeStaff(rail, 'finance_officer')];
  const asked = await asker.post(`/v1/agency/${mda}/exemptions`, body);
  dataOf(await officer.post(`/v1/ops/approvals/${dataOf(asked).name}:approve`));
  return asked.data.subject as string;
}

/** An Assessed assessment of one service. */
export async function createAssessedFor(
  rail: TestRail,
  actor: Pick<Actor, 'post'>,
  code: string,
  more: object = {},
): Promise<{ assessment: string; amount: number }> {
  const lines = [{ service: await serviceNamed(rail, code) }];
  const { name } = dataOf(await actor.post('/v1/assessments', { citizen: await someCitizen(rail), lines, ...more }));
  const answer = await actor.post(`/v1/assessments/${name}:assess`);
  return { assessment: dataOf(answer).name, amount: answer.data.total_amount };
}

export async function createPending(
  rail: TestRail,
  actor: Actor,
  channel = 'mtn_momo',
): Promise<{ assessment: string; intent: string }> {
  const assessment = await createAssessed(rail, actor);
  return { assessment, intent: await createPendingFor(actor, assessment, channel) };
}

export async function createPendingFor(
  actor: Pick<Actor, 'post'>,
  assessment: string,
  channel = 'mtn_momo',
): Promise<string> {
  return dataOf(await actor.post('/v1/payment-intents', { assessment, channel })).name;
}

export async function createSent(
  rail: TestRail,
  actor: Actor,
  payer = '+256700123456',
): Promise<{ assessment: string; intent: string }> {
  const made = await createPending(rail, actor);
  await createInitiated(actor, made.intent, payer);
  return made;
}

export async function createInitiated(actor: Actor, intent: string, payer = '+256700123456'): Promise<void> {
  const answer = await actor.post(`/v1/payment-intents/${intent}:initiate`, { payer_msisdn: payer });
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
}

export async function createConfirmed(rail: TestRail, actor: Actor): Promise<{ assessment: string; intent: string }> {
  const made = await createSent(rail, actor);
  const answer = await actor.post(`/v1/payment-intents/${made.intent}:confirm`);
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  return made;
}
