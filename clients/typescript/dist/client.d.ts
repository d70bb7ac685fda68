import { type Calls } from './calls.ts';
import { type Dashboards } from './dashboards.ts';
import { type Resources } from './resources.ts';
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
export declare function createClient(options: ClientOptions): Client;
