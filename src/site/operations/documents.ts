import { existsSync, globSync, readFileSync } from 'node:fs';
import {
  type DocumentNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  buildASTSchema,
  getDirectiveValues,
  parse,
} from 'graphql';
import { fragmentOfAll } from '../../graphql/documents/members.ts';
import { oncePerSchema } from '../../graphql/prepared.ts';
import type { Need } from '../../platform/access/needs.ts';
import { asFile } from './as-file.ts';
import { listNamed } from './named.ts';
import { type FileOperation, type Operation, prepare, prepareFile } from './prepare.ts';

const SITE = new URL('../', import.meta.url);

export type Visitor = 'EVERYBODY' | 'STAFF' | 'INTEGRATOR';

/** A page: what it asks, and the template that shows it. */
export interface PageDocument {
  /** Its file below `pages/`, without the ending: that of its template. */
  readonly name: string;
  readonly path: string;
  readonly title: string;
  readonly who: Visitor;
  /** True if its content policy forbids all requests. */
  readonly alone: boolean;
  /** True if it may be compressed: it holds no secret. */
  readonly compressed: boolean;
  /** True if it shows nobody anything of their own. */
  readonly kept: boolean;
  /** The name in its path that is the token of a payment link; null where none is. */
  readonly token: string | null;
  /** True if it is a search, which goes on to a single record that it found. */
  readonly single: boolean;
  /** True if it is a question about figures, whose form is shown if it is refused. */
  readonly question: boolean;
  /** True if it answers the named operation that its address names. */
  readonly asksNamed: boolean;
  /** True if a sandbox alone has it. */
  readonly sandbox: boolean;
  /** From how many months before its last day on it shows what is over time; null for what the schema does. */
  readonly months: number | null;
  /** Need of its form; null if that is the need of the page itself. */
  readonly need: Need | null;
  /** Paths in its answer to the records that its address names. */
  readonly named: readonly (readonly string[])[];
  readonly operation: Operation;
}

/** A form's target: its steps, and the address that the browser goes to then. */
export interface ActionDocument {
  readonly name: string;
  readonly path: string;
  /** Null where its template shows what was answered. */
  readonly to: string | null;
  readonly title: string | null;
  /** The variables that a field which was left blank makes null. */
  readonly clears: readonly string[];
  /** The name under which may be answered where the browser goes instead, on any host. */
  readonly leave: string | null;
  /** A field that is asked for twice, the second time as `repeated`. */
  readonly repeats: string | null;
  readonly who: Visitor;
  /** Token, as for a page. */
  readonly token: string | null;
  readonly steps: readonly Operation[];
}

/** Target of a link or another host: its steps, and the address that the browser goes to then. */
export interface ArrivalDocument {
  readonly name: string;
  readonly path: string;
  /** The name under which is answered where the browser goes. */
  readonly to: string;
  readonly title: string;
  readonly who: Visitor;
  readonly steps: readonly Operation[];
}

/** A file that a page leads to. */
export interface DownloadDocument {
  readonly path: string;
  /** Token, as for a page. */
  readonly token: string | null;
  readonly operation: Operation;
}

/** The rows of a list, as files. */
export interface FileDocument extends FileOperation {
  readonly path: string;
  readonly who: Visitor;
}

/** The arguments of `@page`, without those that are left out. */
type PageSaid = Pick<PageDocument, 'path' | 'title' | 'who'> & {
  readonly needs?: Need;
  readonly is: readonly string[];
};

/** The arguments of `@action`, without those that are left out. */
type ActionSaid = Pick<ActionDocument, 'path' | 'who'> & Partial<Pick<ActionDocument, 'to' | 'title' | 'leave'>>;
const NOT_SAID = { to: null, title: null, leave: null } as const;

/** The name in a path that is the token of a payment link; null in others. */
const tokenOf = (path: string) => (path.startsWith('/pay/{token}') ? 'token' : null);

interface Documents {
  /** Operation of every page's layout. */
  readonly layout: Operation;
  readonly pages: readonly PageDocument[];
  readonly actions: readonly ActionDocument[];
  readonly arrivals: readonly ArrivalDocument[];
  readonly downloads: readonly DownloadDocument[];
  readonly files: readonly FileDocument[];
}

const PAGES = new URL('pages/', SITE);

/** Reads the directives of the documents of pages. */
export function readDirectives(): DocumentNode {
  return parse(readFileSync(new URL('operations/directives.graphql', SITE), 'utf8'));
}

/** Reads the documents of all pages as they are written, by their files; with the fragments of all fields that each uses. */
export function readPageDocuments(schema: GraphQLSchema, folder = PAGES): ReadonlyMap<string, DocumentNode> {
  const all = (['fields', 'columns'] as const).map((names) => fragmentOfAll(schema, 'FigureRecord', names));
  const readPageDocument = (file: string): [string, DocumentNode] => {
    const text = readFileSync(new URL(file, folder), 'utf8');
    const used = all.filter(({ name }) => text.includes(`...${name.value}`));
    return [file, { kind: Kind.DOCUMENT, definitions: [...parse(text).definitions, ...used] }];
  };
  return new Map(globSync('**/*.graphql', { cwd: folder }).toSorted().map(readPageDocument));
}

