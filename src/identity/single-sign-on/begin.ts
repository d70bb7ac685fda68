import type { SignOnProvider } from '../../adapters/sign-on/port.ts';
import { refuseAllButStaff, showsBearer } from '../../platform/access/viewer.ts';
import type { Call } from '../../platform/call/call.ts';
import type { SignOnMapping } from '../../platform/config/single-sign-on.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { checksOf, makeAttempt, storeAttempt } from './attempt.ts';
import { resolveReturn } from './return-to.ts';

/** Address that the provider sends browsers back to. */
const CALLBACK = '/signin/sso/callback';

/** Begins a sign-in: where the browser goes, with a cookie by which it is known when it comes back. */
export async function beginSignOn(
  call: Call,
  { returnTo }: { readonly returnTo?: string | null | undefined },
): Promise<{ location: string }> {
  const { provider } = requireSignOn(call);
  const attempt = makeAttempt();
  // The provider first: where it is away, nothing was begun.
  const location = await provider.begin(checksOf(attempt), callbackOf(call));
  await storeAttempt(call, attempt, resolveReturn(call.origin, returnTo));
  return { location };
}

export function callbackOf({ origin }: Pick<Call, 'origin'>): string {
  return `${origin}${CALLBACK}`;
}

/** The provider at which staff sign in, and what its claims mean; refuses where there is none, and who shows a key. */
export function requireSignOn({ viewer, rail: { signOn }, config }: Call): {
  provider: SignOnProvider;
  mapping: SignOnMapping;
} {
  if (showsBearer(viewer)) throw refuseAllButStaff();
  if (!signOn || !config.singleSignOn) throw new Refusal('not_found', 'Staff of this service log in by password');
  return { provider: signOn, mapping: config.singleSignOn.mapping };
}
