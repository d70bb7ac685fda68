import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  getNamedType,
  isAbstractType,
  isEnumType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { schema } from '../../../src/app/schema.ts';
import type { Viewer } from '../../../src/platform/access/viewer.ts';
import { isOpenTo } from '../../harness/schema/walk.ts';

/** Depth of values within each other that are no records: a payment's trace has lines, a list has nodes. */
const DEEP = 4;

const typesAt = (type: GraphQLNamedType): readonly GraphQLObjectType[] =>
  (isAbstractType(type) ? schema.getPossibleTypes(type) : [type]).filter(isObjectType);

const isRecord = (type: GraphQLNamedType): boolean => {
  const [first] = typesAt(type);
  return first !== undefined && first.getInterfaces().some(({ name }) => name === 'Node');
};

/** Groups, where a field asks for them. */
function argumentsOf({ args }: GraphQLField<unknown, unknown>): string {
  const grouped = args.flatMap(({ name, type }) => {
    const of = getNamedType(type);
    return name === 'groupBy' && isEnumType(of) ? [`groupBy: [${of.getValues()[0]!.name}]`] : [];
  });
  return grouped.length > 0 ? `(${grouped.join(', ')})` : '';
}

/** Selects the identity and agency of each type that a record may have. */
function selectNamed(type: GraphQLNamedType): string {
  return typesAt(type)
    .map((each) => `... on ${each.name} { __typename id ${'agencyId' in each.getFields() ? 'agencyId' : ''} }`)
    .join(' ');
}

/** A field as it is asked for: all of a value, and of a record which it is; null where a viewer may not, or cannot. */
export function selectField(
  viewer: Viewer,
  field: GraphQLField<unknown, unknown>,
  given = argumentsOf(field),
  deep = DEEP,
): string | null {
  const type = getNamedType(field.type);
  if (!isOpenTo(viewer, field) || (given === '' && field.args.some(isRequiredArgument))) return null;
  if (isLeafType(type)) return field.name + given;
  if (isRecord(type)) return `${field.name}${given} { ${selectNamed(type)} }`;
  if (deep === 0) return null;
  const within = typesAt(type).map((each) => `... on ${each.name} { ${selectAll(viewer, each, deep - 1)} }`);
  return `${field.name}${given} { ${within.join(' ')} }`;
}

/** All of an object that is open to a viewer. */
export function selectAll(viewer: Viewer, type: GraphQLObjectType, deep = DEEP): string {
  const fields = Object.values(type.getFields()).map((field) => selectField(viewer, field, undefined, deep));
  return ['__typename', ...fields.filter((field) => field !== null)].join(' ');
}
