import {
  type ExecutionResult,
  type FieldNode,
  GraphQLError,
  type GraphQLResolveInfo,
  OperationTypeNode,
  type ResponsePath,
  type VariableValues,
  locatedError,
  responsePathAsArray,
} from 'graphql';
import type { CompiledOperation } from './operation.ts';
import type { SelectedField, Selection } from './selection.ts';

/** What is there already, or in time. */
export type Eventually<Value> = Value | Promise<Value>;

/** A part of an answer. */
type Members = Record<string, unknown>;

/** One run of an operation. */
export class Run {
  readonly context: unknown;
  readonly #operation: CompiledOperation;
  readonly #values: VariableValues;
  readonly #errors: GraphQLError[] = [];
  /** Where an error left nothing: errors below are not told of any more. `null`: of all there is. */
  #nulled: Set<ResponsePath | null> | null = null;
  #ending: AbortController | null = null;
  #ended = false;

  constructor(operation: CompiledOperation, context: unknown, values: VariableValues) {
    this.context = context;
    this.#operation = operation;
    this.#values = values;
  }

  /** Runs what is selected of the root, mutations one after another. */
  answer(selection: Selection): Eventually<ExecutionResult> {
    try {
      const isSerial = this.#operation.operation.operation === OperationTypeNode.MUTATION;
      const data = isSerial ? this.#selectSerially(selection) : this.select(selection, undefined, undefined);
      if (!(data instanceof Promise)) return this.#end(data);
      return data.then(
        (members) => this.#end(members),
        (error: unknown) => this.#endWithNothing(error),
      );
    } catch (error) {
      return this.#endWithNothing(error);
    }
  }

  /** Runs what is selected of an object. */
  select(selection: Selection, source: unknown, path: ResponsePath | undefined): Eventually<Members> {
    const members = empty(selection);
    const pending: Promise<unknown>[] = [];
    try {
      for (const field of selection.fields) {
        const { key } = field;
        const made = this.#resolve(field, source, path);
        members[key] = made;
        if (made instanceof Promise) pending.push(made.then((settled) => (members[key] = settled)));
      }
    } catch (error) {
      this.forget(pending);
      throw error;
    }
    return pending.length === 0 ? members : Promise.all(pending).then(() => members);
  }

  #selectSerially(selection: Selection): Eventually<Members> {
    const members = empty(selection);
    const { fields } = selection;
    const from = (index: number): Eventually<Members> => {
      for (let at = index; at < fields.length; at++) {
        const { key } = fields[at]!;
        const made = this.#resolve(fields[at]!, undefined, undefined);
        members[key] = made;
        if (made instanceof Promise)
          return made.then((settled) => {
            members[key] = settled;
            return from(at + 1);
          });
      }
      return members;
    };
    return from(0);
  }

  #resolve(selected: SelectedField, source: unknown, prev: ResponsePath | undefined): unknown {
    const { field, nodes, parentType } = selected;
    const { schema, fragments, operation } = this.#operation;
    const path: ResponsePath = { prev, key: selected.key, typename: selected.parentName };
    const info: GraphQLResolveInfo = {
      fieldName: field.name,
      fieldNodes: nodes,
      returnType: field.type,
      parentType,
      path,
      schema,
      fragments,
      rootValue: undefined,
      operation,
      variableValues: this.#values,
      getAbortSignal: this.#getAbortSignal,
      getAsyncHelpers: this.#getAsyncHelpers,
    };
    try {
      const given = selected.argumentsOf(this.#values);
      const value: unknown = selected.resolve(source, given, this.context, info);
      const { complete } = selected;
      if (isPromiseLike(value))
        return this.await(
          value,
          (settled) => complete(this, settled, path, info),
          (error) => this.fail(error, selected.isRequired, nodes, path),
        );
      const made = complete(this, value, path, info);
      if (!(made instanceof Promise)) return made;
      return made.then(undefined, (error: unknown) => this.fail(error, selected.isRequired, nodes, path));
    } catch (error) {
      return this.fail(error, selected.isRequired, nodes, path);
    }
  }

  /** Goes on with what a promise brings. */
  async await(
    promise: PromiseLike<unknown>,
    then: (value: unknown) => unknown,
    fail: (error: unknown) => null,
  ): Promise<unknown> {
    try {
      const made = then(await promise);
      return made instanceof Promise ? await made : made;
    } catch (error) {
      return fail(error);
    }
  }

  /** Answers nothing where something failed that need not be there; passes it on otherwise. */
  fail(cause: unknown, isRequired: boolean, nodes: readonly FieldNode[], path: ResponsePath): null {
    const error = locatedError(cause, nodes, responsePathAsArray(path));
    if (isRequired) throw error;
    this.#tell(error, path);
    return null;
  }

  /** Lets what is still under way fail unheard: something beside it has failed. */
  forget(pending: readonly Promise<unknown>[]): void {
    for (const promise of pending) promise.catch(() => {});
  }

  #tell(error: GraphQLError, path: ResponsePath | null): void {
    this.#nulled ??= new Set();
    if (this.#nulled.has(null)) return;
    for (let at: ResponsePath | undefined = path ?? undefined; at; at = at.prev) if (this.#nulled.has(at)) return;
    this.#nulled.add(path);
    this.#errors.push(error);
  }

  #end(data: Members | null): ExecutionResult {
    this.#ended = true;
    this.#ending?.abort();
    return this.#errors.length > 0 ? { errors: this.#errors, data } : { data };
  }

  #endWithNothing(cause: unknown): ExecutionResult {
    this.#tell(cause instanceof GraphQLError ? cause : locatedError(cause, undefined), null);
    return this.#end(null);
  }

  readonly #getAbortSignal = (): AbortSignal => {
    this.#ending ??= new AbortController();
    if (this.#ended) this.#ending.abort();
    return this.#ending.signal;
  };

  readonly #getAsyncHelpers = (): ReturnType<GraphQLResolveInfo['getAsyncHelpers']> => ({
    promiseAll: (values) => Promise.all(values),
    track: (values) => this.forget(values.filter((value) => value instanceof Promise)),
  });
}

/** What is to be an object of the answer. */
function empty({ isOdd }: Selection): Members {
  return isOdd ? (Object.create(null) as Members) : {};
}

export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
