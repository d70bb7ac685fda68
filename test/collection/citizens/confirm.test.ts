import { beforeAll, describe, expect, it } from 'vitest';
import { stubIdentity } from '../../../src/adapters/identity/stub.ts';
import { foldName, namesAgree } from '../../../src/collection/citizens/identity-names.ts';
import { placeEvents } from '../../../src/oversight/events/place.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { makeActor } from '../../harness/flow.ts';
import { type StaffActor, makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();

let clerk: StaffActor;
let made = 0;
beforeAll(async () => {
  clerk = await makeStaff(rail, 'clerk');
});

/** Somebody entered by hand: under the name that the authority has for them, unless another is given. */
async function enter(fullName?: string, ending = 'ABC'): Promise<{ name: string; nin: string; full_name: string }> {
  const nin = `CM${String(++made).padStart(9, '0')}${ending}`;
  const full_name = fullName ?? (await stubIdentity.find(nin))!.fullName;
  return (await clerk.post('/v1/citizens', { nin, full_name })).data;
}

const consentsOf = (citizen: string) =>
  rail.rows<{ name: string; purpose: string; mda: string | null }>(
    sql`select name, purpose, mda from consent_event where citizen = ${citizen}`,
  );
const anomaliesOf = (citizen: string) =>
  rail.rows<{ kind: string; evidence: object }>(sql`select kind, evidence from anomaly where subject = ${citizen}`);
const confirm = (who: StaffActor, name: string) => who.post(`/v1/work/citizens/${name}:confirm`);

describe('names', () => {
  it.each([
    ['Nakato Ruth', 'RUTH  nakato'],
    ['NAKATO, Ruth', 'Ruth Nakato'],
    ['José Ñandú', 'Jose Nandu'],
    ["Ng'ang'a Peter", 'Peter Ng’ang’a'],
    ['Akello-Opio Grace', 'Grace Akello Opio'],
    ['Ａｋｅｌｌｏ Grace', 'Akello Grace'],
  ])('%s and %s agree', (one, other) => expect(namesAgree(one, other)).toBe(true));

  it.each([
    ['Nakato Ruth', 'Nakato Ruth Mary'],
    ['Nakato Ruth', 'Nakato R.'],
    ['Nakato Ruth', 'Nakatto Ruth'],
    ['...', ','],
  ])('%s and %s do not', (one, other) => expect(namesAgree(one, other)).toBe(false));

  it('are folded as documented', () => expect(foldName(' ÀKELLO,  o’Grace ')).toBe('akello ograce'));
});

describe('POST /v1/work/citizens/{name}:confirm', () => {
  it('200: verifies whom the authority knows by the same name, with their consent, and overwrites nothing', async () => {
    const { fullName } = (await stubIdentity.find('CM000000001ABC'))!;
    const asTyped = fullName.toUpperCase().split(' ').toReversed().join(', ');
    const citizen = await enter(asTyped);
    const { status, data } = await confirm(clerk, citizen.name);
    expect(status).toBe(200);
    expect(data).toMatchObject({ name: citizen.name, verified: true, full_name: asTyped });
    expect(await consentsOf(citizen.name)).toMatchObject([{ purpose: 'confirmation', mda: null }]);
    // Once more changes nothing, and asks for no further consent.
    expect((await confirm(clerk, citizen.name)).data).toEqual(data);
    expect(await consentsOf(citizen.name)).toHaveLength(1);
  });

  it('200: two at once make one confirmation', async () => {
    const { name } = await enter();
    const answers = await Promise.all(Array.from({ length: 10 }, () => confirm(clerk, name)));
    expect(new Set(answers.map(({ status, data }) => `${status} ${data.verified}`))).toEqual(new Set(['200 true']));
    expect(await consentsOf(name)).toHaveLength(1);
  });

  it('200: the same under an idempotency key', async () => {
    const { name } = await enter();
    const once = () => clerk.post(`/v1/work/citizens/${name}:confirm`, {}, { 'idempotency-key': `confirm-${name}` });
    const [first, again] = [await once(), await once()];
    expect(again.data).toEqual(first.data);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it('422: another name is an anomaly without personal data, and the record stays as it is', async () => {
    const citizen = await enter('Somebody Else');
    const before = (await clerk.ask(`/v1/citizens/${citizen.name}`)).data;
    for (let tries = 0; tries < 2; tries++) {
      const answer = await confirm(clerk, citizen.name);
      expect(answer).toMatchObject({ status: 422, code: 'validation_failed' });
      expect(answer.json.error.details[0].code).toBe('identity_mismatch');
      expect(answer.text).not.toContain((await stubIdentity.find(citizen.nin))!.fullName);
    }
    expect((await clerk.ask(`/v1/citizens/${citizen.name}`)).data).toEqual(before);
    expect(await consentsOf(citizen.name)).toEqual([]);
    const raised = await anomaliesOf(citizen.name);
    expect(raised).toEqual([
      {
        kind: 'identity_mismatch',
        evidence: { citizen: citizen.name, purpose: 'confirmation', raised_by: clerk.email },
      },
    ]);
    const auditor = (await rail.key('oversight.read')).plaintext;
    while ((await placeEvents(rail.rail)) > 0);
    const seen = await rail.ask('/v1/oversight/anomalies?kind=identity_mismatch', { key: auditor });
    expect(seen.data).toHaveLength(1);
    expect(seen.text).not.toMatch(/CITIZEN-|Somebody|CM0/);
  });

  it('404: nobody of that docname, or nobody whom the authority knows', async () => {
    const { name } = await enter('Nobody Known', 'ABX');
    expect(await confirm(clerk, name)).toMatchObject({ status: 404, code: 'not_found' });
    expect((await confirm(clerk, 'CITIZEN-2020-000001')).code).toBe('not_found');
  });

  it('502 and 504: with the authority away nothing changes', async () => {
    for (const [ending, status, code] of [
      ['ABE', 502, 'adapter_failed'],
      ['ABT', 504, 'adapter_timeout'],
    ] as const) {
      const { name } = await enter('Someone', ending);
      const before = (await clerk.ask(`/v1/citizens/${name}`)).data;
      expect(await confirm(clerk, name)).toMatchObject({ status, code });
      expect((await clerk.ask(`/v1/citizens/${name}`)).data).toEqual(before);
      expect([...(await consentsOf(name)), ...(await anomaliesOf(name))]).toEqual([]);
    }
  });

  it('401 and 403: nobody, a key, and staff who work at no counter', async () => {
    const { name } = await enter();
    const { key } = await makeActor(rail);
    const path = `/v1/work/citizens/${name}:confirm`;
    expect((await rail.ask(path, { body: {} })).status).toBe(401);
    expect((await rail.ask(path, { key, body: {} })).status).toBe(401);
    expect((await confirm(await makeStaff(rail, 'oversight'), name)).status).toBe(403);
  });
});

describe('registering an unverified record again', () => {
  it('verifies it at a counter and by POST /v1/citizens/register, with consent for the agency', async () => {
    const [one, other] = [await enter(), await enter()];
    const atCounter = await clerk.post('/v1/work/citizens', { nin: one.nin, full_name: 'Whatever' });
    const [counted] = await consentsOf(one.name);
    expect(atCounter.data).toEqual({
      citizen: expect.objectContaining({ name: one.name, verified: true, full_name: one.full_name }),
      created: false,
      source: 'nira',
      consent_event: counted!.name,
    });
    const registered = await clerk.post('/v1/citizens/register', { nin: other.nin, mda: 'URA' });
    expect(registered.data).toMatchObject({ created: false, source: 'nira', citizen: { verified: true } });
    expect(await consentsOf(other.name)).toMatchObject([{ purpose: 'registration', mda: 'URA' }]);
  });

  it('leaves it as it is where the authority has another name, or none; the first is an anomaly', async () => {
    const [differs, unknown] = [await enter('Another Person'), await enter('Nobody Known', 'ABX')];
    for (const { name, nin } of [differs, unknown]) {
      const { status, data } = await clerk.post('/v1/citizens/register', { nin, mda: 'URA' });
      expect(status).toBe(200);
      expect(data).toMatchObject({
        created: false,
        source: 'local',
        consent_event: null,
        citizen: { name, verified: false },
      });
    }
    expect((await anomaliesOf(differs.name)).map(({ kind }) => kind)).toEqual(['identity_mismatch']);
    expect(await anomaliesOf(unknown.name)).toEqual([]);
  });

  it('502: answers that the authority is away, and changes nothing', async () => {
    const { name, nin } = await enter('Someone', 'ABE');
    expect(await clerk.post('/v1/work/citizens', { nin })).toMatchObject({ status: 502, code: 'adapter_failed' });
    expect((await clerk.ask(`/v1/citizens/${name}`)).data.verified).toBe(false);
  });

  it('10 at once make one consent', async () => {
    const { name, nin } = await enter();
    const answers = await Promise.all(Array.from({ length: 10 }, () => clerk.post('/v1/citizens/register', { nin })));
    expect(answers.map(({ data }) => data.citizen.verified)).toEqual(Array(10).fill(true));
    expect(answers.filter(({ data }) => data.consent_event !== null)).toHaveLength(1);
    expect(await consentsOf(name)).toHaveLength(1);
  });
});
