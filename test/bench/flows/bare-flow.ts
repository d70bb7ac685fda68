import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { CLIENTS } from '../clients.ts';

/** Whose flows they are, and what is paid. */
export interface FlowSubject {
  readonly citizen: string;
  readonly services: readonly {
    readonly name: string;
    readonly service_name: string;
    readonly mda: string;
    readonly fee_amount: number;
  }[];
  readonly integrator: string;
  readonly key: string;
}

const statements = {
  assessment: `insert into assessment (name, citizen, status, currency, total_amount, line_count, integrator, revision, created_at, updated_at)
    values ($1, $2, 'Draft', 'UGX', $3, 2, $4, 1, $5, $5)`,
  lines: `insert into assessment_line (assessment, idx, service, service_name, mda, quantity, rate, amount)
    values ($1, 1, $2, $3, $4, 1, $5, $5), ($1, 2, $6, $7, $8, 1, $9, $9)`,
  trace: `insert into trace_row (assessment, intent, at, kind, actor, summary, doc, detail)
    select $1, $2, $3, k, $4, k, null, '{"from": "a", "to": "b"}' from unnest($5::text[]) k`,
  audit: `insert into audit_log (id, ts, request_id, http_status, endpoint, event, integrator, key, actor)
    values ($1, $2, $3, 200, $4, 'api.auth.granted', $5, $6, $5)`,
  assess: `update assessment set status = 'Assessed', assessed_at = $2, updated_at = $2, revision = 2 where name = $1 and status = 'Draft'`,
  intent: `insert into payment_intent (name, assessment, integrator, channel, status, amount, currency, aggregator, revision, expires_at, created_at, updated_at)
    values ($1, $2, $3, 'mtn_momo', 'Pending', $4, 'UGX', 'mtn_momo', 1, $5, $5, $5)`,
  splits: `insert into split_rule (intent, mda, amount) values ($1, $2, $3), ($1, $4, $5)`,
  send: `update payment_intent set status = 'Sent', aggregator_reference = $2, payer_msisdn = $3, initiated_at = $4, updated_at = $4, revision = 2
    where name = $1 and status = 'Pending'`,
  confirm: `update payment_intent set status = 'Confirmed', confirmed_at = $2, updated_at = $2, revision = 3 where name = $1 and status = 'Sent'`,
  events: `insert into payment_event (name, intent, assessment, integrator, mda, amount, currency, channel, kind, aggregator_reference, txn_id, occurred_at, created_at)
    values ($1, $3, $4, $5, $6, $7, 'UGX', 'mtn_momo', 'payment', $10, $10, $11, $11), ($2, $3, $4, $5, $8, $9, 'UGX', 'mtn_momo', 'payment', $10, $10, $11, $11)`,
  pay: `update assessment set status = 'Paid', paid_at = $2, updated_at = $2, revision = 3 where name = $1 and status = 'Assessed'`,
  outbox: `insert into outbox (id, type, object, sequence, integrator, payload, created_at)
    values ($1, 'payment_intent.confirmed', $3, 3, $5, $6, $7), ($2, 'assessment.paid', $4, 3, $5, $6, $7)`,
} as const;

/**
 * The rows that a flow leaves behind, written as fast as PostgreSQL takes them from Node: prepared statements through
 * `pg`, one transaction a step, no HTTP, no framework, no reads, no rules.
 */
export class BareFlow {
  readonly #pool: pg.Pool;
  readonly #subject: FlowSubject;
  #number = 0;
  readonly #series = `B${Date.now().toString(36)}`;

  constructor(url: string, subject: FlowSubject) {
    this.#pool = new pg.Pool({ connectionString: url, max: CLIENTS });
    this.#subject = subject;
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  async once(): Promise<void> {
    const { citizen, services, integrator, key } = this.#subject;
    const [a, b] = services as [FlowSubject['services'][number], FlowSubject['services'][number]];
    const total = a.fee_amount + b.fee_amount;
    const number = `${this.#series}-${++this.#number}`;
    const assessment = `ASMT-${number}`;
    const intent = `PI-${number}`;
    const reference = `STUB-${number}`;
    const payload = JSON.stringify({
      name: intent,
      assessment,
      amount: total,
      splits: [a.mda, b.mda],
      padding: 'x'.repeat(300),
    });
    const at = new Date();
    const client = await this.#pool.connect();
    const run = (name: keyof typeof statements, values: unknown[]) =>
      client.query({ name, text: statements[name], values });
    const step = async (endpoint: string, work: () => Promise<unknown>) => {
      await client.query('begin');
      await work();
      await run('audit', [randomUUID(), at, randomUUID(), endpoint, integrator, key]);
      await client.query('commit');
    };
    try {
      await step('create', async () => {
        await run('assessment', [assessment, citizen, total, integrator, at]);
        await run('lines', [
          assessment,
          a.name,
          a.service_name,
          a.mda,
          a.fee_amount,
          b.name,
          b.service_name,
          b.mda,
          b.fee_amount,
        ]);
        await run('trace', [assessment, null, at, integrator, ['created']]);
      });
      await step('assess', async () => {
        await run('assess', [assessment, at]);
        await run('trace', [assessment, null, at, integrator, ['assessed']]);
      });
      await step('intent', async () => {
        await run('intent', [intent, assessment, integrator, total, at]);
        await run('splits', [intent, a.mda, a.fee_amount, b.mda, b.fee_amount]);
        await run('trace', [assessment, intent, at, integrator, ['created']]);
      });
      await step('initiate', async () => {
        await run('send', [intent, reference, '+256700123456', at]);
        await run('trace', [assessment, intent, at, integrator, ['asked', 'sent']]);
      });
      await step('confirm', async () => {
        await run('confirm', [intent, at]);
        await run('events', [
          `E1-${number}`,
          `E2-${number}`,
          intent,
          assessment,
          integrator,
          a.mda,
          a.fee_amount,
          b.mda,
          b.fee_amount,
          reference,
          at,
        ]);
        await run('pay', [assessment, at]);
        await run('trace', [assessment, intent, at, integrator, ['verify', 'confirmed', 'event', 'event', 'paid']]);
        await run('outbox', [randomUUID(), randomUUID(), intent, assessment, integrator, payload, at]);
      });
    } finally {
      client.release();
    }
  }
}
