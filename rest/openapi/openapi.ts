import {
  type GraphQLObjectType,
  type GraphQLSchema,
  getNullableType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import type { Config } from '../../src/platform/config/config.ts';
import { EVERY_AGENCY } from '../../src/platform/access/grants.ts';
import { AGENCY_SCOPES, KEY_SCOPES, ROLES, isScope, staffRuleOf } from '../../src/platform/access/needs.ts';
import { type Viewer, viewAgency, viewKey, viewSession, viewStaff } from '../../src/platform/access/viewer.ts';
import { accessOf } from '../../src/graphql/plugins/access.ts';
import { FORMS, type FileFormat } from '../../src/graphql/files/encode.ts';
import { listOf } from '../../src/graphql/prepared.ts';
import { idOf } from './deprecations.ts';
import { findRefusalAt } from '../perform.ts';
import type { Fragments } from '../documents.ts';
import type { BodyKind } from '../handlers.ts';
import type { Endpoint } from '../load.ts';
import {
  ERROR_SCHEMAS,
  GOING,
  HEADERS,
  IDEMPOTENCY_KEY,
  NOT_MODIFIED,
  PURPOSE,
  REDIRECTED,
  RESPONSES,
  RESPONSE_NAMES,
  reasonsOf,
  describeHeaders,
} from './answers.ts';
import {
  type Json,
  allowNull,
  answeredTypeOf,
  describe,
  inputObjectOf,
  namedInputOf,
  objectOf,
  outputOf,
  variableOf,
} from './schemas.ts';
import { type Example, exampleOf, valueOf } from './examples.ts';
import { taskOf } from './tasks.ts';
import { INTRODUCTION, LICENSE, REFERENCE, TAGS, VERSION } from './words.ts';
import { type WebhookEventType, eventSchemasOf, webhooksOf } from './webhooks.ts';
import { type Parameter, isMembers } from '../input/variables.ts';
import { type Wording, wordingOf } from '../wording.ts';

/** Facts for the description that operations do not have. */
interface Rest {
  /** Address of the rail. */
  readonly origin: string;
  /** Events that it sends to integrators. */
  readonly events: readonly WebhookEventType[];
  /** The headers in which callbacks carry their proof. */
  readonly callbackHeaders: Config['callbackHeaders'];
}

/**
 * Describes the API in OpenAPI 3.1 from the operation documents themselves, so that the description cannot drift from
 * them.
 */
export function describeApi(
  schema: GraphQLSchema,
  endpoints: readonly Endpoint[],
  fragments: Fragments,
  about: Rest,
): Json {
  const { origin, events, callbackHeaders } = about;
  const wording = wordingOf(endpoints);
  const paths: Record<string, Record<string, Json>> = {};
  for (const endpoint of endpoints.toSorted(
    (a, b) => a.path.localeCompare(b.path) || a.method.localeCompare(b.method),
  )) {
    (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = operationOf(
      inItsNames(endpoint, wording),
      fragments,
      callbackHeaders,
    );
  }
  const components = componentsOf(schema, endpoints, fragments);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Revenue Collection Rail API',
      version: VERSION,
      description: INTRODUCTION,
      license: LICENSE,
    },
    servers: [{ url: origin, description: 'This rail' }],
    tags: [...new Set(Object.values(TAGS))],
    paths: { ...paths, ...REFERENCE },
    webhooks: webhooksOf(events),
    'x-reasons': reasonsOf(wording),
    components: {
      schemas: {
        ...pickUsed(components, JSON.stringify([paths, components])),
        ...eventSchemasOf(events),
        ...ERROR_SCHEMAS,
      },
      responses: RESPONSES,
      parameters: { IdempotencyKey: IDEMPOTENCY_KEY, Purpose: PURPOSE },
      headers: HEADERS,
      securitySchemes: {
        bearerKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A key of an integrator, `rail_sandbox_…` or `rail_live_…`. If a proxy uses `Authorization` itself, send `X-Service-Authorization: Bearer <key>` instead; two different credentials are refused.',
        },
        sessionCookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'service_session',
          description: 'Set by `/v1/login/consume`, for 14 days. Changes are only accepted from pages of this origin.',
        },
        staffCookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'sid',
          description:
            'Set by `/v1/work/login` for 12 hours, or 30 minutes without a request. Changes are only accepted from pages of this origin.',
        },
        agencyToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description:
            'A token of an agency, from `POST /v1/agency-tokens`, sent as a key is. It reads what concerns its agency, for at most 15 minutes; `/.well-known/jwks.json` has the keys that it can be verified with.',
        },
      },
    },
  };
}

