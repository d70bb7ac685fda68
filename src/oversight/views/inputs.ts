import { shape } from '../../graphql/input/shapes.ts';

/** Name that its owner gives a page or a chart. */
export const viewName = {
  required: true,
  description: 'Name to give it.',
  ...shape({ minLength: 1, maxLength: 120, examples: ['Revenue by agency'] }),
} as const;

/** The address of a page of figures. */
export const pageAddress = {
  required: true,
  description: 'The path and query of a page below `/agency` or `/oversight`.',
  ...shape({ maxLength: 1_000, pattern: String.raw`^/(?![/\\])[\x21-\x7e]*$`, examples: ['/agency'] }),
} as const;
