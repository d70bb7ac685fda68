import type { IncomingMessage } from 'node:http';
import { DISMISSED_COOKIE, cookieOf, setCookie } from '../../platform/access/cookies.ts';
import { covers } from '../../platform/access/grants.ts';
import type { Call } from '../../platform/call/call.ts';

/** A service notice as a page may show it. */
export interface Notice {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly severity: string;
  readonly rooms: readonly string[];
  readonly agencyIds: readonly string[];
  readonly updatedAt: string;
}

/** A version of a notice: one that was changed is shown again. */
export const versionOf = ({ id, updatedAt }: Pick<Notice, 'id' | 'updatedAt'>): string =>
  `${id}.${Date.parse(updatedAt)}`;

const VERSION = /^NOTICE-\d{4}-\d{3,12}\.\d{1,16}$/;

/** Most notices that a page shows, and most that a browser remembers as dismissed. */
const MOST_SHOWN = 5;
const MOST_DISMISSED = 20;
const YEAR_SECONDS = 365 * 86_400;

/** The notices that concern a page and its reader: of its room, of their agencies, and not dismissed by them. */
export function noticesFor(
  notices: readonly Notice[],
  call: Call,
  req: Pick<IncomingMessage, 'headers'>,
  address: string,
): Notice[] {
  const [, room = ''] = /^\/(\w+)/.exec(address) ?? [];
  const dismissed = dismissedBy(call, req);
  return notices
    .filter(({ rooms }) => rooms.length === 0 || rooms.includes(room))
    .filter(({ agencyIds: of }) => of.length === 0 || of.some((code) => covers(call.viewer.agencies, code)))
    .filter((notice) => !isDismissable(notice) || !dismissed.includes(versionOf(notice)))
    .slice(0, MOST_SHOWN);
}

/** True for notices that can be dismissed: those for information, and none that affects the service. */
export const isDismissable = ({ severity }: Pick<Notice, 'severity'>): boolean => severity === 'info';

/** A `Set-Cookie` that keeps that the reader dismissed a notice too; null where there is no such notice. */
export function keepDismissed(call: Call, req: Pick<IncomingMessage, 'headers'>, version: unknown): string | null {
  if (typeof version !== 'string' || !VERSION.test(version)) return null;
  const versions = [...new Set([version, ...dismissedBy(call, req)])].slice(0, MOST_DISMISSED);
  return setCookie(call, DISMISSED_COOKIE, versions.join(' '), YEAR_SECONDS);
}

function dismissedBy(call: Call, { headers }: Pick<IncomingMessage, 'headers'>): string[] {
  return cookieOf(call, headers, DISMISSED_COOKIE)?.split(' ') ?? [];
}
