import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { CLIENTS } from '../clients.ts';
import type { FlowSubject } from './subjects.ts';

const statements = {
  assessment: `insert into assessment (name, citizen, status, currency, total_amount, line_count, integrator, revision, created_at, updated_at)
    values ($1, $2, 'Draft', 'UGX', $3, 2, $4, 1, $5, $5)`,
  lines: `insert into assessment_line (assessment, idx, service, service_name, mda, quantity, rate, amount)
    values ($1, 1, $2, $3, $4, 1, $5, $5), ($1, 2, $6, $7, $8, 1, $9, $9)`,
  trace: `insert into trace_row (assessment, intent, at, kind, actor, summary, doc, detail)
    select $1, $2, $3, k, $4, jsonb_build_array(k), null, '{"from": "a", "to": "b"}' from unnest($5::text[]) k`,
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
    values ($1, 'payment_intent.confirmed', $4, 3, $6, $7, $8), ($2, 'assessment.paid', $5, 3, $6, $7, $8),
      ($3, 'receipt.issued', $9, 1, $6, $10, $8)`,
  receipt: `insert into receipt (name, intent, assessment, integrator, status, payload, signature, kid, code, created_at, updated_at)
    values ($1, $2, $3, $4, 'Issued', $5, $6, $7, '7M3QX-0ZK9T', $8, $8)`,
} as const;

/** The way to send the statements of a step: one after another in a transaction, or all as one. */
export type Sending = 'statement by statement' | 'one statement a step';

interface Statement {
  readonly name: keyof typeof statements;
  readonly values: readonly unknown[];
}

/**
 * The rows that a flow leaves behind, written as fast as PostgreSQL takes them from Node: prepared statements through
 * `pg`, one transaction a step, no HTTP, no framework, no reads, no rules.
 */
export class BareFlow {
  readonly #pool: pg.Pool;
  readonly #next: () => FlowSubject;
  readonly #sending: Sending;
  #number = 0;
  readonly #series: string;

  constructor(url: string, next: () => FlowSubject, sending: Sending) {
    this.#pool = new pg.Pool({ connectionString: url, max: CLIENTS, idleTimeoutMillis: 0 });
    this.#next = next;
    this.#sending = sending;
    // Digits only, as in docnames: the copy of facts identifies documents by them.
    this.#series = `${sending === 'one statement a step' ? 9 : 8}${String(Date.now()).slice(-9)}`;
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  async once(): Promise<void> {
    const subject = this.#next();
    const client = await this.#pool.connect();
    try {
      for (const [step, written] of stepsOf(subject, `${this.#series}-${++this.#number}`)) {
        const audited = [...written, auditOf(step, subject)];
        await (this.#sending === 'one statement a step' ? sendAsOne(client, step, audited) : sendEach(client, audited));
      }
    } finally {
      client.release();
    }
  }
}

async function sendEach(client: pg.PoolClient, written: readonly Statement[]): Promise<void> {
  await client.query('begin');
  for (const { name, values } of written) await client.query({ name, text: statements[name], values: [...values] });
  await client.query('commit');
}

async function sendAsOne(client: pg.PoolClient, step: string, written: readonly Statement[]): Promise<void> {
  let before = 0;
  const parts = written.map(({ name, values }, index) => {
    const text = statements[name].replaceAll(/\$(\d+)/g, (_, number) => `$${before + Number(number)}`);
    before += values.length;
    return `part${index} as (${text})`;
  });
  const values = written.flatMap((each) => each.values);
  await client.query({ name: `step ${step}`, text: `with ${parts.join(', ')} select 1`, values });
}

function auditOf(step: string, { integrator, key }: FlowSubject): Statement {
  return { name: 'audit', values: [randomUUID(), new Date(), randomUUID(), step, integrator, key] };
}

/** The statements of each step of a flow. */
function stepsOf({ citizen, services, integrator }: FlowSubject, number: string): [string, Statement[]][] {
  const [a, b] = services as [FlowSubject['services'][number], FlowSubject['services'][number]];
  const total = a.fee_amount + b.fee_amount;
  const assessment = `ASMT-${number}`;
  const intent = `PI-${number}`;
  const reference = `STUB-${number}`;
  const about = { name: intent, assessment, amount: total, splits: [a.mda, b.mda], padding: 'x'.repeat(300) };
  const payload = JSON.stringify(about);
  const receipt = `RCP-${number}`;
  // As long as the rail's are, which say what was paid with a signature.
  const signed = { payload: 'x'.repeat(160), signature: 'x'.repeat(86), kid: 'x'.repeat(43) };
  const shown = JSON.stringify({ ...about, ...signed });
  const at = new Date();
  const trace = (of: string | null, ...kinds: string[]): Statement => ({
    name: 'trace',
    values: [assessment, of, at, integrator, kinds],
  });
  const line = ({ name, service_name, mda, fee_amount }: typeof a) => [name, service_name, mda, fee_amount];
  return [
    [
      'create',
      [
        { name: 'assessment', values: [assessment, citizen, total, integrator, at] },
        { name: 'lines', values: [assessment, ...line(a), ...line(b)] },
        trace(null, 'created'),
      ],
    ],
    ['assess', [{ name: 'assess', values: [assessment, at] }, trace(null, 'assessed')]],
    [
      'intent',
      [
        { name: 'intent', values: [intent, assessment, integrator, total, at] },
        { name: 'splits', values: [intent, a.mda, a.fee_amount, b.mda, b.fee_amount] },
        trace(intent, 'created'),
      ],
    ],
    ['initiate', [{ name: 'send', values: [intent, reference, '+256700123456', at] }, trace(intent, 'asked', 'sent')]],
    [
      'confirm',
      [
        { name: 'confirm', values: [intent, at] },
        {
          name: 'events',
          values: [
            `EV-1${number}`,
            `EV-2${number}`,
            intent,
            assessment,
            integrator,
            a.mda,
            a.fee_amount,
            b.mda,
            b.fee_amount,
            reference,
            at,
          ],
        },
        { name: 'pay', values: [assessment, at] },
        { name: 'receipt', values: [receipt, intent, assessment, integrator, ...Object.values(signed), at] },
        trace(intent, 'verify', 'confirmed', 'event', 'event', 'paid', 'receipt'),
        {
          name: 'outbox',
          values: [
            randomUUID(),
            randomUUID(),
            randomUUID(),
            intent,
            assessment,
            integrator,
            payload,
            at,
            receipt,
            shown,
          ],
        },
      ],
    ],
  ];
}
