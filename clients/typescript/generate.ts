import { renameSync, writeFileSync } from 'node:fs';
import openapiTS, {
  type MediaTypeObject,
  type OpenAPI3,
  type OperationObject,
  type PathsObject,
  astToString,
} from 'openapi-typescript';
import {
  type GraphQLInputType,
  Kind,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  parse,
  typeFromAST,
} from 'graphql';
import { Answers, SCALARS, unionOf } from '../../src/app/development/templates/answers.ts';
import { schema } from '../../src/app/schema.ts';
import { namedOperations } from '../../src/graphql/operations/named.ts';
import { currentDescription } from '../../src/app/development/compatibility/documents.ts';

type Content = Readonly<Record<string, MediaTypeObject>>;

/**
 * The description in types, without what the client does for its callers: it reads header fields, makes up idempotency
 * keys and throws errors. Members that cannot be there are left out, and what they mean is in the reference: together
 * they would be four fifths of the package.
 */
async function describeInTypes(): Promise<string> {
  const { paths, webhooks, components, ...about } = JSON.parse(JSON.stringify(currentDescription())) as OpenAPI3;
  const reasons = Object.keys((about as { 'x-reasons'?: object })['x-reasons'] ?? {});
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
      components: { parameters, schemas: { ...schemas, Reason: { type: 'string', enum: reasons } } },
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
  const content = (json.length > 0 ? json : Object.entries(all)).map(([type, media]) => [
    type,
    { ...(media.schema && { schema: media.schema }) },
  ]);
  return { description: '', content: Object.fromEntries(content) as Content };
}

/** The named operations in types: of each, its variables, and what it answers. */
export function describeOperations(): string {
  const named = new Map<string, string>();
  const operations = [...namedOperations].map(([name, text]) => {
    const document = parse(text);
    const operation = document.definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION)!;
    const answers = new Answers(schema, document, true);
    const answer = answers.typeOf(operation);
    for (const each of answers.enums) named.set(each, unionOf(schema.getType(each)));
    const variables = (operation.variableDefinitions ?? []).map(({ variable, type, defaultValue }) => {
      const taken = typeFromAST(schema, type) as GraphQLInputType;
      return memberOf(variable.name.value, taken, isNonNullType(taken) && !defaultValue, named);
    });
    return `  '${name}': { variables: { ${variables.join('; ')} }; answer: ${answer} };\n`;
  });
  const types = [...named].map(([name, type]) => `export type ${name} = ${type};\n`).toSorted();
  return `${types.join('')}\nexport interface Operations {\n${operations.join('')}}\n`;
}

const memberOf = (name: string, type: GraphQLInputType, required: boolean, named: Map<string, string>) =>
  `${name}${required ? '' : '?'}: ${inputOf(type, named)}`;

/** The TypeScript type of an input. Types with a name are added to `named`. */
function inputOf(type: GraphQLInputType, named: Map<string, string>): string {
  const plain = getNullableType(type);
  const orNull = isNonNullType(type) ? '' : ' | null';
  if (isListType(plain)) return `readonly (${inputOf(plain.ofType, named)})[]${orNull}`;
  if (isEnumType(plain)) named.set(plain.name, unionOf(plain));
  else if (!isInputObjectType(plain)) return `${SCALARS[plain.name]}${orNull}`;
  else if (!named.has(plain.name)) {
    named.set(plain.name, '');
    const members = Object.values(plain.getFields()).map((field) =>
      memberOf(field.name, field.type, isRequiredInputField(field), named),
    );
    named.set(plain.name, `{ ${members.join('; ')} }`);
  }
  return `${plain.name}${orNull}`;
}

/** Writes a file at once: others may read it meanwhile. */
function write(path: string, text: string): void {
  const [file, draft] = [path, `${path}.${process.pid}`].map((name) => new URL(name, import.meta.url)) as [URL, URL];
  writeFileSync(draft, text);
  renameSync(draft, file);
}

if (import.meta.main) {
  write('src/openapi.ts', await describeInTypes());
  write('src/operations.ts', describeOperations());
}
