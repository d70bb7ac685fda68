import {
  type FragmentDefinitionNode,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  Kind,
  type SelectionSetNode,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredInputField,
  isScalarType,
  valueFromASTUntyped,
} from 'graphql';
import { isAccountNeed, isScope, staffRule } from '../src/access/viewer.ts';
import { accessOf } from '../src/graphql/builder.ts';
import { CSV, PARQUET } from './exports.ts';
import type { Endpoint } from './load.ts';
import { ERROR, IDEMPOTENCY_KEY, PROBLEM, REDIRECTED, RESPONSES, RESPONSE_NAMES } from './openapi-answers.ts';
import type { Parameter } from './variables.ts';

type Json = { readonly [member: string]: unknown };
type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

const TAGS: Readonly<Record<string, string>> = {
  'Sign-up': 'How an integrator gets its first key. No credential is needed.',
  'Sign-in': 'Magic links by mail, and the session that they open.',
  Account: "An integrator's own profile, keys and log, by session cookie or by any of its keys.",
  Identity: 'Citizens: local registry entries, linked to the national identity authority by NIN.',
  Catalogue: 'Agencies and their priced services. Open to everyone.',
  Assessments: 'What citizens owe: multi-line, multi-agency, priced from the fee schedule.',
  Payments: 'Intents, their collection by an aggregator, and the events that prove it.',
  Webhooks: 'What integrators are told, and how that went.',
  Settlement: 'Counter shifts: opened with a float, closed with the cash that was counted.',
  Counter: 'For staff at a counter, with a session of theirs.',
  Supervision: 'Review of closed shifts, by supervisors or by keys that operators granted that.',
  Operations: "The operator's console: accounts, keys, sessions, anomalies, notices, and who changed what.",
  Reconciliation: 'Settlement statements of aggregators, compared with what is recorded.',
  Oversight:
    'For auditors, the finance ministry and the statistics bureau: revenue, events, anomalies and seals, and nothing that leads to a person.',
  Notices: 'What the service has to tell its users.',
  Callbacks: 'What payment providers call.',
};

const INTRODUCTION = `Records and orchestrates the collection of public revenue; never holds the money.

Success is \`{ "data": … }\`, an error \`{ "error": { "code", "message", "details"? } }\`, or problem details (RFC 9457) with
\`Accept: application/problem+json\`. Money is a JSON number, exact to its currency's minor unit. Times are RFC 3339 in UTC. Lists take
\`start\`, \`limit\` and \`after\`, and link to their next page. Every answer carries \`X-Request-Id\`.`;

/** Describes the API in OpenAPI 3.1 from the operation documents themselves, so that the description cannot drift from them. */
export function openApi(schema: GraphQLSchema, endpoints: readonly Endpoint[], fragments: Fragments, version: string): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const endpoint of endpoints.toSorted((a, b) => a.path.localeCompare(b.path))) {
    (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = operationOf(endpoint, fragments);
  }
  const components = componentsOf(schema, endpoints, fragments);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Revenue Collection Rail API',
      version,
      description: INTRODUCTION,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '/', description: 'This rail' }],
    tags: [...new Set(endpoints.map(({ tag }) => tag))].map((name) => ({ name, description: TAGS[name] ?? name })),
    paths,
    components: {
      schemas: { ...used(components, JSON.stringify([paths, components])), Error: ERROR, Problem: PROBLEM },
      responses: RESPONSES,
      parameters: { IdempotencyKey: IDEMPOTENCY_KEY },
      headers: { RequestId: { description: 'The id of the request, as in the audit log.', schema: { type: 'string' } } },
      securitySchemes: {
        bearerKey: { type: 'http', scheme: 'bearer', description: 'A key of an integrator, `rail_sandbox_…` or `rail_live_…`.' },
        serviceAuthorization: { type: 'apiKey', in: 'header', name: 'X-Service-Authorization', description: 'The same key, as `Bearer <key>`.' },
        sessionCookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'service_session',
          description: 'Set by `/v1/login/consume` for 14 days. Changes are accepted from pages of this origin alone.',
        },
        staffCookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'sid',
          description: 'Set by `/v1/work/login` for 12 hours, or 30 minutes without a request. Changes are accepted from pages of this origin alone.',
        },
      },
    },
  };
}

