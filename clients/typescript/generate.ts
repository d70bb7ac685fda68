import { writeFileSync } from 'node:fs';
import openapiTS, {
  type MediaTypeObject,
  type OpenAPI3,
  type OperationObject,
  type PathsObject,
  astToString,
} from 'openapi-typescript';
import { currentContract } from '../../src/app/development/compatibility/documents.ts';

type Content = Readonly<Record<string, MediaTypeObject>>;

/**
 * The description in types, without what the client does for its callers: it reads header fields, makes up idempotency
 * keys and throws errors. Members that cannot be there are left out, and what they mean is in the reference: together
 * they would be four fifths of the package.
 */
export async function describeInTypes(): Promise<string> {
  const { paths, webhooks, components, ...about } = JSON.parse(currentContract().openapi) as OpenAPI3;
  const { schemas = {}, parameters = {} } = components ?? {};
  const types = await openapiTS(
    {
      ...about,
      paths: leanOf(paths, ({ parameters: all = [], requestBody, responses }) => ({
        parameters: all.filter((one) => !('$ref' in one) || !one.$ref.endsWith('/IdempotencyKey')),
        ...(requestBody && { requestBody: { ...requestBody, ...bodyOf(requestBody) } }),
        responses: { 200: bodyOf(responses?.['200']) },
      })),
      webhooks: leanOf(webhooks, ({ requestBody }) => ({ ...(requestBody && { requestBody }) })),
      components: { parameters, schemas },
    },
    { defaultNonNullable: false },
  );
  return astToString(types)
    .replaceAll(/^ +\/\*\*[^]*?\*\/\n/gm, '')
    .replaceAll(/^ +\w+\?: never;\n/gm, '')
    .replaceAll(/^ +(?:parameters|headers): \{\n(?: +\[name: .*\n)? +\};\n/gm, '');
}

const mapValues = <From, To>(record: Readonly<Record<string, From>>, change: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));

const leanOf = (paths: object | undefined, change: (operation: OperationObject) => OperationObject): PathsObject =>
  mapValues({ ...paths }, (path: Record<string, OperationObject>) => mapValues(path, change));

/** The schema of a body: as JSON, where it can be JSON. */
function bodyOf(body: object | undefined): { readonly description: string; readonly content: Content } {
  const { content: all = {} }: { readonly content?: Content } = { ...body };
  const json = Object.entries(all).filter(([type]) => type === 'application/json');
  const content = (json.length > 0 ? json : Object.entries(all)).map(([type, { schema }]) => [
    type,
    { ...(schema && { schema }) },
  ]);
  return { description: '', content: Object.fromEntries(content) as Content };
}

if (import.meta.main) writeFileSync(new URL('src/openapi.ts', import.meta.url), await describeInTypes());
