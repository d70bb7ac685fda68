import { AdapterFailure } from '../../adapters/failure.ts';
import type { Call } from '../../platform/call/call.ts';

/** Address at which a browser signs out at the provider too; null if that has none, or does not answer. */
export async function findSignOutUrl({ rail: { signOn }, origin, log, requestId }: Call): Promise<string | null> {
  if (!signOn) return null;
  try {
    return await signOn.endSessionUrl(`${origin}/signin/staff`);
  } catch (error) {
    if (!(error instanceof AdapterFailure)) throw error;
    log.warn({ request_id: requestId, adapter: error.adapter, kind: error.kind }, error.message);
    return null;
  }
}
