import type {
  FieldNode,
  GraphQLField,
  GraphQLFieldResolver,
  GraphQLObjectType,
  GraphQLResolveInfo,
  ResponsePath,
} from 'graphql';

/** A value, at once or in time. */
export type Eventually<Value> = Value | Promise<Value>;

/** A part of an answer. */
export type Members = Record<string, unknown>;

/** Position of a selection in the answer, and its nullability. */
export interface Place {
  readonly nodes: readonly FieldNode[];
  readonly isRequired: boolean;
}

/** A field of a selection, with all that a row does not change. */
export interface SelectedField extends Place {
  /** Its member of the answer. */
  readonly key: string;
  readonly field: GraphQLField<unknown, unknown>;
  readonly parentType: GraphQLObjectType;
  readonly resolve: GraphQLFieldResolver<unknown, unknown>;
  readonly complete: Complete;
  /** Reads a leaf from its source, and completes it; undefined if that takes more. Null for other fields. */
  readonly readPlain: ((source: unknown) => unknown) | null;
}

/** The fields that are selected of objects of one type. */
export interface Selected {
  readonly fields: readonly SelectedField[];
  /** True if a member has a name that a plain object takes for something else. */
  readonly namesProto: boolean;
}

/** The run of an operation, to what becomes of the values of its fields. */
export interface Running {
  readonly context: unknown;
  /** True once it has answered: nobody waits for the rest. */
  readonly isOver: boolean;
  /** Runs what is selected of an object. */
  select(selection: Selected, source: unknown, path: ResponsePath | undefined): Eventually<Members>;
  /** Answers nothing where something failed that need not be there; passes it on otherwise. */
  fail(cause: unknown, place: Place, path: ResponsePath): null;
}

/**
 * Makes what a field's resolver answered into a part of the answer, at once or in time. Throws what is wrong with it.
 * `path` is that of the field, or of an item of its list; `info` is what the resolver was told.
 */
export type Complete = (run: Running, value: unknown, path: ResponsePath, info: GraphQLResolveInfo) => unknown;
