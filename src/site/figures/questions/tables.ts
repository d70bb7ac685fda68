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

/** What an operation answered, as tables: one for each list in it. */
export interface Table {
  /** A word: what the list is called. */
  readonly name: string;
  /** Where its rows are in the answer: `data.oversight.figures.nodes`; null for rows of several lists. */
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

type Members = Readonly<Record<string, unknown>> | null | undefined;

/** A list of objects in an object. */
interface List {
  readonly path: string;
  readonly type: GraphQLNamedType;
  readonly selection: SelectionSetNode | undefined;
  readonly values: readonly Members[];
}

/** What is in an object: its own cells, those of objects in it too, and its lists. */
interface Inside {
  readonly columns: readonly Column[];
  readonly row: Row;
  readonly lists: readonly List[];
}

/** What answers no question: how pages go on, and the days that were asked about. */
const ASIDE = new Set(['pageInfo', 'span']);

export function tablesOf(schema: GraphQLSchema, document: DocumentNode, answer: Members): Table[] {
  const look = (
    type: GraphQLNamedType,
    selection: SelectionSetNode | undefined,
    value: Members,
    path: string,
  ): Inside => {
    const found = { columns: [] as Column[], row: {} as Record<string, unknown>, lists: [] as List[] };
    for (const node of fieldsOf(selection, document)) {
      const member = (node.alias ?? node.name).value;
      if (!isObjectType(type) || ASIDE.has(member)) continue;
      const place = path === '' ? member : `${path}.${member}`;
      const declared = type.getFields()[node.name.value]!.type;
      const named = getNamedType(declared);
      const held = value?.[member];
      if (!isObjectType(named)) {
        found.columns.push({ path: place, type: named.name });
        found.row[place] = held ?? null;
      } else if (isListType(getNullableType(declared))) {
        found.lists.push({ path: place, type: named, selection: node.selectionSet, values: (held ?? []) as Members[] });
      } else {
        const { columns, row, lists } = look(named, node.selectionSet, held as Members, place);
        found.columns.push(...columns);
        Object.assign(found.row, row);
        found.lists.push(...lists);
      }
    }
    return found;
  };
  /** The table of a list, and those of the lists in its rows, which begin with what tells the rows apart. */
  const spread = (lists: readonly (List & { readonly lead: Inside })[], place: string | null): Table[] => {
    const [{ path, type, selection, lead: first }] = lists as [List & { lead: Inside }];
    const shape = look(type, selection, null, '');
    const rows = lists.flatMap(({ values, lead }) =>
      values.map((value) => {
        const inside = look(type, selection, value, '');
        return { ...inside, row: { ...lead.row, ...inside.row } };
      }),
    );
    const columns = [...first.columns, ...shape.columns];
    const keys = columns.filter(({ path: at, type: kind }) => at.startsWith('key.') || TELLING.has(kind));
    const own: Table = { name: nameOf(path), place, columns, rows: rows.map(({ row }) => row) };
    const nested = shape.lists.flatMap((list, index) => {
      const parts = rows.map(({ lists: inside, row }) => ({
        ...inside[index]!,
        lead: { columns: prefixed(keys, 'of.'), row: prefixedRow(keys, row, 'of.'), lists: [] },
      }));
      const none = { ...list, lead: { columns: prefixed(keys, 'of.'), row: {}, lists: [] } };
      return spread(parts.length > 0 ? parts : [none], null);
    });
    // A list that has only lists in it has no cells to show.
    return shape.columns.length > 0 ? [own, ...nested] : nested;
  };
  const [operation] = findOperations(document);
  const whole = look(schema.getQueryType()!, operation!.selectionSet, answer, '');
  const alone: Inside = { columns: [], row: {}, lists: [] };
  const lists = whole.lists.flatMap((list) => spread([{ ...list, lead: alone }], `data.${list.path}`));
  const single: Table = { name: 'figures', place: null, columns: whole.columns, rows: [whole.row] };
  return whole.columns.length > 0 ? [single, ...lists] : lists;
}

/** Types by whose values rows are told apart. */
const TELLING = new Set(['ID', 'String', 'Date']);

const prefixed = (columns: readonly Column[], prefix: string) =>
  columns.map(({ path, type }) => ({ path: prefix + path, type }));

const prefixedRow = (columns: readonly Column[], row: Row, prefix: string): Row =>
  Object.fromEntries(columns.map(({ path }) => [prefix + path, row[path]]));

/** What a list is called: `figures.nodes` are figures. */
const nameOf = (path: string): string =>
  path
    .split('.')
    .findLast((word) => word !== 'nodes' && word !== 'rows')!
    .replaceAll(/\W/g, '');
