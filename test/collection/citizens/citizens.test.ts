import { randomInt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { exampleNinOf } from '../../../src/sandbox/example-citizens.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { foldForSearch } from '../../../src/kernel/text/matching.ts';
import { makeActor } from '../../harness/flow.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();

const newNin = () => `CM${randomInt(10 ** 12)}`.padEnd(14, 'X');

describe('GET /v1/citizens', () => {
  it('200: lists the examples of a new sandbox, newest first, as summaries', async () => {
    const actor = await makeActor(rail);
    const { data } = await actor.ask('/v1/citizens?limit=200');
    expect(data.length).toBeGreaterThanOrEqual(20);
    expect(Object.keys(data[0])).toEqual(['name', 'nin', 'full_name', 'phone', 'verified', 'kind']);
  });

  it('200: finds by substring of name, NIN and phone, whatever the case', async () => {
    const actor = await makeActor(rail);
    const [someone] = (await actor.ask('/v1/citizens?limit=1')).data;
    for (const q of [
      someone.full_name.slice(2, 9).toUpperCase(),
      someone.nin.slice(3).toLowerCase(),
      someone.phone.slice(5),
    ]) {
      const { data } = await actor.ask(`/v1/citizens?q=${encodeURIComponent(q)}`);
      expect(
        data.map(({ name }: { name: string }) => name),
        q,
      ).toContain(someone.name);
    }
  });

  it('200: takes %, _ and \\ as themselves', async () => {
    const actor = await makeActor(rail);
    for (const q of ['%%', '__', '\\\\'])
      expect((await actor.ask(`/v1/citizens?q=${encodeURIComponent(q)}`)).data, q).toEqual([]);
  });

  /** Names as they are stored, and as people write them. */
  const SPELLINGS: readonly (readonly [string, ...string[]])[] = [
    ["Wanjiku Ng'ang'a", 'Ng’ang’a', 'Ng‘ang‘a', 'nganga', 'Ng´ang`a', 'Ngʼangʼa', 'NG＇ANG＇A', 'Ng′ang′a'],
    ['Grace Ong’ondo', "ong'ondo", 'Ongondo'],
    ['Wʻanjala Ouma', "W'anjala"],
    ['Zoé Nsengiyumva', 'Zoe', 'Zoe\u0301', 'ZOÉ'],
    ['Ọláolúwa Ẹkún', 'Olaoluwa Ekun', 'ọlaoluwa', 'O\u0323la\u0301olu\u0301wa'],
    ['Nguyễn Thị Hương', 'nguyen thi huong', 'NGUYỄN'],
    ['İpek Şahin', 'ipek sahin'],
    ['Ruth   Nakato-Ssali', 'Ruth Nakato-Ssali', 'ruth\u00a0nakato-ssali', ' Ruth  Nakato-Ssali '],
    ['علی\u200cرضا', 'علیرضا', 'علی\u200cرضا'],
    ['مُحَمَّد بكر', 'محمد بكر'],
    ['Ｊｏｈｎ Ｋｉｐｔｏｏ', 'john kiptoo'],
  ];

  it.each(SPELLINGS)('200: finds %s however it is written', async (name, ...asked) => {
    const actor = await makeActor(rail);
    const nin = newNin();
    const made = await actor.post('/v1/citizens', { nin, full_name: name });
    expect(made.status, made.text).toBe(200);
    for (const q of [name, ...asked]) {
      const { data } = await actor.ask(`/v1/citizens?q=${encodeURIComponent(q)}`);
      expect(
        data.map((one: { nin: string }) => one.nin),
        q,
      ).toContain(nin);
    }
  });

  it('200: finds nobody by apostrophes alone; 422: for a letter with one', async () => {
    const actor = await makeActor(rail);
    expect((await actor.ask(`/v1/citizens?q=${encodeURIComponent("a'")}`)).status).toBe(422);
    expect((await actor.ask(`/v1/citizens?q=${encodeURIComponent("''")}`)).status).toBe(422);
  });

  it('folds columns in the database as it folds what is asked', async () => {
    const texts = Array.from({ length: 0x2fff }, (_, code) => `x ${String.fromCodePoint(code + 1)} y`)
      // The greek letter has another form at the end of a word, which the database knows nothing of.
      .filter((text) => /[\p{L}\p{M}\p{P}\p{Z}\p{Cf}]/u.test(text) && !text.includes('Σ'));
    const folded = await rail.rows<{ text: string; folded: string }>(
      sql`select text, fold_for_search(text) as folded from unnest(${texts}::text[]) text`,
    );
    expect(folded.filter(({ text, folded: made }) => made !== foldForSearch(text))).toEqual([]);
  });

  it('200: finds by exact NIN in any case, and by exact phone', async () => {
    const actor = await makeActor(rail);
    expect((await actor.ask(`/v1/citizens?nin=${exampleNinOf(1).toLowerCase()}`)).data).toHaveLength(1);
    expect((await actor.ask('/v1/citizens?phone=%2B256700010001')).data).toHaveLength(1);
    for (const phone of [
      '+256700010001',
      '+256 700-010-001',
      '00256700010001',
      '000256700010001',
      '\u202a+256700010001\u202c',
    ])
      expect((await actor.ask(`/v1/citizens?phone=${encodeURIComponent(phone)}`)).data, phone).toHaveLength(1);
    expect((await actor.ask('/v1/citizens?phone=+256700010001')).data).toHaveLength(1);
  });

  it('200: pages by after, and links to the next page until there is none', async () => {
    const actor = await makeActor(rail);
    const whole = (await actor.ask('/v1/citizens?limit=200')).data.map(({ name }: { name: string }) => name);
    const walked: string[] = [];
    let path: string | null = '/v1/citizens?limit=7';
    while (path) {
      const page = await actor.ask(path);
      walked.push(...page.data.map(({ name }: { name: string }) => name));
      path = /^<(.*)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1] ?? null;
    }
    expect(walked).toEqual(whole);
    expect((await actor.ask('/v1/citizens?start=3&limit=2')).data.map(({ name }: { name: string }) => name)).toEqual(
      whole.slice(3, 5),
    );
  });

  it.each([
    'limit=0',
    'limit=201',
    'limit=x',
    'limit=1.5',
    'limit=',
    'limit=1e2',
    'limit=99999999999',
    'start=-1',
    'start=a',
    'limit=1&limit=9',
  ])('422: %s, naming the parameter', async (query) => {
    const actor = await makeActor(rail);
    const answer = await actor.ask(`/v1/citizens?${query}`);
    expect(answer.status).toBe(422);
    expect(answer.json.error.details[0].path).toBe(query.split('=')[0]);
  });

  it('422: a q of one character, an unknown after', async () => {
    const actor = await makeActor(rail);
    expect((await actor.ask('/v1/citizens?q=a')).status).toBe(422);
    expect((await actor.ask('/v1/citizens?after=CITIZEN-2020-000001')).json.error.details[0].path).toBe('after');
  });
});

