import { beforeAll, describe, expect, it } from 'vitest';
import { readShippedProfiles } from '../../../src/collection/catalogue/loading/profile.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { verifyLedger } from '../../../src/oversight/seals/verify.ts';
import { seedRandom } from '../../harness/chaos/tampering.ts';
import { sizeOf } from '../../harness/chaos/size.ts';
import { drawSeed } from '../../harness/run/seed.ts';
import { type StaffActor, makeStaff, makeStaffOf } from '../../harness/people/staff.ts';
import { type Actor, createInitiated, createPendingFor, makeActor, someCitizen } from '../../harness/flow.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();
let admin: StaffActor;
let actor: Actor;
let citizen: string;

beforeAll(async () => {
  [admin, actor, citizen] = [await makeStaff(rail, 'admin'), await makeActor(rail), await someCitizen(rail)];
});

const RATES = {
  law: 'Local Governments (Rating) Act',
  due: { days: 30 },
  categories: { standard: { kind: 'percent', percent: 6, base: 'rateable value', least: 2_000 } },
};
const BIRTH = {
  law: 'Registration of Persons Act',
  categories: {
    standard: { kind: 'fixed', amount: 5_000 },
    foreigner: { kind: 'fixed', amount: 40, currency: 'USD' },
    refugee: { kind: 'fixed', amount: 0 },
  },
};
const statedBy = (by: 'agency' | 'anyone') => ({
  law: 'Income Tax Act',
  categories: { standard: { kind: 'stated', by, least: 10, most: 1e9 } },
});

let count = 0;
const create = (more: object) =>
  admin.post('/v1/ops/services', {
    mda: 'URA',
    code: `T-${++count}`,
    service_name: 'Charged',
    sector: 'tax',
    family: 'tax',
    ...more,
  });
const made = async (more: object): Promise<string> => (await create(more)).data.name;
const patch = (name: string, body: object) => admin.ask(`/v1/ops/services/${name}`, { method: 'PATCH', body });
const tariffOf = async (name: string, query = '') => (await rail.ask(`/v1/services/${name}/tariff${query}`)).data;
/** A day that is so many days from now. */
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const codesOf = (answer: { json: { error?: { details?: { path: string; code?: string }[] } } }) =>
  (answer.json.error?.details ?? []).map(({ path, code }) => [path, code]);

