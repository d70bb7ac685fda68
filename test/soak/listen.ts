import { setTimeout as sleep } from 'node:timers/promises';
import { ask, dataOf } from '../torture/run/ask.ts';

/** A client that hears of what happens, and comes back when it was cut off or has left. */
interface Listening {
  readonly origin: string;
  readonly key: string;
  /** Aborted when it is to leave for good. */
  readonly over: AbortSignal;
  /** Told how many messages it heard. */
  readonly heard: (messages: number) => void;
}

/** The longest that a stream is listened to before its client leaves, and that a poll waits. */
const LONGEST_SECONDS = 10;
const SUBSCRIPTION = 'subscription { oversight { cursor } }';
const TRY_AGAIN = [429, 503];

/** Listens to the stream of oversight, and leaves now and then in the middle of it. */
export async function subscribe({ origin, key, over, heard }: Listening): Promise<void> {
  while (!over.aborted) {
    const leaving = AbortSignal.timeout(Math.ceil(Math.random() * LONGEST_SECONDS * 1_000));
    try {
      const response = await fetch(`${origin}/graphql`, {
        method: 'POST',
        signal: AbortSignal.any([over, leaving]),
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          accept: 'text/event-stream',
        },
        body: JSON.stringify({ query: SUBSCRIPTION }),
      });
      if (TRY_AGAIN.includes(response.status)) await sleep(1_000);
      else if (response.status !== 200) throw new Error(`a stream: ${response.status} ${await response.text()}`);
      else for await (const chunk of response.body!) heard(Buffer.from(chunk).toString().split('\ndata: ').length - 1);
    } catch (error) {
      if (!over.aborted && !leaving.aborted) throw error;
    }
  }
}

/** Polls the events of an account from where it is on. */
export async function poll({ origin, key, over, heard }: Listening): Promise<void> {
  for (let after = ''; !over.aborted;) {
    const reply = await ask(`${origin}/v1/events?wait=${LONGEST_SECONDS}${after}`, { key });
    if (TRY_AGAIN.includes(reply.status)) await sleep(1_000);
    else {
      const events = dataOf(reply) as { readonly id: string }[];
      heard(events.length);
      after = events.length > 0 ? `&after=${events.at(-1)!.id}` : after;
    }
  }
}
