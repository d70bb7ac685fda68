import { type FragmentDefinitionNode, type GraphQLSchema, Kind, isObjectType, parse } from 'graphql';

/** Names of a fragment's members: those of the schema, or of columns of a table, `success_rate`. */
export type MemberNames = 'fields' | 'columns';

const SUFFIX = { fields: 'Fields', columns: 'Columns' } as const satisfies Record<MemberNames, string>;

/**
 * A fragment of all fields that a type has, so that a field which is added is answered where all of them are:
 * `FigureRecordFields`, or `FigureRecordColumns`. With `marked`, each has that directive.
 */
export function fragmentOfAll(
  schema: GraphQLSchema,
  typename: string,
  names: MemberNames,
  marked = '',
): FragmentDefinitionNode {
  const type = schema.getType(typename);
  if (!isObjectType(type)) throw new Error(`${typename} is no type of objects`);
  const members = Object.keys(type.getFields()).map((field) => {
    const column = field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return `${names === 'columns' && column !== field ? `${column}: ` : ''}${field} ${marked}`;
  });
  const [fragment] = parse(`fragment ${typename}${SUFFIX[names]} on ${typename} { ${members.join(' ')} }`).definitions;
  if (fragment?.kind !== Kind.FRAGMENT_DEFINITION) throw new Error(`${typename} has no fields`);
  return fragment;
}
