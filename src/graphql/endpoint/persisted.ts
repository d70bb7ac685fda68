import { useAPQ } from '@graphql-yoga/plugin-apq';
import { type ExecutionArgs, OperationTypeNode, getOperationAST } from 'graphql';
import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { type Inbound } from '../../platform/call/requests.ts';
import { fingerprintOf } from '../../platform/change/idempotency.ts';
import { MOST_CHARACTERS } from './documents.ts';
import type { Replayable } from './once.ts';

/** More than the pages of some hundred dashboards ask. */
const MOST_BYTES = 8 * 1024 * 1024;

/** Parts of a request beyond its hash, before the text is found. */
export interface Sent {
  fingerprint: Replayable['fingerprint'];
  readonly inbound: Pick<Inbound, 'changes'>;
}

/**
 * Automatic persisted queries: a client sends the hash of a text that the process has seen, and the text where it has
 * not. The text is then held to all that it would be held to if it were sent; one that is refused for its form or its
 * cost is not kept.
 */
export class PersistedQueries {
  /** By hash; without an end but that of those that are asked least recently. */
  readonly #kept = new LRUCache<string, string>({
    maxSize: MOST_BYTES,
    sizeCalculation: (query, hash) => 2 * (query.length + hash.length),
  });

  /**
   * Finds the text of a hash, and holds a text to the hash that it comes with. What was sent is not yet kept: it may be
   * refused.
   */
  readonly plugin: Plugin = useAPQ({
    store: { get: (hash) => this.#kept.get(hash), set: () => {} },
    // As Apollo's own servers have it: the client then sends the whole text.
    responseConfig: { forceStatusCodeOk: true },
  });

  /** Keeps the text of an operation that is run, where its client goes by hashes. */
  readonly keep = ({ contextValue }: ExecutionArgs): void => {
    const { query, extensions } = paramsOf(contextValue);
    const hash = hashOf(extensions);
    if (hash === null || !query || query.length > MOST_CHARACTERS || this.#kept.get(hash) === query) return;
    // Under its own hash and no other: who claims one in a form that the plugin does not know is not held to it.
    this.#kept.set(createHash('sha256').update(query).digest('hex'), query);
  };
}

/**
 * Learns from the operation that is run what the bytes of its request cannot tell: whether it changes something, and,
 * under an `Idempotency-Key`, that the hash of a text and the text itself are one request.
 */
export const asSent: Plugin = {
  onExecute({ args }) {
    const sent = args.contextValue as unknown as Sent;
    if (getOperationAST(args.document, args.operationName)?.operation !== OperationTypeNode.MUTATION) return;
    sent.inbound.changes = true;
    const { query, operationName, variables, extensions } = paramsOf(args.contextValue);
    if (hashOf(extensions) === null) return;
    sent.fingerprint = fingerprintOf(
      'POST',
      '/graphql',
      Buffer.from(JSON.stringify([query, operationName, variables])),
    );
  },
};

function paramsOf(context: unknown): GraphQLParams {
  return (context as { readonly params: GraphQLParams }).params;
}

function hashOf(extensions: GraphQLParams['extensions']): string | null {
  const hash: unknown = extensions?.['persistedQuery']?.sha256Hash;
  return typeof hash === 'string' ? hash : null;
}
