import { type DocumentNode, type GraphQLSchema, parse } from 'graphql';
import { describeOperations } from '../../../graphql/operations/describe.ts';
import { themeOf } from '../../../graphql/operations/named.ts';
import { oncePerSchema } from '../../../graphql/prepared.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { say } from '../../../kernel/text/said.ts';
import { findOperations } from '../../operations/documents.ts';
import { type Operation, prepare } from '../../operations/prepare.ts';

/** A question that somebody may ask by its name: an operation that dashboards ask for, too. */
export interface Question {
  readonly name: string;
  readonly theme: string;
  readonly about: string;
  readonly text: string;
  readonly variables: ReturnType<typeof describeOperations>[number]['variables'];
  readonly document: DocumentNode;
  readonly operation: Operation;
}

/** The themes of questions, in their order. */
export const THEMES = ['revenue', 'collections', 'audit', 'anomalies'] as const;

/** All questions, in the order of their names. */
export const listQuestions = oncePerSchema((schema: GraphQLSchema): readonly Question[] =>
  describeOperations(schema).map(({ name, description, document: text, variables }) => {
    const document = parse(text);
    const operation = prepare(schema, document, findOperations(document)[0]!);
    return { name, theme: themeOf.get(name)!, about: description, text, variables, document, operation };
  }),
);

export function getQuestion(schema: GraphQLSchema, name: unknown): Question {
  const found = listQuestions(schema).find((one) => one.name === name);
  if (!found) throw new Refusal('not_found', say`There is no page at this address`);
  return found;
}
