import type { Call } from '../../platform/call/call.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import { requireName } from '../../kernel/text/names.ts';
import { LONGEST_LABEL } from '../../kernel/text/free-text.ts';
import { say } from '../../kernel/text/said.ts';
import { DAY_MS } from '../../kernel/time.ts';
import { namedOperations } from '../../graphql/operations/named.ts';
import { findRegistered } from '../../graphql/operations/registered.ts';
import { refuseBeyondAccount, refuseWidening } from '../keys/authority.ts';
import type { Issue, KeyTerms } from '../keys/draft.ts';
import { checkAgencies } from '../keys/grants.ts';
import { issueByAccount, issueByOperator } from '../keys/issue.ts';
import { findKeyMode } from '../keys/mode.ts';
import { checkOrigins } from './origins.ts';

/** Request for a browser key. */
interface AskedBrowserKey {
  readonly label: string;
  readonly origins: readonly string[];
  readonly operations?: readonly string[] | null | undefined;
  readonly agencies?: readonly string[] | null | undefined;
  readonly days: number;
}

/** All that a key holds which stands in a browser. */
const SCOPES = ['oversight.read'] as const;

/** Issues a browser key to the caller's account, which reads oversight itself. */
export async function issueBrowserKey(call: Call, asked: AskedBrowserKey): Promise<Issue> {
  const integrator = call.viewer.integrator!;
  refuseWidening(call.viewer, SCOPES);
  // A key hands on what it holds, which operators may have given to it alone.
  if (call.viewer.kind !== 'key') await refuseBeyondAccount(call, integrator, SCOPES);
  return issueByAccount(call, await draftTerms(call, integrator, asked));
}

/** Issues one as an operator, to any Active integrator. */
export async function issueBrowserKeyAsOperator(
  call: Call,
  { integrator, ...asked }: AskedBrowserKey & { readonly integrator: string },
): Promise<Issue> {
  return issueByOperator(call, { ...(await draftTerms(call, integrator, asked)), issuedBy: call.viewer.actor });
}

async function draftTerms(call: Call, integrator: string, asked: AskedBrowserKey): Promise<KeyTerms> {
  const label = requireName('label', asked.label, LONGEST_LABEL);
  const agencies = await checkAgencies(call, 'agencies', asked.agencies ?? []);
  const browser = {
    origins: checkOrigins(asked.origins, call.config.mode),
    operations: await checkOperations(call, integrator, asked.operations ?? []),
    agencies: agencies.filter((code) => code !== '*'),
  };
  const expiresAt = new Date(call.now().getTime() + asked.days * DAY_MS);
  const mode = await findKeyMode(call, integrator);
  return { integrator, label, scopes: SCOPES, mode, browser, expiresAt };
}

/** A key names what its account registered, or a version of what another did: that one's next version is not its own. */
async function checkOperations({ db }: Call, integrator: string, asked: readonly string[]): Promise<readonly string[]> {
  for (const name of asked) {
    if (namedOperations.has(name)) continue;
    const registered = await findRegistered(db, name);
    if (!registered) throw refuseValue('operations', say`the operation ${name} does not exist`);
    const pinned = `${registered.name}@${registered.version}`;
    if (registered.owner !== integrator && name !== pinned)
      throw refuseValue('operations', say`${name} belongs to another account: name a version of it, such as ${pinned}`);
  }
  return [...new Set(asked)];
}
