import { type Database, sql } from '../../../platform/database/sql.ts';
import type { InteractionMode, AgencyStatus } from '../../../generated/prisma/enums.ts';
import { Decimal } from '../../../kernel/money.ts';
import type { AskedAccount } from '../accounts/request.ts';
import { type ServiceRow, comingFee, feeAt, feeInForceAt, tariffAt } from '../fees.ts';
import type { Names } from '../names.ts';
import type { CountryProfile } from './profile.ts';

/** Objects to set: none, those that a profile adds, or also those that exist. */
export type Sets = 'nothing' | 'new' | 'all';

/** An agency by its columns. */
export interface AgencyRow {
  readonly name: string;
  readonly mda_name: string;
  readonly names: Names;
  readonly interaction_mode: InteractionMode;
  readonly country: string;
  readonly mda_type: string;
  readonly status: AgencyStatus;
  readonly collection_account: string | null;
  readonly region: string | null;
  readonly district: string | null;
}

/** Settings of a country's figures. */
export interface CountryRow {
  readonly name: string;
  readonly time_zone: string;
  readonly fiscal_year_month: number;
  readonly currency: string | null;
  readonly cash_limit: Decimal | null;
  readonly shift_cash_limit: Decimal | null;
  /** Translated names of sectors and families. */
  readonly sectors: Readonly<Record<string, Names>>;
  readonly families: Readonly<Record<string, Names>>;
  readonly holidays: CountryProfile['holidays'];
  readonly weekend: CountryProfile['weekend'];
  readonly help: CountryProfile['help'];
}

/** The catalogue as it is, as far as a profile names it. */
export interface Before {
  readonly countries: readonly CountryRow[];
  readonly agencies: readonly AgencyRow[];
  readonly services: readonly (ServiceRow & { readonly coming: boolean })[];
  /** Agencies with Open shifts, and those whose account somebody asked to change. */
  readonly open: readonly string[];
  readonly pending: readonly string[];
}

export async function readBefore(db: Database, profile: CountryProfile, at: Date): Promise<Before> {
  const names = profile.agencies.map(({ code }) => code);
  const codes = profile.agencies.flatMap(({ services }) => services.map(({ code }) => code));
  const countries = await db.rows<CountryRow>(
    sql`select code as name, time_zone, fiscal_year_month, currency, cash_limit, shift_cash_limit, sectors, families, holidays, weekend, help from country where code = ${profile.country}`,
  );
  const agencies = await db.rows<AgencyRow>(sql`
    select name, mda_name, names, interaction_mode, country, mda_type, status, collection_account, region, district from mda
    where name = any(${names})`);
  const services = await db.rows<Before['services'][number]>(sql`
    select s.name, s.service_name, s.names, s.code, s.mda, s.sector, s.family, s.status, ${feeAt('s', at)} as fee_amount,
      ${tariffAt('s', at)} as tariff,
      ${feeInForceAt('s', at)} as fee_in_force, s.currency, (${comingFee('s', at).from}) is not null as coming
    from service s where s.code = any(${codes})`);
  const open = await db.rows<{ mda: string }>(
    sql`select distinct mda from counter_shift where status = 'Open' and mda = any(${names})`,
  );
  const pending = await db.rows<{ mda: string }>(
    sql`select mda from account_change where status = 'Pending' and mda = any(${names})`,
  );
  const mdasOf = (rows: readonly { readonly mda: string }[]) => rows.map(({ mda }) => mda);
  return { countries, agencies, services, open: mdasOf(open), pending: mdasOf(pending) };
}

/**
 * Agencies as they will be by the profile. Where an account is asked for, it stays until somebody else approves, and a
 * new agency collects nothing until then: it is in Sandbox, and Active once the profile is loaded again after that.
 */
export function planAgencies(
  { country, agencies: wanted }: CountryProfile,
  { agencies: before, pending }: Before,
  accounts: Sets,
): { readonly agencies: readonly AgencyRow[]; readonly asked: readonly AskedAccount[] } {
  const accountOf = new Map(before.map(({ name, collection_account }) => [name, collection_account]));
  const isSet = (mda: string) => accounts === 'all' || (accounts === 'new' && !accountOf.has(mda));
  const agencies = wanted.map((agency): AgencyRow => {
    const account = isSet(agency.code) ? agency.collection_account : (accountOf.get(agency.code) ?? null);
    return {
      name: agency.code,
      mda_name: agency.name,
      names: agency.names,
      interaction_mode: agency.mode,
      country,
      mda_type: agency.type,
      status: agency.status === 'Active' && account === null ? 'Sandbox' : agency.status,
      collection_account: account,
      region: agency.region,
      district: agency.district,
    };
  });
  const asked = wanted.flatMap(({ code: mda, collection_account: account }): AskedAccount[] => {
    const former = accountOf.get(mda) ?? null;
    if (isSet(mda) || account === former || pending.includes(mda)) return [];
    const end = (of: string | null) => ({ collection_account_last4: of && of.slice(-4) });
    const shown = { subject: mda, before: end(former), after: end(account), reason: 'Loaded with its country profile' };
    return [{ mda, account, former, change: { action: 'agency.account_requested', ...shown } }];
  });
  return { agencies, asked };
}

/**
 * Services as they will be by the profile; new ones under fresh names, or, where none were taken, under their codes. A fee
 * that waits to be approved goes on waiting, unless all is set.
 */
export function planServices(
  { currency, agencies }: CountryProfile,
  { services: before }: Before,
  fresh: readonly string[] | null,
  terms: Sets,
): { readonly services: readonly ServiceRow[]; readonly added: number } {
  const offered = agencies.flatMap(({ code: mda, services }) => services.map((service) => ({ mda, ...service })));
  const nameOf = new Map(before.map(({ code, name }) => [code, name]));
  const waiting = new Set(before.filter((service) => !service.fee_in_force).map(({ code }) => code));
  const added = offered.filter(({ code }) => !nameOf.has(code));
  added.forEach(({ code }, index) => nameOf.set(code, fresh?.[index] ?? code));
  const services = offered.map(({ code, name, names, mda, sector, family, status, fee, tariff }): ServiceRow => ({
    name: nameOf.get(code)!,
    service_name: name,
    names,
    code,
    mda,
    sector,
    family,
    status,
    fee_amount: new Decimal(fee),
    tariff,
    fee_in_force: terms === 'all' || !waiting.has(code),
    currency,
  }));
  return { services, added: added.length };
}