describe('a tariff of a service', () => {
  it('is set instead of a fee, shown in words and as data with law and history, and changed by the same verbs', async () => {
    const created = await create({ tariff: RATES, currency: 'UGX' });
    expect(created.data).toMatchObject({ fee_amount: 2_000, tariff: RATES, currency: 'UGX' });
    const { name } = created.data;
    const shown = await tariffOf(name);
    expect(shown).toMatchObject({ name, fee_amount: 2_000, currency: 'UGX', law: RATES.law, tariff: RATES, to: null });
    expect(shown.words.map(({ text }: { text: string }) => text)).toEqual([
      '6 % of the rateable value',
      'at least UGX 2000',
      'to be paid within 30 days of the assessment',
    ]);
    const lower = { ...RATES, categories: { standard: { ...RATES.categories.standard, percent: 5 } } };
    const coming = await patch(name, { tariff: lower, effective_from: day(3), reason: 'The council' });
    expect(coming.data).toMatchObject({ tariff: RATES, next_tariff: lower, next_fee_amount: 2_000 });
    expect((await tariffOf(name, `?on=${day(4)}`)).tariff).toEqual(lower);
    expect((await tariffOf(name, `?on=${day(1)}`)).tariff).toEqual(RATES);
    expect(await tariffOf(name, '?on=2001-01-01')).toMatchObject({ name, tariff: null, words: null, from: null });
    expect((await tariffOf(name)).history).toHaveLength(2);
    const withdrawn = await patch(name, { withdraw_next_fee: true });
    expect(withdrawn.data).toMatchObject({ next_fee_from: null });
    expect(withdrawn.data).not.toHaveProperty('next_tariff');
    expect((await tariffOf(name)).history).toHaveLength(1);
    const [last] = (await admin.ask(`/v1/ops/audit?subject=${name}&limit=1`)).data;
    expect(last).toMatchObject({ before: { next_tariff: lower }, after: { next_tariff: null } });
    const changed = await patch(name, { tariff: lower });
    expect(changed.data.tariff).toEqual(lower);
    expect((await patch(name, { tariff: lower })).data.revision).toBe(changed.data.revision);
    const [found] = await rail.rows<{ kind: string }>(sql`select kind from anomaly where subject like ${`${name}:%`}`);
    expect(found).toEqual({ kind: 'fee_changed' });
  });

  it('is shown of a plain fee in words too, and to anybody', async () => {
    const name = await made({ fee_amount: 40_000 });
    const shown = await tariffOf(name);
    expect(shown).toMatchObject({ fee_amount: 40_000, law: null, tariff: null });
    expect(shown.words).toEqual([{ category: null, text: 'UGX 40000 each' }]);
    expect((await rail.ask('/v1/services/SVC-2026-999999/tariff')).status).toBe(404);
    expect((await rail.ask(`/v1/services/${name}`)).data).not.toHaveProperty('tariff');
  });

  it('stands alone, in the currency of the country, and gives way to no plain fee', async () => {
    const both = await create({ tariff: BIRTH, fee_amount: 5 });
    expect(codesOf(both)).toEqual([['tariff', undefined]]);
    expect(codesOf(await create({}))).toEqual([['fee_amount', undefined]]);
    expect(codesOf(await create({ fee_amount: 40, currency: 'USD' }))).toEqual([['currency', undefined]]);
    const name = await made({ tariff: BIRTH });
    expect(codesOf(await patch(name, { fee_amount: 5 }))).toEqual([['fee_amount', 'has_tariff']]);
    expect(codesOf(await patch(name, { tariff: BIRTH, currency: 'USD' }))).toEqual([['currency', undefined]]);
    expect(codesOf(await patch(name, { effective_from: day(3) }))).toEqual([['effective_from', undefined]]);
    const wrong = await patch(name, { tariff: { ...BIRTH, categories: { standard: { kind: 'formula' } } } });
    expect(codesOf(wrong)).toEqual([['tariff.categories.standard.kind', undefined]]);
  });

  it('comes with a profile, once, and with its mistakes named', async () => {
    const profile = structuredClone(readShippedProfiles().find(({ country }) => country === 'KE')!);
    const [agency] = profile.agencies;
    const { fee: _fee, ...service } = { ...agency!.services[0]!, code: 'KE-RATES', name: 'Rates' };
    const load = (tariff: object) =>
      admin.post('/v1/ops/catalogue:load', {
        profile: { ...profile, agencies: [{ ...agency, services: [{ ...service, tariff }] }] },
      });
    expect((await load(RATES)).data.changes).toHaveLength(1);
    expect((await load(RATES)).data.changes).toEqual([]);
    const [loaded] = (await rail.ask('/v1/services?code=KE-RATES')).data;
    expect(loaded.fee_amount).toBe(2_000);
    expect((await tariffOf(loaded.name)).history).toMatchObject([{ tariff: RATES, to: null }]);
    const other = { ...RATES, law: 'Another Act' };
    expect((await load(other)).data.changes).toMatchObject([{ before: { tariff: RATES }, after: { tariff: other } }]);
    const [refused] = codesOf(await load({ ...RATES, categories: {} }));
    expect(refused![0]).toContain('services[0].tariff.categories.standard');
  });
});

