import { type DocumentNode, type ExecutionResult, execute as executeByGraphqlJs, responsePathAsArray } from 'graphql';
import { isDeepStrictEqual } from 'node:util';
import { execute } from '../../../src/graphql/compiled/execute.ts';
import { type Handed, MockedRun, placeOf, schema } from './mocked.ts';

export interface Asked {
  readonly document: DocumentNode;
  readonly operationName?: string | undefined;
  readonly variableValues: Readonly<Record<string, unknown>>;
}

/** Has both executors run an operation over what the same resolvers answer; says where they differ. */
export async function findDifferences(asked: Asked, seed: number): Promise<string[]> {
  const [compiled, plain] = [await runBy(execute, asked, seed), await runBy(executeByGraphqlJs, asked, seed)];
  const places = new Set([...compiled.handed.keys(), ...plain.handed.keys()]);
  const { data } = plain.result;
  return [
    ...compare('data', compiled.result.data, plain.result.data),
    // If two fields fail at once and one of them must not be null, either error may be reported.
    ...(compare('errors', errorsOf(compiled.result), errorsOf(plain.result)).length > 0
      ? compare('errors', errorsOf(compiled.result, data), errorsOf(plain.result, data))
      : []),
    ...compare('asked after the answer', compiled.late, plain.late),
    ...[...places].flatMap((place) => differencesOf(place, compiled.handed.get(place), plain.handed.get(place), data)),
  ];
}

async function runBy(executor: typeof execute, asked: Asked, seed: number) {
  const run = new MockedRun(seed);
  const answering = Promise.resolve(executor({ schema, ...asked, contextValue: run }));
  let atAnswer: readonly string[] = [];
  const answered = answering.then(() => (atAnswer = [...run.handed.keys()]));
  // Includes calls after the answer: none may follow.
  await run.settle();
  await answered;
  return { result: await answering, handed: run.handed, late: [...run.handed.keys()].slice(atAnswer.length) };
}

function compare(what: string, compiled: unknown, plain: unknown): string[] {
  const [one, other] = [textOf(compiled), textOf(plain)];
  return one === other ? [] : [`${what}: ${one} compiled, ${other} by graphql-js`];
}

/** True if nothing is left of a place in an answer. */
function isNulled(data: unknown, [key, ...path]: readonly (string | number)[]): boolean {
  if (data === null || data === undefined || key === undefined) return data === null;
  return isNulled((data as Readonly<Record<string, unknown>>)[key], path);
}

/** A value with the order of its members, and what JSON cannot say. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_key, of: unknown) => (typeof of === 'bigint' ? `${of}n` : of)) ?? 'undefined';
}

/** Errors in an order of their own: those that come at once have none. */
function errorsOf({ errors }: ExecutionResult, data?: ExecutionResult['data']): string[] | undefined {
  const texts = errors?.map(({ message, path, locations, extensions, originalError }) => {
    // If there is data, only the null place above an error is compared.
    const nulled = data !== undefined && path?.findIndex((_, depth) => isNulled(data, path.slice(0, depth)));
    if (typeof nulled === 'number' && nulled >= 0) return textOf({ nulled: path!.slice(0, nulled) });
    return textOf({ message, path, locations, extensions, original: originalError?.message });
  });
  return texts && (data === undefined ? texts : [...new Set(texts)]).toSorted();
}

/** Differences between the values that a resolver was given. */
function differencesOf(
  place: string,
  compiled: Handed | undefined,
  plain: Handed | undefined,
  data: ExecutionResult['data'],
): string[] {
  if (!compiled || !plain) {
    const { path } = (compiled ?? plain)!.info;
    // The order of simultaneous results is not defined, and a failure may have removed the other field.
    return isNulled(data, responsePathAsArray(path))
      ? []
      : [`${place}: only ${compiled ? 'compiled' : 'by graphql-js'}`];
  }
  const { source, args, info } = compiled;
  const different = Object.keys({ ...info, ...plain.info }).filter((name) => {
    const [one, other] = [info, plain.info].map((of) => of[name as keyof typeof info]);
    // Made for each run.
    if (typeof one === 'function') return typeof other !== 'function';
    // These are of the document or the schema, and so must be identical.
    const isShared = ['schema', 'operation', 'parentType', 'returnType'].includes(name);
    return isShared ? one !== other : !isDeepStrictEqual(one, other);
  });
  if (placeOf(source) !== placeOf(plain.source)) different.push('source');
  if (!isDeepStrictEqual(args, plain.args)) different.push('args');
  if (!info.fieldNodes.every((node, index) => node === plain.info.fieldNodes[index])) different.push('nodes');
  return different.map((name) => `${place}: ${name}`);
}
