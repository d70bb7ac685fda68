import type { SignOnClaims } from '../../adapters/sign-on/port.ts';
import { readMember, readTextMember } from '../../adapters/http/members.ts';
import { coversAll } from '../../platform/access/grants.ts';
import type { Role } from '../../platform/access/needs.ts';
import type { SignOnMapping } from '../../platform/config/single-sign-on.ts';
import { requireEmail } from '../../kernel/text/email.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { requireName } from '../../kernel/text/names.ts';

/** Somebody whom the provider knows, as far as it matters here. */
export interface Person {
  readonly issuer: string;
  readonly subject: string;
  /** Null where the provider names none, or has not verified it. */
  readonly email: string | null;
  readonly name: string;
  readonly roles: readonly Role[];
  /** The codes of the agencies that they are bound to; empty: all. */
  readonly agencies: readonly string[];
  /** Content of the claim about roles, for the log; null if absent, as Entra ID leaves it out beyond 200 groups. */
  readonly groups: readonly unknown[] | null;
  /** The names of the claims that came, for the log. */
  readonly claims: readonly string[];
  /** True if the claims give them a role, and agencies to have it at. */
  readonly mapped: boolean;
  /** True if the provider saw a second factor. */
  readonly secondFactor: boolean;
}

/** Providers' spellings of true. */
const TRUE: readonly unknown[] = [true, 'true', 1, '1'];

/**
 * Meaning of claims by the mapping. All that match count together: a clerk by one group and of an agency by another is
 * a clerk of that agency, and several roles and agencies mean each role at each agency.
 */
export function readPerson(claims: SignOnClaims, mapping: SignOnMapping): Person {
  const verified = TRUE.includes(readMember(claims, ...mapping.email_verified_claim));
  const email = verified ? checked(requireEmail, readTextMember(claims, 'email')) : null;
  const claim = readMember(claims, ...mapping.claim);
  const values = listOf(claim);
  const granted = mapping.grants.filter(({ value }) => values.includes(value));
  const roles = [...new Set(granted.flatMap((grant) => grant.roles))];
  const agencies = [...new Set(granted.flatMap((grant) => grant.agencies))].toSorted();
  const { acr, amr } = mapping.second_factor;
  const methods = listOf(readMember(claims, 'amr'));
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email,
    name: checked(requireName, readTextMember(claims, 'name')) ?? email ?? claims.sub,
    roles,
    agencies: coversAll(agencies) ? [] : agencies,
    groups: claim === undefined ? null : values,
    claims: Object.keys(claims),
    mapped: roles.length > 0 && agencies.length > 0,
    secondFactor: acr.some((context) => context === claims['acr']) || amr.some((method) => methods.includes(method)),
  };
}

/** A value if it is one that the rail would take from anybody else. */
function checked(require: (path: string, value: string) => string, value: string | null): string | null {
  if (value === null) return null;
  try {
    return require('claim', value);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}
