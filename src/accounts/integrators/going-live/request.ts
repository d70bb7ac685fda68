import type { Call } from '../../../platform/call/call.ts';
import { commit } from '../../../platform/change/commit.ts';
import { guard } from '../../../platform/change/step.ts';
import { Refusal, refuseBecause } from '../../../kernel/refusal.ts';
import { LONGEST_TEXT, readText } from '../../../kernel/text/free-text.ts';
import { checkAgencies } from '../../keys/grants.ts';
import { checkAllowedChannels, requireSome } from '../bounds.ts';
import { getIntegrator } from '../find.ts';
import { type LiveRequest, getLiveRequest } from './find.ts';

interface Input {
  readonly agencies: readonly string[];
  readonly channels: readonly string[];
  readonly note?: string | null | undefined;
}

/** Asks operators for the caller's account to go live, for some agencies and channels; or, once it is, for others. */
export async function requestLive(call: Call, input: Input): Promise<LiveRequest> {
  const agencies = await checkAgencies(call, 'agencies', requireSome('agencies', input.agencies));
  const channels = checkAllowedChannels('channels', requireSome('channels', input.channels));
  const note = readText('note', input.note, LONGEST_TEXT);
  const integrator = call.viewer.integrator!;
  const at = call.now();
  const name = await call.docnames.next('liveRequest', at);
  // The second of two at once finds the first waiting.
  const changed = guard`
    insert into live_request (name, integrator, status, agencies, channels, note, created_at, updated_at)
    select ${name}, i.code, 'Pending', ${[...agencies]}, ${[...channels]}, ${note}, ${at}, ${at}
    from integrator i where i.code = ${integrator} and i.status = 'Active'
    -- A second request is refused while one waits.
    on conflict (integrator) where status = 'Pending' do nothing returning name`;
  if (await commit(call, { subject: name, guard: changed })) return getLiveRequest(call, name);
  if ((await getIntegrator(call, integrator)).status !== 'Active')
    throw new Refusal('unauthenticated', 'The account is suspended');
  throw refuseBecause(
    'live_request_pending',
    'A request of your account waits for its decision already; see `myLiveRequests`',
    'agencies',
  );
}
