import { type Database, sql } from '../../platform/database/sql.ts';

/** People and organisations that take part. */
export interface Cast {
  /** Number of citizens who pay. */
  readonly citizens: number;
  /** The codes of integrators, the first of which owns two fifths of everything; none: nobody is said to. */
  readonly integrators: readonly string[];
  /** Number of clerks. */
  readonly clerks: number;
  /** The services that are paid for, the most usual first; all of them by lot where none are named. */
  readonly services?: readonly string[];
  /** By how much the first services are more usual than the last ones: 1 is not at all. */
  readonly lean: number;
  /** Seconds that the slowest payer takes. */
  readonly slowest: number;
  /** Part of debts that is not paid; a twentieth by default. */
  readonly unpaid?: number;
  /** One payment of so many is other than it was asked for. */
  readonly oddOneOf: number;
  /** True if integrators were sent messages. */
  readonly messages: boolean;
  /** The present: later events have not happened yet. */
  readonly now: Date;
}

const SERVICES_OF_AN_AGENCY = 6;

/** Districts of made-up agencies: of Uganda, in turn of each region. */
const DISTRICTS = [
  'Masaka',
  'Jinja',
  'Gulu',
  'Mbarara',
  'Luweero',
  'Mbale',
  'Lira',
  'Kabale',
  'Mityana',
  'Soroti',
  'Arua',
  'Kasese',
  'Mubende',
  'Tororo',
  'Kitgum',
  'Hoima',
  'Kayunga',
  'Iganga',
  'Adjumani',
  'Masindi',
];

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
      select 'LG-' || lpad(i::text, 3, '0'),
        district || case when i > ${DISTRICTS.length}::int then ' Town Council ' || i else ' District' end, 'A', 'UG',
        'local_government', 'Active', '9040' || lpad(i::text, 9, '0'),
        (array['Central', 'Eastern', 'Northern', 'Western'])[1 + (i - 1) % 4], district, ${at}, ${at}
      from lacking, generate_series(1, n) i,
        lateral (select (${DISTRICTS}::text[])[1 + (i - 1) % ${DISTRICTS.length}::int] as district) d
      -- Made up before.
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
      -- Made up before.
      on conflict do nothing returning name, fee_amount, currency
    )
    insert into service_fee (service, fee_amount, currency, since, set_by)
    select name, fee_amount, currency, ${at}, 'sandbox' from offered`);
}

/** Over how many years citizens came to be known, where there is more to a history than payments. */
const REGISTERED_OVER_YEARS = 5;

/** Makes up the citizens who pay, with NINs beyond those of the sandbox's examples. */
export async function makeCitizens(db: Database, { citizens, integrators }: Cast, at: Date): Promise<void> {
  const whole = integrators.length > 0;
  await db.rows(sql`
    insert into citizen (name, nin, full_name, phone, verified, search_text, created_at, updated_at)
    select 'CITIZEN-2020-' || (900000 + i), nin, full_name, phone, true,
      lower(concat_ws(' ', full_name, nin, phone)), since, since
    from generate_series(1, ${citizens}) i
    cross join lateral (
      select 'CM9' || lpad(i::text, 11, '0') as nin,
        (array['Sample', 'Grace', 'John', 'Sarah', 'Peter', 'Ruth', 'Moses', 'Esther', 'Paul', 'Agnes'])[1 + i % 10]
          || ' ' || (array['Person', 'Nakato', 'Okello', 'Mugisha', 'Achieng', 'Namutebi', 'Wasswa'])[1 + i % 7]
          || ' ' || i as full_name,
        case when ${whole} then '+25677' || lpad(i::text, 7, '0') end as phone,
        case when ${whole} then ${at}::timestamptz - (${citizens}::int - i)
          * (interval '1 year' * ${REGISTERED_OVER_YEARS}::int / ${citizens}::int) else ${at}::timestamptz end as since
    ) made
    -- Made up before.
    on conflict (name) do nothing`);
  if (!whole) return;
  await db.rows(sql`
    insert into consent_event (name, citizen, mda, purpose, created_at)
    select 'CONSENT-2020-' || right(c.name, -13), c.name, m.name, 'To look up who pays', c.created_at
    from citizen c join (select name, row_number() over (order by name) as i, count(*) over () as n from mda) m
      on m.i = 1 + right(c.name, -13)::int % m.n
    where c.nin like 'CM9%' and right(c.name, -13)::int % 3 > 0
    -- Made up before.
    on conflict (name) do nothing`);
}
