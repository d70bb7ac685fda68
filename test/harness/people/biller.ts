import { createHmac, randomUUID } from 'node:crypto';
import { createApplication, createTrouble, serveApplication } from '../../../src/sandbox/simulators/web.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import type { Answer, TestRail } from '../rail.ts';
import { Patience, type Posted, post } from '../run/patience.ts';

export interface PaymentReport {
  readonly event_id?: string;
  readonly reference: string;
  readonly amount: number;
  readonly currency?: string;
  readonly txn_id?: string;
  readonly paid_at?: string;
  readonly channel?: string;
}

/** A payment point as it speaks to the rail. */
export interface Point {
  readonly name: string;
  lookUp(reference: unknown): Promise<Answer>;
  /** Members that are left out get defaults: a new event, a new transaction, paid now. */
  pay(report: PaymentReport): Promise<Answer>;
  send(path: 'lookup' | 'payments', body: string | object, signature?: string | null): Promise<Answer>;
}

/** A payment point that signs with a secret; without one it is that of a sandbox, and signs nothing. */
export function makePoint(rail: TestRail, name = 'bank', secret: string | null = null): Point {
  const point: Point = {
    name,
    lookUp: (reference) => point.send('lookup', { reference }),
    pay: (report) =>
      point.send('payments', {
        event_id: randomUUID(),
        currency: 'UGX',
        txn_id: randomUUID(),
        paid_at: rail.rail.now().toISOString(),
        ...report,
      }),
    send(path, content, signature) {
      const body = typeof content === 'string' ? content : JSON.stringify(content);
      const own = secret && createHmac('sha256', secret).update(body).digest('hex');
      const shown = signature === undefined ? own : signature;
      return rail.ask(`/v1/billers/${name}/${path}`, { body, headers: shown ? { 'x-service-signature': shown } : {} });
    },
  };
  return point;
}

/** Money that a payment point took, as it reports it. */
interface Taken {
  readonly event_id: string;
  readonly reference: string;
  readonly amount: number;
  readonly currency: string;
  readonly txn_id: string;
  readonly paid_at: string;
}

/** The rail's decision on a payment, as the payment point gets it. */
interface Decided {
  readonly decision: string | null;
  readonly intent: string | null;
}

const UNDECIDED: Decided = { decision: null, intent: null };

/** A payment point with a book of its own. It reports what it took until that is answered for good. */
export class PointBooks {
  readonly name: string;
  readonly #patience: Patience;
  readonly taken = new Map<string, Taken>();
  /** The transactions whose report was answered. */
  readonly answered = new Set<string>();
  /** Answers that no fault excuses. */
  readonly wrong: string[] = [];

  constructor(name: string, patienceMs?: number) {
    this.name = name;
    this.#patience = new Patience(patienceMs);
  }

  /** Takes money for a number, and reports it to any of the processes, at times more than once. */
  async take(
    { origins, random }: { readonly origins: () => readonly string[]; readonly random: () => number },
    reference: string,
    amount: number,
  ): Promise<Decided> {
    const [event_id, txn_id] = [randomUUID(), randomUUID()];
    const entry = { event_id, reference, amount, currency: 'UGX', txn_id, paid_at: new Date().toISOString() };
    this.taken.set(txn_id, entry);
    const send = () => {
      const at = origins();
      return post(`${at[Math.floor(random() * at.length)]}/v1/billers/${this.name}/payments`, entry);
    };
    const report = async (): Promise<Posted> => {
      const reply = await this.#patience.ask(send);
      if (reply.status !== 200) this.wrong.push(`${this.name}: ${reply.status} ${reply.text}`);
      return reply;
    };
    const [first, ...again] = await Promise.all([report(), ...(random() < 0.3 ? [report()] : [])]);
    if (first.status === 200) this.answered.add(txn_id);
    if (random() < 0.2) again.push(await report());
    for (const { text } of again)
      if (text !== first.text) this.wrong.push(`${this.name} again: ${text} after ${first.text}`);
    return first.status === 200 ? (JSON.parse(first.text) as { data: Decided }).data : UNDECIDED;
  }

  /** Answers enquiries from its book. */
  async answerEnquiries(): Promise<{ readonly url: string; close(): Promise<void> }> {
    const app = createApplication(createTrouble());
    app.post('/', (req, res) => {
      const found = this.taken.get((req.body as { txn_id: string }).txn_id);
      if (found) res.json(found);
      else res.status(404).json({});
    });
    return serveApplication(app);
  }

  /** Transactions that the rail acknowledged, but neither asks about nor booked. */
  async findForgotten(rail: Pick<TestRail, 'rows'>): Promise<string[]> {
    const rows = await rail.rows<{ txn: string }>(sql`
      select txn from unnest(${[...this.answered]}::text[]) txn
      where not exists (select from payment_claim where provider = ${this.name} and txn_id = txn)
        and not exists (select from money_received where provider = ${this.name} and txn_id = txn)
        and not exists (select from payment_intent where aggregator = ${this.name} and aggregator_reference = txn)`);
    return rows.map(({ txn }) => txn);
  }

  /**
   * Differences between its book and the rail's events and money received: each payment must be in one of these, once.
   */
  async compare(rail: Pick<TestRail, 'rows'>): Promise<string[]> {
    const recorded = await rail.rows<{ txn: string; amount: number; books: number }>(sql`
      select txn, sum(amount)::float8 as amount, count(*)::int as books from (
        select i.aggregator_reference as txn, sum(e.amount) as amount from payment_intent i
        join payment_event e on e.intent = i.name and e.kind = 'payment' where i.aggregator = ${this.name} group by 1
        union all select txn_id, amount from money_received where provider = ${this.name}) b group by 1`);
    const amounts = new Map(recorded.map(({ txn, amount }) => [txn, amount]));
    const names = new Set([...amounts.keys(), ...this.taken.keys()]);
    return [
      ...recorded.filter(({ books }) => books > 1).map(({ txn }) => `${txn} of ${this.name} is in two books`),
      ...[...names]
        .filter((txn) => this.taken.get(txn)?.amount !== amounts.get(txn))
        .map((txn) => `${txn}: ${this.name} has ${this.taken.get(txn)?.amount}, the rail ${amounts.get(txn)}`),
    ];
  }
}
