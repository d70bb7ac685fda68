import {
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLOutputType,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  TypeInfo,
  type VariableDefinitionNode,
  type VariableNode,
  concatAST,
  getNamedType,
  isObjectType,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { type Access, accessOf } from '../../graphql/plugins/access.ts';
import { flattenerOf } from '../../graphql/documents/flat.ts';
import { explain } from '../../graphql/errors.ts';
import type { Need } from '../../platform/access/needs.ts';
import type { Call } from '../../platform/call/call.ts';
import type { Language } from '../languages/language.ts';
import { type PreparedOperation, executeOwn, prepareOperation } from '../../graphql/prepared.ts';
import { type Field, fieldsOf } from './fields.ts';

/** Answer of an operation, by the names that its document gives. */
export type Answer = Readonly<Record<string, unknown>>;

/** An operation of a document, which is run for the reader; what it refuses or fails with is thrown. */
export interface Operation {
  readonly name: string;
  readonly fields: readonly Field[];
  /** Needs of the reader for its answer, as far as its fields declare them. */
  readonly needs: readonly Need[];
  /** The variable that names whose request it is, where no credential does: what it does can be asked for again safely. */
  readonly namedBy: string | null;
  /** Runs it; names in several languages are answered in that of the reader. */
  run(call: Call, variables: Readonly<Record<string, unknown>>, language: Language): Promise<Answer>;
}

/** An operation that answers the rows of a list, a page of them at a time. */
export interface FileOperation {
  readonly fields: readonly Field[];
  readonly rows: PreparedOperation;
}

export function prepareFile(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): FileOperation {
  const { alone, own } = withoutDirectives(document, operation);
  return { fields: fieldsOf(schema, operation), rows: prepareOperation(schema, own, alone) };
}

/** An operation without what says how it is published, alone with the fragments of its document. */
function withoutDirectives(document: DocumentNode, operation: OperationDefinitionNode) {
  const fragments = document.definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
  const own: OperationDefinitionNode = { ...operation, directives: [] };
  return { own, alone: concatAST([{ kind: Kind.DOCUMENT, definitions: [own, ...fragments] }]) };
}

const variable: VariableNode = { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: 'readerLanguage' } };
const IN_THEIRS: ArgumentNode = {
  kind: Kind.ARGUMENT,
  name: { kind: Kind.NAME, value: 'language' },
  value: variable,
};
const THEIRS: VariableDefinitionNode = {
  kind: Kind.VARIABLE_DEFINITION,
  variable,
  type: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: 'Language' } },
};

/** A document whose names are those of the reader's language, where it says no other itself. */
function inReaderLanguage(schema: GraphQLSchema, document: DocumentNode): DocumentNode {
  const types = new TypeInfo(schema);
  const spoken = visit(
    document,
    visitWithTypeInfo(types, {
      Field: (node) => {
        const said = node.arguments?.some(({ name }) => name.value === 'language');
        const takes = types
          .getFieldDef()
          ?.args.some(({ name, type }) => name === 'language' && String(type) === 'Language');
        return takes && !said ? { ...node, arguments: [...(node.arguments ?? []), IN_THEIRS] } : undefined;
      },
    }),
  );
  if (spoken === document) return document;
  return visit(spoken, {
    OperationDefinition: (node) => ({
      ...node,
      variableDefinitions: [...(node.variableDefinitions ?? []), THEIRS],
    }),
  });
}

/** Prepares an operation once. With `partly`, what could not be read of its answer is null there, unless that is its first field. */
export function prepare(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  partly = false,
): Operation {
  const alone = inReaderLanguage(schema, withoutDirectives(document, operation).alone);
  const name = operation.name?.value ?? '';
  const flatten = flattenerOf(operation.selectionSet, alone) ?? ((answer) => answer);
  return {
    name,
    fields: fieldsOf(schema, operation),
    needs: needsOf(schema, document, operation, partly),
    namedBy: findNamed(schema, operation),
    run: async (call, variables, readerLanguage) => {
      const variableValues = { ...variables, readerLanguage };
      const { data, errors } = await executeOwn({ schema, document: alone }, call, variableValues);
      const whole = errors?.find(({ path }) => !partly || !data || path?.join() === Object.keys(data)[0]);
      if (whole) throw whole;
      // Operators find in the log why a part is missing.
      for (const error of errors ?? []) explain(error, call);
      return flatten(data!) as Answer;
    },
  };
}

/**
 * The needs of the fields that an operation asks in any case: of those whose refusal is not left out of the answer. What
 * is read of one kind of record alone is left aside.
 */
function needsOf(
  schema: GraphQLSchema,
  { definitions }: DocumentNode,
  operation: OperationDefinitionNode,
  partly: boolean,
): Need[] {
  const fragments = definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
  const needsBelow = (type: GraphQLOutputType | null | undefined, { selections }: SelectionSetNode): Need[] =>
    selections.flatMap((node) => {
      if (node.directives?.length || node.kind === Kind.INLINE_FRAGMENT) return [];
      if (node.kind === Kind.FRAGMENT_SPREAD)
        return needsBelow(type, fragments.find(({ name }) => name.value === node.name.value)!.selectionSet);
      const field = isObjectType(type) ? type.getFields()[node.name.value] : undefined;
      const below = node.selectionSet ? needsBelow(field && getNamedType(field.type), node.selectionSet) : [];
      return [accessOf(field).need ?? [], below].flat();
    });
  const root = schema.getRootType(operation.operation);
  const first = operation.selectionSet.selections.filter((node) => node.kind === Kind.FIELD).slice(0, 1);
  if (!partly) return needsBelow(root, operation.selectionSet);
  return needsBelow(root, {
    kind: Kind.SELECTION_SET,
    selections: first.map(({ selectionSet: _below, ...field }) => field),
  });
}

/** The variable by which a mutation's field is told whose request it is, where it may be that of nobody signed in. */
function findNamed(schema: GraphQLSchema, operation: OperationDefinitionNode): string | null {
  const { root, access } = rootOf(schema, operation);
  const value = root?.arguments?.find(({ name }) => name.value === access.namedBy)?.value;
  return value?.kind === Kind.VARIABLE ? value.name.value : null;
}

/** The first field of a mutation, with what it declares of its access. */
function rootOf(
  schema: GraphQLSchema,
  { selectionSet }: OperationDefinitionNode,
): { root?: FieldNode; access: Access } {
  const [root] = selectionSet.selections;
  if (root?.kind !== Kind.FIELD) return { access: {} };
  return { root, access: accessOf(schema.getMutationType()?.getFields()[root.name.value]) };
}
