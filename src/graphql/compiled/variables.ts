import {
  type GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type VariableValues,
  coerceInputLiteral,
  coerceInputValue,
  getVariableValues,
  isInputType,
  isNonNullType,
  typeFromAST,
} from 'graphql';

type Given = Readonly<Record<string, unknown>>;

/** Makes the values of an operation's variables of what is given for them, or says what is wrong with it. */
export type Coerce = (given: Given) => VariableValues | { readonly errors: readonly GraphQLError[] };

/** How many errors graphql-js tells of. */
const MOST_ERRORS = 50;

interface Variable {
  readonly name: string;
  readonly type: GraphQLInputType;
  readonly source: VariableValues['sources'][string];
  /** Makes the value where none is given; undefined where there is no default. */
  readonly usual: (() => unknown) | undefined;
}

/** Compiles the variables of an operation; null where one has no type of an input, or an impossible default. */
export function compileVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  hideSuggestions: boolean,
): Coerce | null {
  const variables: Variable[] = [];
  for (const { variable, type: node, defaultValue } of variableDefinitions) {
    const type = typeFromAST(schema, node);
    if (!type || !isInputType(type)) return null;
    const name = variable.name.value;
    const usual = defaultValue && (() => coerceInputLiteral(defaultValue, type));
    if (usual && usual() === undefined) return null;
    const signature = { name, type, default: defaultValue && { literal: defaultValue } };
    variables.push({ name, type, source: { signature }, usual });
  }
  return (given) => {
    const sources: Record<string, VariableValues['sources'][string]> = Object.create(null);
    const coerced: Record<string, unknown> = Object.create(null);
    for (const { name, type, source, usual } of variables) {
      const value = Object.hasOwn(given, name) ? given[name] : undefined;
      sources[name] = value === undefined ? source : { ...source, value };
      if (value !== undefined || (!usual && isNonNullType(type))) {
        const made = coerceInputValue(value, type);
        if (made === undefined) return mistakesIn(given);
        coerced[name] = made;
      } else if (usual) coerced[name] = usual();
    }
    return { sources, coerced };
  };

  function mistakesIn(given: Given): { readonly errors: readonly GraphQLError[] } {
    const options = { maxErrors: MOST_ERRORS, hideSuggestions };
    const { errors } = getVariableValues(schema, variableDefinitions, given, options);
    if (!errors) throw new Error('Variables were refused that fit');
    return { errors };
  }
}
