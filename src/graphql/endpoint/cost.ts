import { complexityFromQuery } from '@pothos/plugin-complexity';
import {
  type DocumentNode,
  type ExecutionArgs,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  TypeInfo,
  getOperationAST,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { OPERATION_LIMITS, meters } from '../builder.ts';

/**
 * Cost of an operation and its limit: in points of complexity, a field one and a field of a list as many as that has
 * rows, and the charges of fields as they read.
 */
export interface Cost {
  readonly asked: number;
  /** The most that an operation may ask. */
  readonly granted: number;
  /** Points left; 0 if it asked too much, and was refused. */
  readonly remaining: number;
}

/**
 * Says in `extensions.cost` of each answer what its operation cost, and hands what was within the bounds to `keep` once
 * it was run. What is beyond them is refused where the first of its fields is resolved.
 */
export function costs(keep: (args: ExecutionArgs) => void): Plugin {
  return {
    onExecute({ args }) {
      const price = priceOf(args);
      if (!price) return undefined;
      const meter = accept(args, price);
      return {
        onExecuteDone({ result, setResult }) {
          if (price.within) keep(args);
          if (!('data' in result || 'errors' in result)) return;
          setResult({ ...result, extensions: { ...result.extensions, cost: costOf(meter.asked) } });
        },
      };
    },
    // The cost of a stream is the same for each of its events, and is not repeated with them.
    onSubscribe({ args }) {
      const price = priceOf(args);
      if (!price?.within) return;
      accept(args, price);
      keep(args);
    },
  };
}

/** Begins to count what an operation is charged for, from the price of its document. */
function accept({ contextValue }: ExecutionArgs, { asked, within }: Price) {
  const meter = { asked };
  if (within) meters.set(contextValue as object, meter);
  return meter;
}

function costOf(asked: number): Cost {
  const { complexity: granted } = OPERATION_LIMITS;
  return { asked, granted, remaining: Math.max(granted - asked, 0) };
}

interface Price {
  readonly asked: number;
  readonly within: boolean;
}

/** Prices of a document from before. */
interface Priced {
  /** The variables that the price of its fields depends on. */
  readonly deciding: readonly string[];
  readonly prices: Map<string, Price>;
}

const known = new WeakMap<DocumentNode, Priced>();

/** Most prices that are kept of one document, and of variables up to this length as JSON. */
const MOST_PRICES = 32;
const LONGEST_VALUES = 512;

/**
 * Null where it cannot be told, since the operation does not run: the executor then says what is wrong with it. Of a
 * document that is asked again and again it is worked out once for each choice of those variables that it depends on.
 */
function priceOf(args: ExecutionArgs): Price | null {
  const { schema, document, operationName, variableValues } = args;
  let before = known.get(document);
  if (!before) known.set(document, (before = { deciding: decidingOf(schema, document), prices: new Map() }));
  const { deciding, prices } = before;
  const values = Object.fromEntries(deciding.map((name) => [name, variableValues?.[name]]));
  const choice = `${operationName ?? ''} ${deciding.length > 0 ? JSON.stringify(values) : ''}`;
  const earlier = prices.get(choice);
  if (earlier) return earlier;
  const price = workOut(args);
  if (price && prices.size < MOST_PRICES && choice.length <= LONGEST_VALUES) prices.set(choice, price);
  return price;
}

/** The variables of a document that are handed to fields whose price depends on their arguments. */
function decidingOf(schema: GraphQLSchema, document: DocumentNode): string[] {
  const names = new Set<string>();
  const types = new TypeInfo(schema);
  const reading = visitWithTypeInfo(types, {
    Variable({ name }) {
      if (typeof types.getFieldDef()?.extensions['complexity'] === 'function') names.add(name.value);
    },
  });
  visit(document, reading);
  return [...names];
}

function workOut({ schema, document, operationName, variableValues, contextValue }: ExecutionArgs): Price | null {
  const operation = getOperationAST(document, operationName);
  if (!operation) return null;
  const definitions = document.definitions.filter(
    (node) => node === operation || node.kind === Kind.FRAGMENT_DEFINITION,
  );
  try {
    const options = { schema, ctx: contextValue as object, variables: { ...variableValues } };
    const { complexity, depth, breadth } = complexityFromQuery({ ...document, definitions }, options);
    const { complexity: most, depth: deepest, breadth: broadest } = OPERATION_LIMITS;
    return { asked: complexity, within: complexity <= most && depth <= deepest && breadth <= broadest };
  } catch (error) {
    if (error instanceof GraphQLError) return null;
    throw error;
  }
}
