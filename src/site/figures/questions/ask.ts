import type { PageContext } from '../../page-context.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { readFields, refuseUnknown } from '../../operations/fields.ts';
import { type Question, getQuestion } from './questions.ts';
import { type Table, tablesOf } from './tables.ts';

/** What a question was answered. */
export interface Asked {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly tables: readonly Table[];
}

type Asking = Pick<PageContext, 'call' | 'schema' | 'query' | 'texts'>;

/** The variables of a question as its form fills them in: what is a list, with commas. */
function readVariables({ operation: { fields }, variables }: Question, query: URLSearchParams): Asked['variables'] {
  const filled = variables
    .filter(({ name }) => query.get(name))
    .map(({ name, type }) => {
      const text = query.get(name)!;
      return [name, type.startsWith('[') ? text.split(',').map((one) => one.trim()) : text];
    });
  const read = readFields(fields, Object.fromEntries(filled));
  refuseUnknown(fields, read);
  return read;
}

/** Asks a question as the address of a page has it. */
export async function askQuestion({ call, schema, query, texts }: Asking, name: unknown): Promise<Asked> {
  const question = getQuestion(schema, name);
  const variables = readVariables(question, query);
  const answer = await question.operation.run(call, variables, texts.language);
  return { variables, tables: tablesOf(schema, question.document, answer) };
}

/** A table of an answer: the one of a name, or its first. */
export async function findTable(context: Asking, question: unknown, name: string | null) {
  const { tables } = await askQuestion(context, question);
  const found = tables.find((table) => name === null || table.name === name);
  if (!found) throw new Refusal('not_found', 'There is no such table on this page');
  const names = found.columns.map(({ path }) => path);
  return { name: found.name, names, rows: found.rows.map((row) => names.map((path) => row[path])) };
}