describe('GET /v1/citizens/{name}', () => {
  it('200: the whole record', async () => {
    const actor = await makeActor(rail);
    const [{ name }] = (await actor.ask('/v1/citizens?limit=1')).data;
    const { data } = await actor.ask(`/v1/citizens/${name}`);
    expect(Object.keys(data)).toEqual(
      'name nin full_name phone language texts_stopped_at verified created_at updated_at kind'.split(' '),
    );
    expect(data.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it.each(['CITIZEN-2026-999999', 'CITIZEN-1', 'x', '..%2F..', 'CITIZEN-2026-000001%27'])('404: %s', async (name) => {
    const actor = await makeActor(rail);
    expect((await actor.ask(`/v1/citizens/${name}`)).code).toBe('not_found');
  });
});

describe('POST /v1/citizens', () => {
  it('200: enters a citizen, unverified, with the NIN in upper case', async () => {
    const actor = await makeActor(rail);
    const { status, data } = await actor.post('/v1/citizens', {
      nin: ' zz123456 ',
      full_name: '  Ada 𝔏ovelace ',
      phone: '+256700999999',
    });
    expect(status).toBe(200);
    expect(data).toMatchObject({ nin: 'ZZ123456', full_name: 'Ada 𝔏ovelace', phone: '+256700999999', verified: false });
    expect((await actor.ask(`/v1/citizens/${data.name}`)).data).toEqual(data);
  });

  it('422: a NIN that is registered', async () => {
    const actor = await makeActor(rail);
    const again = await actor.post('/v1/citizens', { nin: exampleNinOf(1), full_name: 'Somebody' });
    expect(again).toMatchObject({ status: 422, code: 'validation_failed' });
  });

  it.each([
    ['no NIN', { full_name: 'A' }, 'nin'],
    ['no name', { nin: 'AB12345' }, 'full_name'],
    ['a blank name', { nin: 'AB12345', full_name: '  ' }, 'full_name'],
    ['a name that is too long', { nin: 'AB12345', full_name: 'x'.repeat(201) }, 'full_name'],
    ['a NUL', { nin: 'AB12345', full_name: 'A\0B' }, 'full_name'],
    ['a lone surrogate', '{"nin":"AB12345","full_name":"A\\ud800B"}', 'full_name'],
    ['a number for a name', { nin: 'AB12345', full_name: 5 }, 'full_name'],
    ['null for a name', { nin: 'AB12345', full_name: null }, 'full_name'],
    ['a NIN with a hyphen', { nin: 'AB-12345', full_name: 'A' }, 'nin'],
    ['a NIN that is too short', { nin: 'AB123', full_name: 'A' }, 'nin'],
    ['a NIN that is too long', { nin: 'A'.repeat(21), full_name: 'A' }, 'nin'],
    ['a phone without its country', { nin: 'AB12345', full_name: 'A', phone: '0700123456' }, 'phone'],
  ])('422: %s', async (_what, body, path) => {
    const actor = await makeActor(rail);
    const answer = await actor.post('/v1/citizens', body);
    expect(answer.status).toBe(422);
    expect(answer.json.error.details[0].path).toBe(path);
  });

  it('ignores members it does not know, those of the prototype among them', async () => {
    const actor = await makeActor(rail);
    const answer = await actor.post(
      '/v1/citizens',
      '{"nin":"PP123456","full_name":"A","__proto__":{"verified":true},"verified":true,"name":"CITIZEN-1"}',
    );
    expect(answer.data).toMatchObject({ verified: false });
    expect(answer.data.name).not.toBe('CITIZEN-1');
  });
});

describe('POST /v1/citizens/register', () => {
  it('200: finds who is registered', async () => {
    const actor = await makeActor(rail);
    const { data } = await actor.post('/v1/citizens/register', { nin: exampleNinOf(2).toLowerCase() });
    expect(data).toMatchObject({
      created: false,
      source: 'local',
      consent_event: null,
      citizen: { nin: exampleNinOf(2) },
    });
  });

  it('200: 20 at once make one citizen and one consent', async () => {
    const actor = await makeActor(rail);
    const nin = 'CF0000000RACES';
    const answers = await Promise.all(Array.from({ length: 20 }, () => actor.post('/v1/citizens/register', { nin })));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(answers.map(({ data }) => data.citizen.name)).size).toBe(1);
    expect(answers.filter(({ data }) => data.created)).toHaveLength(1);
    expect(await rail.count(sql`select 1 from citizen where nin = ${nin}`)).toBe(1);
    expect(
      await rail.count(sql`select 1 from consent_event e join citizen c on c.name = e.citizen where c.nin = ${nin}`),
    ).toBe(1);
  });

  it('404: nobody whom the authority knows', async () => {
    const actor = await makeActor(rail);
    expect((await actor.post('/v1/citizens/register', { nin: 'CM12345678ABCX' })).code).toBe('not_found');
    expect((await actor.post('/v1/citizens/register', { nin: 'QQ12345678' })).code).toBe('not_found');
  });

  it('422: no NIN, an unknown agency', async () => {
    const actor = await makeActor(rail);
    expect((await actor.post('/v1/citizens/register')).json.error.details).toEqual([
      { path: 'nin', message: 'is required' },
    ]);
    expect(
      (await actor.post('/v1/citizens/register', { nin: 'CM12345678ABCD', mda: 'NOPE' })).json.error.details[0].path,
    ).toBe('mda');
  });

  it('502 and 504: an authority that fails or is too slow; nothing is stored', async () => {
    const actor = await makeActor(rail);
    expect(await actor.post('/v1/citizens/register', { nin: 'CM12345678ABCE' })).toMatchObject({
      status: 502,
      code: 'adapter_failed',
    });
    expect(await actor.post('/v1/citizens/register', { nin: 'CM12345678ABCT' })).toMatchObject({
      status: 504,
      code: 'adapter_timeout',
    });
    expect(await rail.count(sql`select 1 from citizen where nin like 'CM12345678ABC_'`)).toBe(0);
  });
});

describe.each(['search', 'search-by-nin'])('GET /v1/citizens/%s', (path) => {
  it('200: local, nira and not_found', async () => {
    const actor = await makeActor(rail);
    expect((await actor.ask(`/v1/citizens/${path}?nin=${exampleNinOf(3)}`)).data).toMatchObject({
      source: 'local',
      stub: true,
      citizen: { nin: exampleNinOf(3) },
    });
    const nira = (await actor.ask(`/v1/citizens/${path}?nin=cm98765432wxyz`)).data;
    expect(nira).toMatchObject({ source: 'nira', citizen: { name: null, nin: 'CM98765432WXYZ', verified: true } });
    expect(await rail.count(sql`select 1 from citizen where nin = 'CM98765432WXYZ'`)).toBe(0);
    expect((await actor.ask(`/v1/citizens/${path}?nin=CM98765432WXYX`)).data).toEqual({
      source: 'not_found',
      stub: true,
      citizen: null,
    });
  });

  it('422: no NIN, or what could not be one', async () => {
    const actor = await makeActor(rail);
    expect((await actor.ask(`/v1/citizens/${path}`)).json.error.details).toEqual([
      { path: 'nin', message: 'is required' },
    ]);
    expect((await actor.ask(`/v1/citizens/${path}?nin=a%00b`)).status).toBe(422);
  });
});
