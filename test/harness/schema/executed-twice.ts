import {
  type ExecutionResult,
  type GraphQLFieldResolver,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  defaultFieldResolver,
  execute,
  isObjectType,
  responsePathAsArray,
} from 'graphql';
import { isDeepStrictEqual } from 'node:util';
import { vi } from 'vitest';
import { CompiledOperation } from '../../../src/graphql/compiled/operation.ts';

/** What a resolver was asked, and what came of it. */
interface Asked {
  readonly source: unknown;
  readonly args: unknown;
  readonly info: GraphQLResolveInfo;
  readonly came: { readonly value: unknown } | { readonly error: unknown };
}

/** What the resolvers of one run were asked, by the paths of their fields. */
interface Recording {
  readonly asked: Map<string, Asked>;
  replayed: boolean;
}

export interface ExecutedTwice {
  /** The operations that were run, by their names. */
  readonly operations: Set<string>;
  /** Where compiled operations and graphql-js differed. */
  readonly differences: string[];
}

/**
 * Has every compiled operation that is run from now on executed by graphql-js too, on what the same resolvers answered,
 * and compares what both handed to resolvers and what they answered in the end.
 */
export function executeTwice(schema: GraphQLSchema): ExecutedTwice {
  const seen: ExecutedTwice = { operations: new Set(), differences: [] };
  const recordings = new Map<unknown, Recording>();
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields()))
      field.resolve = recorded(field.resolve ?? defaultFieldResolver);
  }
  const { run } = CompiledOperation.prototype;
  vi.spyOn(CompiledOperation.prototype, 'run').mockImplementation(async function (
    this: CompiledOperation,
    contextValue,
    variableValues,
  ) {
    const recording: Recording = { asked: new Map(), replayed: false };
    recordings.set(contextValue, recording);
    const compiled = await run.call(this, contextValue, variableValues);
    recording.replayed = true;
    const { document, operation } = this;
    const operationName = operation.name?.value;
    const executed = await execute({ schema, document, operationName, contextValue, variableValues });
    recordings.delete(contextValue);
    seen.operations.add(operationName ?? '');
    if (textOf(compiled) !== textOf(executed))
      seen.differences.push(`${operationName}: ${textOf(compiled)} and not ${textOf(executed)}`);
    return compiled;
  });
  return seen;

  function recorded(resolve: GraphQLFieldResolver<unknown, unknown>): GraphQLFieldResolver<unknown, unknown> {
    return (source, args, context, info) => {
      const recording = recordings.get(context);
      if (!recording) return resolve(source, args, context, info);
      const path = responsePathAsArray(info.path).join('.');
      if (!recording.replayed) {
        const ask = () => {
          try {
            return { value: resolve(source, args, context, info) };
          } catch (error) {
            return { error };
          }
        };
        // What it is handed is compared as it was, whatever becomes of it.
        const given = { source, args: { ...args }, info };
        const came = ask();
        recording.asked.set(path, { ...given, came });
        return answer(came);
      }
      const earlier = recording.asked.get(path);
      if (!earlier) throw new Error(`only graphql-js asks for ${path}`);
      for (const what of differencesOf(earlier, { source, args, info })) seen.differences.push(`${path}: ${what}`);
      return answer(earlier.came);
    };
  }
}

function answer(came: Asked['came']): unknown {
  if ('error' in came) throw came.error;
  return came.value;
}

/** Members of what a resolver was handed that are not the same. */
function differencesOf(earlier: Omit<Asked, 'came'>, { source, args, info }: Omit<Asked, 'came'>): string[] {
  const {
    path,
    variableValues,
    fieldNodes,
    fragments,
    getAbortSignal: _signal,
    getAsyncHelpers: _helpers,
    ...rest
  } = info;
  const alike = {
    source: earlier.source === source,
    args: isDeepStrictEqual({ ...(earlier.args as object) }, { ...(args as object) }),
    path: isDeepStrictEqual(earlier.info.path, path),
    variables: isDeepStrictEqual({ ...earlier.info.variableValues.coerced }, { ...variableValues.coerced }),
    nodes: isDeepStrictEqual(earlier.info.fieldNodes, fieldNodes),
    fragments: isDeepStrictEqual({ ...earlier.info.fragments }, { ...fragments }),
    ...Object.fromEntries(
      Object.entries(rest).map(([name, value]) => [name, earlier.info[name as keyof typeof rest] === value]),
    ),
  };
  return Object.entries(alike).flatMap(([name, same]) => (same ? [] : [name]));
}

/** An answer as text; errors in the order of their paths, since those that arrive together have none. */
function textOf({ data, errors }: ExecutionResult): string {
  const told = errors?.map((error) => JSON.stringify(error)).toSorted();
  return JSON.stringify({ data, ...(told && { told }) });
}
