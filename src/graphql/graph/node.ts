import type { GraphQLResolveInfo } from 'graphql';
import type { Need } from '../../platform/access/needs.ts';
import { findEdgeRefusal } from '../../platform/access/viewer.ts';
import type { Call } from '../../platform/call/call.ts';
import type { RecordLoader } from '../../platform/reading/batch.ts';
import { SideTable } from '../../kernel/side-table.ts';
import type { Refusal } from '../../kernel/refusal.ts';
import { builder, limitByAddress } from '../builder.ts';
import { shape } from '../input/shapes.ts';
import { selectsIdAlone, withIdAlone } from './edge.ts';

/** A kind of record, reached by any edge: an object whose type has this name in the schema. */
interface Kind {
  readonly typename: string;
  /** Any of these is enough to look it up; open to everyone where there is none. */
  readonly needs: readonly Need[];
  /** True if an ID has the form of its own. */
  readonly matches: (id: string) => boolean;
  readonly loader: RecordLoader<object>;
  /**
   * A form of records that another type shows whole. `node` answers it where the caller may not see the other, so that an
   * id always stands for one object; references lead to the whole ones alone.
   */
  readonly lesser?: boolean;
}

const kinds: Kind[] = [];
const typenames = new SideTable<object, string>();

/** A record that can be looked up by its id alone. */
export const NodeType = builder.interfaceRef<object>('Node').implement({
  description: 'A record of any type. Its ID is unique among all records.',
  fields: (t) => ({
    id: t.id({
      description: 'The unique identifier: the docname of a document, the code of an agency or account.',
      resolve: () => {
        throw new Error('Each type says itself what its id is');
      },
    }),
  }),
  resolveType: typenameOf,
});

/** Says how records of a type are found by their ids, and by whom: what `node` and `nodes` answer. */
export function defineNode(kind: Kind): void {
  kinds.push(kind);
}

/** Needs for looking up records of a type; undefined if it is no type of records. */
export function needsOfRecord(typename: string): readonly Need[] | undefined {
  return kinds.find((kind) => kind.typename === typename)?.needs;
}

/** A record as a value of an interface or union, which are told apart by it. */
export function asTyped<Record extends object>(typename: string, record: Record): Record {
  typenames.set(record, typename);
  return record;
}

/** The type of a record that is a value of an interface or union. */
export function typenameOf(record: object): string {
  return typenames.get(record)!;
}

/** The record of an id for the caller; null where there is none for them. Refuses where they may see none of its kind. */
export function findNode(call: Call, id: string): Promise<object | null> {
  const inOrder = [...kinds.filter(({ lesser }) => !lesser), ...kinds.filter(({ lesser }) => lesser)];
  return findAmong(inOrder, call, id, (loader) => loader.load(call, id));
}

/**
 * The record that a reference leads to which may be of any kind, as `node` finds it; not read if only its id
 * is selected, and that tells its kind.
 */
export async function followToAny(call: Call, info: GraphQLResolveInfo, id: string | null): Promise<object | null> {
  if (id === null) return null;
  const possible = kinds.filter(({ lesser, matches }) => !lesser && matches(id));
  const idSuffices = possible.length === 1 && selectsIdAlone(info);
  return findAmong(possible, call, id, (loader) => (idSuffices ? withIdAlone(loader, id) : loader.load(call, id)));
}

async function findAmong(
  among: readonly Kind[],
  call: Call,
  id: string,
  load: (loader: RecordLoader<object>) => object | null | Promise<object | null>,
): Promise<object | null> {
  let refusal: Refusal | null = null;
  for (const { typename, needs, matches, loader } of among) {
    if (!matches(id)) continue;
    const refusals = needs.map((need) => findEdgeRefusal(call.viewer, need));
    if (refusals.length > 0 && refusals.every((each) => each !== null)) {
      refusal ??= refusals[0]!;
      continue;
    }
    const record = await load(loader);
    if (record) return asTyped(typename, record);
  }
  if (refusal) throw refusal;
  return null;
}

const MOST_NODES = 100;

builder.queryFields((t) => ({
  node: t.field({
    type: NodeType,
    nullable: true,
    description:
      'Returns a record by its ID, under the rules of the query for its type. Null if there is none that the caller may see; `forbidden` if the caller may see none of its kind.',
    ...limitByAddress({ addressLimit: 'records' }),
    args: { id: t.arg.id({ required: true, description: 'The ID of the record.' }) },
    resolve: (_root, { id }, call) => findNode(call, id),
  }),
  nodes: t.field({
    type: [NodeType],
    nullable: { list: false, items: true },
    description: 'Returns records by their IDs, in their order; null for each that `node` would not return.',
    ...limitByAddress({ addressLimit: 'records' }),
    args: {
      ids: t.arg.idList({
        required: true,
        description: `The IDs of the records, 1 to ${MOST_NODES}.`,
        ...shape({ minItems: 1, maxItems: MOST_NODES }),
      }),
    },
    complexity: ({ ids }) => ({ field: 1, multiplier: ids.length }),
    resolve: (_root, { ids }, call) => ids.map((id) => findNode(call, id)),
  }),
}));