function operationOf(endpoint: Endpoint, fragments: Fragments): Json {
  const { name, tag, summary, field, leaf, changes, parameters, raw, namedBy } = endpoint;
  const { need } = accessOf(field);
  const inBody = parameters.filter(({ source }) => source === 'body');
  const open = inBody.length === 0 && raw === null;
  return {
    operationId: name.charAt(0).toLowerCase() + name.slice(1),
    tags: [tag],
    summary,
    ...((leaf.description ?? field.description) && { description: leaf.description ?? field.description }),
    security: securityOf(endpoint),
    ...(need && isScope(need) && { 'x-scope': need }),
    ...(need && staffRule(need) && { 'x-roles': staffRule(need)!.roles }),
    parameters: [
      ...parameters.filter(({ source }) => ['path', 'query', 'header'].includes(source)).map((parameter) => parameterOf(parameter)),
      ...(changes && (need || namedBy) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ],
    ...(open ? {} : { requestBody: raw ? rawBodyOf(endpoint) : bodyOf(endpoint, inBody) }),
    responses: { ...(endpoint.redirects ? REDIRECTED : { 200: success(endpoint, fragments) }), ...errorsOf(endpoint) },
  };
}

/** How a caller may show who it is; an empty object among them: or not at all. */
function securityOf({ field, staffOnly }: Endpoint): Json[] {
  const { need, welcomes } = accessOf(field);
  const keys = [{ bearerKey: [] }, { serviceAuthorization: [] }];
  const staff = [{ staffCookie: [] }];
  if (need && isAccountNeed(need)) return [{ sessionCookie: [] }, ...keys];
  if (need) return staffOnly || staffRule(need)?.scope === null ? staff : [...keys, ...staff];
  if (welcomes) return welcomes === 'staff' ? [{}, ...staff] : [{}, { sessionCookie: [] }, ...keys];
  return [];
}

function success({ leaf, selection, exports }: Endpoint, fragments: Fragments): Json {
  const data = outputOf(leaf.type, selection.selectionSet, fragments);
  return {
    description: 'Done.',
    headers: { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } },
    content: {
      'application/json': {
        schema: { type: 'object', required: ['data'], properties: { data } },
      },
      ...(exports !== null && { [CSV]: { schema: { type: 'string' } }, [PARQUET]: { schema: { type: 'string', format: 'binary' } } }),
    },
  };
}

function errorsOf({ path, changes, raw, method, field, redirects }: Endpoint): Json {
  const { need, addressLimit } = accessOf(field);
  if (redirects) return responses([401, 500, 503]);
  return responses([
    ...(changes ? [400, 409, 413, 415] : [400]),
    ...(need || raw || addressLimit ? [401] : []),
    ...(need ? [403] : []),
    ...(path.includes('{') || addressLimit ? [404] : []),
    422,
    ...(need || addressLimit ? [429] : []),
    ...(method === 'GET' ? [] : [502, 504]),
    500,
    503,
  ]);
}

function responses(statuses: readonly number[]): Json {
  return Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/${RESPONSE_NAMES[status]}` }]));
}

function parameterOf({ name, source, header, type, defaultValue, description }: Parameter): Json {
  const required = source === 'path' || (isNonNullType(type) && !defaultValue);
  return {
    name: header ?? name,
    in: source,
    required,
    description,
    schema: { ...inputOf(isNonNullType(type) ? type.ofType : type), ...(defaultValue && { default: valueFromASTUntyped(defaultValue) }) },
  };
}

function bodyOf(endpoint: Pick<Endpoint, 'strict'>, members: readonly Parameter[]): Json {
  const required = members.filter(({ type, defaultValue }) => isNonNullType(type) && !defaultValue).map(({ name }) => name);
  const properties = Object.fromEntries(
    members.map(({ name, type, defaultValue, description }) => [
      name,
      {
        ...withDescription(inputOf(type), description),
        ...(defaultValue && { default: valueFromASTUntyped(defaultValue) }),
      },
    ]),
  );
  const schema = { type: 'object', ...(required.length > 0 && { required }), properties, ...(endpoint.strict && { additionalProperties: false }) };
  return { required: required.length > 0, content: { 'application/json': { schema } } };
}

function rawBodyOf({ field, raw, media }: Endpoint): Json {
  const description = field.args.find(({ name }) => name === raw)?.description ?? '';
  const content = media === null ? { 'application/json': { schema: { type: 'object' } } } : { [media]: { schema: { type: 'string' } } };
  return { required: true, description, content };
}

function componentsOf(schema: GraphQLSchema, endpoints: readonly Endpoint[], fragments: Fragments): Json {
  const outputs = [...fragments.values()].map((fragment) => {
    const type = schema.getType(fragment.typeCondition.name.value) as GraphQLObjectType;
    return [fragment.name.value, objectOf(type, fragment.selectionSet, fragments)];
  });
  const inputs = endpoints
    .flatMap(({ parameters }) => parameters.map(({ type }) => namedInput(type)))
    .filter((type) => isInputObjectType(type))
    .map((type) => {
      const fields = Object.values(type.getFields());
      const required = fields.filter((field) => isRequiredInputField(field)).map(({ name }) => name);
      const properties = Object.fromEntries(fields.map((field) => [field.name, withDescription(inputOf(field.type), field.description)]));
      return [type.name, { type: 'object', description: type.description, ...(required.length > 0 && { required }), properties }];
    });
  return Object.fromEntries([...outputs, ...inputs]) as Json;
}

/** Those that are referred to: a fragment that is only ever spread into others is none of its own. */
function used(components: Json, text: string): Json {
  return Object.fromEntries(Object.entries(components).filter(([name]) => text.includes(`"#/components/schemas/${name}"`)));
}

/** What a selection of a type answers. */
function outputOf(type: GraphQLOutputType, selections: SelectionSetNode | undefined, fragments: Fragments): Json {
  if (!isNonNullType(type)) return orNull(outputOfNullable(type, selections, fragments));
  return outputOfNullable(type.ofType, selections, fragments);
}

function outputOfNullable(type: GraphQLOutputType, selections: SelectionSetNode | undefined, fragments: Fragments): Json {
  if (isListType(type)) return { type: 'array', items: outputOf(type.ofType, selections, fragments) };
  if (!isObjectType(type)) return leafOf(type as GraphQLNamedType);
  const [only, ...others] = selections!.selections;
  if (others.length === 0 && only?.kind === Kind.FRAGMENT_SPREAD) return { $ref: `#/components/schemas/${only.name.value}` };
  return objectOf(type, selections!, fragments);
}

