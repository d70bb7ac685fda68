import { globSync, readFileSync } from 'node:fs';
import {
  type DefinitionNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
  concatAST,
  extendSchema,
  getDirectiveValues,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
  parse,
  validate,
  visit,
} from 'graphql';
import type { CookieName } from '../src/platform/access/cookies.ts';
import { inputShape } from '../src/graphql/input/shapes.ts';
import { accessOf } from '../src/graphql/builder.ts';
import { BOM, CSV, type ExportFormat, PARQUET } from './exports.ts';
import { type Parameter, parametersOf } from './variables.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH';

/** One endpoint: an operation document, parsed, validated and taken apart at the start. */
export interface Endpoint {
  readonly name: string;
  readonly method: Method;
  /** With its parameters in braces: `/v1/assessments/{name}:assess`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly changes: boolean;
  /** The variable that takes the raw body, if any. */
  readonly raw: string | null;
  /** The media type that a raw body has to have; null: any. */
  readonly media: string | null;
  readonly largestKiB: number;
  readonly parameters: readonly Parameter[];
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** Whether members of the body that are no variable are refused. */
  readonly strict: boolean;
  /** Whether it answers 302 to the `location` of its result. */
  readonly redirects: boolean;
  /** The cookie that its answer clears, if any. */
  readonly clears: CookieName | null;
  /** Whether a bearer key is refused. */
  readonly staffOnly: boolean;
  /** Members of `data` that are left out where they are null. */
  readonly optional: ReadonlySet<string>;
  /** The variable that names whose request it is where no credential does; null where none does. */
  readonly namedBy: string | null;
  /** The root field, which says who may ask. */
  readonly field: GraphQLField<unknown, unknown>;
  /** The path, below the root field, of what is answered; empty: the root field's own result. */
  readonly answers: readonly string[];
  /** Rows that are read at a time where it is exported; null where it is not. */
  readonly exports: number | null;
  /** The forms of files that it can be had as. */
  readonly formats: readonly ExportFormat[];
  /** The field whose result is answered, and how it is selected. */
  readonly leaf: GraphQLField<unknown, unknown>;
  readonly selection: FieldNode;
  /** The fields on the way to it, itself included: their arguments are what is asked. */
  readonly asked: readonly (readonly [GraphQLField<unknown, unknown>, FieldNode])[];
}

interface RestArguments {
  readonly method: Method;
  readonly alias?: Method;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly raw?: string;
  readonly media?: string;
  readonly largestKiB: number;
  readonly headers?: string;
  readonly answers?: string;
  readonly exports?: number;
  readonly strict: boolean;
  readonly redirects: boolean;
  readonly clears?: CookieName;
  readonly staffOnly: boolean;
}

const FOLDER = new URL('./', import.meta.url);

/** Reads `operations/`, and the `fragments/` that they share. A document that does not fit the schema stops the start. */
export function loadEndpoints(schema: GraphQLSchema): { endpoints: Endpoint[]; fragments: Map<string, FragmentDefinitionNode> } {
  const directives = parse(readFileSync(new URL('directives.graphql', FOLDER), 'utf8'));
  const extended = extendSchema(schema, directives);
  const fragments = new Map(definitionsIn('fragments', Kind.FRAGMENT_DEFINITION).map(({ node }) => [node.name.value, node]));
  const operations = definitionsIn('operations', Kind.OPERATION_DEFINITION);
  return { endpoints: operations.flatMap(({ file, node }) => prepare(extended, schema, file, node, fragments)), fragments };
}

/** What the documents of a folder define, which is all of one kind. */
function definitionsIn<K extends DefinitionNode['kind']>(folder: string, kind: K): { file: string; node: DefinitionNode & { kind: K } }[] {
  const files = globSync(`${folder}/**/*.graphql`, { cwd: FOLDER }).toSorted();
  return files.flatMap((file) =>
    parse(readFileSync(new URL(file, FOLDER), 'utf8')).definitions.map((node) => {
      if (!isOfKind(node, kind)) throw new Error(`rest/${file}: ${node.kind} does not belong in ${folder}/`);
      return { file, node };
    }),
  );
}

function isOfKind<K extends DefinitionNode['kind']>(node: DefinitionNode, kind: K): node is DefinitionNode & { kind: K } {
  return node.kind === kind;
}

