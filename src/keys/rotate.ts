import { mintKey } from '../access/keys.ts';
import type { Call } from '../call.ts';
import { commit, untilSettled } from '../database/change.ts';
import { sql } from '../database/sql.ts';
import { allows } from '../lifecycle.ts';
import { Refusal } from '../refusal.ts';
import { type ApiKey, getKey } from './find.ts';
import { type KeyRow, entered, insertKey } from './insert.ts';
import { type Issue, issueAgain } from './issue.ts';
import { keyLifecycle, statusAt } from './lifecycle.ts';
import { refuseWidening } from './scopes.ts';

export interface Rotation extends Issue {
  readonly previous: ApiKey;
}

export const MOST_GRACE_HOURS = 168;

/** Issues a key with the same scopes; the one that it replaces works until its grace window ends, and not a moment longer. */
export function rotateKey(call: Call, { name, graceHours }: { name: string; graceHours: number }): Promise<Rotation> {
  return untilSettled(async () => {
    const before = await getKey(call, name);
    refuseWidening(call.viewer, before.scopes);
    const at = call.now();
    const status = statusAt(before, at);
    if (!allows(keyLifecycle.rotate, status)) throw new Refusal('validation_failed', `${name} is ${status}; only an active key can be rotated`);
    const key = mintKey(call.config.mode);
    const successor = await call.docnames.next('key', at);
    const expiresAt = new Date(at.getTime() + graceHours * 3_600_000);
    const changed = sql`
      update api_key set status = ${keyLifecycle.rotate.to}::key_status, expires_at = ${expiresAt}
      where name = ${name} and status = any(${keyLifecycle.rotate.from}::key_status[]) returning name`;
    const { integrator, label, scopes, issuedBy, supervises, counters, managesAccount } = before;
    const grants = { supervises, counters, managesAccount };
    const row: KeyRow = { name: successor, integrator, label, scopes, grants, key, createdAt: at, replaces: before, issuedBy };
    if (!(await commit(call, { subject: successor, steps: { changed, issued: insertKey(sql`changed`, row) } }))) return undefined;
    const previous: ApiKey = { ...before, status: keyLifecycle.rotate.to, expiresAt };
    return { key: entered(row), plaintext: key.plaintext, previous };
  });
}

/** The answer to a rotation whose process died before it could give it. */
export async function rotationOf(call: Call, successor: string): Promise<Rotation> {
  const issue = await issueAgain(call, successor);
  return { ...issue, previous: await getKey(call, issue.key.replaces!) };
}
