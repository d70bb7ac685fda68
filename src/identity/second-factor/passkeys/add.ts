import { randomUUID } from 'node:crypto';
import type { Call } from '../../../platform/call/call.ts';
import { always, commit } from '../../../platform/change/commit.ts';
import { guard, statement, step } from '../../../platform/change/step.ts';
import { sql } from '../../../platform/database/sql.ts';
import { Refusal, refuseBecause } from '../../../kernel/refusal.ts';
import { LONGEST_LABEL, requireText } from '../../../kernel/text/free-text.ts';
import { notifyOfChange } from '../../staff/notify.ts';
import { endOtherSessions } from '../../sessions/end.ts';
import { requireProof } from '../enrol.ts';
import { type Shown, findSecondFactor } from '../prove.ts';
import { makeRecoveryCodes, replaceRecoveryCodes } from '../recovery-codes.ts';
import { useChallenge } from './challenge.ts';
import { type Passkey, findPasskeys } from './find.ts';
import { askForPasskey, readNewPasskey } from './web-authn.ts';

/** More devices than anybody carries. */
const MOST_PASSKEYS = 10;

/** Options with which a browser makes a passkey. */
export interface PasskeyCreation {
  readonly options: unknown;
}

/** A passkey that counts from now on, and, where it is the first second factor, recovery codes: shown once. */
export interface AddedPasskey {
  readonly passkey: Passkey;
  readonly recoveryCodes: readonly string[] | null;
}

/** Begins to add a passkey. A person with a second factor proves it first. */
export async function beginPasskey(call: Call, shown: Shown): Promise<PasskeyCreation> {
  const staff = call.viewer.actor;
  const present = await findSecondFactor(call, staff);
  if (present) await requireProof(call, present, shown);
  const options = await askForPasskey(call, staff, await findPasskeys(call, staff));
  await commit(call, { subject: staff, guard: always });
  return { options };
}

/** Options for a browser, again. */
export async function beginAgain(call: Call): Promise<PasskeyCreation> {
  const staff = call.viewer.actor;
  return { options: await askForPasskey(call, staff, await findPasskeys(call, staff)) };
}

/** Adds the passkey that a browser made. Every other session of the caller ends; the one that asks goes on with it. */
export async function addPasskey(
  call: Call,
  input: { readonly label: string; readonly credential?: unknown },
): Promise<AddedPasskey> {
  const staff = call.viewer.actor;
  const label = requireText('label', input.label, LONGEST_LABEL);
  const made = await readNewPasskey(call, staff, input.credential);
  if (!made) throw refuseNew();
  const present = await findSecondFactor(call, staff);
  if (present && present.passkeys.length >= MOST_PASSKEYS)
    throw refuseBecause('too_many_passkeys', `You have ${MOST_PASSKEYS} passkeys already: remove one first`, 'label');
  const id = randomUUID();
  const at = call.now();
  const changed = guard`
    insert into staff_passkey (id, staff, label, credential_id, public_key, transports, counter, created_at)
    select ${id}::uuid, ${staff}, ${label}, ${made.credentialId}::bytea, ${made.publicKey}::bytea,
      ${made.transports}::text[], ${made.counter}::bigint, ${at}::timestamptz
    from ${useChallenge(call, made.challenge)}
    -- A passkey that is known already is refused.
    on conflict (credential_id) do nothing returning staff as email`;
  const renewed = step('renewed')`
    update staff u set generation = u.generation + 1, updated_at = ${at} from ${changed} c where u.email = c.email
    returning u.email, u.generation`;
  const codes = present ? null : makeRecoveryCodes();
  const done = await commit(call, {
    subject: id,
    guard: changed,
    steps: [
      ...endOtherSessions(call, renewed, true),
      notifyOfChange(call, changed, 'passkeyAdded'),
      ...(codes ? replaceRecoveryCodes(call, codes, changed) : []),
    ],
    operated: {
      action: 'staff.add_passkey',
      subject: staff,
      before: null,
      after: { passkey: label },
      reason: null,
    },
  });
  if (!done) throw refuseNew();
  return { passkey: await getPasskey(call, id), recoveryCodes: codes };
}

/** The same again; with new recovery codes, where those that were made with it could not be shown. */
export async function addAgain(call: Call, id: string): Promise<AddedPasskey> {
  const passkey = await getPasskey(call, id);
  const factor = await findSecondFactor(call, call.viewer.actor);
  if (factor?.secret || factor?.passkeys[0]?.id !== id) return { passkey, recoveryCodes: null };
  const recoveryCodes = makeRecoveryCodes();
  const holder = step('holder')`select staff as email from staff_passkey where id = ${id}::uuid`;
  await call.db.row(statement(sql`select 1 from ${holder}`, replaceRecoveryCodes(call, recoveryCodes, holder)));
  return { passkey, recoveryCodes };
}

/** A passkey of the caller's. */
export async function getPasskey(call: Call, id: string): Promise<Passkey> {
  const passkey = (await findPasskeys(call, call.viewer.actor)).find((one) => one.id === id);
  if (!passkey) throw new Refusal('not_found', 'The passkey does not exist');
  return passkey;
}

function refuseNew() {
  const message =
    'The answer of the browser is not accepted: it is not to a request of the last 5 minutes, or was used before';
  return refuseBecause('passkey_not_accepted', message, 'credential');
}
