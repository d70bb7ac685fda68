import { type GraphQLSchema, isEnumType } from 'graphql';
import type { Texts } from './texts.ts';

/** A choice in a form or a filter. */
export interface Choice {
  readonly value: string;
  readonly text: string;
  /** Meaning of choosing it, if messages have one. */
  readonly about?: string;
}

/**
 * The values of an enum of the schema, in the order of their texts: the messages of one family, `role.admin`, with what
 * each means in `roleAbout.admin` where there is such a message.
 */
export function choicesOf(schema: GraphQLSchema, texts: Texts, type: string, family: string): Choice[] {
  const found = schema.getType(type);
  if (!isEnumType(found)) throw new Error(`${type} is no enum of the schema`);
  const values = found.getValues().map(({ name }) => name);
  return choicesAmong(texts, values, family);
}

/** The same of values that no enum of the schema has. */
export function choicesAmong({ t, has, language }: Texts, values: readonly string[], family: string): Choice[] {
  return values
    .map((value) => ({
      value,
      text: has(`${family}.${value}`) ? t(`${family}.${value}`) : value,
      ...(has(`${family}About.${value}`) && { about: t(`${family}About.${value}`) }),
    }))
    .toSorted((a, b) => a.text.localeCompare(b.text, language));
}
