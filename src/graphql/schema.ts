import '../agencies/schema.ts';
import '../assessments/schema.ts';
import '../callbacks/schema.ts';
import '../catalogue/schema.ts';
import '../citizens/schema.ts';
import '../integrators/schema.ts';
import '../keys/schema.ts';
import '../logs/schema.ts';
import '../notices/schema.ts';
import '../operations/schema.ts';
import '../oversight/schema.ts';
import '../payments/schema.ts';
import '../propagation/schema.ts';
import '../reconciliation/schema.ts';
import '../sessions/schema.ts';
import '../shifts/schema.ts';
import '../shifts/supervision-schema.ts';
import '../staff/schema.ts';
import '../webhooks/schema.ts';
import { builder } from './builder.ts';

/** The whole schema. `schema.graphql` is its printed form. */
export const schema = builder.toSchema();
