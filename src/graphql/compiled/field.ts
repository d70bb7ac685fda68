import type {
  FieldNode,
  GraphQLField,
  GraphQLFieldResolver,
  GraphQLObjectType,
  GraphQLResolveInfo,
  ResponsePath,
  VariableValues,
} from 'graphql';
import type { Arguments } from './arguments.ts';

/** What is there already, or in time. */
export type Eventually<Value> = Value | Promise<Value>;

/** A part of an answer. */
export type Members = Record<string, unknown>;

/** Where something of the answer is selected, and whether it has to be there. */
export interface Place {
  readonly nodes: readonly FieldNode[];
  readonly isRequired: boolean;
}

/** A field of a selection, with all that a row does not change. */
export interface SelectedField {
  /** Its member of the answer. */
  readonly key: string;
  readonly field: GraphQLField<unknown, unknown>;
  readonly parentType: GraphQLObjectType;
  readonly parentName: string;
  /** Where an operation names it; its arguments are those of the first. */
  readonly nodes: readonly FieldNode[];
  readonly isRequired: boolean;
  readonly resolve: GraphQLFieldResolver<unknown, unknown>;
  readonly argumentsOf: (values: VariableValues) => Arguments;
  /** Resolves it where that takes nothing of its place in the operation; null where the resolver may ask for it. */
  readonly read: Read | null;
  readonly complete: Complete;
  /** The same for what is no object and no list, which takes nothing of its place either; null for other fields. */
  readonly completeLeaf: CompleteLeaf | null;
}

/** Stands for a value that takes the whole resolver. */
export const PLACED = Symbol('what takes the place of a field to find out');

/** A resolver that is handed everything but what it is told of its place. */
export type Read = (source: unknown, args: Arguments, context: unknown) => unknown;

/** The fields that are selected of objects of one type. */
export interface Selected {
  readonly fields: readonly SelectedField[];
  /** Whether a member has a name that a plain object takes for something else. */
  readonly isOdd: boolean;
}

/** The run of an operation, to what becomes of the values of its fields. */
export interface Running {
  readonly context: unknown;
  /** Runs what is selected of an object. */
  select(selection: Selected, source: unknown, path: ResponsePath | undefined): Eventually<Members>;
  /** What a resolver is told of the place of its field; `path` is that of the field, or of an item of its list. */
  infoOf(selected: SelectedField, path: ResponsePath): GraphQLResolveInfo;
  /** Answers nothing where something failed that need not be there; passes it on otherwise. */
  fail(cause: unknown, place: Place, path: ResponsePath): null;
}

/** Makes what a field's resolver answered into a part of the answer, at once or in time. Throws what is wrong with it. */
export type Complete = (run: Running, value: unknown, path: ResponsePath, selected: SelectedField) => unknown;

/** Makes the value of a field that is no object and no list what stands in the answer. Throws what is wrong with it. */
export type CompleteLeaf = (value: unknown) => unknown;
