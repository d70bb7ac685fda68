/** Members that describe in words alone: a change of them breaks nothing. */
export const ANNOTATIONS: readonly unknown[] = [
  'description',
  'summary',
  'title',
  'example',
  'examples',
  'externalDocs',
  'tags',
  'operationId',
];
