import { type DocumentNode, Kind, concatAST, getOperationAST, isInputType, parse, typeFromAST } from 'graphql';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { loadEndpoints } from '../../../rest/load.ts';
import { schema as original } from '../../../src/app/schema.ts';
import { countCompiledFields } from '../../../src/graphql/compiled/execute.ts';
import { namedOperations } from '../../../src/graphql/operations/named.ts';
import { readPageDocuments } from '../../../src/site/operations/documents.ts';
import { sizeOf } from '../../harness/chaos/size.ts';
import { findDifferences } from './both.ts';
import { schema } from './mocked.ts';
import { RandomOperation } from './random.ts';

/** Runs of each operation, with variables and answers of their own. */
const RUNS = sizeOf({ fast: 2, long: 50 });

/** The operations of a document, each alone with its fragments, without what says how it is published. */
function operationsOf(document: DocumentNode): DocumentNode[] {
  const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  return document.definitions
    .filter((node) => node.kind === Kind.OPERATION_DEFINITION)
    .map((node) => concatAST([{ kind: Kind.DOCUMENT, definitions: [{ ...node, directives: [] }, ...fragments] }]));
}

const layout = parse(readFileSync(new URL('../../../src/site/frame/layout.graphql', import.meta.url), 'utf8'));
const OWN: Readonly<Record<string, readonly DocumentNode[]>> = {
  REST: loadEndpoints(original).endpoints.map(({ prepared }) => prepared.document),
  pages: [...readPageDocuments(original).values(), layout].flatMap(operationsOf),
  'named operations': [...namedOperations.values()].map((text) => parse(text)),
};

/** Values for the variables of an operation: every other time such as fit. */
function variablesFor(document: DocumentNode, seed: number): Record<string, unknown> {
  // Numbers that follow from the seed, and differ for each operation and run.
  const tape = Uint8Array.from({ length: 500 }, (_, at) => (Math.imul(at + 1, 2_654_435_761 + seed * 2) >>> 11) & 255);
  const made = new RandomOperation(tape, seed % 2 === 0);
  const variables = getOperationAST(document)!.variableDefinitions ?? [];
  const entries = variables.map(({ variable, type: node, defaultValue }) => {
    const type = typeFromAST(schema, node);
    if (!isInputType(type)) throw new Error(`$${variable.name.value} has no type of an input`);
    return [variable.name.value, made.jsonOf(type, defaultValue !== undefined)] as const;
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

it.each(Object.entries(OWN))('operations of %s are answered as by graphql-js', async (_of, documents) => {
  expect(documents.length).toBeGreaterThan(30);
  const differences: string[] = [];
  const left = new Set<string>();
  for (const [index, document] of documents.entries()) {
    const name = getOperationAST(document)?.name?.value ?? '';
    for (let run = 0; run < RUNS; run++) {
      const seed = index * RUNS + run;
      const asked = { document, variableValues: variablesFor(document, seed) };
      for (const difference of await findDifferences(asked, seed)) differences.push(`${name}: ${difference}`);
    }
    if (countCompiledFields(document) === 0) left.add(name);
  }
  expect(differences).toEqual([]);
  expect([...left]).toEqual([]);
});
