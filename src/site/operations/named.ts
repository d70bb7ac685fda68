import { type FieldNode, Kind, type SelectionSetNode } from 'graphql';

/** An address of a page, and whether the page shows what it can. */
interface Addressed {
  readonly path: string;
  readonly partly: boolean;
}

/** True if a field is looked up by a name in an address: `citizen(id: $citizen)` of `/people/{citizen}`. */
const isNamed = ({ arguments: given = [] }: FieldNode, path: string) =>
  given.some(({ value }) => value.kind === Kind.VARIABLE && path.includes(`{${value.name.value}}`));

/**
 * The fields of an answer without which there is no page at an address with names: the first, and all that are looked up
 * by them. Of a page that shows what it can, the first alone.
 */
export function listNamed(
  selectionSet: SelectionSetNode,
  { path, partly }: Addressed,
  within: readonly string[] = [],
): string[][] {
  if (!path.includes('{')) return [];
  return selectionSet.selections.flatMap((node, index): string[][] => {
    if (node.kind !== Kind.FIELD) return [];
    const place = [...within, (node.alias ?? node.name).value];
    const isFirst = index === 0 && within.length === 0;
    const inside = partly || !node.selectionSet ? [] : listNamed(node.selectionSet, { path, partly }, place);
    return [...(isFirst || (!partly && isNamed(node, path)) ? [place] : []), ...inside];
  });
}

/** True if a look-up has nothing to show: there is no record, or it is of another type. */
export function isNothing(found: unknown): boolean {
  return found === null || (typeof found === 'object' && Object.keys(found).length === 0);
}
