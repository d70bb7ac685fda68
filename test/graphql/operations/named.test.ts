import { buildSchema, execute, parse } from 'graphql';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { describeOperations } from '../../../src/graphql/operations/describe.ts';
import { pageAt } from '../../harness/pages.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const schema = buildSchema(readFileSync(join(ROOT, 'schema.graphql'), 'utf8'));
const operations = describeOperations(schema);

/** The question and the example of its answer under each operation's heading, by its name. */
const shown = new Map(
  [...pageAt('docs/analysts.md').text.matchAll(/^#### `([\w-]+)`\n\n(.+)\n\n```json\n([\s\S]*?)```/gm)].map(
    ([, name, question, answer]) => [name!, { question, answer: JSON.parse(answer!) as unknown }],
  ),
);

/** What an operation answers where each of its fields holds what an answer holds under that field's alias. */
function answerFrom(document: string, oversight: unknown) {
  return execute({
    schema,
    document: parse(document),
    rootValue: { oversight },
    fieldResolver: (source: Record<string, unknown>, _args, _context, { path }) => source[path.key],
    typeResolver: ({ __typename }: { __typename: string }) => __typename,
  });
}

describe("the questions on the analysts' page", () => {
  it('are all the named operations, each of which can be asked without variables', () => {
    expect([...shown.keys()].toSorted()).toEqual(operations.map(({ name }) => name));
    const required = operations.flatMap(({ name, variables }) =>
      variables
        .filter((one) => one.type.endsWith('!') && one.default === undefined)
        .map((one) => `${name}: ${one.name}`),
    );
    expect(required).toEqual([]);
  });

  it.each(operations)('$name asks what it says, and its example has the fields and types of an answer', (operation) => {
    const { question, answer } = shown.get(operation.name)!;
    expect(question).toBe(operation.description);
    expect(answerFrom(operation.document, answer)).toEqual({ data: { oversight: answer } });
  });
});
