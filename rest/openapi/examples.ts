import { readFileSync } from 'node:fs';
import { getNamedType, getNullableType, isListType } from 'graphql';
import type { Parameter } from '../input/variables.ts';
import type { Json } from './schemas.ts';

/** A request that was made of an operation, and how it was answered. */
export interface Example {
  /** The address without its host. */
  readonly path: string;
  readonly body?: unknown;
  readonly answer?: unknown;
  /** The types of the messages that integrators were sent for it. */
  readonly events?: readonly string[];
}

/** Examples that `test/rest/walk.ts` makes, by the ID of their operation. */
const EXAMPLES = JSON.parse(readFileSync(new URL('examples.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, Example>
>;

export const exampleOf = (operationId: string): Example | undefined => EXAMPLES[operationId];

/** Value of a path or query parameter in an example, as a member of its description. */
export function valueOf(example: Example | undefined, template: string, { name, type }: Parameter): Json {
  if (!example) return {};
  const { pathname, searchParams } = new URL(example.path, 'http://rail');
  const pattern = new RegExp(`^${template.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/:]+)')}$`);
  const said = pattern.exec(pathname)?.groups?.[name] ?? searchParams.get(name);
  if (said === null) return {};
  const isNumber = ['Int', 'Float', 'Decimal'].includes(getNamedType(type).name);
  const values = (isListType(getNullableType(type)) ? said.split(',') : [said]).map((value) =>
    isNumber ? Number(value) : value,
  );
  return { example: isListType(getNullableType(type)) ? values : values[0] };
}
