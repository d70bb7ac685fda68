import { builder } from './builder.ts';

/**
 * Defines an enum of the schema from constants of the code, with what each means. A name has neither dots nor blanks:
 * `adapter.verify` is `adapter_verify` in the schema, and itself in the code and over REST.
 */
export function defineEnum<Value extends string>(
  name: string,
  description: string,
  values: Readonly<Record<Value, string>>,
) {
  const entries = Object.entries<string>(values) as [Value, string][];
  return builder.enumType(name, {
    description,
    values: Object.fromEntries(
      entries.map(([value, meaning]) => [value.replaceAll(/\W/g, '_'), { value, description: meaning }]),
    ),
    // Over REST it is text, to which values may be added.
    extensions: { jsonSchema: { type: 'string' } },
  });
}
