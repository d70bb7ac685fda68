import { Eta } from 'eta';
import { fileURLToPath } from 'node:url';

/** HTML from `pages/` and `frame/`; all values are escaped. */
const eta = new Eta({ views: fileURLToPath(new URL('./', import.meta.url)), cache: true, varName: 'it' });

/** Values for each template, by its name: `npm run check:types` adds the declarations of templates. */
export interface Declared {}

/** Values for a template: as declared, for one that code names; the answer, for one of a document. */
export type HandedTo<Name extends string> = Name extends keyof Declared ? Declared[Name] : Record<string, unknown>;

/** Renders a template. */
export function render<Name extends string>(template: Name, it: HandedTo<Name>): string {
  return eta.render(`./${template}`, it);
}
