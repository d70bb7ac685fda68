import {
  type FieldNode,
  type GraphQLAbstractType,
  GraphQLError,
  type GraphQLLeafType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type ResponsePath,
  defaultTypeResolver,
  getNullableType,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import type { Complete, CompleteLeaf, Place, Running, Selected, SelectedField } from './field.ts';
import { Later, Waiting, isPromiseLike } from './waiting.ts';

/** What is selected of a value, by the type of object that it is of. */
interface Selections {
  of(type: GraphQLObjectType): Selected;
}

/** Compiles what becomes of the values of a field. */
export function compileCompletion(
  schema: GraphQLSchema,
  type: GraphQLOutputType,
  nodes: readonly FieldNode[],
  selections: Selections,
): Complete {
  const compile = (of: GraphQLOutputType): Complete => {
    if (isNonNullType(of)) return completeRequired(compile(of.ofType));
    if (isListType(of)) return completeList(compile(of.ofType), { nodes, isRequired: isNonNullType(of.ofType) });
    if (isLeafType(of)) return completeLeaf(of);
    if (isAbstractType(of)) return completeAbstract(schema, of, nodes, selections);
    return completeObject(of, nodes, selections);
  };
  return compile(type);
}

/** Compiles what becomes of the values of a field that has no place in the answer but its own; null for other fields. */
export function compileLeaf(type: GraphQLOutputType, parentName: string, name: string): CompleteLeaf | null {
  const named = getNullableType(type);
  if (!isLeafType(named)) return null;
  const complete = coerceBy(named);
  if (!isNonNullType(type)) return complete;
  return (value) => complete(value) ?? refuseNull(parentName, name);
}

function isAbsent(value: unknown): value is null | undefined {
  if (typeof value === 'object' && value instanceof Error) throw value;
  return value === null || value === undefined;
}

function completeRequired(complete: Complete): Complete {
  return (run, value, path, selected) => {
    const completed = complete(run, value, path, selected);
    return completed === null ? refuseNull(selected.parentName, selected.field.name) : completed;
  };
}

function refuseNull(parentName: string, name: string): never {
  throw new Error(`Cannot return null for non-nullable field ${parentName}.${name}.`);
}

function completeLeaf(type: GraphQLLeafType): Complete {
  const complete = coerceBy(type);
  return (_run, value) => complete(value);
}

function coerceBy(type: GraphQLLeafType): CompleteLeaf {
  return (value) => {
    if (isAbsent(value)) return null;
    const coerced: unknown = type.coerceOutputValue(value);
    if (coerced === null || coerced === undefined) throw new Error(`${type.name} makes nothing of a value`);
    return coerced;
  };
}

function completeList(complete: Complete, place: Place): Complete {
  return (run, value, path, selected) => {
    if (isAbsent(value)) return null;
    if (!isIterable(value)) {
      const field = `${selected.parentName}.${selected.field.name}`;
      throw new GraphQLError(`Expected Iterable, but did not find one for field "${field}".`);
    }
    const completed: unknown[] = [];
    let waiting: Waiting<unknown[]> | null = null;
    for (const item of value) {
      const index = completed.length;
      const made = completeItem(run, item, { prev: path, key: index, typename: undefined }, selected);
      completed.push(made);
      if (made instanceof Later) (waiting ??= new Waiting(run, completed)).add(index, made);
    }
    return waiting ? waiting.whole() : completed;
  };

  function completeItem(run: Running, item: unknown, path: ResponsePath, selected: SelectedField): unknown {
    if (isPromiseLike(item)) return new Later(item, place, path, selected, complete);
    try {
      const made = complete(run, item, path, selected);
      return made instanceof Promise ? new Later(made, place, path, selected, null) : made;
    } catch (error) {
      return run.fail(error, place, path);
    }
  }
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}

function completeObject(type: GraphQLObjectType, nodes: readonly FieldNode[], selections: Selections): Complete {
  return (run, value, path, selected) => {
    if (isAbsent(value)) return null;
    if (!type.isTypeOf) return run.select(selections.of(type), value, path);
    const select = (is: boolean) => {
      if (!is) throw new GraphQLError(`Expected value of type "${type.name}".`, { nodes });
      return run.select(selections.of(type), value, path);
    };
    const is = type.isTypeOf(value, run.context, run.infoOf(selected, path));
    return isPromiseLike(is) ? Promise.resolve(is).then(select) : select(is);
  };
}

function completeAbstract(
  schema: GraphQLSchema,
  type: GraphQLAbstractType,
  nodes: readonly FieldNode[],
  selections: Selections,
): Complete {
  const objects = new Map<GraphQLObjectType, Complete>();
  const completeAs = (named: unknown): Complete => {
    const found = requireObject(schema, type, nodes, named);
    let complete = objects.get(found);
    if (!complete) objects.set(found, (complete = completeObject(found, nodes, selections)));
    return complete;
  };
  const resolveType = type.resolveType ?? defaultTypeResolver;
  return (run, value, path, selected) => {
    if (isAbsent(value)) return null;
    const named = resolveType(value, run.context, run.infoOf(selected, path), type);
    if (!isPromiseLike(named)) return completeAs(named)(run, value, path, selected);
    return Promise.resolve(named).then((settled) => completeAs(settled)(run, value, path, selected));
  };
}

/** The object type that a value of an interface or union is said to be of. */
function requireObject(
  schema: GraphQLSchema,
  type: GraphQLAbstractType,
  nodes: readonly FieldNode[],
  named: unknown,
): GraphQLObjectType {
  const found = typeof named === 'string' ? schema.getType(named) : undefined;
  if (isObjectType(found) && schema.isSubType(type, found)) return found;
  throw new GraphQLError(describeMismatch(type, named, found), { nodes });
}

/** What is wrong with the type that a value is said to be of, as graphql-js says it. */
function describeMismatch(type: GraphQLAbstractType, named: unknown, found: GraphQLNamedType | undefined): string {
  if (typeof named !== 'string') return `Abstract type "${type.name}" must resolve to an Object type at runtime.`;
  const resolved = `Abstract type "${type.name}" was resolved to a`;
  if (!found) return `${resolved} type "${named}" that does not exist inside the schema.`;
  if (!isObjectType(found)) return `${resolved} non-object type "${named}".`;
  return `Runtime Object type "${named}" is not a possible type for "${type.name}".`;
}
