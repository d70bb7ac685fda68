import { buildSchema } from 'graphql';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { checkTemplates } from '../../../src/app/development/templates/check.ts';
import { findLongLines } from '../../../src/app/development/templates/check-lines.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const schema = buildSchema(readFileSync(join(ROOT, 'schema.graphql'), 'utf8'));

/** A site of one page, with a part, with a template that code renders by its name, and with what its templates are handed made small. */
const SITE = {
  'answers/handed.ts': `
    export interface Frame { t(name: string): string }
    export interface Framed extends Frame { readonly body: string }
    export interface Page<Data, Path> extends Frame { readonly data: Data; readonly path: Path }
    export interface Done<Data, Path> extends Frame { readonly data: Data; readonly path: Path }
    export type Attributes = never; export type Cell = never; export type CellParts = never; export type Decal = never; export type Drawn = never;
    export type Head = never; export type Known<Of> = Of; export type Listed = never; export type Mistake = never;
    export type Option = never; export type Refused = never; export type Span = never;`,
  'templates.ts': `
    export interface Declared {}
    export declare function render<Name extends keyof Declared>(template: Name, it: Declared[Name]): string;`,
  'answers/failure.ts': `import { render } from '../templates.ts';
    export const failure = (reason: string) => render('frame/failure', { reason });`,
  'frame/failure.eta': '<% /*: { reason: string } */ %>\n<p><%= it.reason %></p>',
  'frame/layout.eta': '<% /*: Framed */ %>\n<h1><%= it.t("title") %></h1><%~ it.body %>',
  'pages/bills/status.eta': '<% /*: { status: string } */ %>\n<b><%= it.status %></b>',
  'pages/bills/bill.graphql': `query Bill($id: ID!) @page(path: "/bills/{id}", title: "bill") {
    assessment(id: $id) { id currency status paidAt }
  }`,
  'pages/bills/bill.eta': `<% layout('/frame/layout', it) %>
<% const { assessment } = it.data; const say = (at /*: string */) => it.t(at); %>
<h2><%= assessment.currency %></h2>
<%~ include('./status', { status: assessment.status }) %>
<p><%= assessment.paidAt ? say(assessment.paidAt) : it.path.id %></p>`,
} as const;

// In a folder where TypeScript finds the types of packages, as in the repository.
const folder = mkdtempSync(join(ROOT, 'node_modules/.templates-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Finds the mistakes of the site after some words in its files were replaced. */
function check(changes: Partial<Record<keyof typeof SITE, readonly (readonly [was: string, is: string])[]>>): string[] {
  for (const [name, text] of Object.entries(SITE)) {
    let changed: string = text;
    for (const [was, is] of changes[name as keyof typeof SITE] ?? []) {
      expect(changed, name).toContain(was);
      changed = changed.replace(was, is);
    }
    mkdirSync(dirname(join(folder, 'site', name)), { recursive: true });
    writeFileSync(join(folder, 'site', name), changed);
  }
  return checkTemplates(schema, join(folder, 'site'), join(folder, 'pages')).filter((line) => !line.startsWith(' '));
}

describe('the check of templates', () => {
  it('finds nothing in what fits', () => {
    expect(check({})).toEqual([]);
  });

  it('names the template and the line of what its document or its address lacks, and of what a part is not handed', () => {
    const wrong = check({
      'pages/bills/bill.graphql': [['currency', '']],
      'pages/bills/bill.eta': [
        ['{ status: assessment.status }', '{ state: assessment.status }'],
        ['assessment.paidAt ? say(assessment.paidAt) : it.path.id', 'assessment.paidAt'],
        ['</p>', '<%= it.path.name %></p>'],
      ],
    });
    expect(wrong).toEqual([
      expect.stringMatching(/pages\/bills\/bill\.eta\(3,20\): .*'currency' does not exist/),
      expect.stringMatching(/pages\/bills\/bill\.eta\(4,\d+\): .*'state' does not exist/),
      expect.stringMatching(/pages\/bills\/bill\.eta\(5,\d+\): .*'string \| null' is not assignable/),
      expect.stringMatching(/pages\/bills\/bill\.eta\(5,\d+\): .*'name' does not exist/),
    ]);
  });

  it('names the code that hands a template what it does not declare', () => {
    const wrong = check({ 'answers/failure.ts': [['{ reason }', '{ why: reason }']] });
    expect(wrong).toEqual([expect.stringMatching(/site\/answers\/failure\.ts\(2,\d+\): .*'why' does not exist/)]);
    expect(check({ 'frame/failure.eta': [['reason: string }', 'reason: number }']] })).toEqual([
      expect.stringMatching(/site\/answers\/failure\.ts\(2,\d+\): .*'string' is not assignable to type 'number'/),
    ]);
  });
});

it('a line of a template has at most 160 characters', () => {
  expect(findLongLines(`${'x'.repeat(160)}\n${'x'.repeat(161)}\nx`)).toEqual([2]);
});
