import { globSync, readFileSync } from 'node:fs';
import { z } from '../../kernel/zod.ts';
import type { Docnames } from '../../platform/database/docnames.ts';
import { type Database, json, sql } from '../../platform/database/sql.ts';
import { Decimal, isCurrency, minorDigitsOf } from '../../kernel/money.ts';
import { AGENCY_CODE } from '../../kernel/text/identifiers.ts';
import { foldForSearch } from '../../kernel/text/matching.ts';

const FOLDER = new URL('../../../prisma/catalogue/', import.meta.url);

const profile = z
  .strictObject({
    country: z.string().regex(/^[A-Z]{2}$/),
    name: z.string().min(1),
    currency: z.string().refine(isCurrency, 'is no ISO 4217 currency'),
    agencies: z.array(
      z.strictObject({
        code: z.string().regex(AGENCY_CODE),
        name: z.string().min(1),
        mode: z.enum(['A', 'B', 'C']),
        type: z.string().min(1),
        status: z.enum(['Active', 'Sandbox', 'Inactive']),
        collection_account: z.string().min(4),
        services: z.array(
          z.strictObject({
            code: z.string().min(1),
            name: z.string().min(1),
            sector: z.string().min(1),
            family: z.string().min(1),
            fee: z.number().nonnegative(),
            status: z.enum(['Active', 'Inactive']).default('Active'),
          }),
        ),
      }),
    ),
  })
  .refine(
    ({ currency, agencies }) =>
      agencies.every(({ services }) => services.every(({ fee }) => new Decimal(fee).decimalPlaces() <= minorDigitsOf(currency))),
    'a fee has more decimals than its currency',
  );

export type CountryProfile = z.infer<typeof profile>;

/** The country profiles that come with the rail. */
export function readShippedProfiles(): CountryProfile[] {
  return globSync('*.json', { cwd: FOLDER })
    .toSorted()
    .map((file) => readProfile(readFileSync(new URL(file, FOLDER), 'utf8')));
}

export function readProfile(text: string): CountryProfile {
  return profile.parse(JSON.parse(text));
}

/**
 * Brings the catalogue in line with a country profile: agencies by code, services by theirs. Nothing is removed, since assessments
 * name what they were made for; what is no longer offered is set Inactive in the profile.
 */
export async function loadProfile(db: Database, docnames: Docnames, { country, currency, agencies }: CountryProfile, now: Date): Promise<void> {
  await db.rows(sql`
    insert into mda as m (name, mda_name, interaction_mode, country, mda_type, status, collection_account, created_at, updated_at)
    select code, name, mode, ${country}, type, status, collection_account, ${now}, ${now}
    from jsonb_to_recordset(${json(agencies)}::jsonb)
      as a (code text, name text, mode interaction_mode, type text, status mda_status, collection_account text)
    on conflict (name) do update set mda_name = excluded.mda_name, interaction_mode = excluded.interaction_mode, country = excluded.country,
      mda_type = excluded.mda_type, status = excluded.status, collection_account = excluded.collection_account, updated_at = excluded.updated_at
      where (m.mda_name, m.interaction_mode, m.country, m.mda_type, m.status, m.collection_account) is distinct from
        (excluded.mda_name, excluded.interaction_mode, excluded.country, excluded.mda_type, excluded.status, excluded.collection_account)`);

  const services = agencies.flatMap((agency) => agency.services.map((service) => ({ mda: agency.code, ...service })));
  const known = await db.rows<{ code: string; name: string }>(sql`
    select code, name from service where code in (select code from jsonb_to_recordset(${json(services)}::jsonb) as s (code text))`);
  const nameOf = new Map(known.map(({ code, name }) => [code, name]));
  const fresh = await docnames.take('service', services.length - nameOf.size, now);
  const rows = services.map((service) => ({
    ...service,
    docname: nameOf.get(service.code) ?? fresh.shift(),
    search_text: foldForSearch(service.name, service.code),
  }));
  await db.rows(sql`
    insert into service as s (name, service_name, code, mda, sector, family, status, fee_amount, currency, search_text, created_at, updated_at)
    select docname, name, code, mda, sector, family, status, fee, ${currency}, search_text, ${now}, ${now}
    from jsonb_to_recordset(${json(rows)}::jsonb)
      as r (docname text, name text, code text, mda text, sector text, family text, status service_status, fee numeric, search_text text)
    on conflict (code) do update set service_name = excluded.service_name, mda = excluded.mda, sector = excluded.sector, family = excluded.family,
      status = excluded.status, fee_amount = excluded.fee_amount, currency = excluded.currency, search_text = excluded.search_text, updated_at = excluded.updated_at
      where (s.service_name, s.mda, s.sector, s.family, s.status, s.fee_amount, s.currency) is distinct from
        (excluded.service_name, excluded.mda, excluded.sector, excluded.family, excluded.status, excluded.fee_amount, excluded.currency)`);
}
