import { KEY_SCOPES } from '../../platform/access/needs.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import { shorten } from '../../kernel/text/free-text.ts';
import { say } from '../../kernel/text/said.ts';

/** Scopes as they were asked for, each once; refused where there is none, or no such. */
export function checkScopes(asked: readonly string[]): string[] {
  const unknown = asked.filter((scope) => !KEY_SCOPES.some((known) => known === scope));
  if (asked.length === 0) throw refuseValue('scopes', say`must not be empty`);
  if (unknown.length > 0) throw refuseValue('scopes', say`there is no scope ${unknown.map(shorten).join(', ')}`);
  return [...new Set(asked)];
}
