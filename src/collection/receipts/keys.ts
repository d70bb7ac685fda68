import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { openSigningKey } from '../../platform/access/tokens/signing-keys.ts';
import type { Vault } from '../../platform/access/vault.ts';
import type { Call, Rail } from '../../platform/call/call.ts';
import { type Step, step } from '../../platform/change/step.ts';
import { sql } from '../../platform/database/sql.ts';
import { SideTable } from '../../kernel/side-table.ts';
import type { ReceiptKey, SignedReceipt } from './signature.ts';

/** Signer of receipts: a key that was unsealed once. */
export interface Signer {
  readonly kid: string;
  readonly key: KeyObject;
}

const signers = new SideTable<Vault, Signer | null>();

/** Present signer, as far as this process knows: `holdKey` makes sure. */
export async function findSigner(call: Pick<Call, 'db' | 'vault'>): Promise<Signer> {
  const known = signers.get(call.vault);
  if (known) return known;
  const { kid, privateKey } = await openSigningKey(call, 'receipt');
  const signer: Signer = { kid, key: createPrivateKey({ key: { ...privateKey }, format: 'jwk' }) };
  signers.set(call.vault, signer);
  return signer;
}

/** Has the next receipt look again which key signs, as after a statement whose guard may have missed it. */
export function forgetSigner({ vault }: Pick<Call, 'vault'>): void {
  signers.set(vault, null);
}

/** The step that yields a row while a key signs: another process may have replaced it. */
export function holdKey({ kid }: Signer): Step {
  return step('signing')`select kid from signing_key where kid = ${kid} and expires_at is null`;
}

export function signPayload({ kid, key }: Signer, payload: string): SignedReceipt {
  return { payload, signature: sign(null, Buffer.from(payload), key).toString('base64url'), kid };
}

/** All keys that ever signed receipts, the one that signs at present first. */
export function listReceiptKeys({ db }: Pick<Rail, 'db'>): Promise<ReceiptKey[]> {
  return db.rows<ReceiptKey>(sql`
    select public_key as "publicKey", created_at as "from", expires_at as until from signing_key
    where use = 'receipt' order by expires_at desc nulls first, kid`);
}
