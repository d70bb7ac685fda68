import { type GraphQLSchema, parse } from 'graphql';
import { describeOperations } from '../../../graphql/operations/describe.ts';
import { themeOf } from '../../../graphql/operations/named.ts';
import { oncePerSchema } from '../../../graphql/prepared.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { say } from '../../../kernel/text/said.ts';
import type { PageContext } from '../../page-context.ts';
import { findOperations } from '../../operations/documents.ts';
import { readFields, refuseUnknown } from '../../operations/fields.ts';
import { prepare } from '../../operations/prepare.ts';
import { tablesOf } from './tables.ts';

/** The themes of questions, in their order. */
export const THEMES = ['revenue', 'collections', 'audit', 'anomalies'] as const;

/** All questions that may be asked by their names, in the order of these: operations that dashboards ask for, too. */
export const listQuestions = oncePerSchema((schema: GraphQLSchema) =>
  describeOperations(schema).map(({ name, description, document: text, variables }) => {
    const document = parse(text);
    const operation = prepare(schema, document, findOperations(document)[0]!);
    return { name, theme: themeOf.get(name)!, about: description, text, variables, document, operation };
  }),
);

export type Question = ReturnType<typeof listQuestions>[number];

export function getQuestion(schema: GraphQLSchema, name: unknown): Question {
  const found = listQuestions(schema).find((one) => one.name === name);
  if (!found) throw new Refusal('not_found', say`There is no page at this address`);
  return found;
}

/** Answer to a question. */
export type Asked = Awaited<ReturnType<typeof askQuestion>>;

type Asking = Pick<PageContext, 'call' | 'schema' | 'query' | 'texts'>;

/** Asks a question as the address of a page has it. */
export async function askQuestion({ call, schema, query, texts }: Asking, name: unknown) {
  const { operation, variables: asked, document } = getQuestion(schema, name);
  const variables = readFields(operation.fields, Object.fromEntries(filledIn(asked, query)));
  refuseUnknown(operation.fields, variables);
  const answer = await operation.run(call, variables, texts.language);
  return { variables, tables: tablesOf(schema, document, answer) };
}

/** The variables that the form of a question fills in: what is a list, with commas. */
const filledIn = (variables: Question['variables'], query: URLSearchParams) =>
  variables.flatMap(({ name, type }): [string, string | string[]][] => {
    const text = query.get(name);
    if (!text) return [];
    return [[name, type.startsWith('[') ? text.split(',').map((one) => one.trim()) : text]];
  });

/** A table of an answer: the one of a name, or its first. */
export async function findTable(context: Asking, question: unknown, name: string | null) {
  const { tables } = await askQuestion(context, question);
  const found = tables.find((table) => name === null || table.name === name);
  if (!found) throw new Refusal('not_found', 'There is no such table on this page');
  const names = found.columns.map(({ path }) => path);
  return { name: found.name, names, rows: found.rows.map((row) => names.map((path) => row[path])) };
}
