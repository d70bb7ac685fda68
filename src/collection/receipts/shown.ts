import { z } from '../../kernel/zod.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { ReceiptContents } from './payload.ts';
import { type ReceiptKey, type SignedReceipt, checkSignature, readAddress } from './signature.ts';

/** A receipt as a file has it, checked with keys that a file has. */

const signed = z.object({ payload: z.string(), signature: z.string(), kid: z.string() });
const receipt = z.union([signed, z.object({ data: signed }).transform(({ data }) => data)]);

/** The receipt in a file: its JSON, or a text that ends with the address of its QR code. */
export function readShown(text: string): SignedReceipt {
  const found = text.trimStart().startsWith('{')
    ? receipt.safeParse(parse(text)).data
    : readAddress(text.replaceAll(/\s/g, ''));
  if (!found) throw new Refusal('validation_failed', 'The file has no receipt');
  return found;
}

const key = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string(),
  kid: z.string(),
  use: z.literal('sig'),
  alg: z.literal('EdDSA'),
  from: z.iso.datetime(),
  until: z.iso.datetime().nullable(),
});

/** Content of a receipt that one of the published keys signed; null for any other. */
export function checkOffline(published: string, shown: SignedReceipt): ReceiptContents | null {
  const { data } = z.object({ keys: z.array(key) }).safeParse(parse(published));
  if (!data) throw new Refusal('validation_failed', 'The file has no keys of receipts');
  const keys = data.keys.map(({ from, until, ...publicKey }): ReceiptKey => ({
    publicKey,
    from: new Date(from),
    until: until === null ? null : new Date(until),
  }));
  return checkSignature(keys, shown);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal('validation_failed', 'The file is no JSON');
  }
}
