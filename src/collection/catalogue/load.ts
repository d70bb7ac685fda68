import { globSync, readFileSync } from 'node:fs';
import { z } from '../../kernel/zod.ts';
import { type Operator, recordOperations } from '../../platform/audit/operation.ts';
import { always } from '../../platform/change/commit.ts';
import { statement } from '../../platform/change/step.ts';
import type { Docnames } from '../../platform/database/docnames.ts';
import { type Database, json, sql } from '../../platform/database/sql.ts';
import { Decimal, isCurrency, minorDigitsOf } from '../../kernel/money.ts';
import { isTimeZone } from '../../kernel/time.ts';
import { AGENCY_CODE } from '../../kernel/text/identifiers.ts';
import { foldForSearch } from '../../kernel/text/matching.ts';
import { changesOf } from './changes.ts';
import { type ServiceRow, recordFees } from './fees.ts';

const FOLDER = new URL('../../../prisma/catalogue/', import.meta.url);

const profile = z
  .strictObject({
    country: z.string().regex(/^[A-Z]{2}$/),
    name: z.string().min(1),
    currency: z.string().refine(isCurrency, 'is no ISO 4217 currency'),
    /** What its days are days of, as in the tz database. */
    time_zone: z.string().refine(isTimeZone, 'is no time zone of the tz database').default('UTC'),
    /** The month whose first day begins a fiscal year. */
    fiscal_year_month: z.number().int().min(1).max(12).default(1),
    agencies: z.array(
      z.strictObject({
        code: z.string().regex(AGENCY_CODE),
        name: z.string().min(1),
        mode: z.enum(['A', 'B', 'C']),
        type: z.string().min(1),
        status: z.enum(['Active', 'Sandbox', 'Inactive']),
        collection_account: z.string().min(4),
        region: z.string().min(1).nullable().default(null),
        district: z.string().min(1).nullable().default(null),
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
      agencies.every(({ services }) =>
        services.every(({ fee }) => new Decimal(fee).decimalPlaces() <= minorDigitsOf(currency)),
      ),
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

/** Who loads a profile, and the transaction that it is loaded in. */
export interface Loading extends Operator {
  readonly db: Database;
  readonly docnames: Docnames;
}

/**
 * Brings the catalogue in line with a country profile: agencies by code, services by theirs. Nothing is removed, since
 * assessments name what they were made for; what is no longer offered is set Inactive in the profile. Each change is in
 * the operators' audit, and each fee in the history of its service.
 */
export async function loadProfile(loading: Loading, countryProfile: CountryProfile): Promise<void> {
  const { db, now } = loading;
  const at = now();
  // Of two loads at once the second finds what the first one wrote.
  await db.rows(sql`lock table mda in share row exclusive mode`);
  const countries = await loadCountry(db, countryProfile);
  const agencies = await loadAgencies(db, countryProfile, at);
  const services = await loadServices(loading, countryProfile, at);
  const changes = [
    ...changesOf('country', countries.before, countries.after),
    ...changesOf('agency', agencies.before, agencies.after),
    ...changesOf('service', services.before, services.after),
  ];
  if (changes.length === 0) return;
  const after = { agencies: agencies.after.length, services: services.after.length, changes: changes.length };
  const whole = { action: 'catalogue.load', subject: countryProfile.country, before: null, after, reason: null };
  await recordFees(loading, services.before, services.after);
  await db.rows(statement(sql`select 1`, recordOperations(loading, always, [whole, ...changes])));
}

/** What the country's figures go by, as it was and as it is by the profile. */
async function loadCountry(db: Database, { country: name, time_zone, fiscal_year_month }: CountryProfile) {
  const after = [{ name, time_zone, fiscal_year_month }];
  const before = await db.rows<(typeof after)[number]>(
    sql`select code as name, time_zone, fiscal_year_month from country where code = ${name}`,
  );
  await db.rows(sql`
    insert into country as c (code, time_zone, fiscal_year_month)
    values (${name}, ${time_zone}, ${fiscal_year_month})
    on conflict (code) do update set time_zone = excluded.time_zone, fiscal_year_month = excluded.fiscal_year_month
      where (c.time_zone, c.fiscal_year_month) is distinct from (excluded.time_zone, excluded.fiscal_year_month)`);
  return { before, after };
}

/** Agencies as they were, and as they are by the profile. */
async function loadAgencies(db: Database, { country, agencies }: CountryProfile, at: Date) {
  const after = agencies.map(({ code, name, mode, type, status, collection_account, region, district }) => ({
    name: code,
    mda_name: name,
    interaction_mode: mode,
    country,
    mda_type: type,
    status,
    collection_account,
    region,
    district,
  }));
  const before = await db.rows<(typeof after)[number]>(sql`
    select name, mda_name, interaction_mode, country, mda_type, status, collection_account, region, district from mda
    where name = any(${after.map(({ name }) => name)})`);
  await db.rows(sql`
    insert into mda as m (name, mda_name, interaction_mode, country, mda_type, status, collection_account, region,
      district, created_at, updated_at)
    select name, mda_name, interaction_mode, country, mda_type, status, collection_account, region, district, ${at},
      ${at}
    from jsonb_to_recordset(${json(after)}::jsonb) as a (name text, mda_name text, interaction_mode interaction_mode,
      country text, mda_type text, status mda_status, collection_account text, region text, district text)
    on conflict (name) do update set mda_name = excluded.mda_name, interaction_mode = excluded.interaction_mode,
      country = excluded.country, mda_type = excluded.mda_type, status = excluded.status,
      collection_account = excluded.collection_account, region = excluded.region, district = excluded.district,
      updated_at = excluded.updated_at
      where (m.mda_name, m.interaction_mode, m.country, m.mda_type, m.status, m.collection_account, m.region,
        m.district) is distinct from (excluded.mda_name, excluded.interaction_mode, excluded.country,
        excluded.mda_type, excluded.status, excluded.collection_account, excluded.region, excluded.district)`);
  return { before, after };
}

/** Services as they were, and as they are by the profile. */
async function loadServices({ db, docnames }: Loading, { currency, agencies }: CountryProfile, at: Date) {
  const offered = agencies.flatMap(({ code: mda, services }) => services.map((service) => ({ mda, ...service })));
  const before = await db.rows<ServiceRow>(sql`
    select name, service_name, code, mda, sector, family, status, fee_amount, currency from service
    where code = any(${offered.map(({ code }) => code)})`);
  const nameOf = new Map(before.map(({ code, name }) => [code, name]));
  const fresh = await docnames.take('service', offered.length - nameOf.size, at);
  const after = offered.map(({ code, name, mda, sector, family, status, fee }): ServiceRow => ({
    name: nameOf.get(code) ?? fresh.shift()!,
    service_name: name,
    code,
    mda,
    sector,
    family,
    status,
    fee_amount: new Decimal(fee),
    currency,
  }));
  const rows = after.map((row) => ({ ...row, search_text: foldForSearch(row.service_name, row.code) }));
  await db.rows(sql`
    insert into service as s (name, service_name, code, mda, sector, family, status, fee_amount, currency, search_text,
      created_at, updated_at)
    select name, service_name, code, mda, sector, family, status, fee_amount, currency, search_text, ${at}, ${at}
    from jsonb_to_recordset(${json(rows)}::jsonb) as r (name text, service_name text, code text, mda text, sector text,
      family text,
      status service_status, fee_amount numeric, currency text, search_text text)
    on conflict (code) do update set service_name = excluded.service_name, mda = excluded.mda, sector = excluded.sector,
      family = excluded.family,
      status = excluded.status, fee_amount = excluded.fee_amount, currency = excluded.currency,
        search_text = excluded.search_text, updated_at = excluded.updated_at
      where (s.service_name, s.mda, s.sector, s.family, s.status, s.fee_amount, s.currency) is distinct from
        (excluded.service_name, excluded.mda, excluded.sector, excluded.family, excluded.status, excluded.fee_amount,
          excluded.currency)`);
  return { before, after };
}
