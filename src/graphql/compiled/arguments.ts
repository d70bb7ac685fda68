import {
  type ArgumentNode,
  type FieldNode,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  Kind,
  type ValueNode,
  type VariableValues,
  coerceInputLiteral,
  coerceInputValue,
  getArgumentValues,
  getNullableType,
  isListType,
  isNonNullType,
  isRequiredArgument,
} from 'graphql';

type Field = GraphQLField<unknown, unknown>;

/** What a resolver is handed. */
export type Arguments = Record<string, unknown>;

/** Puts one argument where a resolver finds it; false where what is given for it does not fit. */
type Put = (made: Arguments, values: VariableValues) => boolean;

/** Compiles what a field hands to its resolver. Mistakes are told as graphql-js tells them. */
export function compileArguments(
  field: Field,
  node: FieldNode,
  hideSuggestions: boolean,
): (values: VariableValues) => Arguments {
  const fills = field.args.map((argument) =>
    compileArgument(
      argument,
      node.arguments?.findLast(({ name }) => name.value === argument.name),
    ),
  );
  return (values) => {
    const made: Arguments = Object.create(null);
    for (const fill of fills)
      if (!fill(made, values)) return getArgumentValues(field, node, values, null, hideSuggestions);
    return made;
  };
}

function compileArgument(argument: GraphQLArgument, given: ArgumentNode | undefined): Put {
  const { name, type } = argument;
  const putUsual = isRequiredArgument(argument) ? () => false : compileDefault(argument);
  if (!given) return putUsual;
  const { value: node } = given;
  if (node.kind === Kind.VARIABLE) {
    const variable = node.name.value;
    const nonNull = isNonNullType(type);
    return (made, values) => {
      const { coerced } = values;
      if (!Object.hasOwn(coerced, variable)) return putUsual(made, values);
      const value = coerced[variable];
      if (value === undefined || (value === null && nonNull)) return false;
      made[name] = value;
      return true;
    };
  }
  if (isPlain(node, type)) {
    const value = coerceInputLiteral(node, type);
    return (made) => put(made, name, value);
  }
  return (made, values) => put(made, name, coerceInputLiteral(node, type, values));
}

/** The default of an argument is made once, when it is first needed; one that is wrong is told of then. */
function compileDefault(argument: GraphQLArgument): Put {
  const { name, type, default: given, defaultValue } = argument;
  if (!given) return (made) => defaultValue === undefined || put(made, name, defaultValue);
  let usual: unknown;
  return (made) => {
    usual ??= given.literal ? coerceInputLiteral(given.literal, type) : coerceInputValue(given.value, type);
    return put(made, name, usual);
  };
}

function put(made: Arguments, name: string, value: unknown): boolean {
  if (value === undefined) return false;
  made[name] = value;
  return true;
}

/** Whether a value is the same thing however often it is handed out: no list and no object. */
function isPlain(node: ValueNode, type: GraphQLInputType): boolean {
  return node.kind !== Kind.LIST && node.kind !== Kind.OBJECT && !isListType(getNullableType(type));
}
