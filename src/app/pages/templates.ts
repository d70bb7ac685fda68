import { Eta } from 'eta';
import { fileURLToPath } from 'node:url';

/** HTML from `templates/`; whatever is filled in is escaped. */
const eta = new Eta({ views: fileURLToPath(new URL('templates/', import.meta.url)), cache: true });

export type Template = 'confirm' | 'password' | 'message' | 'sign-in' | 'terms' | 'anomalies';

export function render(template: Template, data: object): string {
  return eta.render(`./${template}`, data);
}
