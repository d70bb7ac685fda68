import { type Viewer, holds, isScope } from '../access/viewer.ts';
import { Refusal, invalid } from '../refusal.ts';

/** Scopes as they were asked for, each once; refused where there is none, or no such. */
export function knownScopes(asked: readonly string[]): string[] {
  const unknown = asked.filter((scope) => !isScope(scope));
  if (asked.length === 0) throw invalid('scopes', 'must not be empty');
  if (unknown.length > 0) throw invalid('scopes', `there is no scope ${unknown.join(', ')}`);
  return [...new Set(asked)];
}

/** Refuses a key that would hand out more than it holds itself; whoever signed in acts for the whole account. */
export function refuseWidening(viewer: Viewer, scopes: readonly string[]): void {
  const missing = viewer.kind === 'key' ? scopes.filter((scope) => !isScope(scope) || !holds(viewer, scope)) : [];
  if (missing.length > 0) throw new Refusal('forbidden', `This key lacks the scope ${missing.join(', ')}`);
}
