import { lexicographicSortSchema, printSchema } from 'graphql';
import { writeFileSync } from 'node:fs';
import { schema } from '../schema.ts';

/** The schema as `schema.graphql` holds it. */
export function printedSchema(): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}

if (import.meta.main) writeFileSync(new URL('../../../schema.graphql', import.meta.url), printedSchema());
