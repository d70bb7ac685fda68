import type { Receipt as ReceiptRecord } from '../../generated/prisma/client.ts';
import type { Call } from '../../platform/call/call.ts';
import { GENESIS, type Seal, type SealedFacts, sealOf } from '../../platform/audit/seal-chain.ts';
import { isDocname, readDocname } from '../../platform/database/docnames.ts';
import { columnsOf } from '../../platform/database/record.ts';
import { sql } from '../../platform/database/sql.ts';
import { type Decimal, sum } from '../../kernel/money.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { say } from '../../kernel/text/said.ts';
import { contentsOf } from './find.ts';
import { listReceiptKeys } from './keys.ts';
import type { ReceiptContents } from './payload.ts';
import { type SignedReceipt, checkSignature, readCode } from './signature.ts';

/** State of a presented receipt. */
export type ReceiptState = 'valid' | 'void' | 'unknown' | 'forged';

export interface Verification {
  readonly state: ReceiptState;
  /** Content of the receipt, if the rail issued it. */
  readonly contents: ReceiptContents | null;
  /** Amount of its payment that was not refunded; null unless the rail issued it. */
  readonly left: Decimal | null;
  readonly voidedAt: Date | null;
  /** The receipt that says it right, where this one was wrong. */
  readonly replacedBy: string | null;
}

/** A presented receipt: its signed text, or the print below the QR code. */
export interface Shown extends Partial<Record<keyof SignedReceipt | 'name' | 'code', string | null | undefined>> {}

type Asked = Pick<Call, 'db'>;

/** A receipt, with what is left of its payment. */
interface Receipt extends ReceiptRecord {
  readonly left: Decimal;
}

/** Says whether the rail issued a receipt, whether it still holds, and whether the payments behind it are as it says. */
export async function verifyReceipt(call: Asked, shown: Shown): Promise<Verification> {
  const { payload, signature, kid, name, code } = shown;
  if (payload && signature && kid && !name && !code) return verifySigned(call, { payload, signature, kid });
  if (name && code && !payload && !signature && !kid) return verifyTyped(call, name, code);
  throw new Refusal('validation_failed', say`Give payload, signature and kid, or name and code`);
}

async function verifySigned(call: Asked, signed: SignedReceipt): Promise<Verification> {
  const contents = checkSignature(await listReceiptKeys(call), signed);
  if (!contents) return FORGED;
  const receipt = await findReceipt(call, contents.name);
  if (!receipt) return UNKNOWN;
  const { payload, signature } = receipt;
  return payload === signed.payload && signature === signed.signature ? stateOf(call, receipt, contents) : FORGED;
}

/** A name is counted up, so that a wrong code says no more than a name that nobody has. */
async function verifyTyped(call: Asked, name: string, code: string): Promise<Verification> {
  const receipt = await findReceipt(call, readDocname(name));
  if (!receipt || receipt.code !== readCode(code)) return UNKNOWN;
  const contents = checkSignature(await listReceiptKeys(call), receipt);
  return contents?.name === receipt.name ? stateOf(call, receipt, contents) : FORGED;
}

const UNKNOWN: Verification = { state: 'unknown', contents: null, left: null, voidedAt: null, replacedBy: null };
const FORGED: Verification = { ...UNKNOWN, state: 'forged' };

/**
 * Anyone who holds a receipt may ask how it stands. One of whose payment nothing is left is void, also where its row
 * does not say so.
 */
function findReceipt({ db }: Asked, name: string): Promise<Receipt | null> {
  if (!isDocname('receipt', name)) return Promise.resolve(null);
  return db.row<Receipt>(sql`
    select ${columnsOf('Receipt', { without: ['voidedAt'] })}, v.left,
      coalesce(r.voided_at, case when v.left = 0 then v.last end) as "voidedAt"
    from receipt r cross join lateral (
      select coalesce(sum(e.amount), 0) as left, max(e.occurred_at) filter (where e.kind = 'reversal') as last
      from payment_event e where e.intent = r.intent) v
    where r.name = ${name}`);
}

async function stateOf(call: Asked, receipt: Receipt, contents: ReceiptContents): Promise<Verification> {
  const { left, voidedAt, replacedBy } = receipt;
  if (voidedAt) return { state: 'void', contents, left, voidedAt, replacedBy };
  return (await isPaidAsSaid(call, receipt)) ? { state: 'valid', contents, left, voidedAt, replacedBy } : FORGED;
}

/** A payment event with its seal, and with what that is made of. */
interface EventRow extends SealedFacts {
  readonly seal:
    | (Seal & { readonly sequence: number; readonly previous: string | null; readonly salt: string | null })
    | null;
}

/** True if the payment events of a receipt match it, and their seals. */
async function isPaidAsSaid({ db }: Asked, receipt: Receipt): Promise<boolean> {
  const events = await db.rows<EventRow>(sql`
    select ${columnsOf('PaymentEvent', { as: 'e' })}, case when s.event is not null then jsonb_build_object(
      'version', s.version, 'commitment', s.commitment, 'hash', s.hash, 'sequence', s.sequence, 'previous', p.hash,
      'salt', k.salt) end as seal
    from payment_event e left join event_seal s on s.event = e.name
      left join event_seal p on p.mda = s.mda and p.sequence = s.sequence - 1 left join seal_salt k on k.event = e.name
    where e.intent = ${receipt.intent} and e.kind = 'payment'`);
  return agreesWith(contentsOf(receipt), events) && events.every(isAsSealed);
}

/** True if payment events are those that a receipt names, and together those that it adds up. */
export function agreesWith(
  { agencies, otherAgencies, currency }: ReceiptContents,
  events: readonly Pick<SealedFacts, 'name' | 'mda' | 'amount' | 'currency'>[],
): boolean {
  const named = new Map(events.map((event) => [event.name, event]));
  const rest = new Set(events);
  for (const { mda, amount, event } of agencies) {
    const found = named.get(event);
    if (!found || found.mda !== mda || !found.amount.equals(amount)) return false;
    rest.delete(found);
  }
  const others = sum([...rest].map(({ amount }) => amount));
  return (
    rest.size === (otherAgencies?.count ?? 0) &&
    others.equals(otherAgencies?.amount ?? 0) &&
    events.every((event) => event.currency === currency)
  );
}

function isAsSealed({ seal, ...event }: EventRow): boolean {
  if (seal === null) return true;
  const { version, sequence, salt } = seal;
  const previous = sequence === 1 ? GENESIS : seal.previous;
  if (previous === null) return false;
  const { hash, commitment } = sealOf(version, previous, sequence, event, salt);
  return hash === seal.hash && commitment === seal.commitment;
}
