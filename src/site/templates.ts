import { Eta } from 'eta';
import { fileURLToPath } from 'node:url';

/** In each template: messages, and parts, which are handed the page that they are of; those of `frame/` by their names alone. */
const HEADER = `
const { t } = it.of ?? it;
const part = (name, values) =>
  this.render(/^[./]/.test(name) ? name : '/frame/' + name, { of: it.of ?? it, ...values }, options);`;

/** HTML from `pages/` and `frame/`; all values are escaped. */
const eta = new Eta({
  views: fileURLToPath(new URL('./', import.meta.url)),
  cache: true,
  varName: 'it',
  functionHeader: HEADER,
});

/** Values for each template, by its name: `npm run check:types` adds the declarations of templates. */
export interface Declared {}

/** Values for a template: as declared, for one that code names; the answer, for one of a document. */
export type HandedTo<Name extends string> = Name extends keyof Declared ? Declared[Name] : Record<string, unknown>;

/** Renders a template. */
export function render<Name extends string>(template: Name, it: HandedTo<Name>): string {
  return eta.render(`./${template}`, it);
}
