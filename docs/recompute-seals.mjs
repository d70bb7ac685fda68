// Recomputes an agency's chain of payment events from what oversight may read, with no code of the rail:
//   RAIL=https://rail.example.org KEY=rrk_… node recompute-seals.mjs URA
// Prints the number of seals and the last hash, its head. Ends with 1 at the first seal that is not right.
import { createHash } from 'node:crypto';

const { RAIL, KEY } = process.env;
const [agency] = process.argv.slice(2);
const QUERY = `
  query ($agency: ID!, $after: String) {
    oversight {
      paymentEvents(agency: [$agency], first: 1000, after: $after) {
        nodes { id amount currency channel kind occurredAt seal { sequence version commitment hash } }
        pageInfo { hasNextPage endCursor }
      }
    }
  }`;

const events = [];
for (let after = null; ; ) {
  const answer = await fetch(`${RAIL}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${KEY}` },
    body: JSON.stringify({ query: QUERY, variables: { agency, after } }),
  });
  const { data, errors } = await answer.json();
  if (errors) throw new Error(errors[0].message);
  const { nodes, pageInfo } = data.oversight.paymentEvents;
  events.push(...nodes.filter(({ seal }) => seal !== null));
  if (!pageInfo.hasNextPage) break;
  after = pageInfo.endCursor;
}

let [sequence, hash, recomputed] = [0, '0'.repeat(64), 0];
for (const { id, amount, currency, channel, kind, occurredAt, seal } of events.sort(
  (a, b) => a.seal.sequence - b.seal.sequence,
)) {
  if (seal.sequence !== sequence + 1) fail(sequence + 1, 'is missing');
  if (seal.version === 2) {
    const members = [id, agency, String(amount), currency, channel, kind, occurredAt, seal.commitment];
    const text = `${hash}\n${seal.sequence}\n${JSON.stringify(members)}`;
    if (createHash('sha256').update(text).digest('hex') !== seal.hash) fail(seal.sequence, `${id} was changed`);
    recomputed++;
  } else if (recomputed > 0) fail(seal.sequence, `${id} has an older seal than the event before it`);
  ({ sequence, hash } = seal);
}
console.log(`${agency}: ${sequence} seals, of which ${recomputed} recomputed; the last is ${hash}`);

function fail(at, why) {
  console.error(`${agency}: BROKEN at ${at}: ${why}`);
  process.exit(1);
}
