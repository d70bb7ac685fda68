import { type Sql, sql } from '../../../src/platform/database/sql.ts';
import { giveEndpoint } from '../people/accounts.ts';
import type { TestRail } from '../rail.ts';
import type { Sink } from '../sink.ts';

/** Messages that a sink accepted, some of them after a refusal. */
export interface Deliveries {
  readonly refused: ReadonlySet<string>;
  /** Times that each message was accepted. */
  readonly taken: ReadonlyMap<string, number>;
  /** The numbers of the messages of each object, as they came first. */
  readonly order: ReadonlyMap<string, number[]>;
}

/** Has a sink turn down once each message to some of its paths. */
export function refuseOnce(sink: Sink, isFailing: (path: string) => boolean): Deliveries {
  const refused = new Set<string>();
  const taken = new Map<string, number>();
  const order = new Map<string, number[]>();
  sink.answer = ({ path, json }, res) => {
    if (isFailing(path) && !refused.has(json.id)) {
      refused.add(json.id);
      return void res.writeHead(500).end();
    }
    const times = (taken.get(json.id) ?? 0) + 1;
    taken.set(json.id, times);
    if (times === 1) {
      const { name } = json.data.object;
      order.set(name, [...(order.get(name) ?? []), json.sequence]);
    }
    res.end();
  };
  return { refused, taken, order };
}

/** Opens so many accounts, `SINK-0` and so on, each with an endpoint of the sink that ends with its number. */
export async function openEndpoints(rail: TestRail, sink: Sink, count: number): Promise<void> {
  await rail.rows(sql`
    insert into integrator (code, display_name, contact_email, organisation, tier, pricing_tier, status,
      email_verified, scopes, created_at, updated_at)
    select 'SINK-' || n, 'Sink', 'sink-' || n || '@example.com', 'Sink', 'sandbox', 'free', 'Active', true, '{}',
      now(), now()
    from generate_series(0, ${count - 1}) n`);
  await giveEndpoint(rail, sql`code like 'SINK-%'`, sql`${`${sink.url}/`} || substr(code, 6)`);
}

/** Queues two messages about each of some objects; to each of so many accounts, the objects of these numbers. */
export async function queueMessages(
  rail: TestRail,
  { accounts, from, to }: { accounts: number; from: number; to: number },
): Promise<void> {
  const messages: Sql = sql`
    insert into outbox (id, type, object, sequence, integrator, payload, created_at)
    select gen_random_uuid(), 'webhook.test', 'O-' || n || '-' || o, s, 'SINK-' || n,
      jsonb_build_object('name', 'O-' || n || '-' || o), now() + (s * 1000 + o) * interval '1 ms'
    from generate_series(0, ${accounts - 1}) n, generate_series(${from}::int, ${to}::int) o,
      generate_series(1, 2) s`;
  await rail.rows(messages);
}

/** Objects whose messages did not come in their order. */
export function findDisordered({ order }: Pick<Deliveries, 'order'>): string[] {
  return [...order].flatMap(([name, sequences]) => {
    const sorted = sequences.toSorted((a, b) => a - b);
    return sorted.every((sequence, i) => sequence === sequences[i]) ? [] : [`${name}: ${sequences.join(', ')}`];
  });
}
