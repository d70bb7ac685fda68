import type { Call } from '../../../platform/call/call.ts';
import { sql } from '../../../platform/database/sql.ts';

/** Place of a share of a receipt in the books: its seal, and the closed day of its agency. */
export interface Followed {
  /** Its payment event. */
  readonly name: string;
  readonly kind: 'payment';
  readonly mda: string;
  readonly currency: string;
  /** Null until it is sealed. */
  readonly sequence: number | null;
  /** The day, its signature and the key of that; null until it is closed. */
  readonly day: Date | null;
  readonly signature: string | null;
  readonly kid: string | null;
}

/** Follows the payment events that a receipt names. Anyone who holds the receipt may. */
export function followEvents({ db }: Pick<Call, 'db'>, events: readonly string[]): Promise<Followed[]> {
  return db.rows<Followed>(sql`
    select e.name, e.kind, e.mda, e.currency, s.sequence, d.day, d.signature, d.kid
    from unnest(${[...events]}::text[]) with ordinality as n (event, place) join payment_event e on e.name = n.event
    left join event_seal s on s.event = e.name
    left join agency_day d on d.mda = e.mda and e.occurred_at >= (d.payload::jsonb ->> 'from')::timestamptz
      and e.occurred_at < (d.payload::jsonb ->> 'to')::timestamptz
      and d.day between (e.occurred_at - interval '1 day')::date and (e.occurred_at + interval '1 day')::date
    order by n.place`);
}