/** An endpoint whose parameters are described in the names of REST. */
function inItsNames(endpoint: Endpoint, wording: Wording): Endpoint {
  const parameters = endpoint.parameters.map((parameter) => ({
    ...parameter,
    description: parameter.description && wording.description(parameter.description, endpoint),
  }));
  return { ...endpoint, parameters };
}

function operationOf(endpoint: Endpoint, fragments: Fragments, callbackHeaders: Rest['callbackHeaders']): Json {
  const { name, audience, summary, handler, field, parameters, passing } = endpoint;
  const { need, people } = accessOf(field);
  const inBody = parameters.filter(({ source }) => source === 'body');
  const open = inBody.length === 0 && !handler.body.raw;
  const operationId = idOf(name);
  const example = exampleOf(operationId);
  const description = [descriptionOf(endpoint), ...sayGoing(endpoint)].join(' ');
  return {
    operationId,
    ...(endpoint.deprecation && { deprecated: true }),
    tags: [TAGS[audience].name],
    summary,
    description,
    'x-task': taskOf(endpoint),
    ...(example?.events && { 'x-events': example.events }),
    security: securityOf(endpoint),
    ...(need && isScope(need) && { 'x-scope': need }),
    ...(need && staffRuleOf(need) && { 'x-roles': staffRuleOf(need)!.roles }),
    ...(people && people !== 'alone' && { 'x-people': people }),
    parameters: [
      ...parameters.flatMap((parameter) =>
        parameter.source === 'headers'
          ? callbackHeaders.map(headerOf)
          : (parameterOf(parameter, endpoint, example) ?? []),
      ),
      ...(isRepeatable(endpoint) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
      ...(showsCitizens(endpoint) ? [{ $ref: '#/components/parameters/Purpose' }] : []),
    ],
    ...(open
      ? {}
      : { requestBody: handler.body.raw ? rawBodyOf(endpoint, example) : bodyOf(endpoint, inBody, example) }),
    responses: {
      ...(handler.answers === 'redirect' ? REDIRECTED : { 200: successOf(endpoint, fragments, example) }),
      ...(passing.json.kept && NOT_MODIFIED),
      ...errorsOf(endpoint),
    },
  };
}

/** Clause of a description about keys, which endpoints of staff alone do not take. */
const FOR_KEYS = /, and for keys .*?(?=\.(?: |$))/;

/** Effect of an operation, or its list; and the scope that it takes, if the description of its group has that. */
function descriptionOf({ field, prepared, staffOnly }: Endpoint): string {
  const [{ description }] = listOf(prepared.fields) ?? prepared.answer;
  const { need } = accessOf(field);
  const all = description ?? field.description ?? '';
  const said = staffOnly ? all.replace(FOR_KEYS, '') : all;
  return need && isScope(need) && !said.includes(`\`${need}\``) ? `${said} Scope \`${need}\`.` : said;
}

/** Announces its removal, and what to use instead. */
function sayGoing({ deprecation }: Endpoint): string[] {
  if (!deprecation) return [];
  const { since, sunset, successor } = deprecation;
  const instead = successor === null ? [] : [`Use \`${successor}\` instead.`];
  return [`Deprecated since ${since}, and may be gone from ${sunset}.`, ...instead];
}

/** A caller of each kind of credential, with all that it can be given. */
const CREDENTIALS: Readonly<Record<string, Viewer>> = {
  bearerKey: viewKey({
    name: '',
    lineage: '',
    integrator: '',
    scopes: KEY_SCOPES,
    issuedBy: null,
    supervises: EVERY_AGENCY,
    counters: EVERY_AGENCY,
    managesAccount: true,
  }),
  sessionCookie: viewSession({ id: '', integrator: '' }),
  staffCookie: viewStaff({ id: '', email: '', roles: ROLES, agencies: [] }),
  agencyToken: viewAgency({ mda: '', key: '', scopes: AGENCY_SCOPES }),
};

/** Credentials that a caller may show; an empty object among them: or none. */
function securityOf(endpoint: Endpoint): Json[] {
  const { need, welcomes } = accessOf(endpoint.field);
  if (welcomes)
    return welcomes === 'staff' ? [{}, { staffCookie: [] }] : [{}, { bearerKey: [] }, { sessionCookie: [] }];
  if (!need) return [];
  return Object.entries(CREDENTIALS)
    .filter(([, viewer]) => findRefusalAt(endpoint, viewer) === null)
    .map(([name]) => ({ [name]: [] }));
}

/** True if it answers with citizens' records, whose views are logged. */
function showsCitizens({ path }: Endpoint): boolean {
  return /\/citizens\b(?!-)/.test(path);
}

/** True if it takes an `Idempotency-Key`. */
function isRepeatable({ changes, field, handler, namedBy }: Endpoint): boolean {
  return changes && handler.answers !== 'redirect' && (accessOf(field).need !== undefined || namedBy !== null);
}

function successOf(endpoint: Endpoint, fragments: Fragments, example: Example | undefined): Json {
  const { prepared, formats, parameters } = endpoint;
  const [field, selection] = prepared.answer;
  const data = outputOf(answeredTypeOf(field), selection.selectionSet, fragments);
  return {
    description: 'Success.',
    headers: {
      ...describeHeaders(
        'RequestId',
        'RateLimit',
        'RateLimitPolicy',
        ...(parameters.some(({ name }) => name === 'after') ? (['Link'] as const) : []),
        ...(endpoint.passing.json.kept ? (['ETag'] as const) : []),
        ...(endpoint.field.name === 'oversight' ? (['AsOf'] as const) : []),
        ...(isRepeatable(endpoint) ? (['IdempotentReplayed'] as const) : []),
      ),
      ...(endpoint.deprecation && GOING),
    },
    content: {
      ...(endpoint.handler.answers !== 'file' && {
        'application/json': {
          schema: {
            title: `${endpoint.name}Response`,
            ...(endpoint.handler.answers === 'bare'
              ? data
              : { type: 'object', required: ['data'], properties: { data } }),
          },
          ...(example?.answer !== undefined && { example: example.answer }),
        },
      }),
      ...Object.fromEntries(formats.map((format) => [format, { schema: schemaOfFile(format) }])),
    },
  };
}

/** Type of a file for generated clients. */
function schemaOfFile(format: string): Json {
  if (Object.hasOwn(FORMS, format)) return FORMS[format as FileFormat].schema;
  return { type: 'string', ...(!format.startsWith('text/') && { format: 'binary' }) };
}

function errorsOf({ method, path, changes, field, handler, formats }: Endpoint): Json {
  const { need, addressLimit, openInPart, outside, missing } = accessOf(field);
  if (handler.answers === 'redirect') return responses([400, 401, 422, 429, 500, 503]);
  return responses([
    400,
    ...(changes ? [409] : []),
    ...(method === 'GET' ? [] : [413, 415]),
    // For every request: a credential that does not hold is refused everywhere.
    401,
    // A page of another origin neither signs anybody in nor out.
    ...(need || addressLimit || openInPart || handler.signsOut ? [403] : []),
    ...(path.includes('{') || addressLimit || missing ? [404] : []),
    ...((method === 'GET' && handler.answers !== 'file') || (changes && formats.length > 0) ? [406] : []),
    422,
    429,
    ...(outside || handler.body.raw ? [502, 504] : []),
    500,
    503,
  ]);
}

function responses(statuses: readonly number[]): Json {
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${RESPONSE_NAMES[status]}` }]),
  );
}

/** A header that is a parameter; none has to be there. */
function headerOf({ name, description }: Rest['callbackHeaders'][number]): Json {
  return { name, in: 'header', required: false, description, schema: { type: 'string', maxLength: 1_000 } };
}

function parameterOf(
  parameter: Parameter,
  { path }: Pick<Endpoint, 'path'>,
  example: Example | undefined,
): Json | null {
  const { name, source, type, defaultValue, description } = parameter;
  if (source !== 'path' && source !== 'query') return null;
  const list = isListType(getNullableType(type));
  return {
    name,
    in: source,
    required: source === 'path' || (isNonNullType(type) && !defaultValue),
    description,
    // Members of a list are given together: `mda,month`.
    ...(list && { style: 'form', explode: false }),
    ...(isMembers(parameter) && { style: 'deepObject', explode: true }),
    schema: variableOf(parameter),
    ...valueOf(example, path, parameter),
  };
}

function bodyOf(
  endpoint: Pick<Endpoint, 'name' | 'method' | 'strict' | 'handler'>,
  members: readonly Parameter[],
  example: Example | undefined,
): Json {
  const required = members
    .filter(({ type, defaultValue }) => isNonNullType(type) && !defaultValue)
    .map(({ name }) => name);
  // In a request that changes a record, null removes a value, and a member that is left out stays.
  const clears = endpoint.strict || endpoint.method === 'PUT';
  const properties = Object.fromEntries(
    members.map((member) => {
      const schema = variableOf(member);
      const taken = clears && !isNonNullType(member.type) ? allowNull(schema) : schema;
      return [member.name, describe(taken, member.description)];
    }),
  );
  const schema = {
    title: `${endpoint.name}Request`,
    type: 'object',
    ...(required.length > 0 && { required }),
    properties,
    ...(endpoint.strict && { additionalProperties: false }),
  };
  const content = {
    'application/json': { schema, ...asked(example) },
    ...(endpoint.handler.body.form && { 'application/x-www-form-urlencoded': { schema } }),
  };
  return { required: required.length > 0, content };
}

/** The body that was sent. */
const asked = (example: Example | undefined): Json => (example?.body === undefined ? {} : { example: example.body });

function rawBodyOf({ parameters, handler }: Endpoint, example: Example | undefined): Json {
  const description = parameters.find(({ source }) => source === 'raw')?.description ?? '';
  const { media } = handler.body;
  const [usual = 'application/json', ...others] = media;
  const content = { [usual]: rawContentOf(usual, media, example) };
  for (const other of others) content[other] = rawContentOf(other, media, undefined);
  return { required: true, description, content };
}

/** Forms are described by their fields, as OpenAPI has them. */
function rawContentOf(as: string, { length }: BodyKind['media'], example: Example | undefined): Json {
  if (length === 0) return { schema: { type: 'object' }, ...asked(example) };
  if (as !== 'application/x-www-form-urlencoded') return { schema: { type: 'string' }, ...asked(example) };
  const fields = { type: 'object', additionalProperties: { type: 'string' } };
  return { schema: fields, ...(example && { example: Object.fromEntries(new URLSearchParams(String(example.body))) }) };
}

function componentsOf(schema: GraphQLSchema, endpoints: readonly Endpoint[], fragments: Fragments): Json {
  const outputs = [...fragments.values()].map((fragment) => {
    const type = schema.getType(fragment.typeCondition.name.value) as GraphQLObjectType;
    return [fragment.name.value, objectOf(type, fragment.selectionSet, fragments)];
  });
  const inputs = endpoints
    .flatMap(({ parameters }) => parameters.map(({ type }) => namedInputOf(type)))
    .filter((type) => isInputObjectType(type))
    .map((type) => [type.name, inputObjectOf(type)]);
  return Object.fromEntries([...outputs, ...inputs]) as Json;
}

/** Those that are referred to, by name: a fragment that is only ever spread into others is none of its own. */
function pickUsed(components: Json, text: string): Json {
  const referred = Object.entries(components).filter(([name]) => text.includes(`"#/components/schemas/${name}"`));
  return Object.fromEntries(referred.toSorted(([a], [b]) => a.localeCompare(b)));
}