describe('a line of a tariff', () => {
  const assess = (line: object, by: Pick<Actor, 'post'> = actor, more: object = { assess: true }) =>
    by.post('/v1/assessments', { citizen, lines: [line], ...more });

  it('is priced by its category and what that asks for, and shows both', async () => {
    const rates = await made({ tariff: RATES });
    const { data } = await assess({ service: rates, base_amount: 10_000_001, period: '2026/27' });
    expect(data).toMatchObject({ status: 'Assessed', total_amount: 600_000 });
    expect(data.lines).toEqual([
      {
        idx: 1,
        service: rates,
        service_name: 'Charged',
        mda: 'URA',
        quantity: 1,
        rate: 600_000,
        amount: 600_000,
        category: 'standard',
        base_amount: 10_000_001,
        period: '2026/27',
      },
    ]);
    expect((await actor.ask(`/v1/assessments/${data.name}`)).data.lines).toEqual(data.lines);
    const birth = await made({ tariff: BIRTH });
    const of = async (category: string, quantity = 1) => (await assess({ service: birth, category, quantity })).data;
    expect(await of('standard', 3)).toMatchObject({ currency: 'UGX', total_amount: 15_000 });
    expect(await of('foreigner')).toMatchObject({ currency: 'USD', total_amount: 40 });
    expect(await of('refugee')).toMatchObject({ currency: 'UGX', total_amount: 0 });
  });

  it('is refused with what its rule does not ask for, and without what it asks for, each by a reason', async () => {
    const [rates, birth, stated, plain] = [
      await made({ tariff: RATES }),
      await made({ tariff: BIRTH }),
      await made({ tariff: statedBy('anyone') }),
      await made({ fee_amount: 5_000 }),
    ];
    const reasons = async (line: object) =>
      codesOf(await assess(line)).map(([path, code]) => [path!.replace('lines[0].', ''), code]);
    expect(await reasons({ service: rates })).toEqual([['base_amount', 'base_required']]);
    expect(await reasons({ service: rates, base_amount: 5, quantity: 2 })).toEqual([['quantity', undefined]]);
    expect(await reasons({ service: rates, base_amount: 5, stated_amount: 5 })).toEqual([
      ['stated_amount', 'amount_not_expected'],
    ]);
    expect(await reasons({ service: rates, category: 'constructor', base_amount: 5 })).toEqual([
      ['category', 'category_unknown'],
    ]);
    for (const base of [-1, 1234567890123456, '500', 0.00001])
      expect(await reasons({ service: rates, base_amount: base })).toEqual([['base_amount', undefined]]);
    expect(await reasons({ service: birth, base_amount: 5 })).toEqual([['base_amount', 'base_not_expected']]);
    expect(await reasons({ service: birth, stated_amount: 5 })).toEqual([['stated_amount', 'amount_not_expected']]);
    expect(await reasons({ service: stated })).toEqual([['stated_amount', 'amount_required']]);
    for (const amount of [9, 1e9 + 1, -5, 10.5])
      expect(await reasons({ service: stated, stated_amount: amount })).toEqual([['stated_amount', undefined]]);
    expect(await reasons({ service: stated, stated_amount: 10, period: 'x'.repeat(21) })).toEqual([
      ['period', undefined],
    ]);
    expect(await reasons({ service: plain, category: 'foreigner' })).toEqual([['category', 'category_unknown']]);
    expect(await reasons({ service: plain, base_amount: 5 })).toEqual([['base_amount', 'base_not_expected']]);
    expect(await reasons({ service: plain, stated_amount: 5 })).toEqual([['stated_amount', 'amount_not_expected']]);
    const mixed = await actor.post('/v1/assessments', {
      citizen,
      lines: [{ service: birth, category: 'foreigner' }, { service: plain }],
    });
    expect(codesOf(mixed)).toEqual([['lines', undefined]]);
  });

  it('has an amount of 15 digits at most', async () => {
    const service = await made({
      tariff: {
        law: 'Law',
        categories: {
          standard: { kind: 'tiers', base: 'b', slices: false, tiers: [{ percent: 100, amount: 1e14 }] },
        },
      },
    });
    expect((await assess({ service, base_amount: 1e14 })).data.total_amount).toBe(2e14);
    const { status, json } = await assess({ service, base_amount: 999_999_999_999_999 });
    expect([status, json.error.details[0].path]).toEqual([422, 'lines[0].base_amount']);
  });

  it('is stated by whom the tariff says, and by nobody else', async () => {
    const [byAgency, byAnyone] = [
      await made({ tariff: statedBy('agency') }),
      await made({ tariff: statedBy('anyone') }),
    ];
    const [ours, theirs] = [await makeStaffOf(rail, ['URA'], 'clerk'), await makeStaffOf(rail, ['KCCA'], 'clerk')];
    const all = await makeStaff(rail, 'clerk');
    const kcca = (
      await rail.rows<{ name: string }>(sql`select name from service where mda = 'KCCA' and currency = 'UGX'
      and fee_amount > 0 limit 1`)
    )[0]!.name;
    const reasons = async (service: string, by: Pick<Actor, 'post'>) => {
      const lines = [{ service, stated_amount: 2_000 }, { service: kcca }];
      const answer = await by.post('/v1/assessments', { citizen, lines, assess: true });
      return answer.status === 200 ? 'taken' : codesOf(answer)[0];
    };
    for (const by of [ours, theirs, all, actor]) expect(await reasons(byAnyone, by)).toBe('taken');
    expect(await reasons(byAgency, ours)).toBe('taken');
    expect(await reasons(byAgency, all)).toBe('taken');
    for (const by of [theirs, actor])
      expect(await reasons(byAgency, by)).toEqual(['lines[0].stated_amount', 'amount_not_yours']);
  });

  it('freezes what integers recompute, line by line, for any percentages and values', async () => {
    const random = seedRandom(drawSeed('tariffs'));
    const below = (most: number) => Math.floor(random() * most);
    const rules = Array.from({ length: 50 }, () => ({ parts: below(1_000_001), least: below(10_000) }));
    const nameOf = (nth: number) => (nth === 0 ? 'standard' : `c${nth}`);
    const categories = Object.fromEntries(
      rules.map(({ parts, least }, nth) => [
        nameOf(nth),
        { kind: 'percent', percent: parts / 10_000, base: 'value', least },
      ]),
    );
    const service = await made({ tariff: { law: 'Law', categories } });
    for (let round = 0; round < sizeOf({ fast: 2, long: 100 }); round++) {
      const asked = Array.from({ length: 100 }, () => ({ nth: below(rules.length), base: below(1_000_000_000) }));
      const lines = asked.map(({ nth, base }) => ({ service, category: nameOf(nth), base_amount: base }));
      const { name } = (await actor.post('/v1/assessments', { citizen, lines })).data;
      const { data } = await actor.post(`/v1/assessments/${name}:assess`);
      const expected = asked.map(({ nth, base }) => {
        const { parts, least } = rules[nth]!;
        // Half up: parts of a millionth.
        const rounded = Number((BigInt(base) * BigInt(parts) * 2n + 1_000_000n) / 2_000_000n);
        return Math.max(least, rounded);
      });
      expect(data.lines.map(({ amount }: { amount: number }) => amount)).toEqual(expected);
      expect(data.total_amount).toBe(expected.reduce((sum, amount) => sum + amount, 0));
    }
  });

  it('is untouched by fees, and priced again when it is assessed: base and category stay, or are refused', async () => {
    const service = await made({ tariff: RATES });
    const draft = async (line: object) => (await assess({ service, ...line }, actor, {})).data.name as string;
    const [kept, asked, frozen] = [
      await draft({ base_amount: 1_000_000 }),
      await draft({ base_amount: 2_000_000 }),
      await draft({ base_amount: 3_000_000 }),
    ];
    const freeze = (name: string) => actor.post(`/v1/assessments/${name}:assess`);
    expect((await freeze(frozen)).data.total_amount).toBe(180_000);
    await patch(service, {
      tariff: {
        ...RATES,
        categories: { standard: { kind: 'percent', percent: 10, base: 'rateable value', least: 5_000 } },
      },
    });
    const { lines } = (await actor.ask(`/v1/assessments/${kept}`)).data;
    expect(lines[0]).toMatchObject({ rate: 60_000, base_amount: 1_000_000 });
    expect((await freeze(kept)).data).toMatchObject({ total_amount: 100_000, lines: [{ base_amount: 1_000_000 }] });
    await patch(service, { tariff: BIRTH });
    expect(codesOf(await freeze(asked))).toEqual([['lines[0].base_amount', 'base_not_expected']]);
    await patch(service, { tariff: statedBy('anyone') });
    const stated = await draft({ stated_amount: 700 });
    await patch(service, { tariff: statedBy('agency') });
    expect(codesOf(await freeze(stated))).toEqual([['lines[0].stated_amount', 'amount_not_yours']]);
    await patch(service, { tariff: BIRTH });
    expect(codesOf(await freeze(stated))).toEqual([['lines[0].stated_amount', 'amount_not_expected']]);
    expect((await actor.ask(`/v1/assessments/${frozen}`)).data.total_amount).toBe(180_000);
  });

  it('takes the place of a plain fee when its Draft is assessed, and not before', async () => {
    const service = await made({ fee_amount: 1_000 });
    const { name } = (await assess({ service, quantity: 2 }, actor, {})).data;
    const other = (await assess({ service, quantity: 2 }, actor, {})).data.name;
    await patch(service, { tariff: BIRTH });
    expect((await actor.ask(`/v1/assessments/${name}`)).data.total_amount).toBe(2_000);
    const { data } = await actor.post(`/v1/assessments/${name}:assess`);
    expect(data).toMatchObject({ total_amount: 10_000, lines: [{ quantity: 2, category: 'standard' }] });
    await patch(service, { tariff: RATES });
    expect(codesOf(await actor.post(`/v1/assessments/${other}:assess`)).map(([, code]) => code)).toEqual([
      undefined,
      'base_required',
    ]);
  });

  it('follows a tariff that begins to hold at local midnight, between Draft and :assess', async () => {
    const service = await made({ tariff: RATES });
    const { name } = (await assess({ service, base_amount: 1_000_000 }, actor, {})).data;
    const tomorrow = day(2);
    const higher = { ...RATES, categories: { standard: { ...RATES.categories.standard, percent: 12 } } };
    await patch(service, { tariff: higher, effective_from: tomorrow });
    const hours = (Date.parse(`${tomorrow}T00:00:00+03:00`) - Date.now()) / 3_600_000;
    rail.advance(hours + 0.01);
    try {
      expect((await actor.post(`/v1/assessments/${name}:assess`)).data.total_amount).toBe(120_000);
      expect((await tariffOf(service)).tariff).toEqual(higher);
    } finally {
      rail.advance(-hours - 0.01);
    }
  });

  it('is in the message about its payment as it is in the answer', async () => {
    const service = await made({ tariff: statedBy('anyone') });
    const { data } = await assess({ service, stated_amount: 5_000, period: '2026-10' });
    const intent = await createPendingFor(actor, data.name);
    await createInitiated(actor, intent);
    expect((await actor.post(`/v1/payment-intents/${intent}:confirm`)).status).toBe(200);
    const [message] = await rail.rows<{ lines: object[] }>(
      sql`select payload -> 'lines' as lines from outbox where type = 'assessment.paid' and object = ${data.name}`,
    );
    expect(message?.lines).toEqual(data.lines);
    expect(data.lines[0]).toMatchObject({ stated_amount: 5_000, category: 'standard', period: '2026-10' });
    expect((await verifyLedger(rail.rail)).findings).toEqual([]);
  });
});

