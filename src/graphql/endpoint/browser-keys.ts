import { type ExecutionArgs, Kind, OperationTypeNode, type SelectionNode, getOperationAST } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Call } from '../../platform/call/call.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { accessOf } from '../plugins/access.ts';

/** Facts from the endpoint about a request that may be bound to operations. */
export interface Naming {
  /** The name of the operation that its address names; null where it sends a query. */
  readonly operation: string | null;
}

/** Fields of `oversight` for a key that is bound to agencies: those that the slice of its agencies narrows. */
const OF_AGENCIES: ReadonlySet<string> = new Set(['asOf', 'figures', 'span']);

/** Holds a key that stands in a browser to reading oversight, of the operations and agencies that it is bound to. */
export const browserKeys: Plugin<Naming> = {
  onExecute: ({ args }) => hold(args),
  onSubscribe: ({ args }) => hold(args),
};

function hold(args: ExecutionArgs): void {
  const { viewer, operation } = args.contextValue as Call & Naming;
  const { browser } = viewer;
  if (!browser) return;
  const { operations, agencies } = browser;
  if (operations.length > 0 && (operation === null || !operations.includes(operation)))
    throw new Refusal(
      'forbidden',
      `This browser key runs the operations ${operations.join(', ')} by their names alone`,
    );
  if (!readsOversightAlone(args)) throw new Refusal('forbidden', 'This browser key reads `oversight` alone');
  if (agencies.length > 0 && !selectionsOf(args).flatMap(below).every(isOf(OF_AGENCIES)))
    throw new Refusal('forbidden', 'This browser key is bound to agencies, and reads `oversight { figures }` alone');
}

/** An operation of a document, by its name where there are several. */
type Operation = Pick<ExecutionArgs, 'schema' | 'document' | 'operationName'>;

/** True if an operation asks only for fields that need `oversight.read`. */
export function readsOversightAlone(args: Operation): boolean {
  const { schema, document, operationName } = args;
  const kind = getOperationAST(document, operationName)?.operation;
  if (kind === OperationTypeNode.MUTATION) return false;
  const fields = kind && schema.getRootType(kind)?.getFields();
  return selectionsOf(args).every(
    (node) => node.kind === Kind.FIELD && accessOf(fields?.[node.name.value]).need === 'oversight.read',
  );
}

function selectionsOf({
  document,
  operationName,
}: Pick<Operation, 'document' | 'operationName'>): readonly SelectionNode[] {
  return getOperationAST(document, operationName)?.selectionSet.selections ?? [];
}

function below(node: SelectionNode): readonly SelectionNode[] {
  return node.kind === Kind.FIELD ? (node.selectionSet?.selections ?? []) : [node];
}

function isOf(names: ReadonlySet<string>): (node: SelectionNode) => boolean {
  return (node) => node.kind === Kind.FIELD && names.has(node.name.value);
}
