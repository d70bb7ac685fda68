import { type GraphQLSchema, execute } from 'graphql';
import type { Call } from '../src/platform/call/call.ts';
import type { Endpoint } from './load.ts';

export type Variables = Readonly<Record<string, unknown>>;

/** The result of an operation's root field. */
export async function resultOf(schema: GraphQLSchema, { document }: Endpoint, call: Call, variableValues: Variables): Promise<unknown> {
  const { data, errors } = await execute({ schema, document, contextValue: call, variableValues });
  if (errors?.[0]) throw errors[0];
  return data!['data'];
}

/** The part of a result that is answered. */
export function answerOf(result: unknown, { answers }: Pick<Endpoint, 'answers'>): unknown {
  return answers.reduce((value, name) => (value as Record<string, unknown>)[name], result);
}
