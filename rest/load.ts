import {
  type FieldNode,
  type GraphQLDirective,
  type GraphQLField,
  type GraphQLSchema,
  Kind,
  OperationTypeNode,
  type SelectionSetNode,
  buildASTSchema,
  getDirectiveValues,
  getNamedType,
  isEnumType,
} from 'graphql';
import { accessOf } from '../src/graphql/plugins/access.ts';
import { CSV, NDJSON, PARQUET } from '../src/graphql/files/encode.ts';
import { datasetOf, pageSizeOf } from '../src/graphql/files/rows.ts';
import { flatFieldsOf } from '../src/graphql/documents/flat.ts';
import { fragmentOfAll } from '../src/graphql/documents/members.ts';
import { type PreparedOperation, oncePerSchema, prepareOperation } from '../src/graphql/prepared.ts';
import {
  type Audience,
  type Fragments,
  type OperationDocument,
  fragmentsOf,
  readDirectives,
  readFragments,
  readOperations,
} from './documents.ts';
import type { Deprecation } from './openapi/deprecations.ts';
import { BOM } from './exports.ts';
import type { Passing } from '../src/platform/call/answers.ts';
import { HANDLERS, type Handler, type HandlerName } from './handlers.ts';
import { type Parameter, parametersOf } from './input/variables.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One endpoint: an operation document, parsed and taken apart at the start. */
export interface Endpoint {
  readonly name: string;
  readonly method: Method;
  /** With its parameters in braces: `/v1/assessments/{name}:assess`. */
  readonly path: string;
  /** Its audience: the folder that its document stands in. */
  readonly audience: Audience;
  /** The folder of its document in that of its audience: `payments`. */
  readonly domain: string;
  readonly summary: string;
  readonly handler: Handler;
  readonly changes: boolean;
  /** True if further requests depend on it. */
  readonly begins: boolean;
  readonly parameters: readonly Parameter[];
  readonly prepared: PreparedOperation;
  /** True if members of the body that are no variable are refused. */
  readonly strict: boolean;
  /** True if a bearer key is refused. */
  readonly staffOnly: boolean;
  /** How members of `data` are represented; null where all are as they are. */
  readonly marks: Marks | null;
  /** The variable that names whose request it is where no credential does; null where none does. */
  readonly namedBy: string | null;
  /** The root field, which says who may ask. */
  readonly field: GraphQLField<unknown, unknown>;
  /** The media types that it can be had as, besides JSON. */
  readonly formats: readonly string[];
  /** Operation that answers its forms for people; null if it has none. */
  readonly drawn: Drawn | null;
  /** Deprecation of the endpoint; null: it is here to stay. */
  readonly deprecation: Deprecation | null;
  /** Permitted treatment of its JSON and of its files on their way. */
  readonly passing: { readonly json: Passing; readonly file: Passing };
}

/** Members of an object that are represented in their own way, and those of the objects in it. */
export interface Marks {
  /** Left out where they are null. */
  readonly optional: ReadonlySet<string>;
  /** Said in the names of REST. */
  readonly messages: ReadonlySet<string>;
  readonly within: ReadonlyMap<string, Marks>;
}

/** Operation that answers an endpoint in forms for people. */
interface Drawn extends Pick<Endpoint, 'prepared' | 'parameters'> {
  readonly formats: readonly string[];
}

interface RestArguments {
  readonly method: readonly [Method, ...Method[]];
  readonly path: string;
  readonly summary: string;
  readonly as: HandlerName;
  readonly kept: boolean;
  readonly begins: boolean;
}

/** Path of endpoints for staff: with a session, and never by key. */
const WORKPLACE = '/v1/work/';

/** All endpoints, and the fragments that their documents share. */
export interface Endpoints {
  readonly endpoints: readonly Endpoint[];
  readonly fragments: Fragments;
}

/** Reads the documents of this folder. That they fit the schema, a test sees to, and not each start. */
export const loadEndpoints = oncePerSchema((schema): Endpoints => {
  const said = buildASTSchema(readDirectives(), { assumeValidSDL: true }).getDirective('rest')!;
  const all = fragmentOfAll(schema, 'FigureRecord', 'columns', '@optional');
  const fragments = new Map([...readFragments(), [all.name.value, all]]);
  const endpoints = readOperations().flatMap((document) => endpointsOf(schema, said, fragments, document));
  const drawing = Map.groupBy(endpoints, ({ handler }) => handler.answers === 'document');
  return { endpoints: (drawing.get(false) ?? []).map((one) => withForms(one, drawing.get(true) ?? [])), fragments };
});

