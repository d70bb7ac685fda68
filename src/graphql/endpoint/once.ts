import { type DefinitionNode, type FieldNode, Kind, OperationTypeNode } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import {
  type StoredAnswer,
  findMeanwhile,
  beginOnce,
  isOutcome,
  keepAnswer,
  isLostKey,
  namePrincipal,
  requireKey,
  getMeanwhile,
} from '../../platform/change/idempotency.ts';
import { findRefusal } from '../../platform/access/viewer.ts';
import type { Call } from '../../platform/call/call.ts';
import { Refusal, statusOf } from '../../kernel/refusal.ts';
import { accessOf } from '../plugins/access.ts';
import { explain, mask } from '../errors.ts';

/** Facts from the endpoint about a request that may be sent again, and its answer. */
export interface Replayable {
  readonly idempotencyKey: string | undefined;
  /** Identity of the request; not final before its operation is known. */
  fingerprint: string;
  readonly replayed: { yes: boolean };
}

/** Runs a mutation that carries an `Idempotency-Key` once, and answers its repetitions from what was stored. */
export function once(): Plugin<Replayable> {
  return {
    async onExecute({ args, setResultAndStopExecution, executeFn, setExecuteFn }) {
      const call = args.contextValue as unknown as Call & Replayable;
      const { idempotencyKey: key, fingerprint, replayed } = call;
      const operation = args.document.definitions.find(
        (node: DefinitionNode) =>
          node.kind === Kind.OPERATION_DEFINITION && (!args.operationName || node.name?.value === args.operationName),
      );
      if (key === undefined || operation?.kind !== Kind.OPERATION_DEFINITION) return;
      if (operation.operation !== OperationTypeNode.MUTATION) return;
      const [root, ...others] = operation.selectionSet.selections;
      if (root?.kind !== Kind.FIELD || others.length > 0) {
        throw new Refusal(
          'validation_failed',
          'With an Idempotency-Key, an operation must have exactly one root field',
        );
      }
      // A stored answer is only for who may ask for it: another key of the same integrator may lack the scope.
      const { need, namedBy } = accessOf(args.schema.getMutationType()?.getFields()[root.name.value]);
      if (need && findRefusal(call.viewer, need)) return;
      requireKey(key);
      const named = namedBy && argumentOf(root, namedBy, args.variableValues);
      const principal = call.viewer.credential ?? (named ? namePrincipal(call.vault, named) : null);
      if (principal === null) return;
      const opened = await beginOnce(call, { principal, key, fingerprint });
      if ('stored' in opened) {
        replayed.yes = true;
        setResultAndStopExecution(JSON.parse(opened.stored.body));
        return;
      }
      call.once = opened.once;
      setExecuteFn(async (given) => {
        const result = await executeFn(given);
        const failure = result.errors?.[0];
        if (isLostKey(failure)) return replay(await getMeanwhile(call, opened.once));
        const statuses = (result.errors ?? []).map((error: unknown) => statusOf[explain(error, call).code]);
        const faster = statuses.includes(409) ? await findMeanwhile(call, opened.once) : null;
        if (faster) return replay(faster);
        if (!statuses.every(isOutcome)) return result;
        const httpStatus = statuses[0] ?? 200;
        const errors = result.errors?.map((error: unknown) => mask(error, call));
        const answer = { httpStatus, body: JSON.stringify({ ...result, ...(errors && { errors }) }) };
        const kept = await keepAnswer(call, opened.once, answer);
        return kept === answer ? result : replay(kept);
      });
      function replay({ body }: StoredAnswer) {
        replayed.yes = true;
        return JSON.parse(body) as object;
      }
    },
  };
}

/** A string that an operation hands to an argument. */
function argumentOf(
  root: FieldNode,
  name: string,
  variables: Readonly<Record<string, unknown>> | null | undefined,
): string | null {
  const value = root.arguments?.find((argument) => argument.name.value === name)?.value;
  const given =
    value?.kind === Kind.VARIABLE ? variables?.[value.name.value] : value?.kind === Kind.STRING ? value.value : null;
  return typeof given === 'string' ? given : null;
}
