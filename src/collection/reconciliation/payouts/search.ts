import type { Call } from '../../../platform/call/call.ts';
import { always, commit } from '../../../platform/change/commit.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Anomaly } from '../../../generated/prisma/client.ts';
import { addDays, formatDay } from '../../../kernel/time.ts';
import { type Finding, raiseAnomalies } from '../../anomalies/raise.ts';
import { listOpenAnomalies } from '../../anomalies/find.ts';
import { resolveOpen } from '../../anomalies/resolve.ts';
import { bookUnexplained } from './bank-only.ts';
import { classifyAll } from './classify.ts';
import { type Payout, findPayouts } from './find.ts';

/** Payouts of earlier days are looked at no more, unless an anomaly about them is open. */
const MOST_DAYS = 92;

const KINDS = { short: 'payout_short', missing: 'payout_missing' } as const;

/**
 * Explains what it can of lines that nobody explained, books money that is nobody's, and raises payouts that are short
 * or missing once they are due, of accounts whose statements are sent; what arrived meanwhile it resolves. How much changed.
 */
export async function settlePayouts(call: Call): Promise<number> {
  const explained = await classifyAll(call);
  const booked = await bookUnexplained(call);
  return explained + booked + (await judgePayouts(call));
}

async function judgePayouts(call: Call): Promise<number> {
  const since = new Map(
    (
      await call.db.rows<{ mda: string; since: string }>(sql`
        select a.mda, min(coalesce(s.from_on, s.created_at::date))::text as since
        from bank_statement s join agency_account a on a.account = s.account group by a.mda`)
    ).map((row) => [row.mda, row.since]),
  );
  if (since.size === 0) return 0;
  const open = await listOpenAnomalies(call, Object.values(KINDS));
  const to = formatDay(call.now());
  const from = [addDays(to, -MOST_DAYS), ...open.map(dayIn)].toSorted()[0]!;
  const payouts = await findPayouts(call, { from, to, agencies: [...since.keys()] });
  const bySubject = Map.groupBy(payouts, subjectOf);
  const findings = [...bySubject].flatMap(([subject, of]) => findingsOf(call, subject, of, since));
  if (findings.length > 0)
    await commit(call, { subject: null, guard: always, steps: await raiseAnomalies(call, always, findings) });
  const found = new Set(findings.map(({ kind, subject }) => `${kind} ${subject}`));
  const over = open.filter(({ kind, subject }) => !found.has(`${kind} ${subject}`));
  for (const anomaly of over) {
    const said = (bySubject.get(anomaly.subject) ?? []).map(sayState).join('; ');
    await resolveOpen(call, anomaly, said || 'Nothing is expected of this day any more');
  }
  return findings.length + over.length;
}

const subjectOf = ({ mda, provider, day }: Payout) => `${mda}:${provider}:${day}`;

const dayIn = ({ subject }: Anomaly) => subject.slice(-'YYYY-MM-DD'.length);

/** What is wrong with the payouts of a provider to an agency for one day, in all currencies. */
function findingsOf(
  { now }: Call,
  subject: string,
  payouts: readonly Payout[],
  since: ReadonlyMap<string, string>,
): Finding[] {
  const today = formatDay(now());
  return (['short', 'missing'] as const).flatMap((state): Finding[] => {
    const wrong = payouts.filter((one) => one.state === state && one.dueOn < today && one.dueOn >= since.get(one.mda)!);
    const [first] = wrong;
    if (!first) return [];
    const { provider, day, dueOn } = first;
    const amounts = wrong.map(({ currency, expected, fees, refunded, received, difference }) => ({
      currency,
      expected,
      fees,
      refunded,
      received,
      difference,
    }));
    const evidence = { provider, day, due_on: dueOn, amounts };
    return [{ kind: KINDS[state], subject, mdas: [first.mda], evidence }];
  });
}

function sayState({ state, currency, dueOn, arrivedOn }: Payout): string {
  const said: Record<Payout['state'], string> = {
    arrived: arrivedOn ? `The money arrived on ${arrivedOn}` : 'Nothing is left to arrive',
    over: `More than was due arrived on ${arrivedOn}`,
    short: `A part arrived on ${arrivedOn}`,
    missing: 'Nothing arrived of it',
    expected: `It is not due before ${dueOn}`,
  };
  return `${currency}: ${said[state]}`;
}
