import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Channel } from '../../generated/prisma/enums.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import { requireText } from '../../kernel/text/free-text.ts';
import { momentOf } from '../../kernel/time.ts';
import type { Notice } from './find.ts';
import { say } from '../../kernel/text/said.ts';

export type NoticeSeverity = 'info' | 'warning' | 'critical';
export type NoticeRoom = 'counter' | 'supervision' | 'console' | 'agency' | 'oversight' | 'dashboard';

/** Content of a notice, its audience, and its time. */
export type NoticeContent = Pick<
  Notice,
  'title' | 'body' | 'severity' | 'channels' | 'mdas' | 'rooms' | 'startsAt' | 'endsAt'
>;

/** A caller's part of it; the rest stays as it was. */
export interface ContentInput {
  readonly title?: string | null | undefined;
  readonly body?: string | null | undefined;
  readonly severity?: NoticeSeverity | null | undefined;
  readonly channels?: readonly Channel[] | null | undefined;
  readonly agencies?: readonly string[] | null | undefined;
  readonly rooms?: readonly NoticeRoom[] | null | undefined;
  readonly startsAt?: Date | null | undefined;
  readonly endsAt?: Date | null | undefined;
}

/** Content of a notice with a caller's part in it. */
export async function readContent(call: Call, was: NoticeContent, input: ContentInput): Promise<NoticeContent> {
  const startsAt = input.startsAt ?? was.startsAt;
  const endsAt = input.endsAt === undefined ? was.endsAt : input.endsAt && momentOf(input.endsAt);
  if (endsAt !== null && endsAt <= startsAt) throw refuseValue('endsAt', say`must be later than ${'startsAt'}`);
  return {
    title: input.title == null ? was.title : requireText('title', input.title, 200),
    body: input.body == null ? was.body : requireText('body', input.body, 4_000),
    severity: input.severity ?? was.severity,
    channels: input.channels ? [...new Set(input.channels)].toSorted() : was.channels,
    mdas: input.agencies ? await readAgencies(call, input.agencies) : was.mdas,
    rooms: input.rooms ? [...new Set(input.rooms)].toSorted() : was.rooms,
    startsAt,
    endsAt,
  };
}

/** Agencies that there are, each once and in order, by their codes. */
export async function readAgencies({ db }: Call, codes: readonly string[]): Promise<string[]> {
  const agencies = [...new Set(codes)].toSorted();
  const known = await db.rows<{ name: string }>(sql`select name from mda where name = any(${agencies})`);
  const unknown = agencies.find((code) => !known.some(({ name }) => name === code));
  if (unknown !== undefined) throw refuseValue('agencies', say`there is no agency ${unknown}`);
  return agencies;
}

/** Content of a notice for the operators' audit. */
export function auditable({ startsAt, endsAt, ...rest }: NoticeContent): Record<string, unknown> {
  const { title, body, severity, channels, mdas, rooms } = rest;
  return { title, body, severity, channels, agencies: mdas, rooms, starts_at: startsAt, ends_at: endsAt };
}
