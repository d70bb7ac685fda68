import {
  type GraphQLEnumType,
  GraphQLError,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLLeafType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  isScalarType,
} from 'graphql';
import type { Detail } from '../../kernel/refusal.ts';
import { findBadText, shorten } from '../../kernel/text/free-text.ts';
import { type Shape, findOutOfBounds } from './shapes.ts';
import { ScalarMistake } from '../scalars.ts';
import { type Said, type Words, say } from '../../kernel/text/said.ts';

/** Tolerance of a surface towards input that does not quite fit. */
export interface Manners {
  /** Members that an input object does not have: left out, or a mistake. */
  readonly findUnknown: 'ignored' | 'refused';
  /** Treatment of a value that is no list: refused, or taken as a list of one. */
  readonly lists: 'strict' | 'of one';
  /** Names of the values of enums: those of the schema, or the constants of the code. */
  readonly enums: 'by name' | 'by constant';
  /** The name that an input object has for a member. */
  nameOf(member: GraphQLInputField): string;
  /** The bounds that a member of an input object is held to. */
  boundsOf(member: GraphQLInputField): Shape;
}

/** Checks of built-in types; on their own they would throw one exception per value. */
const BUILT_IN: Readonly<Record<string, { readonly takes: (value: unknown) => boolean; readonly message: Said }>> = {
  Int: {
    takes: (value) => Number.isInteger(value) && Number(value) >= -(2 ** 31) && Number(value) < 2 ** 31,
    message: say`must be a whole number`,
  },
  Float: { takes: (value) => Number.isFinite(value), message: say`must be a number` },
  Boolean: { takes: (value) => typeof value === 'boolean', message: say`must be true or false` },
  String: { takes: (value) => typeof value === 'string', message: say`must be a string` },
  ID: { takes: (value) => typeof value === 'string' || Number.isSafeInteger(value), message: say`must be a string` },
};

/**
 * A value as its type knows it, enums by their names. What does not fit is noted, in the same words on every surface; a list or a text that
 * is too long before anything in it is looked at, and nothing deeper than its type is.
 */
export function fit(
  value: unknown,
  type: GraphQLInputType,
  bounds: Shape,
  path: string,
  details: Detail[],
  manners: Manners,
): unknown {
  if (isNonNullType(type)) {
    if (value === null) details.push({ path, message: say`must not be null` });
    return value === null ? null : fit(value, type.ofType, bounds, path, details, manners);
  }
  if (value === null) return null;
  if (isListType(type)) {
    const items: unknown = Array.isArray(value) || manners.lists === 'strict' ? value : [value];
    return fitItems(items, type.ofType, bounds, path, details, manners);
  }
  if (isInputObjectType(type)) return fitMembers(value, type, path, details, manners);
  const tooLong = typeof value === 'string' ? findOutOfBounds(value, bounds) : null;
  const message =
    tooLong ??
    (typeof value === 'string' ? findBadText(value) : null) ??
    findLeafMistake(value, type, bounds, manners) ??
    findOutOfBounds(value, bounds);
  if (message) details.push({ path, message });
  return manners.enums === 'by constant' && isEnumType(type) ? (nameOf(type, value) ?? value) : value;
}

/** The items of a list; one that is too long is refused without a look at them. */
function fitItems(
  value: unknown,
  type: GraphQLInputType,
  bounds: Shape,
  path: string,
  details: Detail[],
  manners: Manners,
): unknown {
  const message = Array.isArray(value) ? findOutOfBounds(value, bounds) : say`must be a list`;
  if (message) details.push({ path, message });
  if (message || !Array.isArray(value)) return value;
  return value.map((item, index) => fit(item, type, bounds.items ?? {}, `${path}[${index}]`, details, manners));
}

function fitMembers(
  value: unknown,
  type: GraphQLInputObjectType,
  path: string,
  details: Detail[],
  manners: Manners,
): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    details.push({ path, message: say`must be an object` });
    return value;
  }
  const fields = type.getFields();
  const given = value as Readonly<Record<string, unknown>>;
  const fitted: Record<string, unknown> = {};
  for (const field of Object.values(fields)) {
    const name = manners.nameOf(field);
    const member = `${path}.${name}`;
    if (Object.hasOwn(given, name))
      fitted[field.name] = fit(given[name], field.type, manners.boundsOf(field), member, details, manners);
    else if (isRequiredInputField(field)) details.push({ path: member, message: say`is required` });
  }
  if (manners.findUnknown === 'refused') {
    for (const name of Object.keys(given))
      if (!Object.hasOwn(fields, name)) details.push({ path: `${path}.${shorten(name)}`, message: say`is not known` });
  }
  return fitted;
}

/** The name that an enum has for a constant of the code. */
export function nameOf(type: GraphQLEnumType, constant: unknown): string | undefined {
  return type.getValues().find(({ value }) => value === constant)?.name;
}

function findLeafMistake(value: unknown, type: GraphQLLeafType, bounds: Shape, { enums }: Manners): Words | null {
  if (isEnumType(type)) {
    const called = type.getValues().map(({ name, value: constant }) => (enums === 'by name' ? name : String(constant)));
    return called.some((one) => one === value) ? null : say`must be one of ${(bounds.enum ?? called).join(', ')}`;
  }
  const builtIn = BUILT_IN[type.name];
  if (builtIn) return builtIn.takes(value) ? null : builtIn.message;
  try {
    return type.coerceInputValue(value) === undefined ? say`is not allowed` : null;
  } catch (error) {
    if (error instanceof ScalarMistake) return error.said;
    if (error instanceof GraphQLError && isScalarType(type)) return error.message;
    throw error;
  }
}
