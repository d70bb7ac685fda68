import { type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';

/** A schema as text, in an order that does not depend on that of the code. */
export function printWholeSchema(schema: GraphQLSchema): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}
