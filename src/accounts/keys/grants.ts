import { type BrowserTerms, type Grant, type Grants, coversAll } from '../../platform/access/grants.ts';
import type { Tools } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import { say } from '../../kernel/text/said.ts';

/** Grants as an operator asks for them; what is left out is not granted. */
export interface AskedGrants {
  readonly supervises?: readonly string[] | null | undefined;
  readonly counters?: readonly string[] | null | undefined;
  readonly managesAccount?: boolean | null | undefined;
}

/** Checks what an operator grants; refused for agencies that there are not. */
export async function checkGrants(rail: Tools, asked: AskedGrants): Promise<Grants> {
  return {
    supervises: await checkAgencies(rail, 'supervises', asked.supervises ?? []),
    counters: await checkAgencies(rail, 'counters', asked.counters ?? []),
    managesAccount: asked.managesAccount ?? false,
  };
}

/** Grants as the operators' audit shows them. */
export function snapshotGrants({ supervises, counters, managesAccount }: Grants) {
  return { supervises, counters, manages_account: managesAccount };
}

/** Bounds of a browser key for the operators' audit; empty for any other key. */
export function snapshotBrowserTerms({
  origins,
  operations,
  agencies,
  expiresAt,
}: BrowserTerms & { readonly expiresAt: Date | null }) {
  return origins.length > 0 ? { origins, operations, agencies, expires_at: expiresAt } : {};
}

/** Checks agencies as a grant names them: by the codes of those that there are, or `*` alone for all. */
export async function checkAgencies({ db }: Tools, path: string, asked: readonly string[]): Promise<Grant> {
  const grant = [...new Set(asked)];
  if (grant.length === 0) return grant;
  if (coversAll(grant)) {
    if (grant.length > 1) throw refuseValue(path, say`must be * alone, or codes of agencies`);
    return grant;
  }
  const rows = await db.rows<{ name: string }>(sql`select name from mda where name = any(${grant})`);
  const known = new Set(rows.map(({ name }) => name));
  const unknown = grant.find((code) => !known.has(code));
  if (unknown !== undefined) throw refuseValue(path, say`the agency ${unknown} does not exist`);
  return grant;
}
