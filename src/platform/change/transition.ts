import type { Edge } from '../../kernel/lifecycle.ts';
import { say } from '../../kernel/text/said.ts';
import type { TraceEntry } from './commit.ts';
import type { Message } from './outbox.ts';

/** A document that has a timeline, as it is after a change. */
export interface Tracked {
  readonly kind: TraceEntry['kind'];
  readonly name: string;
  /** The assessment, and the intent, in whose timeline the change stands. */
  readonly assessment: string;
  readonly intent?: string;
  readonly integrator: string | null;
  /** The agency that gets its messages, where it made it. */
  readonly agency?: string | null;
  /** Raised by each change. */
  readonly revision: number;
  /** The document as integrators get it. */
  readonly snapshot: () => unknown;
}

/**
 * The row of a change of state in a document's timeline, with the message that its edge emits: neither is written
 * without the other.
 */
export function transition<Status extends string>(
  doc: Tracked,
  edge: Edge<Status>,
  from: Status,
  detail: Readonly<Record<string, unknown>> = {},
): TraceEntry {
  const { kind, name, assessment, intent } = doc;
  const { to } = edge;
  return {
    kind,
    assessment,
    ...(intent !== undefined && { intent }),
    doc: name,
    summary: say`${from} → ${to}`,
    detail: { from, to, ...detail },
    messages: messagesOf(edge, doc),
  };
}

/** Messages to integrators for an edge that changes a document, or a part of it: one, or none. */
export function messagesOf(
  { emits }: Pick<Edge, 'emits'>,
  { name, revision, integrator, agency = null, snapshot }: Omit<Tracked, 'kind'>,
): Message[] {
  return emits === undefined
    ? []
    : [{ type: emits, object: name, sequence: revision, integrator, agency, payload: snapshot() }];
}
