import { Eta } from 'eta';
import { fileURLToPath } from 'node:url';

/** HTML from `pages/` and `frame/`; all values are escaped. */
const eta = new Eta({ views: fileURLToPath(new URL('./', import.meta.url)), cache: true, varName: 'it' });

/** What a template shows. */
export function render(template: string, it: object): string {
  return eta.render(`./${template}`, it);
}
