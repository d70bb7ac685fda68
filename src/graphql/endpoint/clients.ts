import { GraphQLError } from 'graphql';
import type { IncomingMessage } from 'node:http';
import type { Plugin } from 'graphql-yoga';
import Negotiator from 'negotiator';
import type { Call } from '../../platform/call/call.ts';
import { Refusal, statusOf } from '../../kernel/refusal.ts';

/** The `Accept` header of a client that accepts none of the endpoint's types. */
export const ACCEPTABLE =
  'Operations are available as application/json or application/graphql-response+json, subscriptions as text/event-stream; accept one of these';

interface Asking {
  readonly call: Call;
  readonly request: Request;
}

/**
 * Refuses, before anything is run, what accepts nothing that the rail answers. A page is what browsers ask for, by GET
 * alone.
 */
export function refuseUnacceptable(request: IncomingMessage): void {
  const offered = request.method === 'GET' ? [...MEDIA_TYPES, 'text/html'] : MEDIA_TYPES;
  if (new Negotiator(request).mediaTypes(offered).length === 0) throw new Refusal('not_acceptable', ACCEPTABLE);
}

const MEDIA_TYPES = ['application/json', 'application/graphql-response+json', 'text/event-stream'];

/** Tells clients whose protocols the rail does not speak what it does speak, in the form that they wait for. */
export const clientProtocols: Plugin<Asking> = {
  onRequestParse({ requestParser, setRequestParser }) {
    if (!requestParser) return;
    setRequestParser(async (request) => {
      try {
        return takeKnown(await requestParser(request));
      } catch (error) {
        // Malformed JSON in the query string.
        throw error instanceof SyntaxError ? refuseUnreadable() : error;
      }
    });
  },
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

const KNOWN = ['query', 'operationName', 'variables', 'extensions'];

/**
 * Members of a request's body that the protocol knows: clients send others, as in REST, and an empty name for an
 * operation without one.
 */
function takeKnown<Parsed>(parsed: Parsed): Parsed {
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed) || parsed instanceof Response)
    return parsed;
  const known = Object.entries(parsed).filter(
    ([member, value]) => KNOWN.includes(member) && !(member === 'operationName' && value === ''),
  );
  return Object.fromEntries(known) as Parsed;
}

function refuseUnreadable(): GraphQLError {
  const code = 'malformed_request';
  return new GraphQLError('The variables or extensions of the address are not valid JSON', {
    extensions: { code, http: { status: statusOf[code] } },
  });
}
