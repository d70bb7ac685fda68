import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** Where a client pays, and what. */
export interface Shop {
  /** The processes of one rail; each request goes to any of them. */
  readonly origins: readonly string[];
  readonly key: string;
  readonly citizen: string;
  readonly services: readonly string[];
  /** The share of requests that are sent once more after their answer; a tenth where nothing is said. */
  readonly repeated?: number;
}

/** The steps of a payment that a client has an answer for. */
type Step = 'create' | 'assess' | 'intent' | 'initiate' | 'confirm';

interface Reply {
  readonly status: number;
  readonly text: string;
  /** The `X-Request-Id` of the answer; null where there was none. */
  readonly id: string | null;
}

/** An answer that came, by the id of its request. */
export type Answered = Readonly<{ id: string; status: number; text: string }>;

/** Answers that say nothing for good: the same request is sent again under the same key. */
const PASSING: readonly number[] = [0, 409, 429, 502, 503, 504];

/** A client that pays one assessment after another, never gives up, and writes down what it was promised. */
export class Payer {
  /** The documents whose step was answered with 200. */
  readonly acknowledged: Record<Step, string[]> = { create: [], assess: [], intent: [], initiate: [], confirm: [] };
  /** How many answers had which status; 0 where there was none. */
  readonly statuses: Record<number, number> = {};
  readonly answers: Answered[] = [];
  /** Answers that no fault excuses: a 500, a refusal of what is right, a repetition that is answered in another way. */
  readonly wrong: string[] = [];
  /** The longest time without a 200, in milliseconds. */
  longestGapMs = 0;
  #lastSuccess = Date.now();
  readonly #shop: Shop;

  constructor(shop: Shop) {
    this.#shop = shop;
  }

  /** Pays until it is told to stop, and finishes the payment that it is at. */
  async payUntil(stopped: () => boolean, pay: () => Promise<void> = () => this.pay()): Promise<void> {
    while (!stopped()) await pay();
  }

  /** Creates, assesses and pays an assessment, each step under a key of its own. */
  async pay(): Promise<void> {
    const intent = await this.#initiate();
    if (intent) await this.#step('confirm', `/v1/payment-intents/${intent}:confirm`, {}, intent);
  }

  /** The same, of which the rail learns from the provider that it was collected. */
  async payByCallback(amount: number): Promise<void> {
    const intent = await this.#initiate();
    const event = { event_id: randomUUID(), intent, status: 'SUCCESSFUL', amount, currency: 'UGX' };
    if (intent) await this.#step('confirm', '/v1/webhooks/mtn_momo', event, intent);
  }

  /** The intent of an assessment whose collection was asked for; null where one of the steps was refused. */
  async #initiate(): Promise<string | null> {
    const { citizen, services } = this.#shop;
    const assessment = await this.#step('create', '/v1/assessments', {
      citizen,
      lines: services.map((service) => ({ service })),
    });
    if (!assessment || !(await this.#step('assess', `/v1/assessments/${assessment}:assess`))) return null;
    const intent = await this.#step('intent', '/v1/payment-intents', { assessment, channel: 'mtn_momo' });
    if (!intent) return null;
    // Of a collection whose answer was lost the rail hears by itself; it may be confirmed before it is asked for.
    await this.#step('initiate', `/v1/payment-intents/${intent}:initiate`, { payer_msisdn: '+256700123456' }, intent);
    return intent;
  }

  /** Sends until there is an answer for good; the docname that it tells, or null where it is a refusal. */
  async #step(step: Step, path: string, body: object = {}, late?: string): Promise<string | null> {
    const key = randomUUID();
    let reply = await this.#send(path, body, key);
    for (let wait = 25; PASSING.includes(reply.status); wait = Math.min(wait * 2, 500)) {
      await sleep(wait);
      reply = await this.#send(path, body, key);
    }
    if (reply.status !== 200) {
      if (!(late && reply.status === 422)) this.wrong.push(`${step}: ${reply.status} ${reply.text}`);
      return null;
    }
    if (Math.random() < (this.#shop.repeated ?? 0.1)) await this.#repeat(step, path, body, key, reply);
    const { data } = JSON.parse(reply.text) as { data: { name?: string } };
    const name = late ?? data.name!;
    this.acknowledged[step].push(name);
    return name;
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
    const reply = await post(origins[randomInt(origins.length)]! + path, body, {
      authorization: `Bearer ${this.#shop.key}`,
      'idempotency-key': key,
    });
    this.statuses[reply.status] = (this.statuses[reply.status] ?? 0) + 1;
    if (reply.id) this.answers.push({ id: reply.id, status: reply.status, text: reply.text });
    if (reply.status === 200) {
      this.longestGapMs = Math.max(this.longestGapMs, Date.now() - this.#lastSuccess);
      this.#lastSuccess = Date.now();
    }
    return reply;
  }
}

/** Status 0: the connection was refused, or ended before there was an answer. */
async function post(url: string, body: object, headers: Readonly<Record<string, string>>): Promise<Reply> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return { status: response.status, text: await response.text(), id: response.headers.get('x-request-id') };
  } catch (error) {
    return { status: 0, text: String(error), id: null };
  }
}

/** Queries with a parameter each, the documents of a step: those that are not as they were acknowledged to be. */
const BROKEN: Readonly<Record<Step, string>> = {
  create: `select n from unnest($1::text[]) n left join assessment a on a.name = n where a.name is null`,
  assess: `select n from unnest($1::text[]) n left join assessment a on a.name = n where a.status is null or a.status = 'Draft'`,
  intent: `select n from unnest($1::text[]) n left join payment_intent i on i.name = n where i.name is null`,
  initiate: `select n from unnest($1::text[]) n left join payment_intent i on i.name = n where i.status is null or i.status = 'Pending'`,
  confirm: `select n from unnest($1::text[]) n left join payment_intent i on i.name = n left join assessment a on a.name = i.assessment
    where i.status is distinct from 'Confirmed' or a.status is distinct from 'Paid'
      or (select count(*) from payment_event e where e.intent = n) <> (select count(*) from split_rule s where s.intent = n)`,
};

/** What was acknowledged and is not there, and what was acknowledged to two requests; both are to be empty. */
export async function lostOf(
  payers: readonly Payer[],
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
  payers: readonly Payer[],
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