describe('POST /v1/assessments:quote', () => {
  const quote = (lines: readonly object[], more: object = {}) =>
    rail.ask('/v1/assessments:quote', { body: { lines, ...more } });

  it('says to anybody what an assessment costs, by which law and when it is due, and writes nothing', async () => {
    const [rates, plain] = [await made({ tariff: RATES }), await made({ fee_amount: 5_000 })];
    const before = await rail.count(sql`select from assessment`);
    const lines = [
      { service: rates, base_amount: 1_000_000, period: '2026' },
      { service: plain, quantity: 2 },
    ];
    const now = (await quote(lines)).data;
    expect(now).toMatchObject({ currency: 'UGX', total_amount: 70_000 });
    expect(now.lines).toMatchObject([
      { idx: 1, service: rates, amount: 60_000, category: 'standard', base_amount: 1_000_000, law: RATES.law },
      { idx: 2, service: plain, amount: 10_000, law: null, due_on: null },
    ]);
    expect(now.lines[1]).not.toHaveProperty('category');
    expect(now.due_on).toBe(now.lines[0].due_on);
    expect(await rail.count(sql`select from assessment`)).toBe(before);
    const same = (await actor.post('/v1/assessments', { citizen, lines })).data;
    expect(same).toMatchObject({ total_amount: now.total_amount, status: 'Draft' });
    expect(same).not.toHaveProperty('due_on');
    const frozen = await actor.post(`/v1/assessments/${same.name}:assess`);
    expect(frozen.data).toMatchObject({ total_amount: now.total_amount, due_on: now.due_on });
    expect((await actor.post('/v1/assessments', { citizen, lines, assess: true })).data.due_on).toBe(now.due_on);
  });

  it('prices a day to come, and refuses what an assessment would refuse', async () => {
    const service = await made({ tariff: RATES });
    const higher = { ...RATES, categories: { standard: { ...RATES.categories.standard, percent: 12 } } };
    await patch(service, { tariff: higher, effective_from: day(3) });
    const lines = [{ service, base_amount: 1_000_000 }];
    expect((await quote(lines, { on: day(3) })).data).toMatchObject({ total_amount: 120_000, due_on: day(33) });
    expect((await quote(lines)).data.total_amount).toBe(60_000);
    expect(codesOf(await quote([{ service }]))).toEqual([['lines[0].base_amount', 'base_required']]);
    expect(codesOf(await quote(lines, { on: '2001-01-01' }))).toEqual([['lines[0].service', 'fee_not_approved']]);
    expect(codesOf(await quote([{ service: 'SVC-2026-999999' }]))).toEqual([['lines[0].service', 'not_found']]);
    expect((await quote([])).status).toBe(422);
    const stated = await made({ tariff: statedBy('agency') });
    expect(codesOf(await quote([{ service: stated, stated_amount: 500 }]))).toEqual([
      ['lines[0].stated_amount', 'amount_not_yours'],
    ]);
  });
});
