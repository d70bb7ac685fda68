// What happens, as oversight's stream sends it: read on from where it broke off, so that nothing is missing and nothing
// comes twice, however often the network goes.

const QUERY = `subscription ($after: String) { oversight(after: $after) { cursor item { type: __typename
  ... on OverseenPaymentEvent { id kind amount currency channel at: occurredAt agency { name timeZone } }
  ... on OverseenAnomaly { id anomaly: kind severity at: raisedAt concerned: agency { name timeZone } } } } }`;
/** The rail says every 12 seconds that it is there. */
const SILENCE_MS = 30_000;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 10_000;

/**
 * Follows the stream after a cursor, until the session is over. `onItem` gets what happened, `onState` one of `live`,
 * `away`, `busy` and `over`.
 */
export async function follow(after, onItem, onState) {
  let cursor = after;
  let wait = FIRST_WAIT_MS;
  for (;;) {
    const ended = await read(
      cursor,
      (happening) => {
        cursor = happening.cursor;
        wait = FIRST_WAIT_MS;
        onItem(happening.item);
      },
      onState,
    );
    if (ended === 'over') return onState(ended);
    // A stream ends after 15 minutes: that is no interruption.
    if (ended !== 'done') onState(ended);
    await pause(ended === 'done' ? 0 : wait);
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }
}

/** Waits a while, or until the network is back. */
function pause(ms) {
  return new Promise((resolve) => {
    const go = () => {
      removeEventListener('online', go);
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(go, ms);
    addEventListener('online', go);
  });
}

/** Reads one stream to its end, and says how it ended: `done`, `away`, `busy` or `over`. */
async function read(after, onHappening, onState) {
  const leaving = new AbortController();
  const leave = () => leaving.abort();
  let silence = setTimeout(leave, SILENCE_MS);
  addEventListener('offline', leave);
  try {
    const answer = await fetch('/graphql', {
      method: 'POST',
      signal: leaving.signal,
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ query: QUERY, variables: { after } }),
    });
    if (answer.status === 401 || answer.status === 403) return 'over';
    if (!answer.ok) return answer.status === 429 ? 'busy' : 'away';
    onState('live');
    let text = '';
    const pieces = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let piece = await pieces.read(); !piece.done; piece = await pieces.read()) {
      clearTimeout(silence);
      silence = setTimeout(leave, SILENCE_MS);
      const messages = (text + piece.value).split('\n\n');
      text = messages.pop();
      for (const message of messages) {
        const said = /^data: (.+)$/m.exec(message)?.[1];
        if (!said) continue;
        const { data, errors } = JSON.parse(said);
        if (errors) return errors[0].extensions?.code === 'unauthenticated' ? 'over' : 'away';
        onHappening(data.oversight);
      }
    }
    return 'done';
  } catch {
    return 'away';
  } finally {
    clearTimeout(silence);
    removeEventListener('offline', leave);
  }
}
