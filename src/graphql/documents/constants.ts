import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLEnumType,
  type GraphQLNamedType,
  Kind,
  type SelectionSetNode,
  getNamedType,
  isEnumType,
  isObjectType,
} from 'graphql';

/**
 * An enum below an answer whose names are not what the code and REST call its values: `adapter_verify` for
 * `adapter.verify`.
 */
export interface NamedConstants {
  /** The members from the answer to it; what is a list on the way counts item by item. */
  readonly path: readonly string[];
  readonly constants: ReadonlyMap<unknown, unknown>;
}

/** The enums that a selection answers under other names than their own values. */
export function findConstants(
  type: GraphQLNamedType,
  selectionSet: SelectionSetNode | undefined,
  document: DocumentNode,
): NamedConstants[] {
  return (selectionSet?.selections ?? []).flatMap((node) => {
    if (node.kind === Kind.FRAGMENT_SPREAD)
      return findConstants(type, fragmentOf(document, node.name.value)?.selectionSet, document);
    const field = node.kind === Kind.FIELD && isObjectType(type) ? type.getFields()[node.name.value] : undefined;
    if (!field || node.kind !== Kind.FIELD) return [];
    const name = (node.alias ?? node.name).value;
    const answered = getNamedType(field.type);
    if (isEnumType(answered)) return isRenamed(answered) ? [{ path: [name], constants: constantsOf(answered) }] : [];
    return findConstants(answered, node.selectionSet, document).map(({ path, constants }) => ({
      path: [name, ...path],
      constants,
    }));
  });
}

/** An answer with the values of the code instead of their names. */
export function withConstants(answer: unknown, found: readonly NamedConstants[]): unknown {
  return found.reduce((value, { path, constants }) => replaceAt(value, path, constants), answer);
}

function replaceAt(
  value: unknown,
  [name, ...further]: readonly string[],
  constants: NamedConstants['constants'],
): unknown {
  if (Array.isArray(value))
    return value.map((item) => replaceAt(item, name === undefined ? [] : [name, ...further], constants));
  if (name === undefined) return constants.get(value) ?? value;
  if (typeof value !== 'object' || value === null) return value;
  return { ...value, [name]: replaceAt((value as Readonly<Record<string, unknown>>)[name], further, constants) };
}

function isRenamed(type: GraphQLEnumType): boolean {
  return type.getValues().some(({ name, value }) => name !== value);
}

function constantsOf(type: GraphQLEnumType): NamedConstants['constants'] {
  return new Map(type.getValues().map(({ name, value }) => [name, value]));
}

function fragmentOf({ definitions }: DocumentNode, name: string): FragmentDefinitionNode | undefined {
  return definitions
    .filter((node) => node.kind === Kind.FRAGMENT_DEFINITION)
    .find(({ name: own }) => own.value === name);
}
