import type { Call } from '../../platform/call/call.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import { requireName } from '../../kernel/text/names.ts';
import { LONGEST_LABEL } from '../../kernel/text/free-text.ts';
import { say } from '../../kernel/text/said.ts';
import { DAY_MS } from '../../kernel/time.ts';
import { findOperation } from '../../graphql/operations/named.ts';
import { refuseBeyondAccount, refuseWidening } from '../keys/authority.ts';
import type { Issue, KeyTerms } from '../keys/draft.ts';
import { checkAgencies } from '../keys/grants.ts';
import { issueByAccount, issueByOperator } from '../keys/issue.ts';
import { findKeyMode } from '../keys/mode.ts';
import { checkOrigins } from './origins.ts';

/** What a browser key is asked to be. */
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
    operations: await checkOperations(call, asked.operations ?? []),
    agencies: agencies.filter((code) => code !== '*'),
  };
  const expiresAt = new Date(call.now().getTime() + asked.days * DAY_MS);
  const mode = await findKeyMode(call, integrator);
  return { integrator, label, scopes: SCOPES, mode, browser, expiresAt };
}

async function checkOperations({ db }: Call, asked: readonly string[]): Promise<readonly string[]> {
  for (const name of asked)
    if ((await findOperation(db, name)) === undefined)
      throw refuseValue('operations', say`the operation ${name} does not exist`);
  return [...new Set(asked)];
}
