import { isDocname } from '../../platform/database/docnames.ts';
import type { Envelope } from './event-types.ts';

/** Parts of an envelope. */
export interface Enveloped {
  readonly message: string;
  readonly type: string;
  /** The docname of what it is about. */
  readonly object: string;
  readonly sequence: number;
  readonly payload: unknown;
  readonly createdAt: Date;
}

/** A message as it is sent: the same bytes at each try. What only tests an endpoint says so. */
export function envelopeOf({ message, type, object, createdAt, sequence, payload }: Enveloped): Envelope {
  const envelope = { id: message, type, created_at: createdAt.toISOString(), sequence, data: { object: payload } };
  return isDocname('endpoint', object) ? { ...envelope, test: true } : envelope;
}
