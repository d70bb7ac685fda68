import { isDeepStrictEqual } from 'node:util';
import type { Operated } from '../../../platform/change/operation.ts';
import { Decimal } from '../../../kernel/money.ts';

/**
 * Changes of a country, of agencies or of services, as the operators' audit has them: each one that is new, and the
 * differences of the others.
 */
export function changesOf<Row extends { readonly name: string }>(
  kind: 'country' | 'agency' | 'service',
  before: readonly Row[],
  after: readonly Row[],
): Operated[] {
  const known = new Map(before.map((row) => [row.name, row]));
  return after.flatMap((row): Operated[] => {
    const was = known.get(row.name);
    const members = Object.entries(row);
    // A new service with a plain fee says nothing of a tariff.
    const added = members.filter(([member, value]) => member !== 'tariff' || value !== null);
    if (!was)
      return [{ action: `${kind}.create`, subject: row.name, before: null, after: auditable(added), reason: null }];
    const old = new Map(Object.entries(was));
    const changed = members.filter(([member, value]) => !isSame(old.get(member), value));
    if (changed.length === 0) return [];
    const replaced = changed.map(([member]) => [member, old.get(member)] as const);
    return [
      {
        action: `${kind}.change`,
        subject: row.name,
        before: auditable(replaced),
        after: auditable(changed),
        reason: null,
      },
    ];
  });
}

function isSame(one: unknown, other: unknown): boolean {
  return one instanceof Decimal && other instanceof Decimal ? one.equals(other) : isDeepStrictEqual(one, other);
}

/** Members for the audit; nobody sees the whole account that an agency's money goes to. */
function auditable(members: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  return Object.fromEntries(
    members.map(([member, value]) =>
      member === 'collection_account'
        ? ['collection_account_last4', typeof value === 'string' ? value.slice(-4) : null]
        : [member, value],
    ),
  );
}