function objectOf(type: GraphQLObjectType, selections: SelectionSetNode, fragments: Fragments): Json {
  const members = membersOf(type, selections, fragments);
  const required = members.filter(({ optional }) => !optional).map(({ name }) => name);
  const properties = Object.fromEntries(members.map(({ name, schema }) => [name, schema]));
  return { type: 'object', description: type.description, required, properties };
}

interface Member {
  readonly name: string;
  readonly schema: Json;
  /** Whether it is left out where it is null. */
  readonly optional: boolean;
}

function membersOf(type: GraphQLObjectType, { selections }: SelectionSetNode, fragments: Fragments): Member[] {
  return selections.flatMap((node) => {
    if (node.kind === Kind.FRAGMENT_SPREAD) return membersOf(type, fragments.get(node.name.value)!.selectionSet, fragments);
    if (node.kind === Kind.INLINE_FRAGMENT) return membersOf(type, node.selectionSet, fragments);
    const field = type.getFields()[node.name.value]!;
    const optional = node.directives?.some(({ name }) => name.value === 'optional') ?? false;
    const output =
      optional && !isNonNullType(field.type)
        ? outputOfNullable(field.type, node.selectionSet, fragments)
        : outputOf(field.type, node.selectionSet, fragments);
    return [{ name: (node.alias ?? node.name).value, schema: withDescription(output, field.description), optional }];
  });
}

function inputOf(type: GraphQLInputType): Json {
  if (isNonNullType(type)) return inputOf(type.ofType);
  if (isListType(type)) return { type: 'array', items: inputOf(type.ofType) };
  return isInputObjectType(type) ? { $ref: `#/components/schemas/${type.name}` } : leafOf(type);
}

function namedInput(type: GraphQLInputType): GraphQLInputType {
  return isNonNullType(type) || isListType(type) ? namedInput(type.ofType) : type;
}

const LEAVES: Readonly<Record<string, Json>> = {
  String: { type: 'string' },
  ID: { type: 'string' },
  Int: { type: 'integer' },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
};

function leafOf(type: GraphQLNamedType): Json {
  if (isEnumType(type)) return { type: 'string', enum: type.getValues().map(({ name }) => name) };
  if (isScalarType(type)) return LEAVES[type.name] ?? (type.extensions['jsonSchema'] as Json | undefined) ?? {};
  throw new Error(`${type.name} is no leaf`);
}

function orNull(schema: Json): Json {
  if ('$ref' in schema) return { oneOf: [schema, { type: 'null' }] };
  if (Array.isArray(schema['enum'])) return { ...schema, type: ['string', 'null'], enum: [...schema['enum'], null] };
  return typeof schema['type'] === 'string' ? { ...schema, type: [schema['type'], 'null'] } : schema;
}

function withDescription(schema: Json, description: string | null | undefined): Json {
  return description ? { ...schema, description } : schema;
}
