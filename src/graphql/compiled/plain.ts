import { type GraphQLField, getNullableType, isLeafType, isNonNullType } from 'graphql';
import { isPromiseLike } from 'graphql/jsutils/isPromise.js';

/**
 * Compiles how a leaf without a resolver, as most fields are, is read from its source: resolvers are told where in the
 * operation and the answer they are, which takes longer than all else. It returns undefined for what has to be resolved
 * as other fields are, such as what fails. Null for other fields.
 */
export function compilePlain({ name, type, resolve }: GraphQLField<unknown, unknown>) {
  const leaf = getNullableType(type);
  if (resolve || !isLeafType(leaf)) return null;
  const none = isNonNullType(type) ? undefined : null;
  return (source: unknown): unknown => {
    if (typeof source !== 'object' || source === null) return undefined;
    try {
      const member = (source as Readonly<Record<string, unknown>>)[name];
      if ((member ?? null) === null) return none;
      if (typeof member === 'function' || member instanceof Error || isPromiseLike(member)) return undefined;
      return leaf.coerceOutputValue(member) ?? undefined;
    } catch {
      // It fails there again, and its error has a place.
      return undefined;
    }
  };
}
