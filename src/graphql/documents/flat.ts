import { type DirectiveNode, type DocumentNode, type FieldNode, Kind, type SelectionSetNode } from 'graphql';

/** Makes an answer flat where its document says so. */
export type Flatten = (answer: unknown) => unknown;

/** A field of a selection, with those of the fragments in it, in their order. */
export function* fieldsOf(selectionSet: SelectionSetNode | undefined, document: DocumentNode): Generator<FieldNode> {
  for (const node of selectionSet?.selections ?? []) {
    if (node.kind === Kind.FIELD) yield node;
    else if (node.kind === Kind.INLINE_FRAGMENT) yield* fieldsOf(node.selectionSet, document);
    else
      for (const definition of document.definitions)
        if (definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === node.name.value)
          yield* fieldsOf(definition.selectionSet, document);
  }
}

/** The `@flat` directive of a field; undefined if it has none. */
export function flatOf({ directives }: FieldNode): DirectiveNode | undefined {
  return directives?.find(({ name }) => name.value === 'flat');
}

/** The fields whose members an object has once it is flat. */
export function* flatFieldsOf(
  selectionSet: SelectionSetNode | undefined,
  document: DocumentNode,
): Generator<FieldNode> {
  for (const node of fieldsOf(selectionSet, document)) {
    if (flatOf(node)) yield* flatFieldsOf(node.selectionSet, document);
    else yield node;
  }
}

const memberOf = ({ alias, name }: FieldNode) => (alias ?? name).value;

/** A function that flattens the answer of a selection; null if nothing in it is marked with `@flat`. */
export function flattenerOf(selectionSet: SelectionSetNode | undefined, document: DocumentNode): Flatten | null {
  const fields = [...fieldsOf(selectionSet, document)].map((node) => ({
    member: memberOf(node),
    within: flatOf(node) ? [...flatFieldsOf(node.selectionSet, document)].map(memberOf) : null,
    flatten: flattenerOf(node.selectionSet, document),
  }));
  if (fields.every(({ within, flatten }) => !within && !flatten)) return null;
  return function flattenAll(answer: unknown): unknown {
    if (Array.isArray(answer)) return answer.map(flattenAll);
    if (typeof answer !== 'object' || answer === null) return answer;
    const given = answer as Readonly<Record<string, unknown>>;
    const flat: Record<string, unknown> = {};
    for (const { member, within, flatten } of fields) {
      if (!Object.hasOwn(given, member)) continue;
      const value = flatten ? flatten(given[member]) : given[member];
      if (!within) flat[member] = value;
      else for (const name of within) flat[name] = (value as Readonly<Record<string, unknown>> | null)?.[name] ?? null;
    }
    return flat;
  };
}
