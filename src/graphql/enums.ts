import { builder } from './builder.ts';

/** Defines an enum of the schema from constants of the code, with what each means. */
export function defineEnum<Value extends string>(name: string, description: string, values: Readonly<Record<Value, string>>) {
  const entries = Object.entries<string>(values) as [Value, string][];
  return builder.enumType(name, {
    description,
    values: Object.fromEntries(entries.map(([value, meaning]) => [value, { value, description: meaning }])),
    // Over REST it is text, to which values may be added.
    extensions: { jsonSchema: { type: 'string' } },
  });
}
