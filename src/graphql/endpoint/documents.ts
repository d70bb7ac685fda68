import type { DocumentNode, ExecutionArgs } from 'graphql';
import type { GraphQLParams, YogaServerOptions } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';
import { countCompiledFields } from '../compiled/execute.ts';

type Caches = Exclude<YogaServerOptions<object, object>['parserAndValidationCache'], boolean | undefined>;

/** Most bytes of all documents that are kept, as `weigh` reckons. */
const MOST_BYTES = 48 * 1024 * 1024;
/** Longest document that is kept; longer ones are answered, and read again each time. */
export const MOST_CHARACTERS = 16 * 1024;

/** Least bytes of a document, with its known prices and variables. */
const LEAST_BYTES = 16 * 1024;
/** Bytes of a token, with its part of the parsed tree. */
const TOKEN_BYTES = 512;
/** Bytes of a compiled field. */
const FIELD_BYTES = 1_280;

interface Kept {
  readonly document: DocumentNode;
  /** Number of compiled fields of its operations. */
  readonly fields: number;
}

/**
 * Documents as they were parsed, by their text, with all that is known of them: whether they are valid, what they cost,
 * what they do. They are bounded by the memory that they take, since anybody may send them, and only those are kept that
 * were run: what is refused for its form or its cost leaves nothing.
 */
export class Documents {
  readonly #kept = new LRUCache<string, Kept>({ maxSize: MOST_BYTES, sizeCalculation: weigh });

  /** Caches that the server asks for documents before it parses them. It keeps none itself, nor any error. */
  readonly caches: Caches = {
    documentCache: { get: (text: string) => this.#kept.get(text)?.document, set: () => {} },
    errorCache: { get: () => undefined, set: () => {} },
  };

  /** Keeps the document of an operation that was run, and weighs it again where more of it was compiled. */
  readonly keep = ({ document, contextValue }: ExecutionArgs): void => {
    const { query } = (contextValue as { readonly params: GraphQLParams }).params;
    if (!query || query.length > MOST_CHARACTERS) return;
    const fields = countCompiledFields(document);
    const known = this.#kept.get(query);
    if (known?.document !== document || known.fields !== fields) this.#kept.set(query, { document, fields });
  };
}

function weigh({ document: { tokenCount = 0 }, fields }: Kept, text: string): number {
  return LEAST_BYTES + 2 * text.length + TOKEN_BYTES * tokenCount + FIELD_BYTES * fields;
}
