import { setImmediate as immediate } from 'node:timers/promises';
import { findRefusal } from '../../platform/access/viewer.ts';
import type { Call } from '../../platform/call/call.ts';
import { asTyped } from '../../graphql/graph/node.ts';
import { sql } from '../../platform/database/sql.ts';
import { Refusal, refuseValue } from '../../kernel/refusal.ts';
import { type OverseenEvent, eventColumns } from './find.ts';
import type { OverseenAnomaly } from '../anomalies/find.ts';

/** Something that happened: a payment event or an anomaly, and from where to read on after it. */
export interface StreamedEvent {
  readonly cursor: string;
  readonly item: OverseenEvent | OverseenAnomaly;
}

/** Reason why a stream ended before its time. */
export interface Ended {
  readonly error: unknown;
}

const ENDED = new Refusal(
  'unauthenticated',
  'The credential used to open this stream is no longer valid; the stream has ended',
);

const BATCH = 200;
/** Interval of look-ups without news from PostgreSQL: news during a lost connection is lost too. */
const LOOK_MS = 5_000;
/** Duration of a stream: readers who go on show their credentials again. */
const LASTS_MS = 15 * 60_000;

/**
 * Events from now on, or from after a cursor on: each once and in order, however often the reader comes back. The
 * reason for an early end of the stream is its last element.
 */
export async function streamEvents(call: Call, after: string | null): Promise<AsyncGenerator<StreamedEvent | Ended>> {
  call.rail.slots.streams.take(call);
  const start = await findStart(call, after);
  call.transport.stream.cursor = String(start);
  return streamEventsFrom(call, start);
}

async function* streamEventsFrom(call: Call, start: number): AsyncGenerator<StreamedEvent | Ended> {
  let position = start;
  const credential = new Credential(call);
  const until = performance.now() + LASTS_MS;
  try {
    while (!call.rail.streamSignal.ended && !call.transport.over.aborted && performance.now() < until) {
      // Before looking: what is told in between would be missed.
      const notified = call.rail.streamSignal.next(LOOK_MS);
      const rows = await readEvents(call, position);
      await credential.check();
      for (const { at, ...row } of rows) {
        const cursor = String(at);
        call.transport.stream.cursor = cursor;
        yield { cursor, ...row };
        position = at;
        // The reader may have taken its time. And in between, other work of this process has its turn.
        await credential.checkNowAndThen();
        await immediate();
      }
      if (rows.length < BATCH) await notified;
    }
  } catch (error) {
    yield { error };
  }
}

/** The credential that a stream was opened with: a revocation, suspension, logout or expiry ends the stream too. */
class Credential {
  readonly #call: Call;
  #checkedAt = 0;

  constructor(call: Call) {
    this.#call = call;
  }

  async check(): Promise<void> {
    const { viewer, transport } = this.#call;
    this.#checkedAt = performance.now();
    const now = await transport.reauthenticate().catch((error: unknown) => {
      throw error instanceof Refusal ? ENDED : error;
    });
    if (now.key !== viewer.key || now.session !== viewer.session || findRefusal(now, 'oversight.read')) throw ENDED;
  }

  async checkNowAndThen(): Promise<void> {
    if (performance.now() - this.#checkedAt >= LOOK_MS) await this.check();
  }
}

async function findStart({ oversight, transport: { stream } }: Call, after: string | null): Promise<number> {
  const cursor = stream.cursor ?? after;
  if (cursor !== null) {
    if (!/^\d{1,15}$/.test(cursor))
      throw refuseValue(stream.cursor === null ? 'after' : 'Last-Event-ID', 'is not a cursor of this stream');
    return Number(cursor);
  }
  const row = await oversight.row<{ last: number }>(
    sql`select coalesce(max(position), 0) as last from oversight.stream`,
  );
  return row!.last;
}

async function readEvents(
  { oversight }: Call,
  position: number,
): Promise<(Omit<StreamedEvent, 'cursor'> & { at: number })[]> {
  const positions = await oversight.rows<{ position: number; kind: string }>(
    sql`select position, kind from oversight.stream where position > ${position} order by position limit ${BATCH}`,
  );
  const last = positions.at(-1)?.position;
  if (last === undefined) return [];
  const [events, anomalies] = await Promise.all([
    oversight.rows<OverseenEvent>(
      sql`select ${eventColumns} from oversight.payment_event r where r.position > ${position} and r.position <= ${last}`,
    ),
    oversight.rows<OverseenAnomaly & { position: number }>(sql`
      select position, name, kind, mda, mdas, severity, status, raised_at as "raisedAt", evidence from oversight.anomaly
      where position > ${position} and position <= ${last}`),
  ]);
  const items = new Map<number, OverseenEvent | OverseenAnomaly>([
    ...events.map((event) => [event.position, asTyped('OverseenPaymentEvent', event)] as const),
    ...anomalies.map((anomaly) => [anomaly.position, asTyped('OverseenAnomaly', anomaly)] as const),
  ]);
  return positions.map(({ position: at }) => ({ at, item: items.get(at)! }));
}
