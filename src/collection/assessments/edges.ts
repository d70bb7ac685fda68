import type { GraphQLResolveInfo } from 'graphql';
import { needs } from '../../graphql/builder.ts';
import { follow, followIfAny } from '../../graphql/graph/edge.ts';
import type { Call } from '../../platform/call/call.ts';
import { assessmentLoader } from './find.ts';

/** The assessment of a record that names it, for those who may read assessments. */
export function assessmentField(description: string) {
  return {
    type: 'Assessment',
    description: `${description} Scope \`assessments.read\`.`,
    ...needs('assessments.read', { alone: true }),
    resolve: ({ assessment }: { readonly assessment: string }, _args: object, call: Call, info: GraphQLResolveInfo) =>
      follow(call, info, assessmentLoader, assessment),
  } as const;
}

/** The same of a record that may have none. */
export function assessmentFieldIfAny(description: string) {
  return {
    ...assessmentField(description),
    nullable: true,
    resolve: (
      { assessment }: { readonly assessment: string | null },
      _args: object,
      call: Call,
      info: GraphQLResolveInfo,
    ) => followIfAny(call, info, assessmentLoader, assessment),
  } as const;
}
