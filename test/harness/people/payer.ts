import { randomUUID } from 'node:crypto';
import type { PointBooks } from './biller.ts';
import { PASSING, Patience, type Posted, post } from '../run/patience.ts';

/** A place where a client pays, and the goods. */
export interface Shop {
  /** The processes of one rail; each request goes to any of them. */
  readonly origins: readonly string[];
  readonly key: string;
  readonly citizen: string;
  readonly services: readonly string[];
  /** The share of requests that are sent once more after their answer; a tenth where nothing is said. */
  readonly repeated?: number;
  /** Time for which a request without a final answer is repeated; a minute by default. */
  readonly patienceMs?: number;
  /** Makes random choices, from 0 up to 1; `Math.random` by default. */
  readonly random?: () => number;
}

/** The steps of a payment that a client has an answer for. */
type Step = 'create' | 'assess' | 'reference' | 'intent' | 'initiate' | 'confirm' | 'reverse' | 'refund';

interface Reply extends Pick<Posted, 'status' | 'text'> {
  /** The `X-Request-Id` of the answer; null where there was none. */
  readonly id: string | null;
  /** True for the stored answer to an earlier request with the same key. */
  readonly replayed: boolean;
}

/** An answer that came, by the id of its request. */
export type Answered = Readonly<{ id: string; status: number; text: string }>;

/** A client that pays one assessment after another, and writes down what it was promised. */
export class Payer {
  /** The documents whose step was answered with 200. */
  readonly acknowledged: Record<Step, string[]> = {
    create: [],
    assess: [],
    reference: [],
    intent: [],
    initiate: [],
    confirm: [],
    reverse: [],
    refund: [],
  };
  /** Counts answers by status; 0 if there was none. */
  readonly statuses: Record<number, number> = {};
  readonly answers: Answered[] = [];
  /** Those of them that were the first to tell of a change. */
  readonly changes: Answered[] = [];
  /**
   * Answers that no fault excuses: a 500, a refusal of what is right, none for good within a minute, a repetition that is
   * answered in another way.
   */
  readonly wrong: string[] = [];
  /** The longest time without a 200, in milliseconds. */
  longestGapMs = 0;
  #lastSuccess = Date.now();
  readonly #shop: Shop;
  readonly #random: () => number;
  readonly #patience: Patience;

  constructor(shop: Shop) {
    this.#shop = shop;
    this.#random = shop.random ?? Math.random;
    this.#patience = new Patience(shop.patienceMs);
  }

  /** Pays until it is told to stop, and finishes the payment that it is at. */
  async payUntil(stopped: () => boolean, pay: () => Promise<void> = () => this.pay()): Promise<void> {
    while (!stopped()) await pay();
  }

  /** Creates, assesses and pays an assessment, each step under a key of its own. */
  async pay(): Promise<void> {
    const asked = await this.initiate();
    if (asked) await this.#confirm(asked.intent);
  }

  /** The same, of which the rail learns from the provider that it was collected. */
  async payByCallback(amount: number): Promise<void> {
    const asked = await this.initiate();
    if (asked) await this.#step('confirm', '/v1/webhooks/mtn_momo', collected(asked.intent, amount), asked.intent);
  }