const directives = buildASTSchema(readDirectives(), { assumeValidSDL: true });

/** Directive by which the first operation of a document is published: one of these. */
export function readSaid(operation: OperationDefinitionNode) {
  const said = (name: string) => getDirectiveValues(directives.getDirective(name)!, operation);
  const page = said('page') as PageSaid | undefined;
  return {
    page: page && readPage(page, operation),
    action: said('action') as ActionSaid | undefined,
    arrival: said('arrival') as Omit<ArrivalDocument, 'name' | 'steps'> | undefined,
    download: said('download') as Pick<DownloadDocument, 'path'> | undefined,
    file: said('file') as Pick<FileDocument, 'path' | 'who'> | undefined,
  };
}

function readPage({ is, needs, ...said }: PageSaid, operation: OperationDefinitionNode) {
  const has = (name: string) => getDirectiveValues(directives.getDirective(name)!, operation) !== undefined;
  const { selectionSet, variableDefinitions = [] } = operation;
  const [months = null] = variableDefinitions.flatMap((variable) => {
    const since = getDirectiveValues(directives.getDirective('since')!, variable);
    return since ? [since['months'] as number] : [];
  });
  return {
    ...said,
    need: needs ?? null,
    token: tokenOf(said.path),
    months,
    kept: is.includes('KEPT'),
    partly: is.includes('PARTLY'),
    listed: is.includes('LIST'),
    single: selectionSet.selections.some((field) => field.kind === Kind.FIELD && field.name.value === 'find'),
    alone: has('alone'),
    question: variableDefinitions.some(({ variable }) => variable.name.value === 'asked'),
    asksNamed: said.path.includes('{question}'),
    sandbox: has('sandbox'),
    compressed: has('compressed'),
  };
}

/** The variables of operations that a directive marks. */
function listMarked(operations: readonly OperationDefinitionNode[], directive: 'clears' | 'repeated'): string[] {
  return operations
    .flatMap(({ variableDefinitions = [] }) => variableDefinitions)
    .filter(({ directives: own = [] }) => own.some(({ name }) => name.value === directive))
    .map(({ variable }) => variable.name.value);
}

/**
 * Prepares the documents of all pages. A page without a template stops the start; that documents fit the schema, a test
 * sees to.
 */
export const readDocuments = oncePerSchema((schema): Documents => {
  const pages: PageDocument[] = [];
  const actions: ActionDocument[] = [];
  const arrivals: ArrivalDocument[] = [];
  const downloads: DownloadDocument[] = [];
  const files: FileDocument[] = [];
  for (const [file, document] of readPageDocuments(schema)) {
    const name = file.replace(/\.graphql$/, '');
    const operations = findOperations(document);
    const { page, action, arrival, download, file: fileSaid } = readSaid(operations[0]!);
    if (fileSaid) {
      files.push({ ...fileSaid, ...prepareFile(schema, document, operations[0]!) });
      continue;
    }
    if (page?.listed) {
      const { path, who } = page;
      files.push({ path, who, ...prepareFile(schema, document, asFile({ schema, document }, operations[0]!)) });
    }
    const prepared = operations.map((operation) => prepare(schema, document, operation, page?.partly));
    const isShown = page ?? arrival ?? (action && !action.to);
    if (isShown && !existsSync(new URL(`${name}.eta`, PAGES)))
      throw new Error(`pages/${file}: there is no template ${name}.eta`);
    if (page) {
      const { partly: _partly, listed: _listed, ...rest } = page;
      const named = listNamed(operations[0]!.selectionSet, page);
      pages.push({ ...rest, name, named, operation: prepared[0]! });
    } else if (action) {
      const [repeats = null] = listMarked(operations, 'repeated');
      const clears = listMarked(operations, 'clears');
      actions.push({ ...NOT_SAID, ...action, token: tokenOf(action.path), clears, repeats, name, steps: prepared });
    } else if (arrival) arrivals.push({ ...arrival, name, steps: prepared });
    else if (download) downloads.push({ ...download, token: tokenOf(download.path), operation: prepared[0]! });
    else throw new Error(`pages/${file}: its first operation needs @page, @file, @action, @arrival or @download`);
  }
  // Literal addresses come before those with parameters: `/agencies/new` before `/agencies/{id}`.
  for (const places of [pages, actions]) places.sort((one, other) => (order(one) < order(other) ? -1 : 1));
  const layout = parse(readFileSync(new URL('frame/layout.graphql', SITE), 'utf8'));
  return { layout: prepare(schema, layout, findOperations(layout)[0]!), pages, actions, arrivals, downloads, files };
});

const order = ({ path }: { readonly path: string }) => path.replaceAll('{', '\u{10ffff}');

export function findOperations({ definitions }: DocumentNode): OperationDefinitionNode[] {
  return definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
}
