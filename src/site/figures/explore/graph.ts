import { fieldOf, namingOf } from './names.ts';
import { type Question, listVariables } from './question.ts';

/** The types of the variables of a question. */
const TYPES: Readonly<Record<string, string>> = {
  by: '[FigureDimension!]!',
  measures: '[FigureMeasure!]!',
  preset: 'SpanPreset',
  fromDate: 'Date',
  toDate: 'Date',
  slice: 'SliceInput',
  timeZone: 'OversightTimeZone!',
  orderBy: '[FigureOrderInput!]!',
};

/** A question as others ask it of the graph: an operation of its own, with its variables. */
export function writeOperation(question: Question): { readonly operation: string; readonly variables: string } {
  const variables = listVariables(question);
  const names = Object.keys(variables);
  const by = variables['by'] as readonly string[];
  const fields = [
    ...new Set([...by.flatMap((name) => [fieldOf(name), ...namingOf(name)]), 'currency', ...question.measures]),
  ];
  const lines = [
    `query Explore(${names.map((name) => `$${name}: ${TYPES[name]}`).join(', ')}) {`,
    '  oversight {',
    '    asOf',
    '    figureRecords(',
    ...names.map((name) => `      ${name}: $${name}`),
    '      first: 10000',
    '    ) {',
    '      totalCount',
    '      nodes {',
    ...[...fields, 'hidden'].map((field) => `        ${field}`),
    '      }',
    '    }',
    '  }',
    '}',
  ];
  return { operation: lines.join('\n'), variables: JSON.stringify(variables, null, 2) };
}
