import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  getNamedType,
  isAbstractType,
  isEnumType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { schema } from '../../../src/app/schema.ts';
import { RECORDS } from '../../harness/schema/edges.ts';

/** Examples of arguments, by name. */
export type Examples = Readonly<Record<string, readonly string[]>>;

type Field = GraphQLField<unknown, unknown>;
type Argument = Field['args'][number];

/** Arguments for the size of a page, which are no filters. */
const OF_A_PAGE = new Set(['first', 'last', 'after', 'before', 'offset']);
const FIRST = 'first: 3';
/** Depth of lists within values that are no records. */
const DEEP = 2;

const recordsAt = (type: GraphQLNamedType) =>
  (isAbstractType(type) ? schema.getPossibleTypes(type) : [type]).filter((each) =>
    RECORDS.some((record) => record === each),
  );

/** Everything that an argument is asked with. */
function valuesOf({ name, type }: Argument, examples: Examples): readonly string[] {
  const of = getNamedType(type);
  if (isEnumType(of)) return of.getValues().map((value) => value.name);
  if (of.name === 'Boolean') return ['true', 'false'];
  if (of.name === 'Int' || of.name === 'Decimal') return ['1'];
  return (examples[name] ?? examples[of.name] ?? []).map((value) => JSON.stringify(value));
}

/** The arguments of a list: by itself, by each filter alone, and in each order. */
function argumentsOf({ args }: Field, examples: Examples): string[] {
  const page = args.some(({ name }) => name === 'first') ? [FIRST] : [];
  const required = args.filter(isRequiredArgument);
  const needed = required.flatMap((argument) => {
    const [value] = valuesOf(argument, examples);
    return value === undefined ? [] : [`${argument.name}: ${value}`];
  });
  if (needed.length < required.length) return [];
  const filtered = args
    .filter((argument) => !OF_A_PAGE.has(argument.name) && !isRequiredArgument(argument))
    .flatMap((argument) => valuesOf(argument, examples).map((value) => [`${argument.name}: ${value}`]));
  return [[], ...filtered].map((given) => [...page, ...needed, ...given].join(', '));
}

/** Questions of a type, through values that are no records: each list and reference, with each of its arguments. */
export function questionsOf(type: GraphQLObjectType, examples: Examples, deep = DEEP): string[] {
  return Object.values(type.getFields()).flatMap((field) => {
    const to = getNamedType(field.type);
    const asked = argumentsOf(field, examples).map((given) => `${field.name}${given && `(${given})`}`);
    if (recordsAt(to).length > 0) return asked.map((each) => `${each} { __typename ... on Node { id } }`);
    if (!isObjectType(to)) return [];
    if (!to.name.endsWith('Connection'))
      return deep === 0
        ? []
        : asked
            .slice(0, 1)
            .flatMap((each) => questionsOf(to, examples, deep - 1).map((inner) => `${each} { ${inner} }`));
    const node = getNamedType(to.getFields()['nodes']!.type);
    if (recordsAt(node).length === 0) return [];
    const counted = 'totalCount' in to.getFields() ? 'totalCount' : '';
    return asked.map((each) => `${each} { ${counted} nodes { __typename ... on Node { id } } }`);
  });
}
