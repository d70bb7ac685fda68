import { type Operated, type Operator, recordOperations } from '../../../platform/change/operation.ts';
import { type Once, recordKey } from '../../../platform/change/idempotency.ts';
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
import { type AgencyRow, type Sets, planAgencies, planServices, readBefore } from './plan.ts';
import type { CountryProfile } from './profile.ts';
import { writeAgencies, writeCountry, writeServices } from './write.ts';
import { say } from '../../../kernel/text/said.ts';

/** The author of a load, and its transaction. */
export interface Loading extends Operator {
  readonly db: Database;
  readonly docnames: Docnames;
  readonly once?: Once | null;
}

export interface LoadingOptions {
  /** True if changes are only listed. */
  readonly dryRun: boolean;
  /** Agencies whose accounts are set; those of others are requested, and another operator approves them. */
  readonly accounts: Sets;
  /** Objects whose other terms that take two people are set; they are refused otherwise. */
  readonly terms: Sets;
}

/** Changes that loading a profile made, or would make. */
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
  { dryRun, accounts, terms }: LoadingOptions = { dryRun: false, accounts: 'all', terms: 'all' },
): Promise<LoadedProfile> {
  const { db, now } = loading;
  const at = now();
  // The second of two loads at once finds what the first one wrote.
  if (!dryRun) await db.rows(sql`lock table mda, service, country in share row exclusive mode`);
  const before = await readBefore(db, profile, at);
  const { agencies, asked } = planAgencies(profile, before, accounts);
  const fresh = dryRun
    ? null
    : await loading.docnames.take('service', planServices(profile, before, null, terms).added, at);
  const { services } = planServices(profile, before, fresh, terms);
  requireClosed(before.agencies, agencies, before.open);
  const recoined = services.find(({ code, currency }) =>
    before.services.some((was) => was.code === code && was.coming && was.currency !== currency),
  );
  if (recoined)
    throw refuseValue(
      'profile',
      say`${recoined.code} has a fee set for a coming day in another currency: withdraw it first`,
    );
  const { country: name, time_zone, fiscal_year_month, currency } = profile;
  const [cash_limit, shift_cash_limit] = [profile.cash_limit, profile.shift_cash_limit].map((limit) =>
    limit === null ? null : new Decimal(limit),
  ) as [Decimal | null, Decimal | null];
  const [sectors, families] = [profile.sectors, profile.families].map((words) =>
    Object.fromEntries(words.map((term) => [term.name, term.names])),
  ) as [Record<string, Names>, Record<string, Names>];
  const country = {
    name,
    time_zone,
    fiscal_year_month,
    currency,
    cash_limit,
    shift_cash_limit,
    sectors,
    families,
    holidays: profile.holidays,
    weekend: profile.weekend,
    help: profile.help,
  };
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
  if (terms !== 'all') for (const change of changes) refuseTerms(change, terms, services);
  const answer = { country: name, dryRun, agencies: agencies.length, services: services.length, changes };
  if (dryRun) return answer;
  if (changes.length > 0) {
    await writeCountry(db, country);
    await writeAgencies(db, agencies, at);
    await writeServices(db, services, at);
    await askForAccounts(loading, asked);
    await recordFees(loading, before.services, services);
    // Else statements that are planned now stay as they are best for an empty catalogue.
    await db.rows(sql`analyze mda, service`);
  }
  const after = { agencies: agencies.length, services: services.length, changes: changes.length };
  const whole = { action: 'catalogue.load', subject: name, before: null, after, reason: null };
  const operations = changes.length > 0 ? [whole, ...changes] : [];
  const key = recordKey({ once: loading.once ?? null, now }, always, name);
  await db.rows(statement(sql`select 1`, [...recordOperations(loading, always, operations), ...key]));
  return answer;
}

/** Terms of where money goes, how much of it, and how much cash is taken, by their names in the audit. */
const TERMS = ['mda', 'country', 'currency', 'fee_amount', 'tariff', 'fee_in_force', 'cash_limit', 'shift_cash_limit'];
const FEES: readonly (string | undefined)[] = ['fee_amount', 'tariff', 'fee_in_force'];

/** True if an object was there before: a country without a currency was not, since no profile of it was loaded. */
const wasThere = ({ before }: Operated) => before !== null && before['currency'] !== null;

/** Term of a change that takes two people on a live rail: of a new object, a fee, an account, and a country. */
export function findTerm(change: Operated): string | undefined {
  const { action, after } = change;
  if (action === 'agency.account_requested') return undefined;
  const { fee_amount: fee, tariff, collection_account_last4: account } = after!;
  if (account != null) return 'collection_account';
  if (wasThere(change)) return TERMS.find((term) => term in after!);
  return Number(fee) > 0 || tariff ? 'fee_amount' : action.startsWith('country') ? 'country' : undefined;
}

/** Refuses what takes two people: of what exists, and, where nothing is set, fees of new services. */
function refuseTerms(change: Operated, sets: Sets, services: readonly ServiceRow[]): void {
  const { subject } = change;
  const term = findTerm(change);
  const changed = services.find(({ name }) => name === subject)?.code ?? subject;
  if (FEES.includes(term) && (wasThere(change) || sets === 'nothing'))
    throw refuseBecause(
      'fee_takes_two',
      `The profile has another fee for ${changed}; on a live rail a fee takes two operators, so add or change the service itself`,
      'profile',
    );
  if (term && wasThere(change))
    throw refuseValue('profile', say`has another ${term} for ${changed}, which takes two people`);
}

/** Refuses to close an agency at whose counters somebody still takes cash. */
function requireClosed(before: readonly AgencyRow[], after: readonly AgencyRow[], open: readonly string[]): void {
  const wasActive = new Set(before.filter(({ status }) => status === 'Active').map(({ name }) => name));
  const closing = after.find(({ name, status }) => status !== 'Active' && wasActive.has(name) && open.includes(name));
  if (closing) throw refuseBecause('shifts_open', `${closing.name} has Open shifts; close them first`, 'profile');
}
