import type { ServiceNotice } from '../../generated/prisma/client.ts';

export type NoticeStatus = 'scheduled' | 'in_effect' | 'over' | 'withdrawn';

/** State of a notice at a moment: it begins and ends on its own, and only operators withdraw it. */
export function statusOf({ withdrawnAt, startsAt, endsAt }: ServiceNotice, at: Date): NoticeStatus {
  if (withdrawnAt !== null) return 'withdrawn';
  if (endsAt !== null && endsAt <= at) return 'over';
  return startsAt > at ? 'scheduled' : 'in_effect';
}
