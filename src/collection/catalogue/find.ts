import { IS_AGENCY, whereWithin } from '../../platform/access/owned.ts';
import type { Call } from '../../platform/call/call.ts';
import { isDocname } from '../../platform/database/docnames.ts';
import { loadByName, nowTogether } from '../../platform/reading/batch.ts';
import { ifGiven } from '../../platform/reading/conditions.ts';
import { type Listing, type Page, type PageArgs, readPage, readPageOf } from '../../platform/reading/page.ts';
import { columnsOf } from '../../platform/database/record.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import type { InteractionMode, AgencyStatus, ServiceStatus } from '../../generated/prisma/enums.ts';
import type { Agency, Service } from '../../generated/prisma/client.ts';
import type { Decimal } from '../../kernel/money.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { comingFee, feeAt, feeInForceAt, tariffAt } from './fees.ts';
import { matchAnywhere } from '../../kernel/text/matching.ts';
import { say } from '../../kernel/text/said.ts';

export const agencySelect = sql`select ${columnsOf('Agency')} from mda r`;

const serviceColumns = columnsOf('Service', {
  without: ['feeAmount', 'feeInForce', 'tariff', 'nextFeeAmount', 'nextFeeFrom', 'nextTariff'],
});

/** Services with the fee that holds now, and one that is set for a coming day. */
function serviceSelect(call: Call): Sql {
  // The same moment for all that is read together: else it would be read one by one.
  const at = nowTogether(call);
  const coming = comingFee('r', at);
  return sql`
    select ${serviceColumns}, ${feeAt('r', at)} as "feeAmount", ${feeInForceAt('r', at)} as "feeInForce",
      ${tariffAt('r', at)} as tariff, ${coming.amount} as "nextFeeAmount", ${coming.from} as "nextFeeFrom",
      ${coming.tariff} as "nextTariff"
    from service r`;
}

export interface AgencyFilter {
  readonly mode?: InteractionMode | null | undefined;
  readonly country?: string | null | undefined;
  readonly type?: string | null | undefined;
  readonly status: AgencyStatus;
}

export interface ServiceFilter {
  readonly agency?: string | null | undefined;
  readonly sector?: string | null | undefined;
  readonly family?: string | null | undefined;
  readonly code?: string | null | undefined;
  readonly q?: string | null | undefined;
  readonly status?: ServiceStatus | null | undefined;
}

/** By which clock the days of agencies are told, and with which month their fiscal years begin. */
interface Calendar {
  readonly name: string;
  readonly timeZone: string;
  readonly fiscalYearMonth: number;
}

export const calendarLoader = loadByName<Calendar>(({ db }, names) =>
  db.rows(sql`
    select mda as name, time_zone as "timeZone", fiscal_year_month as "fiscalYearMonth"
    from agency_calendar where mda = any(${names})`),
);

/** An agency's values of its country profile: its currency, and the most cash by default. */
interface CountryLimits {
  readonly name: string;
  readonly currency: string | null;
  readonly cashLimit: Decimal | null;
  readonly shiftCashLimit: Decimal | null;
}

/** Country profiles by their codes. */
export const countryLoader = loadByName<CountryLimits>(({ db }, codes) =>
  db.rows(sql`
    select code as name, currency, cash_limit as "cashLimit", shift_cash_limit as "shiftCashLimit"
    from country where code = any(${codes})`),
);

/** Agencies by code. */
export function listAgencies(call: Call, filter: AgencyFilter, page: PageArgs): Promise<Page<Agency>> {
  return readPage(
    call,
    {
      select: agencySelect,
      table: 'mda',
      order: ['name'],
      direction: 'asc',
      where: [sql`r.status = ${filter.status}::mda_status`],
      filters: [
        ifGiven(filter.mode, (mode) => sql`r.interaction_mode = ${mode}::interaction_mode`),
        ifGiven(filter.country, (country) => sql`r.country = ${country.toUpperCase()}`),
        ifGiven(filter.type, (type) => sql`r.mda_type = ${type}`),
      ],
    },
    page,
  );
}

/** All agencies that collect, by code. */
export function listActiveAgencies({ db, viewer }: Call): Promise<Agency[]> {
  const within = whereWithin(viewer, IS_AGENCY);
  return db.rows<Agency>(sql`${agencySelect} where r.status = 'Active' and ${within} order by r.name`);
}

/** The agencies within the caller's wall, in any status, by code. */
export function listOwnAgencies({ db, viewer }: Call): Promise<Agency[]> {
  return db.rows<Agency>(sql`${agencySelect} where ${whereWithin(viewer, IS_AGENCY)} order by r.name`);
}

function serviceListing(call: Call, filter: ServiceFilter): Listing {
  return {
    select: serviceSelect(call),
    table: 'service',
    order: ['name'],
    direction: 'asc',
    where: [ifGiven(filter.status, (status) => sql`r.status = ${status}::service_status`)],
    filters: [
      ifGiven(filter.agency, (mda) => sql`r.mda = ${mda}`),
      ifGiven(filter.sector, (sector) => sql`r.sector = ${sector}`),
      ifGiven(filter.family, (family) => sql`r.family = ${family}`),
      ifGiven(filter.code, (code) => sql`r.code = ${code}`),
      ifGiven(filter.q, (q) => sql`r.search_text like ${matchAnywhere(q)}`),
    ],
  };
}

/** Services by docname. */
export function listServices(call: Call, filter: ServiceFilter, page: PageArgs): Promise<Page<Service>> {
  return readPage(call, serviceListing(call, filter), page);
}

/** The services of one agency by docname. */
export function listServicesOf(call: Call, mda: string, filter: ServiceFilter, page: PageArgs): Promise<Page<Service>> {
  return readPageOf(call, serviceListing(call, filter), sql`r.mda`, mda, page);
}

/** Agencies by code. */
export const agencyLoader = loadByName<Agency>(({ db }, names) =>
  db.rows(sql`${agencySelect} where r.name = any(${names})`),
);

/** Services by docname. */
export const serviceLoader = loadByName<Service>((call, names) =>
  call.db.rows(sql`${serviceSelect(call)} where r.name = any(${names})`),
);

export async function getAgency(call: Call, name: string): Promise<Agency> {
  const mda = await call.db.row<Agency>(sql`${agencySelect} where r.name = ${name}`);
  if (!mda) throw new Refusal('not_found', say`The agency does not exist`);
  return mda;
}

export async function getService(call: Call, name: string): Promise<Service> {
  const service = isDocname('service', name)
    ? await call.db.row<Service>(sql`${serviceSelect(call)} where r.name = ${name}`)
    : null;
  if (!service) throw new Refusal('not_found', say`The service does not exist`);
  return service;
}
