import { CriticalityLevel, diff } from '@graphql-inspector/core';
import { type CompareRules, apiDiff, openapi3Rules } from 'api-smart-diff';
import { buildSchema } from 'graphql';
import { ANNOTATIONS } from './annotations.ts';
import type { Contract } from './documents.ts';

/** One difference between two contracts. */
export interface Change {
  /** Coordinate of the change, as callers name it: `Type.field`, or `GET /v1/x`. */
  readonly coordinate: string;
  readonly message: string;
  /** True if a program that was written against the former may fail with the latter. */
  readonly breaking: boolean;
}

/** All differences, those that break first. */
export async function compare(before: Contract, after: Contract): Promise<readonly Change[]> {
  const changes = [
    ...(await compareSchemas(before.graphql, after.graphql)),
    ...compareDescriptions(before.openapi, after.openapi),
  ];
  return changes.toSorted((a, b) => Number(b.breaking) - Number(a.breaking));
}

async function compareSchemas(before: string, after: string): Promise<Change[]> {
  const changes = await diff(buildSchema(before), buildSchema(after));
  return changes.map(({ path, message, criticality }) => ({
    coordinate: path ?? 'schema',
    message,
    breaking: criticality.level === CriticalityLevel.Breaking,
  }));
}

interface Difference {
  readonly path: readonly (string | number)[];
  readonly action: string;
  readonly type: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/**
 * Shared parts are compared where they are used, as input or as output, and not separately. Rules
 * remember what they were asked to compare, and pass it over the next time: each comparison has its own.
 */
function newRules(): CompareRules {
  return { ...openapi3Rules(), '/components': { skip: true } };
}

interface Description {
  readonly openapi: string;
  readonly components: object;
  readonly paths: Readonly<Record<string, unknown>>;
  readonly webhooks: Readonly<Record<string, unknown>>;
}

/** Section by section and path by path: the library compares shared parts once, where it meets them first. */
function compareDescriptions(before: string, after: string): Change[] {
  const [old, current] = [JSON.parse(before) as Description, JSON.parse(after) as Description];
  // The library adds to what it compares.
  const [former, latter] = [JSON.parse(before) as Description, JSON.parse(after) as Description];
  return (['paths', 'webhooks'] as const).flatMap((section) =>
    Object.keys({ ...old[section], ...current[section] }).flatMap((name) => {
      const [one, other] = [only(old, section, name), only(current, section, name)];
      const found: readonly Difference[] = apiDiff(one, other, { rules: newRules() });
      return (
        found
          .filter(({ path, type }) => path[0] === section && type !== 'annotation')
          // The first value of a set that is now open stands for all.
          .filter((difference) => !opensSet(difference, latter) || Number(difference.path.at(-1)) === 0)
          .map((difference) => changeOf(difference, former, latter))
      );
    }),
  );
}

/** A description of one path or webhook, and after it all that it may refer to. */
function only({ openapi, components, ...sections }: Description, section: 'paths' | 'webhooks', name: string): object {
  const entry = sections[section][name];
  return { openapi, [section]: entry === undefined ? {} : { [name]: entry }, components };
}

function changeOf(difference: Difference, former: object, latter: object): Change {
  return {
    coordinate: coordinateOf(difference.path),
    message: `${difference.action}: ${difference.path.slice(3).join(' › ')}`,
    breaking: breaks(difference) && !saysTypeOfAnything(difference, former) && !opensSet(difference, latter),
  };
}

/** `GET /v1/x`, or the name of a webhook. */
function coordinateOf([section, name, method]: Difference['path']): string {
  return section === 'paths' && method !== undefined ? `${String(method).toUpperCase()} ${String(name)}` : String(name);
}

/**
 * The library's judgement, with four exceptions: it takes another type in an answer for harmless, and a value that an
 * answer newly has for breaking, which every reader of an enum of ours is asked to expect; a type that is wider in a
 * request, or narrower in an answer, breaks nobody; and it has no rules for webhooks.
 */
function breaks({ path, action, type, before, after }: Difference): boolean {
  const [member, parent] = [path.at(-1), path.at(-2)];
  if (path.some((step) => ANNOTATIONS.includes(step) && path[path.indexOf(step) - 1] !== 'properties')) return false;
  const answered = path[0] === 'webhooks' || path.includes('responses');
  if (answered && parent === 'enum' && action === 'add') return false;
  if (member === 'type' && action === 'replace') {
    const [written, read] = answered ? [after, before] : [before, after];
    return ![written].flat().every((one) => [read].flat().includes(one));
  }
  if (path[0] === 'webhooks') return action === 'remove' && parent !== 'enum';
  return type === 'breaking';
}

/** True if an answer now declares a type where there was none before: it was of that type all along. */
function saysTypeOfAnything({ path, action }: Difference, former: object): boolean {
  const place = path.lastIndexOf('type');
  return (
    action === 'add' &&
    path.includes('responses') &&
    place >= path.length - 2 &&
    valueAt(former, path.slice(0, place + 1)) === undefined
  );
}

/** True if an answer lists the values of a member no longer: its readers were asked to expect others all along. */
function opensSet({ path, action }: Difference, latter: object): boolean {
  const [enumeration, member] = [path.slice(0, -1), path.slice(0, -2)];
  return (
    action === 'remove' &&
    enumeration.at(-1) === 'enum' &&
    path.includes('responses') &&
    valueAt(latter, enumeration) === undefined &&
    valueAt(latter, member) !== undefined
  );
}

/** The value at a path of a description, whose references are followed; undefined where there is none. */
function valueAt(description: object, path: Difference['path']): unknown {
  return path.reduce<unknown>((value, step) => memberOf(follow(description, value), step), description);
}

function follow(description: object, value: unknown): unknown {
  const reference = memberOf(value, '$ref');
  if (typeof reference !== 'string') return value;
  return valueAt(description, reference.split('/').slice(1));
}

function memberOf(value: unknown, name: string | number): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
