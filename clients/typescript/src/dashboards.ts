import { bodyOf, refusalOf } from './errors.ts';
import type { Operations } from './operations.ts';
import { type CallOptions, type ClientOptions, send } from './send.ts';

type Name = keyof Operations;
type Given<Named extends Name> = { readonly variables?: Operations[Named]['variables'] } & CallOptions;

/** Asks a named operation, or one that was registered, as dashboards do. */
export interface Dashboards {
  /** Answer of an operation of the rail: `rail.operations.run('revenue-by-month', { variables: { … } })`. */
  run<Named extends Name>(name: Named, asked?: Given<Named>): Promise<Operations[Named]['answer']>;
  /** Answer of one's own operation, which types do not check. */
  runOwn(name: string, asked?: { readonly variables?: object } & CallOptions): Promise<unknown>;
}

export function dashboardsOf(client: ClientOptions): Dashboards {
  const run = (name: string, { variables, ...options }: { readonly variables?: object } & CallOptions = {}) => {
    const query = { operation: name, ...(variables && { variables: JSON.stringify(variables) }) };
    return send(client, 'GET', '/graphql', { ...options, query }, async (response) => {
      const body = await bodyOf(response);
      const { data = null } = (body ?? {}) as { readonly data?: object | null };
      // A part that fails alone is null in the answer. If all of it failed, there is no answer.
      if (data === null) throw refusalOf(response, body);
      return data;
    });
  };
  return { run: run as Dashboards['run'], runOwn: run };
}
