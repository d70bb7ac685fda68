import { Said } from '../../kernel/text/said.ts';
import type { Translated } from '../languages/said.ts';

/** A row of a payment's trace, as the graph has it. */
export interface TraceRow {
  readonly at: string;
  readonly kind: string;
  readonly actor: string;
  readonly summaryForm: string;
  readonly summaryValues: readonly string[];
  readonly docId: string | null;
  readonly detail: unknown;
}

interface Event {
  readonly id: string;
  readonly seal: { readonly sequence: number; readonly hash: string } | null;
}

interface Notice {
  readonly id: string;
  readonly agencyId: string;
  readonly status: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly receipt: string | null;
  readonly lastError: string | null;
}

interface Delivery {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** An event, its actor, and its further details. */
interface Step {
  readonly at: string;
  /** Origin of the step: a kind of the trace, `propagation` or `delivery`. */
  readonly kind: string;
  readonly text: string;
  readonly lang: Translated['lang'];
  readonly actor: string | null;
  readonly document: string | null;
  readonly seal: Event['seal'];
  /** Requests and responses, as JSON; null where there are none. */
  readonly detail: string | null;
  /** Present state, and the messages that name it. */
  readonly status: string | null;
  readonly as: string | null;
}

/** Everything that happened to a payment: its trace with the seals, agencies' notices and integrators' messages. */
export function listHistory(of: {
  readonly timeline: readonly TraceRow[];
  readonly events: readonly Event[];
  readonly propagations: readonly Notice[];
  readonly deliveries: readonly Delivery[];
  /** Name of a type of message. */
  readonly nameOf: (type: string) => string;
  /** Text of the trace, in the language of the page. */
  readonly translate: (said: Said) => Translated;
}): Step[] {
  const bare = { lang: null, actor: null, seal: null, detail: null, status: null, as: null };
  const trace = of.timeline.map(({ at, kind, actor, summaryForm, summaryValues, docId, detail }): Step => ({
    ...bare,
    ...of.translate(new Said(summaryForm, summaryValues)),
    at,
    kind,
    actor,
    document: docId,
    seal: of.events.find(({ id }) => id === docId)?.seal ?? null,
    detail: isFilled(detail) ? JSON.stringify(detail, null, 2) : null,
  }));
  const notices = of.propagations.map(({ id, agencyId, status, createdAt, updatedAt, receipt, lastError }): Step => ({
    ...bare,
    at: status === 'pending' ? createdAt : updatedAt,
    kind: 'propagation',
    text: [agencyId, receipt ?? lastError].filter(Boolean).join(': '),
    document: id,
    status,
    as: 'propagationStatus',
  }));
  const messages = of.deliveries.map(({ id, type, status, createdAt, updatedAt }): Step => ({
    ...bare,
    at: status === 'pending' ? createdAt : updatedAt,
    kind: 'delivery',
    text: of.nameOf(type),
    document: id,
    status,
    as: 'deliveryStatus',
  }));
  // Events of the same moment stay in the order of the trace, and before their consequences.
  return [...trace, ...notices, ...messages].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

function isFilled(detail: unknown): boolean {
  return typeof detail === 'object' && detail !== null && Object.keys(detail).length > 0;
}