  /**
   * Pays in one of the ways that come about: asks how the collection stands, is told by callbacks that come twice, or
   * both at once; and takes some payments back.
   */
  async payInAnyWay(amount: number): Promise<void> {
    const asked = await this.initiate();
    if (!asked) return;
    const { intent, assessment } = asked;
    const way = this.#random();
    const event = collected(intent, amount);
    const callback = () => this.#settle('confirm', '/v1/webhooks/mtn_momo', event);
    if (way < 0.4) await this.#confirm(intent);
    else {
      const asking = () => this.#settle('confirm', `/v1/payment-intents/${intent}:confirm`, {}, true);
      const replies = await Promise.all([callback(), callback(), ...(way < 0.7 ? [asking()] : [])]);
      if (replies.some((reply) => reply !== null)) this.acknowledged.confirm.push(intent);
      // Long after it was paid, it is still the same event.
      if (way > 0.9) await callback();
    }
    if (this.#random() < 0.1 && this.acknowledged.confirm.at(-1) === intent) await this.#reverse(assessment);
  }

  /**
   * Asks a channel to collect, and how that stands; what is not collected by then the rail finds out on its own. Some
   * payments are taken back, and of some a refund is requested: a part where the channel can.
   */
  async payThrough(channel: string): Promise<void> {
    const asked = await this.initiate(channel);
    if (!asked || this.#random() < 0.4 || !(await this.#confirm(asked.intent))) return;
    const way = this.#random();
    if (way < 0.3) await this.#reverse(asked.assessment);
    else if (way < 0.6) {
      const part = channel === 'card' ? { amount: 1 + Math.floor(this.#random() * 100_000) } : {};
      await this.#step('refund', '/v1/refunds', { intent: asked.intent, reason_code: 'overpaid', ...part });
    }
  }

  /** Pays by number: mostly as owed, at times another amount, or twice; and takes some payments back. */
  async payByNumber(point: PointBooks, amount: number): Promise<void> {
    const issued = await this.issueNumber();
    if (!issued) return;
    const { assessment, number } = issued;
    const at = { origins: () => this.#shop.origins, random: this.#random };
    const way = this.#random();
    const paid = way < 0.1 ? amount + 1 : way < 0.2 ? amount - 1 : amount;
    const decisions = await Promise.all([
      point.take(at, number, paid),
      ...(way > 0.9 ? [point.take(at, number, paid)] : []),
    ]);
    const intent = decisions.find(({ decision }) => decision === 'confirmed')?.intent;
    if (!intent) return;
    this.acknowledged.confirm.push(intent);
    if (this.#random() < 0.1) await this.#reverse(assessment);
  }

  /** Issues a number, which is paid after another client paid or cancelled the assessment, or at the same time. */
  async payByNumberAfter(other: Payer, point: PointBooks, amount: number): Promise<void> {
    const issued = await this.issueNumber();
    if (!issued) return;
    const { assessment, number } = issued;
    const before = this.#random() < 0.6 ? other.#collect(assessment) : other.#reverse(assessment);
    if (this.#random() < 0.5) await before;
    const decided = await point.take({ origins: () => this.#shop.origins, random: this.#random }, number, amount);
    await before;
    if (decided.intent) this.acknowledged.confirm.push(decided.intent);
  }

  /** Has an assessment paid that may be paid, or cancelled, by then. */
  async #collect(assessment: string): Promise<void> {
    const made = await this.#settle('intent', '/v1/payment-intents', { assessment, channel: 'mtn_momo' }, true);
    if (!made) return;
    const { name } = (JSON.parse(made.text) as { data: { name: string } }).data;
    this.acknowledged.intent.push(name);
    await this.#ask(name);
    await this.#confirm(name);
  }

  #ask(intent: string): Promise<string | null> {
    // If the answer to a collection is lost, the rail asks the provider, so the intent may be confirmed before the
    // payer asks.
    return this.#step('initiate', `/v1/payment-intents/${intent}:initiate`, { payer_msisdn: '+256700123456' }, intent);
  }

  #confirm(intent: string): Promise<string | null> {
    return this.#step('confirm', `/v1/payment-intents/${intent}:confirm`, {}, intent);
  }

  async #reverse(assessment: string): Promise<void> {
    await this.#step('reverse', `/v1/assessments/${assessment}:cancel`, { reason: 'Paid twice' }, assessment);
  }

  /** An assessment whose collection was asked for, with its intent; null where one of the steps was refused. */
  async initiate(channel = 'mtn_momo'): Promise<{ assessment: string; intent: string } | null> {
    const assessment = await this.#assess();
    if (!assessment) return null;
    const intent = await this.#step('intent', '/v1/payment-intents', { assessment, channel });
    if (!intent) return null;
    await this.#ask(intent);
    return { assessment, intent };
  }

  /** An assessment that is to be paid, with a number to pay it by; null where one of the steps was refused. */
  async issueNumber(): Promise<{ assessment: string; number: string } | null> {
    const assessment = await this.#assess();
    const number = assessment && (await this.#step('reference', `/v1/assessments/${assessment}:issue-reference`));
    return number ? { assessment, number } : null;
  }

  /** An assessment that is to be paid; null where one of the steps was refused. */
  async #assess(): Promise<string | null> {
    const { citizen, services } = this.#shop;
    const lines = services.map((service) => ({ service }));
    const assessment = await this.#step('create', '/v1/assessments', { citizen, lines });
    return assessment && (await this.#step('assess', `/v1/assessments/${assessment}:assess`));
  }

  /** Notes what was promised; the docname that the answer tells, or null where it is a refusal. */
  async #step(step: Step, path: string, body: object = {}, late?: string): Promise<string | null> {
    const reply = await this.#settle(step, path, body, late !== undefined);
    if (!reply) return null;
    const { id, status, text, replayed } = reply;
    if (id && !replayed) this.changes.push({ id, status, text });
    const { data } = JSON.parse(text) as { data: { name?: string; number?: string } };
    const name = late ?? data.name ?? data.number!;
    this.acknowledged[step].push(name);
    return name;
  }

  /** Sends until there is an answer for good; null where it is a refusal, which is wrong unless the request may be late. */
  async #settle(step: Step, path: string, body: object, late = false): Promise<Reply | null> {
    const key = randomUUID();
    const reply = await this.#patience.ask(() => this.#send(path, body, key));
    if (reply.status !== 200) {
      if (!(late && reply.status === 422)) this.wrong.push(`${step}: ${reply.status} ${reply.text}`);
      return null;
    }
    if (this.#random() < (this.#shop.repeated ?? 0.1)) await this.#repeat(step, path, body, key, reply);
    return reply;
  }

  /** The same request under the same key has the same answer. */
  async #repeat(step: Step, path: string, body: object, key: string, first: Reply): Promise<void> {
    const again = await this.#send(path, body, key);
    if (PASSING.includes(again.status)) return;
    if (again.status !== first.status || again.text !== first.text)
      this.wrong.push(`${step} again: ${again.status} ${again.text} after ${first.text}`);
  }

  async #send(path: string, body: object, key: string): Promise<Reply> {
    const { origins } = this.#shop;
    const { headers, ...posted } = await post(origins[Math.floor(this.#random() * origins.length)]! + path, body, {
      authorization: `Bearer ${this.#shop.key}`,
      'idempotency-key': key,
    });
    const replayed = headers.has('idempotent-replayed');
    const reply = { ...posted, id: headers.get('x-request-id'), replayed };
    this.statuses[reply.status] = (this.statuses[reply.status] ?? 0) + 1;
    if (reply.id) this.answers.push({ id: reply.id, status: reply.status, text: reply.text });
    if (reply.status === 200) {
      this.longestGapMs = Math.max(this.longestGapMs, Date.now() - this.#lastSuccess);
      this.#lastSuccess = Date.now();
    }
    return reply;
  }
}

/** The callback of a provider that has collected. */
function collected(intent: string, amount: number): object {
  return { event_id: randomUUID(), intent, status: 'SUCCESSFUL', amount, currency: 'UGX' };
}

/** Queries with a parameter each, the documents of a step: those that are not as they were acknowledged to be. */
const BROKEN: Readonly<Record<Step, string>> = {
  create: `select n from unnest($1::text[]) n left join assessment a on a.name = n where a.name is null`,
  assess: `select n from unnest($1::text[]) n left join assessment a on a.name = n where a.status is null or a.status = 'Draft'`,
  reference: `select n from unnest($1::text[]) n left join payment_reference p on p.number = n where p.number is null`,
  intent: `select n from unnest($1::text[]) n left join payment_intent i on i.name = n where i.name is null`,
  initiate: `select n from unnest($1::text[]) n left join payment_intent i on i.name = n where i.status is null or i.status = 'Pending'`,
  confirm: `select n from unnest($1::text[]) n left join payment_intent i on i.name = n left join assessment a on a.name = i.assessment
    where i.status is distinct from 'Confirmed' or a.status is null or a.status in ('Draft', 'Assessed')
      or (select count(*) from payment_event e where e.intent = n and e.kind = 'payment') <> (select count(*) from split_rule s where s.intent = n)
      or (select count(*) from payment_event e where e.intent = n and e.kind = 'reversal' and e.refund is null) <> case when a.status = 'Paid' then 0 else (select count(*) from split_rule s where s.intent = n) end`,
  reverse: `select n from unnest($1::text[]) n left join assessment a on a.name = n where a.status is distinct from 'Cancelled'`,
  refund: `select n from unnest($1::text[]) n left join refund r on r.name = n where r.name is null`,
};

/** Acknowledged objects that are missing, and objects acknowledged to two requests. Both must be empty. */
export async function lostOf(
  payers: readonly Pick<Payer, 'acknowledged'>[],
  ask: (query: string, values: unknown[]) => Promise<{ n: string }[]>,
): Promise<string[]> {
  const lost: string[] = [];
  for (const step of Object.keys(BROKEN) as Step[]) {
    const names = payers.flatMap(({ acknowledged }) => acknowledged[step]);
    for (const { n } of await ask(BROKEN[step], [names])) lost.push(`${step} ${n}`);
    const seen = new Set<string>();
    for (const name of names) {
      if (seen.has(name)) lost.push(`${step} ${name} twice`);
      seen.add(name);
    }
  }
  return lost;
}

/** The answers that are not in the audit log exactly once with the status they were sent with. */
export async function unloggedOf(
  payers: readonly { readonly answers: readonly Answered[] }[],
  ask: (query: string, values: unknown[]) => Promise<{ id: string; statuses: number[] }[]>,
): Promise<string[]> {
  const answers = payers.flatMap((payer) => payer.answers);
  const rows = await ask(
    `select request_id as id, coalesce(array_agg(l.http_status) filter (where l.id is not null), '{}') as statuses
     from unnest($1::text[], $2::int[]) sent(request_id, status) left join audit_log l using (request_id)
     group by 1, sent.status having count(l.id) <> 1 or min(l.http_status) <> sent.status`,
    [answers.map(({ id }) => id), answers.map(({ status }) => status)],
  );
  const sent = new Map(answers.map((answer) => [answer.id, answer]));
  return rows.map(
    ({ id, statuses }) =>
      `logged with ${statuses.join(', ') || 'nothing'}, sent ${sent.get(id)!.status} ${sent.get(id)!.text}`,
  );
}
