import { type Database, json, sql } from '../../../platform/database/sql.ts';
import { type ServiceRow, comingFee, feeAt, feeInForceAt, tariffAt } from '../fees.ts';
import { searchTextOf } from '../names.ts';
import type { AgencyRow, CountryRow } from './plan.ts';

/** Writes the settings of a country's figures from the profile. */
export async function writeCountry(db: Database, country: CountryRow): Promise<void> {
  const { name, time_zone, fiscal_year_month, currency, cash_limit, shift_cash_limit, sectors, families } = country;
  await db.rows(sql`
    insert into country as c (code, time_zone, fiscal_year_month, currency, cash_limit, shift_cash_limit, sectors,
      families, holidays, weekend, help)
    values (${name}, ${time_zone}, ${fiscal_year_month}, ${currency}, ${cash_limit}, ${shift_cash_limit},
      ${json(sectors)}::jsonb, ${json(families)}::jsonb, ${json(country.holidays)}::jsonb, ${country.weekend}::text[],
      ${json(country.help)}::jsonb)
    on conflict (code) do update set time_zone = excluded.time_zone, fiscal_year_month = excluded.fiscal_year_month,
      currency = excluded.currency, cash_limit = excluded.cash_limit, shift_cash_limit = excluded.shift_cash_limit,
      sectors = excluded.sectors, families = excluded.families, holidays = excluded.holidays,
      weekend = excluded.weekend, help = excluded.help
      where (c.time_zone, c.fiscal_year_month, c.currency, c.cash_limit, c.shift_cash_limit, c.sectors, c.families, c.holidays, c.weekend, c.help)
        is distinct from (excluded.time_zone, excluded.fiscal_year_month, excluded.currency, excluded.cash_limit,
          excluded.shift_cash_limit, excluded.sectors, excluded.families, excluded.holidays, excluded.weekend, excluded.help)`);
}

/** Agencies as they are by the profile; one that is so already stays untouched. */
export async function writeAgencies(db: Database, agencies: readonly AgencyRow[], at: Date): Promise<void> {
  await db.rows(sql`
    insert into mda as m (name, mda_name, names, interaction_mode, country, mda_type, status, collection_account, region,
      district, created_at, updated_at)
    select name, mda_name, names, interaction_mode, country, mda_type, status, collection_account, region, district, ${at},
      ${at}
    from jsonb_to_recordset(${json(agencies)}::jsonb) as a (name text, mda_name text, names jsonb, interaction_mode interaction_mode,
      country text, mda_type text, status mda_status, collection_account text, region text, district text)
    on conflict (name) do update set mda_name = excluded.mda_name, names = excluded.names, interaction_mode = excluded.interaction_mode,
      country = excluded.country, mda_type = excluded.mda_type, status = excluded.status,
      collection_account = excluded.collection_account, region = excluded.region, district = excluded.district,
      updated_at = excluded.updated_at, revision = m.revision + 1
      where (m.mda_name, m.names, m.interaction_mode, m.country, m.mda_type, m.status, m.collection_account, m.region,
        m.district) is distinct from (excluded.mda_name, excluded.names, excluded.interaction_mode, excluded.country,
        excluded.mda_type, excluded.status, excluded.collection_account, excluded.region, excluded.district)`);
}

/** Services as they are by the profile, which says the fees that hold from now on. */
export async function writeServices(db: Database, services: readonly ServiceRow[], at: Date): Promise<void> {
  const rows = services.map((row) => ({ ...row, search_text: searchTextOf(row.service_name, row.code, row.names) }));
  const coming = comingFee('s', at);
  await db.rows(sql`
    insert into service as s (name, service_name, names, code, mda, sector, family, status, fee_amount, tariff, fee_in_force,
      currency, search_text, created_at, updated_at)
    select name, service_name, names, code, mda, sector, family, status, fee_amount, tariff, fee_in_force, currency,
      search_text, ${at}, ${at}
    from jsonb_to_recordset(${json(rows)}::jsonb) as r (name text, service_name text, names jsonb, code text, mda text, sector text,
      family text, status service_status, fee_amount numeric, tariff jsonb, fee_in_force boolean, currency text, search_text text)
    order by name
    on conflict (code) do update set service_name = excluded.service_name, names = excluded.names, mda = excluded.mda, sector = excluded.sector,
      family = excluded.family, status = excluded.status, fee_amount = excluded.fee_amount,
      tariff = excluded.tariff, next_tariff = ${coming.tariff},
      fee_in_force = excluded.fee_in_force, currency = excluded.currency, search_text = excluded.search_text, updated_at = excluded.updated_at,
      next_fee_amount = ${coming.amount}, next_fee_from = ${coming.from}, revision = s.revision + 1
      where (s.service_name, s.names, s.mda, s.sector, s.family, s.status, ${feeAt('s', at)}, ${tariffAt('s', at)},
        ${feeInForceAt('s', at)}, s.currency) is distinct from
        (excluded.service_name, excluded.names, excluded.mda, excluded.sector, excluded.family, excluded.status, excluded.fee_amount,
          excluded.tariff, excluded.fee_in_force, excluded.currency)`);
}
