import { LATE_MS, type Entry } from './books.ts';

/** Sends one callback that says that a collection stands so. */
export type Send = (claim: Claim) => Promise<void>;

export interface Claim {
  readonly state: Entry['state'];
  readonly amount: number;
}

const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms).unref());

/** Calls back about a collection that has settled, in the way that its plan has it. Nobody reads the answers. */
export async function callBack(entry: Entry, charged: number, send: Send): Promise<void> {
  const truth: Claim = { state: entry.state, amount: charged };
  switch (entry.plan.callback) {
    case 'lost':
      return;
    case 'once':
      return send(truth);
    case 'twice':
      await Promise.all([send(truth), send(truth)]);
      return send(truth);
    case 'late':
      await pause(LATE_MS);
      return send(truth);
    case 'reordered':
      await send(truth);
      return send({ ...truth, state: 'pending' });
    case 'tampered':
      return send({ state: 'paid', amount: charged + 5 });
  }
}

/** Posts or puts a body, and ignores the result. */
export async function deliverCallback(
  url: string,
  method: 'POST' | 'PUT',
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  try {
    const response = await fetch(url, { method, body, headers: { 'content-type': 'application/json', ...headers } });
    await response.arrayBuffer();
  } catch {
    // A callback that cannot be delivered is lost, as with the real ones.
  }
}