/** An endpoint with the forms for people that another document of its method and path has. */
function withForms(endpoint: Endpoint, drawing: readonly Endpoint[]): Endpoint {
  const drawn = drawing.find(({ method, path }) => method === endpoint.method && path === endpoint.path);
  if (!drawn) return endpoint;
  const { prepared, parameters } = drawn;
  const form = getNamedType(parameters.find(({ source }) => source === 'accept')!.type);
  const formats = isEnumType(form) ? form.getValues().map(({ value }) => String(value)) : [];
  return {
    ...endpoint,
    formats: [...endpoint.formats, ...formats],
    parameters: [...endpoint.parameters, ...parameters.filter(({ source }) => source === 'query')],
    drawn: { prepared, parameters, formats },
  };
}

/** The endpoints that an operation is published as: one for each of its methods. */
function endpointsOf(
  schema: GraphQLSchema,
  said: GraphQLDirective,
  fragments: Fragments,
  { file, audience, domain, operation }: OperationDocument,
): Endpoint[] {
  const used = [...fragmentsOf(operation, fragments)];
  const rest = getDirectiveValues(said, operation) as RestArguments | undefined;
  const name = operation.name?.value;
  if (!name || !rest) throw new Error(`rest/operations/${file}: an operation needs a name and @rest`);

  const prepared = prepareOperation(schema, operation, {
    kind: Kind.DOCUMENT,
    definitions: [{ ...operation, directives: [] }, ...used],
  });
  const [field, selection] = prepared.fields[0]!;
  const [method, ...others] = rest.method;
  const handler: Handler = HANDLERS[rest.as];
  const changes = operation.operation === OperationTypeNode.MUTATION;
  // A query with lists of objects is posted, since an address has no room for it.
  if (changes && method === 'GET' && handler.answers !== 'redirect') {
    throw new Error(`rest/operations/${file}: ${name} is a ${operation.operation} under ${method}`);
  }
  if (rest.kept && (changes || accessOf(field).need))
    throw new Error(`rest/operations/${file}: ${name} is kept, and so has to be a query that everybody may`);
  // A change that takes a file can answer one, row for row.
  const asFile = (!changes || handler.body.media.includes(CSV)) && pageSizeOf(prepared) !== null;
  const endpoint: Endpoint = {
    name,
    method,
    path: rest.path,
    audience,
    domain,
    summary: rest.summary,
    handler,
    changes,
    begins: rest.begins,
    parameters: [...parametersOf(prepared, operation, { ...rest, method, handler }), ...(asFile ? [BOM] : [])],
    prepared,
    strict: method === 'PATCH',
    staffOnly: rest.path.startsWith(WORKPLACE),
    marks: marksOf(prepared.answer[1].selectionSet, prepared.document),
    namedBy: findVariable(selection, accessOf(field).namedBy),
    field,
    drawn: null,
    deprecation: null,
    passing: passingOf(audience, rest.kept, changes),
    formats: [
      ...(asFile ? [CSV, NDJSON] : []),
      ...(handler.answers === 'file' || (asFile && datasetOf(prepared)) ? [PARQUET] : []),
    ],
  };
  return [endpoint, ...others.map((other) => ({ ...endpoint, name: `${name}By${other}`, method: other }))];
}

/** Audiences whose answers show an account to itself or to operators: keys, sessions, addresses and the log. */
const WITH_SECRETS: ReadonlySet<Audience> = new Set(['accounts', 'console']);

/** Compression of answers without secrets: those that everybody may keep, the figures of oversight, and files. */
function passingOf(audience: Audience, kept: boolean, changes: boolean): Endpoint['passing'] {
  return {
    json: { kept, compressed: kept || (audience === 'oversight' && !changes) },
    file: { compressed: !WITH_SECRETS.has(audience) },
  };
}

/** The variable that is handed to an argument. */
function findVariable({ arguments: given }: FieldNode, argument: string | undefined): string | null {
  const value = given?.find(({ name }) => name.value === argument)?.value;
  return value?.kind === Kind.VARIABLE ? value.name.value : null;
}

/** The marks of a selection by its document; null where there are none. */
function marksOf(object: SelectionSetNode | undefined, document: PreparedOperation['document']): Marks | null {
  const marks = { optional: new Set<string>(), messages: new Set<string>(), within: new Map<string, Marks>() };
  for (const node of flatFieldsOf(object, document)) {
    const member = (node.alias ?? node.name).value;
    const isMarked = (directive: string) => node.directives?.some(({ name }) => name.value === directive);
    if (isMarked('optional')) marks.optional.add(member);
    if (isMarked('message')) marks.messages.add(member);
    const within = marksOf(node.selectionSet, document);
    if (within) marks.within.set(member, within);
  }
  return marks.optional.size + marks.messages.size + marks.within.size > 0 ? marks : null;
}
