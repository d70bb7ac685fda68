import { createHash } from 'node:crypto';
import type { PayerMessageTransport } from '../../../generated/prisma/enums.ts';
import type { Call, Tools } from '../../../platform/call/call.ts';
import { type Database, sql } from '../../../platform/database/sql.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { say } from '../../../kernel/text/said.ts';
import { START, STOP } from './words.ts';

/** State of letters to an e-mail address. */
export interface Stop {
  readonly transport: PayerMessageTransport;
  readonly stoppedAt: Date | null;
}

const hashOf = (address: string) => createHash('sha256').update(address.toLowerCase()).digest();

/** Since when an address gets no more letters, whose payments they may be about; null where it gets them. */
export function findStopOf({ db }: Pick<Tools, 'db'>, address: string): Promise<Pick<Stop, 'stoppedAt'> | null> {
  return findStopped(db, hashOf(address));
}

function findStopped(db: Database, hash: Buffer): Promise<{ stoppedAt: Date } | null> {
  return db.row(sql`select stopped_at as "stoppedAt" from stopped_address where hash = ${hash}`);
}

/** The page that stops letters to an address: its own address has that, hashed and sealed. */
export function stopUrlOf({ vault, origin }: Tools, address: string): string {
  return `${origin}/stop/${vault.seal('stop', 'stop', hashOf(address).toString('base64url')).toString('base64url')}`;
}

function readToken({ vault }: Call, token: string): Buffer {
  const bytes = Buffer.from(token, 'base64url');
  // Characters that are ignored would make several tokens of one.
  const opened = bytes.toString('base64url') === token ? vault.open('stop', 'stop', bytes) : null;
  if (opened === null) throw new Refusal('not_found', say`The link does not exist`);
  return Buffer.from(opened, 'base64url');
}

/** Messages that the link of a letter would stop. */
export async function findStop(call: Call, token: string): Promise<Stop> {
  const stopped = await findStopped(call.db, readToken(call, token));
  return { transport: 'mail', stoppedAt: stopped?.stoppedAt ?? null };
}

/** Stops what the link of a letter stops, what is queued included. */
export async function stopByLink(call: Call, token: string): Promise<Stop> {
  await call.db.row(sql`
    insert into stopped_address (hash, stopped_at) values (${readToken(call, token)}, ${call.now()})
    -- Stopped again it is stopped since the first time.
    on conflict do nothing`);
  return findStop(call, token);
}

/** Decision on a text that somebody sent. */
export type TextAnswer = 'stopped' | 'started' | 'ignored';

/** Stops texts to all who have a phone, or starts them again, as its owner asks; any other text is passed over. */
export async function hearText(call: Call, { from, text }: { from: string; text: string }): Promise<TextAnswer> {
  const [word = ''] =
    text
      .normalize('NFD')
      .replaceAll(/\p{M}/gu, '')
      .toUpperCase()
      .match(/[A-Z]+/) ?? [];
  const phone = `+${from.replaceAll(/\D/g, '')}`;
  if (STOP.has(word)) {
    await stopTexts(call, phone);
    return 'stopped';
  }
  if (!START.has(word)) return 'ignored';
  await call.db.row(sql`update citizen set texts_stopped_at = null, updated_at = ${call.now()}
    where phone = ${phone} and texts_stopped_at is not null`);
  return 'started';
}

/** Stops texts; one that a process is sending just now is still sent. */
async function stopTexts({ db, now }: Call, phone: string): Promise<void> {
  const at = now();
  await db.row(sql`
    with stopped as (
      update citizen set texts_stopped_at = coalesce(texts_stopped_at, ${at}), updated_at = ${at} where phone = ${phone}
      returning name
    )
    update payer_message m set status = 'Suppressed', address = null, updated_at = ${at}
    from stopped where m.citizen = stopped.name and m.transport = 'sms' and m.status = 'Queued'
      and m.claimed_at is null`);
}
