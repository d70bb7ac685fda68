// Recomputes an agency's chain of payment events from what oversight may read, with no code of the rail:
//   RAIL=https://rail.example.org KEY=rrk_… node recompute-seals.mjs URA
// Prints the number of seals and the last hash, its head. Ends with 1 at the first seal that is not right.
// Behind the agency may stand a file with a closed day of it, as GET /v1/agency/{mda}/days/{day} answers it: its signature is
// checked with the published keys, and its ranges of seals, its sums and its head with the chain.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';

const { RAIL, KEY } = process.env;
const [agency, file] = process.argv.slice(2);
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
if (file) await checkDay(JSON.parse(readFileSync(file, 'utf8')).data);

async function checkDay({ name, payload, signature, kid }) {
  const { keys } = await (await fetch(`${RAIL}/.well-known/receipt-keys.json`)).json();
  const jwk = keys.find((key) => key.kid === kid);
  const key = jwk && createPublicKey({ key: jwk, format: 'jwk' });
  if (!key || !verify(null, Buffer.from(payload), key, Buffer.from(signature, 'base64url'))) fail(name, 'no key signed it');
  const day = JSON.parse(payload);
  if (day.agency !== agency) fail(name, `it is a day of ${day.agency}`);
  const isIn = ({ seal }) => day.seals.some(([first, last]) => seal.sequence >= first && seal.sequence <= last);
  for (const event of events)
    if (isIn(event) !== (event.occurredAt >= day.from && event.occurredAt < day.to))
      fail(event.seal.sequence, `${event.id} ${isIn(event) ? 'is not' : 'is'} of ${name}`);
  const own = events.filter(isIn);
  const count = day.seals.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  if (own.length !== count || (own.at(-1)?.seal.hash ?? null) !== day.head) fail(name, 'its seals are others');
  for (const { currency, opening, collected, reversed, closing } of day.currencies) {
    const sum = (kind) =>
      own.reduce((all, event) => all + (event.currency === currency && event.kind === kind ? thousandths(event.amount) : 0), 0);
    const isRight =
      sum('payment') === thousandths(collected) &&
      sum('reversal') === -thousandths(reversed) &&
      thousandths(opening) + sum('payment') + sum('reversal') === thousandths(closing);
    if (!isRight) fail(name, `its sums in ${currency} are others`);
  }
  console.log(`${name}: ${count} seals, as signed by ${kid}`);
}

function thousandths(amount) {
  return Math.round(Number(amount) * 1000);
}

function fail(at, why) {
  console.error(`${agency}: BROKEN at ${at}: ${why}`);
  process.exit(1);
}
