import { describe, expect, it } from 'vitest';
import { readShippedProfiles } from '../../../src/collection/catalogue/loading/profile.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();

interface Named {
  readonly name: string;
}

describe('the catalogue that comes with the rail', () => {
  it('has at least 14 agencies of Uganda in all three modes with 80 services, and 3 of Kenya with 12', () => {
    const count = (country: string) => {
      const { agencies } = readShippedProfiles().find((profile) => profile.country === country)!;
      return {
        agencies: agencies.length,
        services: agencies.flatMap(({ services }) => services).length,
        modes: new Set(agencies.map(({ mode }) => mode)).size,
      };
    };
    expect(count('UG').agencies).toBeGreaterThanOrEqual(14);
    expect(count('UG').services).toBeGreaterThanOrEqual(80);
    expect(count('UG').modes).toBe(3);
    expect(count('KE').agencies).toBeGreaterThanOrEqual(3);
    expect(count('KE').services).toBeGreaterThanOrEqual(12);
  });
});

describe('GET /v1/mdas', () => {
  it('200: to everyone, by code, Active ones unless asked otherwise', async () => {
    const { status, data } = await rail.ask('/v1/mdas');
    expect(status).toBe(200);
    const names = data.map(({ name }: Named) => name);
    expect(names).toEqual(names.toSorted());
    expect(names).not.toContain('UWA');
    expect((await rail.ask('/v1/mdas?status=Sandbox')).data.map(({ name }: Named) => name)).toEqual(['UWA']);
    expect(Object.keys(data[0])).toEqual([
      'name',
      'mda_name',
      'interaction_mode',
      'country',
      'mda_type',
      'status',
      'created_at',
      'updated_at',
    ]);
  });

  it('200: by mode, country and type', async () => {
    const only = async (query: string) => (await rail.ask(`/v1/mdas?${query}`)).data;
    for (const mda of await only('mode=C')) expect(mda.interaction_mode).toBe('C');
    expect((await only('mode=C')).length).toBe(3);
    expect((await only('country=ke')).every(({ country }: { country: string }) => country === 'KE')).toBe(true);
    expect((await only('mda_type=tax_authority&country=UG')).map(({ name }: Named) => name)).toEqual(['URA']);
    expect(await only('country=XX')).toEqual([]);
  });

  it('never shows where the money goes', async () => {
    const accounts = readShippedProfiles().flatMap(({ agencies }) =>
      agencies.map(({ collection_account }) => collection_account),
    );
    const { text } = await rail.ask('/v1/mdas?limit=500');
    for (const account of accounts) expect(text).not.toContain(account);
  });

  it('422: a mode, status or limit that there is not', async () => {
    for (const query of ['mode=D', 'status=active', 'limit=501', 'limit=0'])
      expect((await rail.ask(`/v1/mdas?${query}`)).status, query).toBe(422);
  });

  it('200 and 404: one by code', async () => {
    expect((await rail.ask('/v1/mdas/URA')).data).toMatchObject({ name: 'URA', interaction_mode: 'B' });
    const [manager, clerk] = [await makeStaff(rail, 'system_manager'), await makeStaff(rail, 'clerk')];
    const { plaintext: key } = await rail.key('catalogue.read');
    const [row] = await rail.rows<{ last4: string }>(
      sql`select right(collection_account, 4) as last4 from mda where name = 'URA'`,
    );
    expect((await manager.ask('/v1/mdas/URA')).data.collection_account_last4).toBe(row!.last4);
    for (const answer of [
      await rail.ask('/v1/mdas/URA'),
      await rail.ask('/v1/mdas/URA', { key }),
      await clerk.ask('/v1/mdas/URA'),
    ]) {
      expect(answer.data).not.toHaveProperty('collection_account_last4');
    }
    for (const name of ['ura', 'NOPE', '%00', "URA'"])
      expect([404, 422], name).toContain((await rail.ask(`/v1/mdas/${name}`)).status);
  });
});

describe('GET /v1/services', () => {
  it('200: to everyone, by docname, 100 unless asked otherwise', async () => {
    const answer = await rail.ask('/v1/services');
    const names = answer.data.map(({ name }: Named) => name);
    expect(names).toHaveLength(100);
    expect(names).toEqual(names.toSorted());
    expect(answer.headers.get('link')).toBe(`<${rail.origin}/v1/services?after=${names.at(-1)}>; rel="next"`);
    const rest = await rail.ask(`/v1/services?after=${names.at(-1)}`);
    expect(rest.data.length).toBe(4);
    expect(rest.headers.get('link')).toBeNull();
    expect(names[0]).toMatch(/^SVC-\d{4}-\d{6}$/);
  });

  it('200: by every filter', async () => {
    const all = (await rail.ask('/v1/services?limit=500')).data;
    const only = async (query: string) => (await rail.ask(`/v1/services?limit=500&${query}`)).data;
    const where = (member: string, value: string) =>
      all.filter((service: Record<string, unknown>) => service[member] === value);
    expect(await only('mda=URSB')).toEqual(where('mda', 'URSB'));
    expect(await only('sector=transport')).toEqual(where('sector', 'transport'));
    expect(await only('family=licence&sector=commerce')).toEqual(
      where('family', 'licence').filter(({ sector }: { sector: string }) => sector === 'commerce'),
    );
    expect(await only('code=URA-PAYE')).toEqual(where('code', 'URA-PAYE'));
    expect((await only('q=BUSINESS%20name')).length).toBe(4);
    expect((await only('q=ura-paye')).length).toBe(1);
    expect(await only('q=%25')).toEqual([]);
    expect(await only('status=Inactive')).toEqual([]);
  });

  it('200: fees exact to the minor unit, in the currency of the country', async () => {
    const [rate] = (await rail.ask('/v1/services?code=KE-NCC-LANDRATE')).data;
    expect(rate).toMatchObject({ fee_amount: 11_200.75, currency: 'KES' });
  });

  it('200 and 404: one by docname', async () => {
    const [first] = (await rail.ask('/v1/services?limit=1')).data;
    expect((await rail.ask(`/v1/services/${first.name}`)).data).toEqual(first);
    for (const name of ['SVC-2026-999999', 'svc', 'SVC-2026-1', '%F0%9F%92%A9'])
      expect((await rail.ask(`/v1/services/${name}`)).status, name).toBe(404);
  });
});

describe('a fee that changes', () => {
  it('is refused where it is negative', async () => {
    await expect(rail.rows(sql`update service set fee_amount = -1 where code = 'URA-TCC'`)).rejects.toThrow(
      /service_fee_not_negative/,
    );
  });
});

describe('GET /v1/integrations', () => {
  it('200: what is connected in each country, and nothing of how', async () => {
    const { plaintext: key } = await rail.key('catalogue.read');
    const { status, data } = await rail.ask('/v1/integrations', { key });
    expect(status).toBe(200);
    const sandbox = {
      identity: { status: 'sandbox' },
      fiscal: { status: 'unavailable' },
      payment: [{ status: 'sandbox', channels: ['mtn_momo', 'airtel_money', 'card', 'cash', 'bank', 'agent', 'ussd'] }],
    };
    expect(data).toEqual({ KE: sandbox, UG: sandbox });
  });

  it('401: nobody; 403: a key without the scope', async () => {
    expect((await rail.ask('/v1/integrations')).status).toBe(401);
    const { plaintext: key } = await rail.key('citizens.read');
    expect(await rail.ask('/v1/integrations', { key })).toMatchObject({ status: 403, code: 'forbidden' });
  });
});
