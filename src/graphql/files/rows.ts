import {
  type GraphQLNamedType,
  type GraphQLOutputType,
  type SelectionSetNode,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
} from 'graphql';
import type { Call } from '../../platform/call/call.ts';
import { fieldsOf, flatOf } from '../documents/flat.ts';
import { shapeOfInput } from '../input/shapes.ts';
import { type PreparedOperation, type Variables, listOf, runPrepared } from '../prepared.ts';

export type Row = Readonly<Record<string, unknown>>;

/** A member of the rows of a list, with the type that the schema gives it. */
export interface Column {
  readonly name: string;
  readonly type: GraphQLOutputType;
  /** Its head in a file that people read; by default its name. */
  readonly head?: string;
}

interface Dataset {
  readonly rowsAtATime: number;
  /** The fields of its rows that can have values, by its arguments; all by default. */
  readonly filled?: (args: Readonly<Record<string, unknown>>) => readonly string[];
}

/**
 * Declares a list as one that analysts take whole, in addition to its other options: it is had as Parquet too. As many
 * rows are read at a time as do not keep other requests waiting.
 */
export function dataset(rowsAtATime: number, filled?: Dataset['filled']) {
  return { extensions: { dataset: { rowsAtATime, ...(filled && { filled }) } satisfies Dataset } };
}

/** Declaration as a dataset of the list that an operation answers; undefined if it is none. */
export function datasetOf({ fields }: Pick<PreparedOperation, 'fields'>): Dataset | undefined {
  return fields
    .map(([field]) => field.extensions['dataset'] as Dataset | undefined)
    .find((declared) => declared !== undefined);
}

const ROWS_WITHOUT_BOUND = 100;

/**
 * Rows of a list that are read at a time for a file: as many as it answers at most; null if it is no list of objects.
 */
export function pageSizeOf(operation: Pick<PreparedOperation, 'fields' | 'answer'>): number | null {
  const [{ type, args }] = operation.answer;
  if (!isListType(getNullableType(type)) || !isObjectType(getNamedType(type))) return null;
  const first = [...args, ...(listOf(operation.fields)?.[0].args ?? [])].find(({ name }) => SIZES.includes(name));
  return datasetOf(operation)?.rowsAtATime ?? (first && shapeOfInput(first).maximum) ?? ROWS_WITHOUT_BOUND;
}

/** The arguments that say how many rows a page has. */
const SIZES: readonly string[] = ['first', 'limit'];

/** The columns of what an operation answers. */
export function columnsOfOperation({
  answer: [{ type }, { selectionSet }],
  document,
}: Pick<PreparedOperation, 'answer' | 'document'>): Column[] {
  const columns = (row: GraphQLNamedType, selected: SelectionSetNode | undefined): Column[] =>
    [...fieldsOf(selected, document)].flatMap((node) => {
      if (!isObjectType(row)) return [];
      const { type: answered } = row.getFields()[node.name.value]!;
      if (flatOf(node)) return columns(getNamedType(answered), node.selectionSet);
      return [{ name: (node.alias ?? node.name).value, type: answered }];
    });
  return columns(getNamedType(type), selectionSet);
}

/** A list that is read page by page. */
export interface Pages {
  readonly pages: AsyncIterable<readonly Row[]>;
  /** Cursor of the next page, if it was asked for by `limit` and not as the whole list. */
  readonly next: string | null;
}

/**
 * Reads all pages of a list, one ahead of what is taken, or the one that is asked for by its `limit`; the first of them
 * before this is fulfilled, so that a refusal comes before anything is written.
 */
export async function readPages(operation: PreparedOperation, call: Call, variables: Variables): Promise<Pages> {
  const whole = variables['limit'] === undefined;
  const limit = variables['limit'] ?? pageSizeOf(operation);
  const readAfter = async (after: unknown): Promise<{ rows: readonly Row[]; next: string | null }> => {
    const start = after === variables['after'] ? {} : { start: 0 };
    const { answer, next } = await runPrepared(operation, call, {
      ...variables,
      ...start,
      limit,
      ...(after != null && { after }),
    });
    return { rows: answer as readonly Row[], next };
  };
  const first = await readAfter(variables['after']);
  const pages = async function* () {
    for (let page = first; ;) {
      const following = whole && page.next !== null ? readAfter(page.next) : null;
      // It is on its way while this page is written; where nobody takes this one, nobody asks what became of it.
      following?.catch(() => {});
      yield page.rows;
      if (!following) return;
      page = await following;
    }
  };
  return { pages: pages(), next: whole ? null : first.next };
}
