import type { GraphQLResolveInfo } from 'graphql';
import { follow } from '../../graphql/graph/edge.ts';
import type { Call } from '../../platform/call/call.ts';
import { agencyLoader } from './find.ts';

/** The agency of a record that names it by `mda`. */
export function agencyField(description: string) {
  return {
    type: 'Agency',
    description,
    resolve: ({ mda }: { readonly mda: string }, _args: object, call: Call, info: GraphQLResolveInfo) =>
      follow(call, info, agencyLoader, mda),
  } as const;
}
