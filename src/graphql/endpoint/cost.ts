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
 * Says in `extensions.cost` of each answer what its operation cost, and hands what was within the bounds to `keep` once
 * it was run. What is beyond them is refused where the first of its fields is resolved.
 */
export function costs(keep: (args: ExecutionArgs) => void): Plugin {
  return {
    onExecute({ args }) {
      const asked = priceOf(args);
      if (!asked) return undefined;
      const { cost, within } = asked;
      if (within) accept(args);
      return {
        onExecuteDone({ result, setResult }) {
          if (within) keep(args);
          if (!('data' in result || 'errors' in result)) return;
          setResult({ ...result, extensions: { ...result.extensions, cost } });
        },
      };
    },
    // What a stream costs is the same for each of its events, and is not repeated with them.
    onSubscribe({ args }) {
      if (!priceOf(args)?.within) return;
      accept(args);
      keep(args);
    },
  };
}

function accept({ contextValue }: ExecutionArgs): void {
  priced.set(contextValue as object, true);
}

interface Price {
  readonly cost: Cost;
  readonly within: boolean;
}

/** What is known of a document that was priced before. */
interface Priced {
  /** The variables that the price of its fields depends on. */
  readonly deciding: readonly string[];
  readonly prices: Map<string, Price>;
}

const known = new WeakMap<DocumentNode, Priced>();

/** As many prices of one document are kept, and for values that are no longer than this as JSON. */
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
