import type { PayerMessageTransport } from '../../../generated/prisma/enums.ts';
import type { Call, Rail } from '../../../platform/call/call.ts';
import { type Sql, raw, sql } from '../../../platform/database/sql.ts';
import { isDocname } from '../../../platform/database/docnames.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { say } from '../../../kernel/text/said.ts';
import { START, STOP } from './words.ts';

const COLUMNS = { sms: 'texts_stopped_at', mail: 'letters_stopped_at' } as const satisfies Record<
  PayerMessageTransport,
  string
>;

/** Whether a citizen gets messages of a kind. */
export interface Stop {
  readonly transport: PayerMessageTransport;
  readonly stoppedAt: Date | null;
}

/** The page that stops messages to a citizen: its address holds, sealed, to whom and how. */
export function stopUrlOf({ vault, origin }: Rail, citizen: string, transport: PayerMessageTransport): string {
  return `${origin}/stop/${vault.seal('stop', 'stop', `${transport}:${citizen}`).toString('base64url')}`;
}

function readToken({ vault }: Call, token: string): { citizen: string; transport: PayerMessageTransport } {
  const bytes = Buffer.from(token, 'base64url');
  // What stands for nothing would make several tokens of one.
  const opened = bytes.toString('base64url') === token ? vault.open('stop', 'stop', bytes) : null;
  const [transport, citizen] = opened?.split(':') ?? [];
  if (!citizen || !isDocname('citizen', citizen)) throw new Refusal('not_found', say`The link does not exist`);
  return { citizen, transport: transport as PayerMessageTransport };
}

/** What the link of a letter would stop. */
export async function findStop(call: Call, token: string): Promise<Stop> {
  const { citizen, transport } = readToken(call, token);
  const row = await call.db.row<Pick<Stop, 'stoppedAt'>>(
    sql`select ${raw(COLUMNS[transport])} as "stoppedAt" from citizen where name = ${citizen}`,
  );
  if (!row) throw new Refusal('not_found', say`The link does not exist`);
  return { transport, ...row };
}

/** Stops what the link of a letter stops, what is queued included. */
export async function stopByLink(call: Call, token: string): Promise<Stop> {
  const { citizen, transport } = readToken(call, token);
  await stop(call, transport, sql`name = ${citizen}`);
  return findStop(call, token);
}

/** What came of a text that somebody sent. */
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
    await stop(call, 'sms', sql`phone = ${phone}`);
    return 'stopped';
  }
  if (!START.has(word)) return 'ignored';
  await call.db.row(sql`update citizen set texts_stopped_at = null, updated_at = ${call.now()}
    where phone = ${phone} and texts_stopped_at is not null`);
  return 'started';
}

/** What a process is sending just now is sent. */
async function stop({ db, now }: Call, transport: PayerMessageTransport, whose: Sql): Promise<void> {
  const at = now();
  const column = raw(COLUMNS[transport]);
  await db.row(sql`
    with stopped as (
      update citizen set ${column} = coalesce(${column}, ${at}), updated_at = ${at} where ${whose} returning name
    )
    update payer_message m set status = 'Suppressed', address = null, updated_at = ${at}
    from stopped where m.citizen = stopped.name and m.transport = ${transport}::payer_message_transport
      and m.status = 'Queued' and m.claimed_at is null`);
}
