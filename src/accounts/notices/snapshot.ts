import type { Notice } from './find.ts';

/** A notice as messages to integrators carry it. */
export function snapshotNotice(notice: Notice): Readonly<Record<string, unknown>> {
  return {
    name: notice.name,
    title: notice.title,
    body: notice.body,
    severity: notice.severity,
    channels: notice.channels,
    agencies: notice.mdas,
    rooms: notice.rooms,
    starts_at: notice.startsAt,
    ends_at: notice.endsAt,
    created_at: notice.createdAt,
    updated_at: notice.updatedAt,
    withdrawn_at: notice.withdrawnAt,
  };
}
