import {
  type DirectiveNode,
  type DocumentNode,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  Kind,
  type SelectionNode,
  type VariableValues,
  visit,
} from 'graphql';

/** The variables that say whether a part of an operation is asked for. */
export type Conditions = readonly string[];

/** Values of the conditions in one run. */
export type Chosen = ReadonlyMap<string, boolean>;

/** The conditions of a document: of `@include` and `@skip`; null where one is neither a variable nor a constant. */
export function conditionsOf(document: DocumentNode): Conditions | null {
  const names = new Set<string>();
  let plain = true;
  visit(document, {
    Directive(directive) {
      if (!isCondition(directive)) return;
      const value = valueOf(directive);
      if (value?.kind === Kind.VARIABLE) names.add(value.name.value);
      else if (value?.kind !== Kind.BOOLEAN) plain = false;
    },
  });
  return plain ? [...names] : null;
}

function isCondition({ name }: DirectiveNode): boolean {
  return name.value === GraphQLIncludeDirective.name || name.value === GraphQLSkipDirective.name;
}

function valueOf(directive: DirectiveNode) {
  return directive.arguments?.find(({ name }) => name.value === 'if')?.value;
}

/** The form of an operation that variables choose; null where one of its conditions is neither true nor false. */
export function chosenBy(conditions: Conditions, { coerced }: VariableValues): string | null {
  let form = '';
  for (const name of conditions) {
    const value = coerced[name];
    if (typeof value !== 'boolean') return null;
    form += value ? '1' : '0';
  }
  return form;
}

/** True if a part of an operation is asked for. */
export function isAsked({ directives }: SelectionNode, chosen: Chosen): boolean {
  return (directives ?? []).filter(isCondition).every((directive) => {
    const value = valueOf(directive);
    const said =
      value?.kind === Kind.VARIABLE ? chosen.get(value.name.value) : value?.kind === Kind.BOOLEAN && value.value;
    return said === (directive.name.value === GraphQLIncludeDirective.name);
  });
}
