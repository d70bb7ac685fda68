import {
  type DocumentNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  type SelectionSetNode,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
} from 'graphql';
import { fieldsOf } from '../../../graphql/documents/flat.ts';
import { findOperations } from '../../operations/documents.ts';

/** Answer of an operation, as tables: one for each list in it. */
export interface Table {
  /** A word: what the list is called. */
  readonly name: string;
  /** Path of its rows in the answer: `data.oversight.figures.nodes`; null for rows of several lists. */
  readonly place: string | null;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

export interface Column {
  /** Its place in a row: `key.agencyId`. */
  readonly path: string;
  /** The name of its type: `Decimal`. */
  readonly type: string;
}

export type Row = Readonly<Record<string, unknown>>;

/** A list of objects in an object. */
interface List {
  readonly path: string;
  readonly type: GraphQLNamedType;
  readonly selection: SelectionSetNode | undefined;
}

/** An object of an answer, and the row that shows it. */
interface Held {
  readonly value: unknown;
  readonly row: Row;
}

/** Fields that answer no question: the paging, and the days that were asked about. */
const ASIDE = new Set(['pageInfo', 'span']);

/** Types by whose values rows are told apart. */
const TELLING = new Set(['ID', 'String', 'Date']);

export function tablesOf(schema: GraphQLSchema, document: DocumentNode, answer: unknown): Table[] {
  /** The table of a list that some objects have, and those of the lists in its rows, which begin with what tells these apart. */
  const spread = (list: List, objects: readonly Held[], telling: readonly Column[], place: string | null): Table[] => {
    const shape = shapeOf(list.type, list.selection, document);
    const columns = [...telling.map(({ path, type }) => ({ path: `of.${path}`, type })), ...shape.columns];
    const rows = objects.flatMap(({ value, row }) => {
      const lead = Object.fromEntries(telling.map(({ path }) => [`of.${path}`, row[path]]));
      const held = (valueAt(value, list.path) ?? []) as unknown[];
      return held.map((one) => ({ value: one, row: { ...lead, ...rowOf(one, shape.columns) } }));
    });
    const keys = columns.filter(({ path, type }) => path.startsWith('key.') || TELLING.has(type));
    const nested = shape.lists.flatMap((one) => spread(one, rows, keys, null));
    // A list that has only lists in it has no cells to show.
    if (shape.columns.length === 0) return nested;
    return [{ name: nameOf(list.path), place, columns, rows: rows.map(({ row }) => row) }, ...nested];
  };
  const [operation] = findOperations(document);
  const { columns, lists } = shapeOf(schema.getQueryType()!, operation!.selectionSet, document);
  const tables = lists.flatMap((list) => spread(list, [{ value: answer, row: {} }], [], `data.${list.path}`));
  const single = { name: 'figures', place: null, columns, rows: [rowOf(answer, columns)] };
  return columns.length > 0 ? [single, ...tables] : tables;
}

/** Content of objects of a selection: their own cells, those of objects in them too, and their lists. */
function shapeOf(
  type: GraphQLNamedType,
  selection: SelectionSetNode | undefined,
  document: DocumentNode,
  within = '',
): { columns: Column[]; lists: List[] } {
  const found = { columns: [] as Column[], lists: [] as List[] };
  for (const node of fieldsOf(selection, document)) {
    const member = (node.alias ?? node.name).value;
    if (!isObjectType(type) || ASIDE.has(member)) continue;
    const path = within + member;
    const declared = type.getFields()[node.name.value]!.type;
    const named = getNamedType(declared);
    if (!isObjectType(named)) found.columns.push({ path, type: named.name });
    else if (isListType(getNullableType(declared)))
      found.lists.push({ path, type: named, selection: node.selectionSet });
    else {
      const { columns, lists } = shapeOf(named, node.selectionSet, document, `${path}.`);
      found.columns.push(...columns);
      found.lists.push(...lists);
    }
  }
  return found;
}

const rowOf = (value: unknown, columns: readonly Column[]): Row =>
  Object.fromEntries(columns.map(({ path }) => [path, valueAt(value, path)]));

/** Value of an object at a path; null for none. */
const valueAt = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((held, name) => (held as Row | null)?.[name] ?? null, value);

/** Name of a list: `figures.nodes` are figures. */
const nameOf = (path: string): string =>
  path
    .split('.')
    .findLast((word) => word !== 'nodes' && word !== 'rows')!
    .replaceAll(/\W/g, '');
