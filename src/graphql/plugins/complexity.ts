import { type ComplexityErrorFn, complexityFromQuery } from '@pothos/plugin-complexity';
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLResolveInfo,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { Refusal } from '../../kernel/refusal.ts';

/** Refuses an operation that is beyond the bounds; where it costs too much, with the list that may have fewer rows. */
export const refuseBeyond: ComplexityErrorFn = (kind, result, info) => {
  const [name, asked, most] = {
    Complexity: ['complexity', result.complexity, result.maxComplexity] as const,
    Depth: ['depth', result.depth, result.maxDepth] as const,
    Breadth: ['breadth', result.breadth, result.maxBreadth] as const,
  }[kind];
  const advice = kind === 'Complexity' ? `. ${adviceFor(info, most!)}` : '';
  const message = `Query exceeds maximum ${name} (${name}: ${asked}, max: ${most})${advice}`;
  return new Refusal('validation_failed', message);
};

const known = new WeakMap<OperationDefinitionNode, { readonly values: object; readonly advice: string }>();

/** Is worked out once, though each field of the root is refused. */
function adviceFor(info: GraphQLResolveInfo, most: number): string {
  const { operation, variableValues: values } = info;
  const before = known.get(operation);
  if (before?.values === values) return before.advice;
  const advice = advise(info, most);
  known.set(operation, { values, advice });
  return advice;
}

/** Most lists that are tried: as many as an operation written by people has. */
const MOST_TRIED = 30;

/**
 * Tries each list with fewer rows. Best is one with which alone the operation may be asked, then one that was asked for
 * without a number, then the dearest.
 */
function advise({ schema, operation, fragments, variableValues }: GraphQLResolveInfo, most: number): string {
  const document: DocumentNode = { kind: Kind.DOCUMENT, definitions: [operation, ...Object.values(fragments)] };
  const variables = Object.fromEntries(
    Object.entries(variableValues.sources).map(([name, { value }]) => [name, value]),
  );
  const priceWith = (list: FieldNode, first: number) => {
    const changed = visit(document, { Field: (node) => (node === list ? withFirst(node, first) : undefined) });
    return complexityFromQuery(changed, { schema, variables }).complexity;
  };
  const [best] = listsOf(schema, document)
    .slice(0, MOST_TRIED)
    .map((list) => {
      const least = priceWith(list, 1);
      const row = priceWith(list, 2) - least;
      return { list, least, fitting: Math.floor((most - least) / row) + 1 };
    })
    .toSorted(
      (a, b) =>
        Number(b.fitting > 0) - Number(a.fitting > 0) ||
        Number(saysRows(a.list)) - Number(saysRows(b.list)) ||
        a.least - b.least,
    );
  if (!best) return 'Ask for fewer fields';
  const { list, least, fitting } = best;
  const name = list.name.value;
  return fitting > 0
    ? `Give \`${name}\` \`first: ${fitting}\` or less`
    : `Give each list \`first\`: with \`first: 1\` of \`${name}\` alone, it is ${least}`;
}

/** The lists of a document that can be asked for with a number of rows. */
function listsOf(schema: GraphQLResolveInfo['schema'], document: DocumentNode): FieldNode[] {
  const lists: FieldNode[] = [];
  const types = new TypeInfo(schema);
  const noting = visitWithTypeInfo(types, {
    Field(node) {
      if (types.getFieldDef()?.args.some(({ name }) => name === 'first')) lists.push(node);
    },
  });
  visit(document, noting);
  return lists;
}

const ROWS = ['first', 'last'];

const saysRows = ({ arguments: given = [] }: FieldNode) => given.some(({ name }) => ROWS.includes(name.value));

function withFirst(list: FieldNode, first: number): FieldNode {
  const others = (list.arguments ?? []).filter(({ name }) => !ROWS.includes(name.value));
  const value = { kind: Kind.INT, value: String(first) } as const;
  const name = { kind: Kind.NAME, value: 'first' } as const;
  return { ...list, arguments: [...others, { kind: Kind.ARGUMENT, name, value }] };
}
