import { builder } from './builder.ts';
import { shape } from './input/shapes.ts';

/** The arguments that every list takes. */
export function pageArgs(defaultLimit: number, mostRows: number) {
  return {
    start: builder.args((t) => ({
      start: t.int({
        required: true,
        defaultValue: 0,
        description: 'The number of rows to skip.',
        ...shape({ minimum: 0 }),
      }),
    })).start,
    limit: builder.args((t) => ({
      limit: t.int({
        required: true,
        defaultValue: defaultLimit,
        description: `The number of rows to return, 1 to ${mostRows}.`,
        ...shape({ minimum: 1, maximum: mostRows }),
      }),
    })).limit,
    after: builder.args((t) => ({
      after: t.id({
        description: 'Return the rows after the row with this name. Faster than `start` on long lists.',
      }),
    })).after,
  };
}
