import {
  type DocumentNode,
  type FieldNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
  parseType,
  visit,
} from 'graphql';
import { fieldsOf } from '../../graphql/documents/flat.ts';

/** The list of a page, as its document has it. */
interface Of {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
}

/**
 * The operation that answers the list of a page as a file: the field that is paged through, with the same filters and in the
 * same order. Its columns are what the page asks of a row, in snake case; what belongs to another record is called by it,
 * `agency_id`.
 */
export function asFile({ schema, document }: Of, operation: OperationDefinitionNode): OperationDefinitionNode {
  const root = schema.getRootType(operation.operation)!;
  const list = [...fieldsOf(operation.selectionSet, document)].find(isPaged);
  const rows = list && rowsOf(list);
  if (!list || !rows)
    throw new Error(`${operation.name?.value}: a page whose list is a file pages through one of its first fields`);
  const connection = getNamedType(root.getFields()[list.name.value]!.type);
  const type = isObjectType(connection) && getNamedType(connection.getFields()['nodes']!.type);
  const selections = columnsOf(type as GraphQLNamedType, [...fieldsOf(rows.selectionSet, document)], document);
  const data: FieldNode = { ...rows, alias: named('data'), selectionSet: { kind: Kind.SELECTION_SET, selections } };
  const asked = (list.arguments ?? []).filter(({ name }) => !['last', 'before'].includes(name.value));
  const paged = asked.map((argument) => (argument.name.value === 'first' ? { ...argument, value: LIMIT } : argument));
  const field: FieldNode = {
    ...list,
    arguments: paged,
    selectionSet: { kind: Kind.SELECTION_SET, selections: [data] },
  };
  const used = new Set<string>();
  visit(field, { Variable: ({ name }) => void used.add(name.value) });
  const variables = (operation.variableDefinitions ?? []).filter(({ variable }) => used.has(variable.name.value));
  return {
    ...operation,
    variableDefinitions: [
      ...variables,
      { kind: Kind.VARIABLE_DEFINITION, variable: LIMIT, type: parseType('Int!', { noLocation: true }) },
    ],
    selectionSet: { kind: Kind.SELECTION_SET, selections: [field] },
  };
}

const named = (value: string) => ({ kind: Kind.NAME, value }) as const;
const LIMIT = { kind: Kind.VARIABLE, name: named('limit') } as const;
const FLAT = { kind: Kind.DIRECTIVE, name: named('flat') } as const;

const isPaged = ({ arguments: given = [] }: FieldNode) => given.some(({ name }) => name.value === 'after');

const rowsOf = ({ selectionSet }: FieldNode) =>
  selectionSet?.selections.find((node) => node.kind === Kind.FIELD && node.name.value === 'nodes') as
    | FieldNode
    | undefined;

/** By which clock pages show moments: files have them in UTC. */
const OF_PAGES = ['timeZone'];

/** Columns of rows in files; a list of other records has only their own members, without those of several types. */
function columnsOf(
  type: GraphQLNamedType,
  fields: readonly FieldNode[],
  document: DocumentNode,
  within = '',
): FieldNode[] {
  if (!isObjectType(type)) return [];
  return fields.flatMap((field): FieldNode[] => {
    if (OF_PAGES.includes(field.name.value)) return [];
    const name = within + snake((field.alias ?? field.name).value);
    const answered = type.getFields()[field.name.value]?.type;
    if (!field.selectionSet || !answered) return [{ ...field, alias: named(name) }];
    const inside = [...fieldsOf(field.selectionSet, document)];
    if (isListType(getNullableType(answered))) {
      const selections = inside.filter(({ selectionSet }) => !selectionSet);
      return [{ ...field, alias: named(name), selectionSet: { kind: Kind.SELECTION_SET, selections } }];
    }
    const selections = columnsOf(getNamedType(answered), inside, document, `${name}_`);
    if (selections.length === 0) return [];
    const flat = [...(field.directives ?? []), FLAT];
    return [{ ...field, alias: named(name), directives: flat, selectionSet: { kind: Kind.SELECTION_SET, selections } }];
  });
}

const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
