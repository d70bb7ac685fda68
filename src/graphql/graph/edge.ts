import { type FragmentDefinitionNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';
import type { Call } from '../../platform/call/call.ts';
import type { RecordLoader } from '../../platform/reading/batch.ts';
import { Refusal } from '../../kernel/refusal.ts';

/**
 * The record that a reference leads to: read together with those that other rows of the operation lead to, and not at
 * all if only its id is selected. `not_found` where the caller may not see it.
 */
export async function follow<Row extends object>(
  call: Call,
  info: GraphQLResolveInfo,
  loader: RecordLoader<Row>,
  id: string,
): Promise<Row> {
  if (selectsIdAlone(info)) return withIdAlone(loader, id);
  const record = await loader.load(call, id);
  if (!record) throw new Refusal('not_found', `${id} does not exist`);
  return record;
}

/** The record that a reference leads to, where it leads to one that the caller may see; null otherwise. */
export async function followIfAny<Row extends object>(
  call: Call,
  info: GraphQLResolveInfo,
  loader: RecordLoader<Row>,
  id: string | null,
): Promise<Row | null> {
  if (id === null) return null;
  return selectsIdAlone(info) ? withIdAlone(loader, id) : loader.load(call, id);
}

/** A record of which only the id will be looked at. */
export function withIdAlone<Row>({ key }: RecordLoader<Row>, id: string): Row {
  return { [key]: id } as Row;
}

/** True if a field selects only the ID of its record. */
export function selectsIdAlone({ fieldNodes, fragments }: GraphQLResolveInfo): boolean {
  return fieldNodes.every(({ selectionSet }) => hasIdAlone(selectionSet, fragments));
}

function hasIdAlone(
  selected: SelectionSetNode | undefined,
  fragments: Readonly<Record<string, FragmentDefinitionNode>>,
): boolean {
  return (selected?.selections ?? []).every((node) => {
    if (node.kind === Kind.FIELD) return node.name.value === 'id' || node.name.value === '__typename';
    return hasIdAlone(
      node.kind === Kind.FRAGMENT_SPREAD ? fragments[node.name.value]?.selectionSet : node.selectionSet,
      fragments,
    );
  });
}

/** True if a field of this name is selected anywhere below a field, except below fields of another name. */
export function selectsField({ fieldNodes, fragments }: GraphQLResolveInfo, name: string, except?: string): boolean {
  const isBelow = (selected: SelectionSetNode | undefined): boolean =>
    (selected?.selections ?? []).some((node) => {
      if (node.kind === Kind.FRAGMENT_SPREAD) return isBelow(fragments[node.name.value]?.selectionSet);
      if (node.kind === Kind.FIELD && node.name.value === except) return false;
      return (node.kind === Kind.FIELD && node.name.value === name) || isBelow(node.selectionSet);
    });
  return fieldNodes.some(({ selectionSet }) => isBelow(selectionSet));
}
