import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Call } from '../../platform/call/call.ts';
import { statusOf } from '../../kernel/refusal.ts';

/** What a client may accept, for one that accepts nothing of it. */
export const ACCEPTABLE =
  'Operations are available as application/json or application/graphql-response+json, subscriptions as text/event-stream; accept one of these';

interface Asking {
  readonly call: Call;
  readonly request: Request;
}

/** Tells clients whose protocols the rail does not speak what it does speak, in the form that they wait for. */
export const clientProtocols: Plugin<Asking> = {
  onParams({ params: { query, extensions } }) {
    if (query != null || extensions?.['persistedQuery'] === undefined) return;
    // Persisted in another way than by version 1. With 200, as Apollo's own servers have it: the client then sends the
    // whole text.
    throw new GraphQLError('PersistedQueryNotSupported', {
      extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED', http: { status: 200 } },
    });
  },
  onSubscribe({ args }) {
    const { request } = args.contextValue as unknown as Asking;
    const accepted = request.headers.get('accept') ?? '';
    if (accepted === '' || /text\/(event-stream|\*)|\*\/\*/.test(accepted)) return;
    throw new GraphQLError(ACCEPTABLE, {
      extensions: { code: 'not_acceptable', http: { status: statusOf.not_acceptable } },
    });
  },
};
