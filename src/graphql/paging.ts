import { builder } from './builder.ts';

/** The arguments that every list takes. */
export function pageArgs(defaultLimit: number, mostRows: number) {
  return {
    start: builder.args((t) => ({ start: t.int({ required: true, defaultValue: 0, description: 'How many rows to skip.' }) })).start,
    limit: builder.args((t) => ({
      limit: t.int({ required: true, defaultValue: defaultLimit, description: `How many rows to answer, 1 to ${mostRows}.` }),
    })).limit,
    after: builder.args((t) => ({
      after: t.id({
        description: 'The rows that follow the row of this name in the order of the list, at a cost that does not grow with depth.',
      }),
    })).after,
  };
}
