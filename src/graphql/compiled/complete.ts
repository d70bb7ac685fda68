import {
  type GraphQLAbstractType,
  GraphQLError,
  type GraphQLLeafType,
  type GraphQLNullableOutputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type ResponsePath,
  defaultTypeResolver,
  isAbstractType,
  isLeafType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { inspect } from 'graphql/jsutils/inspect.js';
import { isAsyncIterable } from 'graphql/jsutils/isAsyncIterable.js';
import { isIterableObject } from 'graphql/jsutils/isIterableObject.js';
import { isPromiseLike } from 'graphql/jsutils/isPromise.js';
import type { Complete, Place, Running, Selected } from './field.ts';
import { Later, Waiting, begin } from './waiting.ts';

type Nodes = Place['nodes'];
type Selections = (type: GraphQLObjectType) => Selected;

/** Compiles what becomes of the values of a field; `selections` has what is selected of each type of object. */
export function compileCompletion(
  schema: GraphQLSchema,
  type: GraphQLOutputType,
  nodes: Nodes,
  selections: Selections,
): Complete {
  const isRequired = isNonNullType(type);
  const complete = compile(isRequired ? type.ofType : type);
  return (run, value, path, info) => {
    if (value instanceof Error) throw value;
    const completed = (value ?? null) === null ? null : complete(run, value, path, info);
    if (isRequired && completed === null)
      throw new Error(`Cannot return null for non-nullable field ${info.parentType.name}.${info.fieldName}.`);
    return completed;
  };

  function compile(of: GraphQLNullableOutputType): Complete {
    if (isLeafType(of)) return completeLeaf(of);
    if (isAbstractType(of)) return completeAbstract(schema, of, nodes, selections);
    if (isObjectType(of))
      return (run, value, path, info) => completeObject(run, of, nodes, selections, value, path, info);
    const place = { nodes, isRequired: isNonNullType(of.ofType) };
    return completeList(compileCompletion(schema, of.ofType, nodes, selections), place);
  }
}

function completeLeaf(type: GraphQLLeafType): Complete {
  return (_run, value) => {
    const coerced: unknown = type.coerceOutputValue(value);
    if ((coerced ?? null) !== null) return coerced;
    const asked = `${inspect(type)}.coerceOutputValue(${inspect(value)})`;
    throw new Error(`Expected \`${asked}\` to return non-nullable value, returned: ${inspect(coerced)}`);
  };
}

function completeList(complete: Complete, place: Place): Complete {
  return (run, value, path, info) => {
    const items: unknown[] = [];
    let waiting: Waiting<unknown[]> | null = null;
    const whole = () => waiting?.whole() ?? items;
    const add = (item: unknown) => {
      const index = items.length;
      const made = completeItem(run, item, { prev: path, key: index, typename: undefined }, info);
      items.push(made);
      if (made instanceof Later) (waiting ??= new Waiting(run, items)).add(index, made);
    };
    if (isAsyncIterable(value)) return addInTime(run, value, add).then(whole);
    if (!isIterableObject(value))
      throw new GraphQLError(
        `Expected Iterable, but did not find one for field "${info.parentType.name}.${info.fieldName}".`,
      );
    const iterator = value[Symbol.iterator]();
    try {
      for (let next = iterator.next(); !next.done; next = iterator.next()) add(next.value);
    } catch (error) {
      hushRest(iterator);
      throw error;
    }
    return whole();
  };

  function completeItem(run: Running, item: unknown, path: ResponsePath, info: GraphQLResolveInfo): unknown {
    try {
      return begin(run, item, place, path, info, complete);
    } catch (error) {
      return run.fail(error, place, path);
    }
  }
}

async function addInTime(run: Running, items: AsyncIterable<unknown>, add: (item: unknown) => void): Promise<void> {
  for await (const item of items) {
    if (run.isOver) return;
    add(item);
  }
}

/** Nobody waits for what is left of a list that has failed: that it fails too is no news. */
function hushRest(iterator: Iterator<unknown>): void {
  try {
    for (let next = iterator.next(); !next.done; next = iterator.next())
      if (isPromiseLike(next.value)) next.value.then(undefined, () => {});
  } catch {
    // The list is answered with its first failure.
  }
}

function completeObject(
  run: Running,
  type: GraphQLObjectType,
  nodes: Nodes,
  selections: Selections,
  value: unknown,
  path: ResponsePath,
  info: GraphQLResolveInfo,
): unknown {
  if (!type.isTypeOf) return run.select(selections(type), value, path);
  const select = (is: boolean) => {
    if (!is) throw new GraphQLError(`Expected value of type "${type.name}" but got: ${inspect(value)}.`, { nodes });
    return run.select(selections(type), value, path);
  };
  return goOn(run, type.isTypeOf(value, run.context, info), select);
}

/** Goes on with what is there, or comes before the run has answered. */
function goOn<Value>(run: Running, value: Value | PromiseLike<Value>, next: (value: Value) => unknown): unknown {
  if (!isPromiseLike(value)) return next(value);
  return value.then((there) => {
    if (run.isOver) throw new Error('The operation has been answered');
    return next(there);
  });
}

function completeAbstract(
  schema: GraphQLSchema,
  type: GraphQLAbstractType,
  nodes: Nodes,
  selections: Selections,
): Complete {
  const resolveType = type.resolveType ?? defaultTypeResolver;
  return (run, value, path, info) => {
    const completeAs = (named: unknown) => {
      const found = requireObject(schema, type, nodes, named, value, info);
      return completeObject(run, found, nodes, selections, value, path, info);
    };
    return goOn<unknown>(run, resolveType(value, run.context, info, type), completeAs);
  };
}

/** The object type that a value of an interface or union is said to be of; refused as graphql-js refuses it. */
function requireObject(
  schema: GraphQLSchema,
  type: GraphQLAbstractType,
  nodes: Nodes,
  named: unknown,
  value: unknown,
  { parentType, fieldName }: GraphQLResolveInfo,
): GraphQLObjectType {
  const must = `Abstract type "${type.name}" must resolve to an Object type at runtime for field "${parentType.name}.${fieldName}"`;
  if ((named ?? null) === null)
    throw new GraphQLError(
      `${must}. Either the "${type.name}" type should provide a "resolveType" function or each possible type should provide an "isTypeOf" function.`,
      { nodes },
    );
  if (typeof named !== 'string')
    throw new GraphQLError(
      `${must} with value ${inspect(value)}, received "${inspect(named)}", which is not a valid Object type name.`,
    );
  const found = schema.getType(named);
  if (isObjectType(found) && schema.isSubType(type, found)) return found;
  const resolved = `Abstract type "${type.name}" was resolved to a`;
  if (!found) throw new GraphQLError(`${resolved} type "${named}" that does not exist inside the schema.`, { nodes });
  if (!isObjectType(found)) throw new GraphQLError(`${resolved} non-object type "${named}".`, { nodes });
  throw new GraphQLError(`Runtime Object type "${found.name}" is not a possible type for "${type.name}".`, { nodes });
}
