import { createPublicKey, verify } from 'node:crypto';
import { type Caller, type Named, callAs, print, say } from '../caller.ts';
import { logInAs } from '../cast.ts';
import { FORMS, type StatementLine } from './statements.ts';

/** Does at once what jobs do every hour, and closes the days of an agency. */
export type RunJobs = (mda: string) => Promise<void>;

interface Payout {
  readonly provider: string;
  readonly day: string;
  readonly expected: number;
  readonly fees: number;
  readonly refunded: number;
  readonly due_on: string;
  readonly state: string;
}

interface Credit extends StatementLine {
  /** The payouts that it is of; none of a fee. */
  readonly of?: { readonly provider: string; readonly from_on: string; readonly to_on: string };
}

interface Line extends Named {
  readonly amount: number;
}

interface Day {
  readonly day: string;
  readonly payload: string;
  readonly signature: string;
  readonly kid: string;
}

/** Agencies of a sandbox with their accounts, and the form in which the bank of each sends statements. */
const BANKS = [
  { mda: 'URA', account: '9030001201001', form: 'camt053' },
  { mda: 'KCCA', account: '9030001201004', form: 'mt940' },
  { mda: 'URSB', account: '9030001201002', form: 'csv' },
] as const;
type Bank = (typeof BANKS)[number];

interface Verified {
  readonly followed?: readonly { readonly mda: string; readonly arrived_on: string | null }[];
}

const WEEK_DAYS = 9;

/** Days that a list answers at a time. */
const PAGE = 100;

