import { existsSync, globSync, readFileSync } from 'node:fs';
import {
  type DocumentNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  concatAST,
  execute,
  extendSchema,
  getDirectiveValues,
  parse,
  validate,
} from 'graphql';
import { priced } from '../../../graphql/builder.ts';
import { CompiledOperation } from '../../../graphql/compiled/operation.ts';
import { explain } from '../../../graphql/errors.ts';
import type { Call } from '../../../platform/call/call.ts';
import { type Field, fieldsOf } from './fields.ts';

const SITE = new URL('../', import.meta.url);

export type Visitor = 'EVERYBODY' | 'STAFF' | 'INTEGRATOR';

/** What an operation answers, by the names that its document gives. */
export type Answer = Readonly<Record<string, unknown>>;

/** An operation of a document, which is run for whoever asks; what it refuses or fails with is thrown. */
export interface Operation {
  readonly name: string;
  readonly fields: readonly Field[];
  run(call: Call, variables: Readonly<Record<string, unknown>>): Promise<Answer>;
}

/** A page: what it asks, and the template that shows it. */
export interface PageDocument {
  /** Its file below `rooms/`, without the ending: that of its template. */
  readonly name: string;
  readonly path: string;
  readonly title: string;
  readonly who: Visitor;
  /** Whether browsers hold it to asking nobody for anything once it is open. */
  readonly alone: boolean;
  readonly operation: Operation;
}

/** Where a form is sent: what is done there, step by step, and where the browser goes then. */
export interface ActionDocument {
  readonly name: string;
  readonly path: string;
  /** Null where its template shows what was answered. */
  readonly to: string | null;
  readonly done: string | null;
  readonly title: string | null;
  /** The variables that a field which was left blank makes null. */
  readonly clears: readonly string[];
  readonly who: Visitor;
  readonly steps: readonly Operation[];
}

/** What `@page` says. */
type PageSaid = Pick<PageDocument, 'path' | 'title' | 'who' | 'alone'> & {
  /** Whether a part that is refused or fails is left out. */
  readonly partly: boolean;
};

/** What `@action` says; what it leaves out is left out. */
type ActionSaid = Pick<ActionDocument, 'path' | 'who' | 'clears'> &
  Partial<Pick<ActionDocument, 'to' | 'done' | 'title'>>;

interface Documents {
  /** What stands around every page. */
  readonly around: Operation;
  readonly pages: readonly PageDocument[];
  readonly actions: readonly ActionDocument[];
}

/** Reads the documents of all rooms. One that does not fit the schema, or a page without a template, stops the start. */
export function readDocuments(schema: GraphQLSchema): Documents {
  const extended = extendSchema(schema, parse(readFileSync(new URL('operations/directives.graphql', SITE), 'utf8')));
  const cwd = new URL('rooms/', SITE);
  const pages: PageDocument[] = [];
  const actions: ActionDocument[] = [];
  for (const file of globSync('**/*.graphql', { cwd }).toSorted()) {
    const name = file.replace(/\.graphql$/, '');
    const document = parse(readFileSync(new URL(file, cwd), 'utf8'));
    const mistakes = validate(extended, document);
    if (mistakes.length > 0) throw new Error(`rooms/${file}: ${mistakes.map(({ message }) => message).join('; ')}`);
    const operations = findOperations(document);
    const said = (directive: 'page' | 'action') =>
      getDirectiveValues(extended.getDirective(directive)!, operations[0]!);
    const page = said('page') as PageSaid | undefined;
    const action = said('action') as ActionSaid | undefined;
    const prepared = operations.map((operation) => prepare(schema, document, operation, page?.partly));
    const isShown = page !== undefined || (action && !action.to);
    if (isShown && !existsSync(new URL(`${name}.eta`, cwd)))
      throw new Error(`rooms/${file}: there is no template ${name}.eta`);
    if (page) {
      const { partly: _partly, ...rest } = page;
      pages.push({ ...rest, name, operation: prepared[0]! });
    } else if (action) actions.push({ to: null, done: null, title: null, ...action, name, steps: prepared });
    else throw new Error(`rooms/${file}: its first operation needs @page or @action`);
  }
  // What an address names comes before what may stand there: `/agencies/new` before `/agencies/{id}`.
  pages.sort((one, other) => (order(one) < order(other) ? -1 : 1));
  const around = parse(readFileSync(new URL('frame/layout.graphql', SITE), 'utf8'));
  return { around: prepare(schema, around, findOperations(around)[0]!), pages, actions };
}

const order = ({ path }: PageDocument) => path.replaceAll('{', '\u{10ffff}');

function findOperations({ definitions }: DocumentNode): OperationDefinitionNode[] {
  return definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
}

/** Compiles an operation once. With `partly`, what could not be read of its answer is null there, unless that is its first field. */
function prepare(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  partly = false,
): Operation {
  const fragments = document.definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
  const alone: DocumentNode = concatAST([
    { kind: Kind.DOCUMENT, definitions: [{ ...operation, directives: [] }, ...fragments] },
  ]);
  const name = operation.name?.value ?? '';
  const compiled = CompiledOperation.of(schema, alone, name, false);
  return {
    name,
    fields: fieldsOf(schema, operation),
    run: async (call, variableValues) => {
      // What it may cost was thought of when it was written.
      priced.add(call);
      const { data, errors } = await (compiled?.run(call, variableValues) ??
        execute({ schema, document: alone, contextValue: call, variableValues }));
      const whole = errors?.find(({ path }) => !partly || !data || path?.join() === Object.keys(data)[0]);
      if (whole) throw whole;
      // Whoever looks after the rail finds in the log why a part is missing.
      for (const error of errors ?? []) explain(error, call);
      return data!;
    },
  };
}
