import { type Database, sql } from '../../../platform/database/sql.ts';

/** How many citizens there are who pay. */
export const CITIZENS = 5_000;
const SERVICES_OF_AN_AGENCY = 6;

/** Makes up so many agencies as lack of a number, each with services. */
export async function makeAgencies(db: Database, wanted: number, at: Date): Promise<void> {
  await db.rows(sql`
    with lacking as (
      select greatest(0, ${wanted}::int - (select count(*)::int from mda where status = 'Active')) as n
    ), made as (
      insert into mda (
        name, mda_name, interaction_mode, country, mda_type, status, collection_account, region, district, created_at,
        updated_at
      )
      select 'LG-' || lpad(i::text, 3, '0'), 'Local government ' || i, 'A', 'UG', 'local_government', 'Active',
        '9040' || lpad(i::text, 9, '0'), (array['Central', 'Eastern', 'Northern', 'Western'])[1 + i % 4],
        'District ' || (1 + i / 2), ${at}, ${at}
      from lacking, generate_series(1, n) i
      on conflict (name) do nothing returning name
    ), offered as (
      insert into service (
        name, service_name, code, mda, sector, family, status, fee_amount, currency, search_text, created_at, updated_at
      )
      select 'SVC-2020-' || (900000 + row_number() over (order by m.name, s.i))::text, s.title, m.name || '-' || s.i,
        m.name, s.sector, s.family, 'Active', s.fee, 'UGX', lower(s.title || ' ' || m.name || '-' || s.i), ${at}, ${at}
      from made m, (values
        (1, 'Market dues', 'commerce', 'fee', 30000),
        (2, 'Trading licence', 'commerce', 'licence', 120000),
        (3, 'Property rate', 'property', 'rate', 400000),
        (4, 'Building permit', 'construction', 'permit', 250000),
        (5, 'Parking permit', 'transport', 'permit', 60000),
        (6, 'Ground rent', 'property', 'rate', 90000)
      ) as s (i, title, sector, family, fee)
      where s.i <= ${SERVICES_OF_AN_AGENCY}
      on conflict do nothing returning name, fee_amount, currency
    )
    insert into service_fee (service, fee_amount, currency, since, set_by)
    select name, fee_amount, currency, ${at}, 'sandbox' from offered`);
}

/** Makes up the citizens who pay, with NINs beyond those of the sandbox's examples. */
export async function makeCitizens(db: Database, at: Date): Promise<void> {
  await db.rows(sql`
    insert into citizen (name, nin, full_name, phone, verified, search_text, created_at, updated_at)
    select 'CITIZEN-2020-' || (900000 + i), nin, 'Sample Person ' || i, null, true,
      lower('Sample Person ' || i || ' ' || nin),
      ${at}, ${at}
    from generate_series(1, ${CITIZENS}) i, lateral (select 'CM9' || lpad(i::text, 11, '0') as nin) made
    on conflict (name) do nothing`);
}