/** Shows whether the money of a week arrived: statements of banks, what is short or missing, and a day that is signed. */
export async function walkSettlement(base: string, runJobs: RunJobs): Promise<void> {
  const admin = callAs(base, { cookie: (await logInAs(base, 'admin')).cookie });
  let short: Credit | undefined;
  const quiet = callAs(base, { cookie: (await logInAs(base, 'admin')).cookie }, 'nothing');
  for (const [index, bank] of BANKS.entries()) {
    say(`The bank of ${bank.mda} sends a statement of the week, as ${bank.form}`);
    const credits = creditsOf(await listPayouts(quiet, bank.mda));
    // One payout is short, and one does not come.
    const [first, second, ...rest] = credits;
    if (index === 0 && (!first || !second))
      throw new Error('The week has no payments. Fill the sandbox with npm run demo -- --story');
    if (index === 0) short = { ...first!, amount: Math.round(first!.amount * 0.9) };
    const came = index === 0 ? [short!, ...rest] : credits;
    const fee = { day: first?.day ?? daysAgo(1), amount: -25_000, text: 'MONTHLY LEDGER FEE' };
    await upload(base, quiet, bank, [...came, fee]);
  }
  const [{ mda }] = BANKS;
  say(`Lines are explained, payouts judged, and all days of ${mda} closed`);
  await runJobs(mda);
  say('What the rail found: what came, what is short, and what is missing');
  const states = Map.groupBy(await listPayouts(quiet, mda), ({ state }) => state);
  for (const [state, payouts] of states) process.stdout.write(`${payouts.length} payouts are ${state}\n`);
  say('A finance officer says what lines are that no rule explains: a fee, and a payout that is short');
  const officer = callAs(base, { cookie: (await logInAs(base, 'finance_officer', mda)).cookie });
  const lines = await officer.get<Line[]>(`/v1/agency/${mda}/bank-lines?kind=unknown&limit=50`);
  const note = 'By the statement of the bank';
  for (const { name, amount } of lines) {
    const kind = amount < 0 ? { kind: 'fee' } : { kind: 'payout', ...short?.of };
    if (amount > 0 && amount !== short?.amount) continue;
    await officer.post(`/v1/agency/${mda}/bank-lines/${name}:classify`, { ...kind, note });
  }
  await admin.get(`/v1/agency/${mda}/payouts?state=short&limit=1`);
  await followReceipt(base, quiet, mda, states.get('arrived') ?? []);
  await signDay(base, officer, quiet, mda);
  say('The quarter, from its opening to its closing');
  const now = new Date();
  await admin.get(
    `/v1/oversight/reconciliation?quarter=${now.getUTCFullYear()}-Q${Math.floor(now.getUTCMonth() / 3) + 1}`,
  );
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

function listPayouts(caller: Caller, mda: string): Promise<Payout[]> {
  const limit = 200;
  return caller.get(`/v1/agency/${mda}/payouts?from_date=${daysAgo(WEEK_DAYS)}&to_date=${daysAgo(1)}&limit=${limit}`);
}

/** What providers pay out: one credit for all days of a provider that are due on one, such as a weekend. */
function creditsOf(payouts: readonly Payout[]): Credit[] {
  const due = payouts.filter(({ due_on, state }) => due_on <= daysAgo(0) && ['expected', 'missing'].includes(state));
  return [...Map.groupBy(due, ({ provider, due_on }) => `${provider} ${due_on}`).values()].flatMap((of) => {
    const [{ provider, due_on }] = of as [Payout];
    const amount = of.reduce((sum, { expected, fees, refunded }) => sum + expected - fees - refunded, 0);
    const days = of.map(({ day }) => day).toSorted();
    const paid = { provider, from_on: days[0]!, to_on: days.at(-1)! };
    return amount > 0 ? [{ day: due_on, amount, text: `SETTLEMENT ${provider.toUpperCase()}`, of: paid }] : [];
  });
}

async function upload(base: string, quiet: Caller, bank: Bank, credits: readonly Credit[]): Promise<void> {
  const { mda, account, form } = bank;
  const { type, write } = FORMS[form];
  const [before] = await quiet.get<{ closing: number | null }[]>(`/v1/agency/${mda}/bank-statements?limit=1`);
  const lines = credits.toSorted((a, b) => a.day.localeCompare(b.day));
  const { cookie } = await logInAs(base, 'finance_officer', mda);
  const response = await fetch(`${base}/v1/agency/${mda}/bank-statements`, {
    method: 'POST',
    headers: { cookie, 'content-type': type },
    body: write({ account, opening: before?.closing ?? 0, lines }),
  });
  const answer: unknown = await response.json();
  print(answer);
  if (!response.ok) throw new Error(`The statement of ${mda} was answered with ${response.status}`);
}

/** Follows a receipt of a payout that arrived: to its seal, the signed day of its agency, and the day of the bank. */
async function followReceipt(base: string, quiet: Caller, mda: string, arrived: readonly Payout[]): Promise<void> {
  say('Anybody follows a receipt to the bank');
  const anybody = callAs(base, {}, 'nothing');
  for (const { day } of arrived) {
    const days = `from_date=${day}&to_date=${day}`;
    const events = await quiet.get<{ assessment: string }[]>(`/v1/payment-events?mda=${mda}&${days}&limit=20`);
    for (const { assessment } of events)
      for (const { payload, signature, kid } of await quiet.get<Day[]>(`/v1/assessments/${assessment}/receipts`)) {
        const verified = await anybody.post<Verified>('/v1/receipts:verify', { payload, signature, kid });
        if (verified.followed?.some((share) => share.mda === mda && share.arrived_on)) return print(verified);
      }
  }
  throw new Error(`No receipt of ${mda} leads to a payout that arrived`);
}

/** Confirms the oldest closed day, and proves it by the keys that are published alone. */
async function signDay(base: string, officer: Caller, quiet: Caller, mda: string): Promise<void> {
  say('The officer confirms the oldest day, which anybody can prove by the keys that are published');
  let oldest: Day | undefined;
  for (let start = 0, found = PAGE; found === PAGE; start += PAGE) {
    const open = await quiet.get<Day[]>(`/v1/agency/${mda}/days?confirmed=false&limit=${PAGE}&start=${start}`);
    [found, oldest] = [open.length, open.at(-1) ?? oldest];
  }
  if (!oldest) throw new Error(`No day of ${mda} is closed`);
  const { day } = oldest;
  await officer.post(`/v1/agency/${mda}/days/${day}:confirm`, { note: 'Compared with the bank' });
  const { payload, signature, kid } = await officer.get<Day>(`/v1/agency/${mda}/days/${day}`);
  const published = await fetch(`${base}/.well-known/receipt-keys.json`);
  const { keys } = (await published.json()) as { keys: { kid: string; kty: string; crv: string; x: string }[] };
  const { kty, crv, x } = keys.find((key) => key.kid === kid)!;
  const key = createPublicKey({ key: { kty, crv, x }, format: 'jwk' });
  const isProved = verify(null, Buffer.from(payload), key, Buffer.from(signature, 'base64url'));
  process.stdout.write(`The signature of ${mda}, ${day}, ${isProved ? 'holds' : 'does not hold'}\n`);
  if (!isProved) throw new Error('A signature does not hold');
}
