import { isScope } from '../../platform/access/viewer.ts';
import { invalid } from '../../kernel/refusal.ts';
import { shortened } from '../../kernel/text.ts';

/** Scopes as they were asked for, each once; refused where there is none, or no such. */
export function knownScopes(asked: readonly string[]): string[] {
  const unknown = asked.filter((scope) => !isScope(scope));
  if (asked.length === 0) throw invalid('scopes', 'must not be empty');
  if (unknown.length > 0) throw invalid('scopes', `there is no scope ${unknown.map(shortened).join(', ')}`);
  return [...new Set(asked)];
}
