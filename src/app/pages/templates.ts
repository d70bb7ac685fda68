import { Eta } from 'eta';
import { fileURLToPath } from 'node:url';

/** HTML from `templates/`; whatever is filled in is escaped. */
const eta = new Eta({ views: fileURLToPath(new URL('templates/', import.meta.url)), cache: true });

export function render(
  template: 'confirm' | 'dashboard' | 'message' | 'sign-in' | 'terms' | 'anomalies',
  data: object,
): string {
  return eta.render(`./${template}`, data);
}
