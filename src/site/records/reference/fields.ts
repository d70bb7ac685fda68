import { type Description, type Schema, follow } from './description.ts';
import { type Linked, showText } from './text.ts';

/** A field of a request or of an answer, as a row of a table. */
export interface Field {
  /** Its path: `lines[].service`. */
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  /** Meaning of the field, as HTML. */
  readonly about: string;
  /** The values that it may have, where these are few. */
  readonly values: readonly string[];
  /** Value of the field by default. */
  readonly defaultValue: string | null;
}

/** Deeper than any answer; what refers to itself ends there. */
const DEEPEST = 6;

/** The fields of a schema, those of objects in it included. */
export function fieldsOf(description: Description, schema: Schema, linked: Linked): Field[] {
  const walk = (from: Schema, name: string, depth: number): Field[] => {
    const { schema: inside, path } = unwrap(description, from, name);
    if (depth > DEEPEST || !inside.properties) return [];
    const required = new Set(inside.required);
    return Object.entries(inside.properties).flatMap(([member, own]) => {
      const place = path === '' ? member : `${path}.${member}`;
      return [rowOf(description, own, place, required.has(member), linked), ...walk(own, place, depth + 1)];
    });
  };
  return walk(schema, '', 0);
}

/** One row: a field, or a parameter. */
export function rowOf(
  description: Description,
  schema: Schema,
  name: string,
  required: boolean,
  linked: Linked,
  about = schema.description,
): Field {
  const { schema: inside } = unwrap(description, schema, name);
  return {
    name,
    required,
    type: typeOf(description, schema),
    about: showText(about ?? inside.description ?? '', linked),
    values: (inside.enum ?? []).filter((value) => value !== null).map(String),
    defaultValue: schema.default === undefined || schema.default === null ? null : JSON.stringify(schema.default),
  };
}

/** Type of an object or of the members of a list, with the path that leads to them. */
function unwrap(description: Description, from: Schema, name: string): { schema: Schema; path: string } {
  const schema = follow(description, 'schemas', from);
  const one = (schema.oneOf ?? schema.anyOf)?.find(({ type }) => type !== 'null');
  if (one) return unwrap(description, one, name);
  return schema.items ? unwrap(description, schema.items, `${name}[]`) : { schema, path: name };
}

/** Its type in words of JSON: `string, list of numbers, or null`. */
function typeOf(description: Description, from: Schema): string {
  const schema = follow(description, 'schemas', from);
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return choices.map((one) => typeOf(description, one)).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const types = [schema.type ?? 'any'].flat().map((type) => {
    if (type === 'array') return `${schema.items ? typeOf(description, schema.items) : 'any'}[]`;
    return type === 'null' ? type : `${type}${formOf(schema)}`;
  });
  return types.join(' | ');
}

/** Formats that say no more than the type. */
const PLAIN = new Set(['int32', 'double']);

function formOf({ format, minimum, maximum, maxLength }: Schema): string {
  const bounds = maximum === undefined ? (minimum === undefined ? '' : `≥ ${minimum}`) : `${minimum ?? ''}–${maximum}`;
  const length = maxLength === undefined ? '' : `≤ ${maxLength}`;
  const said = [format !== undefined && !PLAIN.has(format) && format, bounds, length].filter(Boolean).join(', ');
  return said === '' ? '' : ` (${said})`;
}
