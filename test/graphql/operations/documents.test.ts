import { type DocumentNode, type GraphQLSchema, Kind, extendSchema, parse, validate } from 'graphql';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { fragmentsOf, readDirectives, readOperations } from '../../../rest/documents.ts';
import { loadEndpoints } from '../../../rest/load.ts';
import { schema } from '../../../src/app/schema.ts';
import { readDirectives as readDirectivesOfPages, readPageDocuments } from '../../../src/site/operations/documents.ts';

/** Mistakes in documents, by file. The server's start does not look for them. */
function findMistakes(extended: GraphQLSchema, documents: Iterable<readonly [string, DocumentNode]>) {
  return [...documents].flatMap(([file, document]) =>
    validate(extended, document).map(({ message }) => `${file}: ${message}`),
  );
}

it('documents of REST fit the schema', () => {
  const { fragments } = loadEndpoints(schema);
  const documents = readOperations().map(({ file, operation }): [string, DocumentNode] => [
    file,
    { kind: Kind.DOCUMENT, definitions: [operation, ...fragmentsOf(operation, fragments)] },
  ]);
  expect(documents.length).toBeGreaterThan(100);
  expect(findMistakes(extendSchema(schema, readDirectives()), documents)).toEqual([]);
});

it('documents of pages fit the schema', () => {
  const layout = new URL('../../../src/site/frame/layout.graphql', import.meta.url);
  const documents = [...readPageDocuments(schema), ['layout', parse(readFileSync(layout, 'utf8'))] as const];
  expect(documents.length).toBeGreaterThan(100);
  expect(findMistakes(extendSchema(schema, readDirectivesOfPages()), documents)).toEqual([]);
});
