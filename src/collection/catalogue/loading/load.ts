import { type Operated, type Operator, recordOperations } from '../../../platform/audit/operation.ts';
import { type Once, recordKey } from '../../../platform/call/idempotency.ts';
import { always } from '../../../platform/change/commit.ts';
import { statement } from '../../../platform/change/step.ts';
import type { Docnames } from '../../../platform/database/docnames.ts';
import { type Database, sql } from '../../../platform/database/sql.ts';
import { Decimal } from '../../../kernel/money.ts';
import { refuseBecause, refuseValue } from '../../../kernel/refusal.ts';
import { askForAccounts } from '../accounts/request.ts';
import { type ServiceRow, recordFees } from '../fees.ts';
import type { Names } from '../names.ts';
import { changesOf } from './changes.ts';
import { type AgencyRow, planAgencies, planServices, readBefore } from './plan.ts';
import type { CountryProfile } from './profile.ts';
import { writeAgencies, writeCountry, writeServices } from './write.ts';
import { say } from '../../../kernel/text/said.ts';

/** Who loads a profile, and the transaction that it is loaded in. */
export interface Loading extends Operator {
  readonly db: Database;
  readonly docnames: Docnames;
  readonly once?: Once | null;
}

export interface LoadingOptions {
  /** Whether it is only said what would change. */
  readonly dryRun: boolean;
  /**
   * What becomes of accounts that differ: the command line sets them; everybody else asks for the change, which
   * another operator approves.
   */
  readonly accounts: 'set' | 'ask';
  /** Whether fees that differ are set; on a live rail they take two people, each at its service. */
  readonly fees?: 'set' | 'refuse';
}

/** What loading a profile changed, or would change. */
export interface LoadedProfile {
  readonly country: string;
  readonly dryRun: boolean;
  readonly agencies: number;
  readonly services: number;
  readonly changes: readonly Operated[];
}

/**
 * Brings the catalogue in line with a country profile: agencies by code, services by theirs. Nothing is removed, since
 * assessments name what they were made for; what is no longer offered is set Inactive in the profile. Each change is in
 * the operators' audit, and each fee in the history of its service. A fee that is set for a coming day stays.
 */
export async function loadProfile(
  loading: Loading,
  profile: CountryProfile,
  { dryRun, accounts, fees = 'set' }: LoadingOptions = { dryRun: false, accounts: 'set' },
): Promise<LoadedProfile> {
  const { db, now } = loading;
  const at = now();
  // Of two loads at once the second finds what the first one wrote.
  if (!dryRun) await db.rows(sql`lock table mda in share row exclusive mode`);
  const before = await readBefore(db, profile, at);
  const { agencies, asked } = planAgencies(profile, before, accounts);
  const fresh = dryRun
    ? null
    : await loading.docnames.take('service', planServices(profile, before, null, fees).added, at);
  const { services } = planServices(profile, before, fresh, fees);
  requireClosed(before.agencies, agencies, before.open);
  const recoined = services.find(({ code, currency }) =>
    before.services.some((was) => was.code === code && was.coming && was.currency !== currency),
  );
  if (recoined)
    throw refuseValue(
      'profile',
      say`${recoined.code} has a fee set for a coming day in another currency: withdraw it first`,
    );
  if (fees === 'refuse') refuseFees(before.services, services);
  const { country: name, time_zone, fiscal_year_month, currency } = profile;
  const [cash_limit, shift_cash_limit] = [profile.cash_limit, profile.shift_cash_limit].map((limit) =>
    limit === null ? null : new Decimal(limit),
  ) as [Decimal | null, Decimal | null];
  const [sectors, families] = [profile.sectors, profile.families].map((terms) =>
    Object.fromEntries(terms.map((term) => [term.name, term.names])),
  ) as [Record<string, Names>, Record<string, Names>];
  const country = { name, time_zone, fiscal_year_month, currency, cash_limit, shift_cash_limit, sectors, families };
  const changes = [
    ...changesOf('country', before.countries, [country]),
    ...changesOf('agency', before.agencies, agencies),
    ...asked.map(({ change }) => change),
    ...changesOf(
      'service',
      before.services.map(({ coming: _coming, ...row }) => row),
      services,
    ),
  ];
  const answer = { country: name, dryRun, agencies: agencies.length, services: services.length, changes };
  if (dryRun) return answer;
  if (changes.length > 0) {
    await writeCountry(db, country);
    await writeAgencies(db, agencies, at);
    await writeServices(db, services, at);
    await askForAccounts(loading, asked);
    await recordFees(loading, before.services, services);
  }
  const after = { agencies: agencies.length, services: services.length, changes: changes.length };
  const whole = { action: 'catalogue.load', subject: name, before: null, after, reason: null };
  const operations = changes.length > 0 ? [whole, ...changes] : [];
  const key = recordKey({ once: loading.once ?? null, now }, always, name);
  await db.rows(statement(sql`select 1`, [...recordOperations(loading, always, operations), ...key]));
  return answer;
}

/** Refuses fees that differ from what services have, and those of new services, naming the first. */
function refuseFees(before: readonly ServiceRow[], after: readonly ServiceRow[]): void {
  const charged = new Map(before.map(({ code, fee_amount }) => [code, fee_amount]));
  const other = after.find(({ code, fee_amount }) => !fee_amount.equals(charged.get(code) ?? 0));
  if (other)
    throw refuseBecause(
      'fee_takes_two',
      `The profile has another fee for ${other.code}; on a live rail a fee takes two operators, so add or change the service itself`,
      'profile',
    );
}

/** Refuses to close an agency at whose counters somebody still takes cash. */
function requireClosed(before: readonly AgencyRow[], after: readonly AgencyRow[], open: readonly string[]): void {
  const wasActive = new Set(before.filter(({ status }) => status === 'Active').map(({ name }) => name));
  const closing = after.find(({ name, status }) => status !== 'Active' && wasActive.has(name) && open.includes(name));
  if (closing) throw refuseBecause('shifts_open', `${closing.name} has Open shifts; close them first`, 'profile');
}
