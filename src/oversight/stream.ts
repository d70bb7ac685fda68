import type { Call } from '../call.ts';
import { sql } from '../database/sql.ts';
import { invalid } from '../refusal.ts';
import { type OverseenEvent, eventColumns } from './events.ts';
import type { OverseenAnomaly } from './figures.ts';

/** Something that happened: a payment event or an anomaly, and from where to read on after it. */
export interface Happening {
  readonly cursor: string;
  readonly event: OverseenEvent | null;
  readonly anomaly: OverseenAnomaly | null;
}

const BATCH = 200;
/** How often to look where PostgreSQL told nothing: what it tells while a connection is lost is lost too. */
const LOOK_MS = 5_000;
/** How long a stream lasts: whoever reads on shows their credentials again. */
const LASTS_MS = 15 * 60_000;

/** What happens from now on, or from after a cursor on: each thing once and in order, however often the reader comes back. */
export async function happenings(call: Call, after: string | null): Promise<AsyncGenerator<Happening>> {
  return happeningsFrom(call, await startOf(call, after));
}

async function* happeningsFrom(call: Call, start: number): AsyncGenerator<Happening> {
  let position = start;
  const until = Date.now() + LASTS_MS;
  while (!call.streamSignal.ended && Date.now() < until) {
    // Before looking: what is told in between would be missed.
    const told = call.streamSignal.next(LOOK_MS);
    const rows = await read(call, position);
    for (const { at, ...row } of rows) {
      yield { cursor: String(at), ...row };
      position = at;
    }
    if (rows.length < BATCH) await told;
  }
}

async function startOf({ oversight }: Call, after: string | null): Promise<number> {
  if (after !== null) {
    if (!/^\d{1,15}$/.test(after)) throw invalid('after', 'is no cursor of this stream');
    return Number(after);
  }
  const row = await oversight.row<{ last: number }>(sql`select coalesce(max(position), 0) as last from oversight.stream`);
  return row!.last;
}

async function read({ oversight }: Call, position: number): Promise<(Omit<Happening, 'cursor'> & { at: number })[]> {
  const positions = await oversight.rows<{ position: number; kind: string }>(
    sql`select position, kind from oversight.stream where position > ${position} order by position limit ${BATCH}`,
  );
  const last = positions.at(-1)?.position;
  if (last === undefined) return [];
  const [events, anomalies] = await Promise.all([
    oversight.rows<OverseenEvent>(
      sql`select ${eventColumns} from oversight.payment_event e where e.position > ${position} and e.position <= ${last}`,
    ),
    oversight.rows<OverseenAnomaly & { position: number }>(sql`
      select position, name, kind, mda, severity, status, raised_at as "raisedAt", evidence from oversight.anomaly
      where position > ${position} and position <= ${last}`),
  ]);
  return positions.map(({ position: at }) => ({
    at,
    event: events.find((event) => event.position === at) ?? null,
    anomaly: anomalies.find((anomaly) => anomaly.position === at) ?? null,
  }));
}
