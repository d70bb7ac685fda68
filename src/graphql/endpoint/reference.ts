import { Router } from 'express';
import type { GraphQLSchema } from 'graphql';
import { serveFixed } from '../../platform/call/fixed.ts';
import { describeOperations } from '../operations/describe.ts';
import { printWholeSchema } from '../printed.ts';

/**
 * Serves programs that prepare queries: the schema as text, for tools that make types and check operations, and the
 * operations that are known by name. It is the same for everybody, in live mode too, where introspection is for those
 * who may read oversight.
 */
export function graphqlReference(schema: GraphQLSchema): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get(
    '/graphql/schema.graphql',
    serveFixed('application/graphql; charset=utf-8', () => printWholeSchema(schema)),
  );
  router.get(
    '/graphql/operations',
    serveFixed('application/json; charset=utf-8', () => JSON.stringify({ data: describeOperations(schema) })),
  );
  return router;
}
