import { complexityFromQuery } from '@pothos/plugin-complexity';
import { type ExecutionArgs, GraphQLError, Kind, getOperationAST } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { OPERATION_LIMITS, priced } from '../builder.ts';

/**
 * What an operation costs of what it may: in points of complexity, a field one and a field of a list as many as that
 * has rows.
 */
export interface Cost {
  readonly asked: number;
  /** The most that an operation may ask. */
  readonly granted: number;
  /** What it could still ask; 0 where it asked too much, and was refused. */
  readonly remaining: number;
}

/**
 * Says in `extensions.cost` of each answer what its operation cost, and hands what is within the bounds to `keep`. What
 * is beyond them is refused where the first of its fields is resolved.
 */
export function costs(keep: (args: ExecutionArgs) => void): Plugin {
  const accept = (args: ExecutionArgs) => {
    priced.add(args.contextValue as object);
    keep(args);
  };
  return {
    onExecute({ args }) {
      const asked = priceOf(args);
      if (!asked) return undefined;
      if (asked.within) accept(args);
      const { cost } = asked;
      return {
        onExecuteDone({ result, setResult }) {
          if (!('data' in result || 'errors' in result)) return;
          setResult({ ...result, extensions: { ...result.extensions, cost } });
        },
      };
    },
    // What a stream costs is the same for each of its events, and is not repeated with them.
    onSubscribe({ args }) {
      if (priceOf(args)?.within) accept(args);
    },
  };
}

/** Null where it cannot be told, since the operation does not run: the executor then says what is wrong with it. */
function priceOf(args: ExecutionArgs): { cost: Cost; within: boolean } | null {
  const { schema, document, operationName, variableValues, contextValue } = args;
  const operation = getOperationAST(document, operationName);
  if (!operation) return null;
  const definitions = document.definitions.filter(
    (node) => node === operation || node.kind === Kind.FRAGMENT_DEFINITION,
  );
  try {
    const options = { schema, ctx: contextValue as object, variables: { ...variableValues } };
    const { complexity, depth, breadth } = complexityFromQuery({ ...document, definitions }, options);
    const { complexity: granted, depth: deepest, breadth: broadest } = OPERATION_LIMITS;
    return {
      cost: { asked: complexity, granted, remaining: Math.max(granted - complexity, 0) },
      within: complexity <= granted && depth <= deepest && breadth <= broadest,
    };
  } catch (error) {
    if (error instanceof GraphQLError) return null;
    throw error;
  }
}
