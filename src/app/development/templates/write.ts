import { type DocumentNode, type GraphQLSchema, type OperationDefinitionNode, parse } from 'graphql';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { findOperations, readPageDocuments, readSaid } from '../../../site/operations/documents.ts';
import { listNamed } from '../../../site/operations/named.ts';
import { Answers, enumsOf, write } from './answers.ts';
import { codeOf, declaredBy, usedBy } from './code.ts';

/** Functions that the code of templates calls: to write a text, and to write HTML. */
const WRITERS = `declare function $(text: string | number | bigint): void; declare function _(html: string): void;`;

/** What every template has: messages, and other templates; a part is handed its page as well, and a layout what it stands around. */
const HANDING = `
  type Of = It extends { of: infer Page } ? Page : It;
  type Handing<Values> = {} extends Values ? [it?: Values] : [it: Values];
  declare const t: Of extends { t: infer T } ? T : never;
  declare function include<Name extends keyof Used>(name: Name, it: Used[Name]): string;
  declare function part<Name extends keyof Used>(name: Name, ...it: Handing<WithoutPage<Used[Name]>>): string;
  type WithoutPage<Handed> = 'of' extends keyof Handed ? (Of extends Handed['of'] ? Omit<Handed, 'of'> : never) : Handed;
  type Around<Handed> = It extends Pick<Handed, Exclude<keyof Handed & keyof It, 'body'>> ? Omit<Handed, 'body' | keyof It> & Partial<Omit<Handed, 'body'>> : never;
  declare function layout<Name extends keyof Used>(name: Name, ...it: Handing<Around<Used[Name]>>): void;`;

/** Types that those of templates are made of. */
const HANDED =
  'Attributes, Cell, CellParts, Decal, Done, Drawn, Frame, Framed, Head, Known, Listed, Mistake, Option, Page, Refused, Span';

/**
 * Writes each template of a site as TypeScript: its code, line by line, over what its document answers. Its names are
 * those of templates with `.ts`, so that errors name the template. With them, what code hands to each by its name.
 */
export function writeTemplates(schema: GraphQLSchema, site: string, into: string): void {
  const documents = readPageDocuments(schema, new URL(`file://${join(site, 'pages')}/`));
  rmSync(into, { recursive: true, force: true });
  const put = (file: string, text: string) => {
    mkdirSync(dirname(join(into, file)), { recursive: true });
    writeFileSync(join(into, file), text);
  };
  put('enums.ts', enumsOf(schema));
  for (const file of globSync('frame/layout.graphql', { cwd: site })) {
    const context = relative(join(into, 'frame'), join(site, 'page-context.ts'));
    put(`${file}.ts`, checkLayout(schema, readFileSync(join(site, file), 'utf8'), context));
  }
  const templates = globSync('**/*.eta', { cwd: site });
  put('declared.ts', declareTo(relative(into, join(site, 'templates.ts')), templates));
  for (const file of templates) {
    const text = readFileSync(join(site, file), 'utf8');
    const from = (target: string) => relative(dirname(join(into, file)), target).replace(/^(?!\.)/, './');
    const document = documents.get(relative('pages', file).replace(/\.eta$/, '.graphql'));
    const declared = declaredBy(text);
    const { type, enums } = declared ? { type: declared, enums: new Set<string>() } : handedTo(schema, document);
    const uses = [...usedBy(text, file)];
    const named = uses.map(([name, used]) => `'${name}': import('${from(join(into, `${used}.ts`))}').It`);
    put(
      `${file}.ts`,
      [
        codeOf(text),
        `declare const it: It; export type It = ${type};`,
        `import type { ${HANDED} } from '${from(join(site, 'answers/handed.ts'))}';`,
        enums.size > 0 ? `import type { ${[...enums].join(', ')} } from '${from(join(into, 'enums.ts'))}';` : '',
        WRITERS,
        `interface Used { ${named.join('; ')} }`,
        HANDING,
        '',
      ].join('\n'),
    );
  }
}

/** Has code that renders a template by its name hand it what it declares. */
function declareTo(module: string, templates: readonly string[]): string {
  const declared = templates.map((file) => `'${file.replace(/\.eta$/, '')}': import('./${file}.ts').It`);
  return `export {}; declare module '${module}' { interface Declared { ${declared.join('; ')} } }\n`;
}

/** Type of the values of a template that shows a document's answer; without a document, those of any page. */
function handedTo(schema: GraphQLSchema, document: DocumentNode | undefined) {
  if (!document) return { type: 'Frame', enums: new Set<string>() };
  const operations = findOperations(document);
  const [first] = operations;
  if (!first) throw new Error('A document has no operation');
  const { page, action } = readSaid(first);
  const answers = new Answers(schema, document, page?.partly ?? false);
  const handed = (as: 'Done' | 'Page', path: string, data: string) => {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `readonly ${name}: string`);
    return { type: `${as}<${data}, { ${names.join('; ')} }>`, enums: answers.enums };
  };
  if (page) return handed('Page', page.path, answers.typeOf(first, listNamed(first.selectionSet, page)));
  if (action) return handed('Done', action.path, knownAfter(answers, operations));
  return { type: 'Refused', enums: answers.enums };
}

/** Values known once the steps of a form were done, by the names of its members. */
function knownAfter(answers: Answers, operations: readonly OperationDefinitionNode[]): string {
  const filled = operations
    .flatMap(({ variableDefinitions = [] }) => variableDefinitions)
    .map(({ variable }) => [variable.name.value, { type: 'unknown', optional: true }] as const);
  const members = new Map([...filled, ...operations.flatMap((operation) => [...answers.membersOf(operation)])]);
  return write(members.set('answer', { type: answers.typeOf(operations.at(-1)!), optional: false }));
}

/** Code that compiles if what the document of the layout answers is what pages have of it. */
function checkLayout(schema: GraphQLSchema, text: string, context: string): string {
  const document = parse(text);
  const answers = new Answers(schema, document, false);
  const type = answers.typeOf(findOperations(document)[0]!);
  const enums = `import type { ${[...answers.enums].join(', ')} } from '../enums.ts';`;
  return `${enums} declare const answer: ${type}; answer satisfies import('${context}').LayoutData;\n`;
}
