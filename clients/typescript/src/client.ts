import { type Calls, callsOf } from './calls.ts';
import { type Dashboards, dashboardsOf } from './dashboards.ts';
import { type Resources, resourcesOf } from './resources.ts';
import type { CallOptions, ClientOptions } from './send.ts';
import type { EventFilter, EventOf, RailEvent } from './types.ts';
import { webhooks } from './webhooks.ts';

export interface PollOptions<Filter extends EventFilter = EventFilter> extends CallOptions {
  /** The `id` of the last event that was dealt with; from the first of the last 90 days on if there is none. */
  readonly after?: string | undefined;
  /** Their types, or beginnings of these: `payment_intent.*`. All if there are none. */
  readonly types?: readonly Filter[] | undefined;
  /** The seconds that a request waits for events, at most 25. With 0, polling ends where there are no more. */
  readonly wait?: number | undefined;
  /** The events that a request answers at most. */
  readonly limit?: number | undefined;
}

/** Time for a request beyond that for which the rail waits. */
const MARGIN_MS = 10_000;

/** It calls any path of the description, and has functions for what integrators do most. */
export interface Client extends Calls, Resources {
  readonly events: {
    /** Events as they happen, oldest first: `for await (const event of rail.events.poll())`. */
    poll<Filter extends EventFilter>(options?: PollOptions<Filter>): AsyncIterable<EventOf<Filter>>;
    get(id: string, options?: CallOptions): Promise<RailEvent>;
  };
  readonly webhooks: typeof webhooks;
  readonly operations: Dashboards;
}

/** A client of a rail. */
export function createClient(options: ClientOptions): Client {
  const calls = callsOf(options);

  async function* poll<Filter extends EventFilter>({
    after,
    types,
    wait = 25,
    limit,
    ...others
  }: PollOptions<Filter> = {}): AsyncGenerator<EventOf<Filter>> {
    for (let last = after; ;) {
      const input = { timeoutMs: wait * 1_000 + MARGIN_MS, ...others, query: { after: last, types, wait, limit } };
      const events = (await calls.request('GET', '/v1/events', input)) as EventOf<Filter>[];
      for (const event of events) {
        yield event;
        last = event.id;
      }
      if (wait === 0 && events.length === 0) return;
    }
  }

  const get = (id: string, call: CallOptions = {}) =>
    calls.get('/v1/events/{id}', { path: { id }, ...call }) as Promise<RailEvent>;

  return { ...calls, ...resourcesOf(calls), events: { poll, get }, webhooks, operations: dashboardsOf(options) };
}
