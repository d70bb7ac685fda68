import { builder } from './builder.ts';
import { shape } from './input/shapes.ts';

/** The arguments that every list takes. */
export function pageArgs(defaultLimit: number, mostRows: number) {
  return {
    start: builder.args((t) => ({
      start: t.int({ required: true, defaultValue: 0, description: 'How many rows to skip.', ...shape({ minimum: 0 }) }),
    })).start,
    limit: builder.args((t) => ({
      limit: t.int({
        required: true,
        defaultValue: defaultLimit,
        description: `How many rows to answer, 1 to ${mostRows}.`,
        ...shape({ minimum: 1, maximum: mostRows }),
      }),
    })).limit,
    after: builder.args((t) => ({
      after: t.id({
        description: 'The rows that follow the row of this name in the order of the list, at a cost that does not grow with depth.',
      }),
    })).after,
  };
}
