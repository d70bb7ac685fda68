export { type Client, type PollOptions, createClient } from './client.ts';
export { RailError } from './errors.ts';
export type { List } from './lists.ts';
export type { CallOptions, ClientOptions } from './send.ts';
export type { EventFilter, EventType, Field, RailEvent, Reason, Schemas } from './types.ts';
export { webhooks } from './webhooks.ts';
