import {
  type ExecutionResult,
  GraphQLError,
  type GraphQLResolveInfo,
  OperationTypeNode,
  type ResponsePath,
  type VariableValues,
  locatedError,
  responsePathAsArray,
} from 'graphql';
import type { Arguments } from './arguments.ts';
import {
  type Eventually,
  type Members,
  PLACED,
  type Place,
  type Running,
  type Selected,
  type SelectedField,
} from './field.ts';
import { Later, Waiting, isPromiseLike } from './waiting.ts';

/** What is run, as resolvers are told of it. */
type Operation = Pick<GraphQLResolveInfo, 'schema' | 'fragments' | 'operation'>;

const NONE: Arguments = Object.freeze(Object.create(null) as Arguments);

/** One run of an operation. */
export class Run implements Running {
  readonly context: unknown;
  readonly #operation: Operation;
  readonly #values: VariableValues;
  readonly #given = new Map<SelectedField, Arguments>();
  readonly #errors: GraphQLError[] = [];
  /** Where an error left nothing: errors below are not told of any more. `null`: of all there is. */
  #nulled: Set<ResponsePath | null> | null = null;
  #ending: AbortController | null = null;
  #ended = false;

  constructor(operation: Operation, context: unknown, values: VariableValues) {
    this.context = context;
    this.#operation = operation;
    this.#values = values;
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

  #selectSerially(selection: Selected): Eventually<Members> {
    const members = empty(selection);
    const { fields } = selection;
    const from = (index: number): Eventually<Members> => {
      for (let at = index; at < fields.length; at++) {
        const { key } = fields[at]!;
        const made = this.#resolve(fields[at]!, undefined, undefined);
        if (made instanceof Later) {
          const waiting = new Waiting(this, members);
          waiting.add(key, made);
          return waiting.whole().then(() => from(at + 1));
        }
        members[key] = made;
      }
      return members;
    };
    return from(0);
  }

  /** A part of the answer, or a `Later`. */
  #resolve(selected: SelectedField, source: unknown, prev: ResponsePath | undefined): unknown {
    const { read, completeLeaf } = selected;
    if (!read) return this.#resolveInPlace(selected, source, placeBelow(prev, selected));
    try {
      const value = read(source, this.#argumentsOf(selected), this.context);
      if (value === PLACED) return this.#resolveInPlace(selected, source, placeBelow(prev, selected));
      if (completeLeaf && !isPromiseLike(value)) return completeLeaf(value);
      return this.#complete(selected, value, placeBelow(prev, selected));
    } catch (error) {
      return this.fail(error, selected, placeBelow(prev, selected));
    }
  }

  /** Resolves what may ask where in the operation and in the answer it stands. */
  #resolveInPlace(selected: SelectedField, source: unknown, path: ResponsePath): unknown {
    try {
      const info = this.infoOf(selected, path);
      const value: unknown = selected.resolve(source, this.#argumentsOf(selected), this.context, info);
      return this.#complete(selected, value, path);
    } catch (error) {
      return this.fail(error, selected, path);
    }
  }

  #complete(selected: SelectedField, value: unknown, path: ResponsePath): unknown {
    const { complete } = selected;
    if (isPromiseLike(value)) return new Later(value, selected, path, selected, complete);
    const made = complete(this, value, path, selected);
    return made instanceof Promise ? new Later(made, selected, path, selected, null) : made;
  }

  /** What a resolver is told of the place of its field; `path` is that of the field, or of an item of its list. */
  infoOf({ field, nodes, parentType }: SelectedField, path: ResponsePath): GraphQLResolveInfo {
    const { schema, fragments, operation } = this.#operation;
    return {
      fieldName: field.name,
      fieldNodes: nodes,
      returnType: field.type,
      parentType,
      path: fieldOf(path),
      schema,
      fragments,
      rootValue: undefined,
      operation,
      variableValues: this.#values,
      getAbortSignal: this.#getAbortSignal,
      getAsyncHelpers: this.#getAsyncHelpers,
    };
  }

  /** What a field hands to its resolver is made once a run: however many rows have it, nobody can change it. */
  #argumentsOf(selected: SelectedField): Arguments {
    if (selected.field.args.length === 0) return NONE;
    let given = this.#given.get(selected);
    if (!given) {
      given = Object.freeze(selected.argumentsOf(this.#values));
      this.#given.set(selected, given);
    }
    return given;
  }

  /** Answers nothing where something failed that need not be there; passes it on otherwise. */
  fail(cause: unknown, { isRequired, nodes }: Place, path: ResponsePath): null {
    const error = locatedError(cause, nodes, responsePathAsArray(path));
    if (isRequired) throw error;
    this.#tell(error, path);
    return null;
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
    track: (values) => {
      for (const value of values) if (value instanceof Promise) value.catch(() => {});
    },
  });
}

function placeBelow(prev: ResponsePath | undefined, { key, parentName }: SelectedField): ResponsePath {
  return { prev, key, typename: parentName };
}

/** The place of the field whose value, or whose list, something is of. */
function fieldOf(path: ResponsePath): ResponsePath {
  let at = path;
  while (typeof at.key === 'number' && at.prev) at = at.prev;
  return at;
}

/** What is to be an object of the answer. */
function empty({ isOdd }: Selected): Members {
  return isOdd ? (Object.create(null) as Members) : {};
}
