import { Eta } from 'eta';
import { fileURLToPath } from 'node:url';

/** HTML from `pages/` and `frame/`; all values are escaped. */
const eta = new Eta({ views: fileURLToPath(new URL('./', import.meta.url)), cache: true, varName: 'it' });

/** What each template is handed, by its name: `npm run check:types` adds what templates begin with. */
export interface Declared {}

/** What a template is handed: one that code names, what it declares; one of a document, what that answers. */
export type HandedTo<Name extends string> = Name extends keyof Declared ? Declared[Name] : Record<string, unknown>;

/** What a template shows. */
export function render<Name extends string>(template: Name, it: HandedTo<Name>): string {
  return eta.render(`./${template}`, it);
}
