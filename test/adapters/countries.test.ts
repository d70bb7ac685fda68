import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { simulateMtnMomo } from '../../src/sandbox/simulators/mtn-momo.ts';
import { commandLine } from '../../src/platform/access/viewer.ts';
import { callOf } from '../../src/platform/call/call.ts';
import { loadProfile } from '../../src/collection/catalogue/loading/load.ts';
import { readProfile } from '../../src/collection/catalogue/loading/profile.ts';
import {
  type Actor,
  createAssessedFor,
  createInitiated,
  makeActor,
  createPendingFor,
  someCitizen,
  serviceNamed,
} from '../harness/flow.ts';
import { testRail } from '../harness/rail.ts';

const RWANDA = {
  country: 'RW',
  name: 'Rwanda',
  currency: 'RWF',
  agencies: ['RW-RRA', 'RW-RDB'].map((code) => ({
    code,
    name: `The agency ${code}`,
    mode: 'A',
    type: 'tax_authority',
    status: 'Active',
    collection_account: `00400${code}`,
    services: [{ code: `${code}-FEE`, name: `A fee of ${code}`, sector: 'tax', family: 'tax', fee: 5_000 }],
  })),
};

/** Two contracts with one provider, side by side. */
const folder = mkdtempSync(join(tmpdir(), 'rail-countries-'));
const simulators = Promise.all([simulateMtnMomo(), simulateMtnMomo()]);
const rail = testRail(async () => {
  const [uganda, rwanda] = await simulators;
  const providers = [
    { provider: 'mtn_momo', country: 'UG', ...uganda.connection },
    { provider: 'mtn_momo', name: 'mtn_momo_rw', country: 'RW', ...rwanda.connection },
  ];
  writeFileSync(join(folder, 'connections.json'), JSON.stringify({ providers }));
  return {
    CONNECTIONS: join(folder, 'connections.json'),
    WEBHOOK_SECRET_MTN_MOMO: 'callbacks-in-uganda',
    WEBHOOK_SECRET_MTN_MOMO_RW: 'callbacks-in-rwanda',
  };
});

const load = (profile: object) =>
  rail.rail.transaction((db) =>
    loadProfile({ ...callOf(rail.rail, commandLine, 'test'), db }, readProfile(JSON.stringify(profile))),
  );

beforeAll(async () => {
  await load(RWANDA);
});

afterAll(async () => {
  for (const simulator of await simulators) await simulator.close();
  rmSync(folder, { recursive: true, force: true });
});

async function collected(actor: Actor, service: string) {
  const { assessment } = await createAssessedFor(rail, actor, service);
  const intent = await createPendingFor(actor, assessment, 'mtn_momo');
  await createInitiated(actor, intent);
  return intent;
}

describe('two connections to one provider', () => {
  it('collect each in its own country and currency', async () => {
    const actor = await makeActor(rail);
    const [uganda, rwanda] = await simulators;
    const [ugandan, rwandan] = [await collected(actor, 'URA-PAYE'), await collected(actor, 'RW-RRA-FEE')];
    expect([uganda.books.byIntent(ugandan)?.currency, rwanda.books.byIntent(rwandan)?.currency]).toEqual([
      'UGX',
      'RWF',
    ]);
    expect([uganda.books.byIntent(rwandan), rwanda.books.byIntent(ugandan)]).toEqual([undefined, undefined]);
    const aggregators = await Promise.all(
      [ugandan, rwandan].map(async (intent) => (await actor.ask(`/v1/payment-intents/${intent}`)).data.aggregator),
    );
    expect(aggregators).toEqual(['mtn_momo', 'mtn_momo_rw']);
  });

  it('call back at addresses of their own, of which none is good for the other', async () => {
    const actor = await makeActor(rail);
    const [, rwanda] = await simulators;
    const intent = await collected(actor, 'RW-RRA-FEE');
    const entry = rwanda.books.byIntent(intent)!;
    await expect.poll(() => entry.state).toBe('paid');
    const { pathname, searchParams } = new URL(entry.callbackUrl!);
    expect(pathname).toBe('/v1/webhooks/mtn_momo_rw');
    expect(await rail.ask(`/v1/webhooks/mtn_momo?${searchParams}`, { body: {} })).toMatchObject({
      status: 401,
      code: 'invalid_signature',
    });
    expect((await rail.ask(`${pathname}?${searchParams}`, { body: {} })).data).toMatchObject({ intent });
    await expect.poll(async () => (await actor.ask(`/v1/payment-intents/${intent}`)).data.status).toBe('Confirmed');
  });

  it('422: a currency that neither collects, and agencies of two countries', async () => {
    const actor = await makeActor(rail);
    const refused = async (assessment: string) => {
      const { status, json } = await actor.post('/v1/payment-intents', { assessment, channel: 'mtn_momo' });
      return [status, json.error.details];
    };
    const { assessment } = await createAssessedFor(rail, actor, 'KE-KRA-TOT');
    const detail = { path: 'channel', message: 'mtn_momo does not collect KES', code: 'currency_not_collected' };
    expect(await refused(assessment)).toEqual([422, [detail]]);
    // Nobody but the connection's own country: the same currency elsewhere is not what the contract is about.
    await load({ ...RWANDA, country: 'BI', agencies: [RWANDA.agencies[1]] });
    const lines = await Promise.all(
      ['RW-RRA-FEE', 'RW-RDB-FEE'].map(async (code) => ({ service: await serviceNamed(rail, code) })),
    );
    const { name } = (await actor.post('/v1/assessments', { citizen: await someCitizen(rail), lines })).data;
    await actor.post(`/v1/assessments/${name}:assess`);
    expect(await refused(name)).toEqual([
      422,
      [{ ...detail, message: 'mtn_momo does not collect RWF for agencies in BI and RW' }],
    ]);
  });

  it('are what a country has of the channel', async () => {
    const { plaintext: key } = await rail.key('catalogue.read');
    const { data } = await rail.ask('/v1/integrations', { key });
    const statusIn = (country: string) =>
      data[country].payment.find(({ channels }: { channels: string[] }) => channels.includes('mtn_momo'))
        .status as string;
    expect(['UG', 'RW', 'KE'].map(statusIn)).toEqual(['sandbox', 'sandbox', 'unavailable']);
  });
});
