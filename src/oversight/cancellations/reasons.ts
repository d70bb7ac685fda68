import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { loadTogether } from '../../platform/reading/batch.ts';
import type { Cancellation } from './find.ts';

interface Asked {
  readonly name: string;
  readonly at: string;
}

/**
 * The reason in the words of the canceller. Words may name people, so that oversight's own database role cannot read
 * them: they are read past it, for those whom operators gave a scope of its own. Of several rows they are read at once.
 */
export function readReason(call: Call, { name, cancelledAt }: Cancellation): Promise<string | null> {
  const asked: Asked = { name, at: cancelledAt.toISOString() };
  return loadTogether(call, readReason, JSON.stringify(asked), async (keys) => {
    const each = keys.map((key) => JSON.parse(key) as Asked);
    const rows = await call.db.rows<{ key: string; reason: string }>(sql`
      with asked as (
        select * from unnest(${keys}::text[], ${each.map((one) => one.name)}::text[],
          ${each.map(({ at }) => at)}::timestamptz[]) as k (key, name, at)
      )
      select k.key, a.cancel_reason as reason
      from asked k join payment_event e on e.name = k.name join assessment a on a.name = e.assessment
      where a.cancel_reason is not null
      union all
      select k.key, a.cancel_reason
      from asked k join assessment a on a.cancelled_at = k.at cross join oversight_salt q
      cross join lateral (select distinct l.mda from assessment_line l where l.assessment = a.name) l
      where a.cancel_reason is not null and k.name = 'CNL-' || left(encode(sha256(convert_to(
        q.salt || ' ' || a.name || ' ' || l.mda, 'utf8')), 'hex'), 24)`);
    return new Map(rows.map(({ key, reason }) => [key, reason]));
  });
}
