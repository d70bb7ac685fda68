import { createConfirmed, makeActor } from '../../harness/flow.ts';
import type { TestRail } from '../../harness/rail.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { giveEndpoint } from '../../harness/people/accounts.ts';

/** Records that a bad hour leaves behind. */
export interface Trouble {
  readonly intent: string;
  readonly assessment: string;
  /** The notice that an agency did not get. */
  readonly propagation: string;
  /** The message that an integrator did not get. */
  readonly delivery: string;
  readonly anomaly: string;
  /** The provider's own number of the collection. */
  readonly reference: string;
  /** And of its transaction. */
  readonly transaction: string;
}

/** A payment, a notice of which its agency did not take, a message that did not arrive, and an anomaly about it. */
export async function makeTrouble(rail: TestRail): Promise<Trouble> {
  const actor = await makeActor(rail);
  const { intent, assessment } = await createConfirmed(rail, actor);
  const [notice] = await rail.rows<{ propagation: string; reference: string; transaction: string }>(sql`
    update propagation p set status = 'dead', attempts = 8, last_error = 'HTTP 503 <b>away</b>', next_attempt_at = null
    from payment_intent i where i.name = ${intent} and p.name = (
      select min(name) from propagation where assessment = ${assessment})
    returning p.name as propagation, i.aggregator_reference as reference,
      (select min(txn_id) from payment_event where intent = i.name) as transaction`);
  await giveEndpoint(rail, sql`code = ${actor.integrator}`, 'https://hooks.example/rail');
  const [message] = await rail.rows<{ delivery: string }>(sql`
    with message as (
      insert into outbox (id, type, object, sequence, integrator, payload, created_at, relayed_at)
      values (gen_random_uuid(), 'payment_intent.confirmed', ${intent}, 100, ${actor.integrator}, '{}', now(), now())
      returning id
    )
    insert into webhook_delivery (name, message, integrator, type, object, sequence, status, attempts, created_at, updated_at)
    select 'WHD-2026-01-' || right(${intent}, 6), id, ${actor.integrator}, 'payment_intent.confirmed', ${intent}, 100,
      'dead', 2, now(), now()
    from message returning name as delivery`);
  const { delivery } = message!;
  await rail.rows(sql`
    insert into webhook_attempt (delivery, at, endpoint, http_status, duration_ms, error, answer)
    values (${delivery}, now(), 'https://hooks.example/rail', 500, 1200, null, '<html>no</html>'),
      (${delivery}, now(), 'https://hooks.example/rail', null, 5000, 'connect ECONNREFUSED', null)`);
  const [raised] = await rail.rows<{ anomaly: string }>(sql`
    insert into anomaly (name, kind, mda, mdas, severity, status, subject, evidence, raised_at)
    values ('ANOM-2026-01-' || right(${intent}, 6), 'amount_mismatch', 'URA', array['URA'], 'high', 'Open', ${intent},
      jsonb_build_object('currency', 'UGX', 'amount', '584000', 'expected', '585000', 'assessment', ${assessment}::text), now())
    returning name as anomaly`);
  return { intent, assessment, delivery, anomaly: raised!.anomaly, ...notice! };
}
