import type { components, paths, webhooks } from './openapi.ts';

/** The records that the rail answers, by the names of its description: `Schemas['Assessment']`. */
export type Schemas = components['schemas'];

type Error = Schemas['Error']['error'];
/** Fault in one value of a request. */
export type Field = Schemas['ErrorDetail'];
/** Cause of a missing answer, or of one that no rail gives. */
export type Trouble = 'unreachable' | 'timed_out' | 'unexpected_answer';
/** The kind of an error. */
export type Code = Error['code'] | Trouble;
/** Reason of a refusal; newer rails may have more reasons. */
export type Reason = Schemas['Reason'] | Code | (string & Record<never, never>);

/** A message about something that happened, told apart by its `type`. */
export type RailEvent = {
  [Type in keyof webhooks]: webhooks[Type]['post']['requestBody']['content']['application/json'];
}[keyof webhooks];
export type EventType = RailEvent['type'];
type Group = EventType extends `${infer Beginning}.${string}` ? Beginning : never;
/** A type of events, or a beginning that several have: `payment_intent.*`. */
export type EventFilter = EventType | `${Group}.*`;
export type EventOf<Filter extends EventFilter> = Extract<
  RailEvent,
  { type: Filter extends `${infer Beginning}.*` ? `${Beginning}.${string}` : Filter }
>;

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The paths that can be called by a method. */
export type PathOf<M extends Method> = {
  [Path in keyof paths]: paths[Path] extends Record<M, unknown> ? Path : never;
}[keyof paths];

type OperationOf<M extends Method, Path extends PathOf<M>> =
  paths[Path] extends Record<M, infer Operation> ? Operation : never;

/** Answer of an operation, out of its envelope. */
export type AnswerOf<M extends Method, Path extends PathOf<M>> =
  OperationOf<M, Path> extends { responses: { 200: { content: { 'application/json': infer Body } } } }
    ? Body extends { data: infer Data }
      ? Data
      : Body
    : undefined;

type ParametersOf<Operation> = Operation extends { parameters: infer Parameters }
  ? Pick<Parameters, keyof Parameters & ('path' | 'query')>
  : unknown;
type ContentOf<Operation> = Operation extends { requestBody?: { content: infer Content } }
  ? Content[keyof Content]
  : never;
type Sent<Operation> = ParametersOf<Operation> &
  (Operation extends { requestBody: unknown }
    ? { body: ContentOf<Operation> }
    : 'requestBody' extends keyof Operation
      ? { body?: ContentOf<Operation> }
      : unknown);

/** Input of an operation: the parameters of its path and query, and its body. */
export type InputOf<M extends Method, Path extends PathOf<M>> = Sent<OperationOf<M, Path>>;
export type BodyOf<M extends Method, Path extends PathOf<M>> = ContentOf<OperationOf<M, Path>>;
export type QueryOf<Path extends PathOf<'get'>> =
  OperationOf<'get', Path> extends { parameters: { query?: infer Query } } ? Query : never;

/** The paths of lists. */
export type ListPath = {
  [Path in PathOf<'get'>]: AnswerOf<'get', Path> extends readonly unknown[] ? Path : never;
}[PathOf<'get'>];
export type RowOf<Path extends ListPath> = AnswerOf<'get', Path> extends readonly (infer Row)[] ? Row : never;
