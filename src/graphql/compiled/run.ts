import {
  type ExecutionResult,
  GraphQLError,
  type GraphQLResolveInfo,
  OperationTypeNode,
  type ResponsePath,
  type VariableValues,
  getArgumentValues,
  locatedError,
  responsePathAsArray,
} from 'graphql';
import type { Eventually, Members, Place, Running, Selected, SelectedField } from './field.ts';
import { Later, Waiting, begin } from './waiting.ts';

/** The operation as resolvers see it. */
type Operation = Pick<GraphQLResolveInfo, 'schema' | 'fragments' | 'operation'>;

/** Arguments of a resolver. */
type Arguments = Readonly<Record<string, unknown>>;

const NONE: Arguments = Object.freeze(Object.create(null) as Arguments);

/** One run of an operation. */
export class Run implements Running {
  readonly context: unknown;
  isOver = false;
  readonly #operation: Operation;
  readonly #values: VariableValues;
  readonly #hideSuggestions: boolean;
  readonly #given = new Map<SelectedField, Arguments>();
  readonly #errors: GraphQLError[] = [];
  /** Paths that an error set to null: errors below are not reported any more. `undefined`: the whole answer. */
  readonly #nulled = new Set<ResponsePath | undefined>();
  #ending: AbortController | null = null;

  constructor(operation: Operation, context: unknown, values: VariableValues, hideSuggestions: boolean) {
    this.context = context;
    this.#operation = operation;
    this.#values = values;
    this.#hideSuggestions = hideSuggestions;
  }

  /** Runs what is selected of the root, mutations one after another. */
  answer(selection: Selected): Eventually<ExecutionResult> {
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
  select(selection: Selected, source: unknown, path: ResponsePath | undefined): Eventually<Members> {
    const members = empty(selection);
    let waiting: Waiting<Members> | null = null;
    for (const field of selection.fields) {
      const made = this.#resolve(field, source, path);
      if (made instanceof Later) {
        // Its place among the others.
        members[field.key] = undefined;
        (waiting ??= new Waiting(this, members)).add(field.key, made);
      } else members[field.key] = made;
    }
    return waiting ? waiting.whole() : members;
  }

  async #selectSerially(selection: Selected): Promise<Members> {
    const members = empty(selection);
    for (const field of selection.fields) {
      const made = this.#resolve(field, undefined, undefined);
      if (made instanceof Later) {
        const waiting = new Waiting(this, members);
        waiting.add(field.key, made);
        await waiting.whole();
      } else members[field.key] = made;
    }
    return members;
  }

  /** A part of the answer, or a `Later`. */
  #resolve(selected: SelectedField, source: unknown, prev: ResponsePath | undefined): unknown {
    const plain = selected.readPlain?.(source);
    if (plain !== undefined) return plain;
    const { key, parentType, resolve, complete } = selected;
    const path = { prev, key, typename: parentType.name };
    try {
      const info = this.#infoOf(selected, path);
      const value: unknown = resolve(source, this.#argumentsOf(selected), this.context, info);
      return begin(this, value, selected, path, info, complete);
    } catch (error) {
      return this.fail(error, selected, path);
    }
  }

  /** The `info` of a resolver for its field. */
  #infoOf({ field, nodes, parentType }: SelectedField, path: ResponsePath): GraphQLResolveInfo {
    const { schema, fragments, operation } = this.#operation;
    return {
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
  }

  /** Arguments of a field, made once a run: however many rows have it, nobody can change them. */
  #argumentsOf(selected: SelectedField): Arguments {
    const { field, nodes } = selected;
    if (field.args.length === 0) return NONE;
    let given = this.#given.get(selected);
    if (!given) {
      given = Object.freeze(getArgumentValues(field, nodes[0]!, this.#values, null, this.#hideSuggestions));
      this.#given.set(selected, given);
    }
    return given;
  }

  /** Answers nothing where something failed that need not be there; passes it on otherwise. */
  fail(cause: unknown, { isRequired, nodes }: Place, path: ResponsePath): null {
    const error = locatedError(cause, nodes, responsePathAsArray(path));
    if (isRequired) throw error;
    this.#report(error, path);
    return null;
  }

  #report(error: GraphQLError, path: ResponsePath | undefined): void {
    let nulled = path;
    while (nulled && !this.#nulled.has(nulled)) nulled = nulled.prev;
    if (this.#nulled.has(nulled)) return;
    this.#nulled.add(path);
    this.#errors.push(error);
  }

  #end(data: Members | null): ExecutionResult {
    this.isOver = true;
    this.#ending?.abort();
    return this.#errors.length > 0 ? { errors: this.#errors, data } : { data };
  }

  #endWithNothing(cause: unknown): ExecutionResult {
    this.#report(cause instanceof GraphQLError ? cause : locatedError(cause, undefined), undefined);
    return this.#end(null);
  }

  readonly #getAbortSignal = (): AbortSignal => {
    this.#ending ??= new AbortController();
    if (this.isOver) this.#ending.abort();
    return this.#ending.signal;
  };

  readonly #getAsyncHelpers = (): ReturnType<GraphQLResolveInfo['getAsyncHelpers']> => ({
    promiseAll: (values) => Promise.all(values),
    track: (values) => {
      for (const value of values) Promise.resolve(value).catch(() => {});
    },
  });
}

/** Makes an empty object of the answer. */
function empty({ namesProto }: Selected): Members {
  return namesProto ? (Object.create(null) as Members) : {};
}