function prepare(
  extended: GraphQLSchema,
  schema: GraphQLSchema,
  file: string,
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): Endpoint[] {
  const name = operation.name?.value;
  const used = [...fragmentsOf(operation, fragments)];
  const annotated = concatAST([{ kind: Kind.DOCUMENT, definitions: [operation, ...used] }]);
  const mistakes = validate(extended, annotated);
  if (mistakes.length > 0) throw new Error(`rest/${file}: ${mistakes.map((mistake) => mistake.message).join('; ')}`);

  const rest = getDirectiveValues(extended.getDirective('rest')!, operation) as RestArguments | undefined;
  const [selection] = operation.selectionSet.selections;
  if (!name || !rest) throw new Error(`rest/${file}: an operation needs a name and @rest`);
  if (operation.selectionSet.selections.length !== 1 || selection?.kind !== Kind.FIELD || selection.alias?.value !== 'data') {
    throw new Error(`rest/${file}: ${name} needs exactly one root field, aliased to data`);
  }
  const root = schema.getRootType(operation.operation)!;
  const changes = operation.operation === OperationTypeNode.MUTATION;
  if (changes === (rest.method === 'GET') && !rest.redirects)
    throw new Error(`rest/${file}: ${name} is a ${operation.operation} under ${rest.method}`);
  const answers = rest.answers?.split('.') ?? [];
  const asked = pathTo(root.getFields()[selection.name.value]!, selection, answers);
  const [leaf, answered] = asked.at(-1)!;
  const exports = rest.exports ?? (changes ? null : rowsAtATime(leaf));
  const endpoint: Endpoint = {
    name,
    method: rest.method,
    path: rest.path,
    tag: rest.tag,
    summary: rest.summary,
    changes,
    raw: rest.raw ?? null,
    media: rest.media ?? null,
    largestKiB: rest.largestKiB,
    strict: rest.strict,
    redirects: rest.redirects,
    clears: rest.clears ?? null,
    staffOnly: rest.staffOnly,
    optional: new Set(optionalMembers(answered.selectionSet, fragments)),
    parameters: [...parametersOf(schema, operation, rest, asked), ...(exports === null ? [] : [BOM])],
    document: { ...annotated, definitions: [{ ...operation, directives: [] }, ...used] },
    operation,
    field: root.getFields()[selection.name.value]!,
    namedBy: variableFor(selection, accessOf(root.getFields()[selection.name.value]).namedBy),
    answers,
    exports,
    formats: rest.exports === undefined ? (exports === null ? [] : [CSV]) : [CSV, PARQUET],
    leaf,
    selection: answered,
    asked,
  };
  return rest.alias ? [endpoint, { ...endpoint, name: `${name}By${rest.alias}`, method: rest.alias }] : [endpoint];
}

/** The variable that is handed to an argument. */
function variableFor({ arguments: given }: FieldNode, argument: string | undefined): string | null {
  const value = given?.find(({ name }) => name.value === argument)?.value;
  return value?.kind === Kind.VARIABLE ? value.name.value : null;
}

/** How many rows of a list are read at a time where it is answered as a file: as many as it has at most; null for what is no list of objects. */
function rowsAtATime({ type, args }: GraphQLField<unknown, unknown>): number | null {
  if (!isListType(getNullableType(type)) || !isObjectType(getNamedType(type))) return null;
  const limit = args.find(({ name }) => name === 'limit');
  return (limit && inputShape(limit).maximum) ?? USUAL_ROWS;
}

const USUAL_ROWS = 100;

/** The fields along a path of response names. */
function pathTo(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
  [name, ...rest]: readonly string[],
): (readonly [GraphQLField<unknown, unknown>, FieldNode])[] {
  if (name === undefined) return [[field, node]];
  const next = node.selectionSet?.selections.find((one): one is FieldNode => one.kind === Kind.FIELD && (one.alias ?? one.name).value === name);
  const type = getNamedType(field.type);
  if (!next || !isObjectType(type)) throw new Error(`${node.name.value} answers no ${name}`);
  return [[field, node], ...pathTo(type.getFields()[next.name.value]!, next, rest)];
}

/** Members of an object that a document marks as optional, by itself or in its fragments. */
function optionalMembers(object: SelectionSetNode | undefined, fragments: ReadonlyMap<string, FragmentDefinitionNode>): string[] {
  return (object?.selections ?? []).flatMap((node) => {
    if (node.kind === Kind.FRAGMENT_SPREAD) return optionalMembers(fragments.get(node.name.value)?.selectionSet, fragments);
    const optional = node.kind === Kind.FIELD && node.directives?.some(({ name }) => name.value === 'optional');
    return optional ? [(node.alias ?? node.name).value] : [];
  });
}

/** The fragments that a node uses, those used by them included. */
function fragmentsOf(
  node: OperationDefinitionNode | FragmentDefinitionNode,
  known: ReadonlyMap<string, FragmentDefinitionNode>,
  found = new Set<FragmentDefinitionNode>(),
): Set<FragmentDefinitionNode> {
  visit(node, {
    FragmentSpread({ name }) {
      const fragment = known.get(name.value);
      if (!fragment) throw new Error(`There is no fragment ${name.value}`);
      if (!found.has(fragment)) fragmentsOf(fragment, known, found.add(fragment));
    },
  });
  return found;
}
