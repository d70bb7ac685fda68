import { Refusal } from '../../kernel/refusal.ts';
import { say } from '../../kernel/text/said.ts';
import type { Rail } from './call.ts';

/** Refuses what only a sandbox has: on a live rail it is not there. */
export function requireSandbox({ config: { mode } }: Pick<Rail, 'config'>): void {
  if (mode === 'sandbox') return;
  const message = say`This is for sandboxes only`;
  throw new Refusal('not_found', message, [{ path: 'mode', message, code: 'sandbox_only' }]);
}
