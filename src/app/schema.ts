import '../collection/agencies/schema.ts';
import '../collection/anomalies/schema.ts';
import '../collection/assessments/schema.ts';
import '../collection/callbacks/schema.ts';
import '../collection/catalogue/schema.ts';
import '../collection/citizens/schema.ts';
import '../accounts/integrators/schema.ts';
import '../accounts/keys/schema.ts';
import '../accounts/requests/schema.ts';
import '../console/notices/schema.ts';
import '../console/schema.ts';
import '../oversight/schema.ts';
import '../oversight/anomalies/tally-schema.ts';
import '../oversight/cancellations/schema.ts';
import '../oversight/assessed/schema.ts';
import '../oversight/targets/schema.ts';
import '../collection/payments/schema.ts';
import '../collection/propagation/schema.ts';
import '../collection/reconciliation/schema.ts';
import '../accounts/sessions/schema.ts';
import '../counter/shifts/schema.ts';
import '../counter/supervision/schema.ts';
import '../counter/staff/schema.ts';
import '../accounts/webhooks/schema.ts';
import '../graphql/error-codes.ts';
import { builder } from '../graphql/builder.ts';

/** The whole schema. `schema.graphql` is its printed form. */
export const schema = builder.toSchema();
