import { refuseDependent } from '../../../platform/access/independence.ts';
import { requireWithin } from '../../../platform/access/owned.ts';
import type { Call } from '../../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../../platform/change/commit.ts';
import { guard } from '../../../platform/change/step.ts';
import { sql } from '../../../platform/database/sql.ts';
import { sum } from '../../../kernel/money.ts';
import { Refusal, refuseBecause, refuseValue } from '../../../kernel/refusal.ts';
import { LONGEST_REASON, readText, requireText } from '../../../kernel/text/free-text.ts';
import { say } from '../../../kernel/text/said.ts';
import { addDays, formatDay } from '../../../kernel/time.ts';
import { findMoneyOf, settleMoney } from '../payouts/bank-only.ts';
import { findPayouts } from '../payouts/find.ts';
import { LONGEST_SPAN } from '../payouts/read.ts';
import { listPayingOut } from '../payouts/terms.ts';
import { type BankLine, getBankLine } from './find.ts';

/** What a person says that a line is. */
interface Decision {
  readonly agency: string;
  readonly id: string;
  readonly kind: string;
  readonly provider?: string | null | undefined;
  readonly fromDate?: Date | null | undefined;
  readonly toDate?: Date | null | undefined;
  readonly note?: string | null | undefined;
}

/** Whether money of a kind came to the account (1), left it (-1), or either; and whether it is of days of a provider. */
const KINDS: Readonly<Record<string, { readonly sign: 1 | -1 | null; readonly ofDays: 'always' | 'maybe' | 'never' }>> =
  {
    payout: { sign: null, ofDays: 'always' },
    refund: { sign: -1, ofDays: 'maybe' },
    fee: { sign: -1, ofDays: 'never' },
    deposit: { sign: 1, ofDays: 'never' },
    other: { sign: null, ofDays: 'never' },
  };

/** Says what a line is. Another rule or person may have said so of it before: what a person said is released first. */
export function classifyLine(call: Call, input: Decision): Promise<BankLine> {
  const given = input.note ?? '';
  const note =
    input.kind === 'other' ? requireText('note', given, LONGEST_REASON) : readText('note', given, LONGEST_REASON);
  return retryUntilSettled(async () => {
    const line = await getLineOf(call, input.agency, input.id);
    const { name, kind, provider, updatedAt } = line;
    const days = await checkDecision(call, line, input);
    if (line.how === 'person')
      throw refuseBecause(
        'line_decided',
        `${line.decidedBy} decided that ${name} is a ${kind}; release it first`,
        'id',
      );
    const at = call.now();
    const changed = guard`
      update bank_line set kind = ${input.kind}, provider = ${input.provider ?? null}, from_on = ${days?.from ?? null}::date,
        to_on = ${days?.to ?? null}::date, how = 'person', note = ${note}, decided_by = ${call.viewer.actor}, decided_at = ${at}::timestamptz,
        updated_at = ${at}::timestamptz
      where name = ${name} and updated_at = ${updatedAt} and how is distinct from 'person' returning name`;
    const money = await findMoneyOf(call, name);
    const isChanged = await commit(call, {
      subject: name,
      guard: changed,
      steps: money ? settleMoney(call, changed, money, `The bank's line ${name} is a ${input.kind}`) : [],
      operated: {
        action: 'bank_line.classify',
        subject: name,
        before: { kind, provider },
        after: { kind: input.kind, provider: input.provider ?? null, ...days },
        reason: note,
      },
    });
    return isChanged ? getBankLine(call, name) : undefined;
  });
}

/**
 * Makes a line unknown again, until a person says what it is. On a live rail, what a person said is released by another;
 * once its day is confirmed, by nobody.
 */
export function releaseLine(call: Call, input: { agency: string; id: string; note: string }): Promise<BankLine> {
  const note = requireText('note', input.note, LONGEST_REASON);
  return retryUntilSettled(async () => {
    const line = await getLineOf(call, input.agency, input.id);
    const { name, kind, provider, how, decidedBy, updatedAt } = line;
    if (kind === 'unknown') return line;
    if (how === 'person' && call.config.mode === 'live') await refuseDependent(call, [decidedBy], 'id');
    const confirmed = sql`
      select d.name from agency_day d join agency_account a on a.mda = d.mda join bank_line l on l.account = a.account
      where l.name = ${name} and d.confirmed_at is not null and d.day between coalesce(l.from_on, l.value_on) and coalesce(l.to_on, l.value_on)`;
    const day = await call.db.row<{ name: string }>(sql`${confirmed} order by d.name limit 1`);
    if (day) throw refuseBecause('line_decided', `${day.name} is confirmed, and ${name} with it`, 'id');
    const at = call.now();
    const changed = guard`
      update bank_line set kind = 'unknown', provider = null, from_on = null, to_on = null, how = null, note = ${note},
        decided_by = ${call.viewer.actor}, decided_at = ${at}::timestamptz, updated_at = ${at}::timestamptz
      where name = ${name} and updated_at = ${updatedAt} and not exists (${confirmed}) returning name`;
    const operated = {
      action: 'bank_line.release',
      subject: name,
      before: { kind, provider, decided_by: decidedBy },
      after: { kind: 'unknown' },
      reason: note,
    };
    return (await commit(call, { subject: name, guard: changed, operated })) ? getBankLine(call, name) : undefined;
  });
}

/** A line of an account that an agency has, or had. */
async function getLineOf(call: Call, agency: string, id: string): Promise<BankLine> {
  const line = await getBankLine(call, id);
  const own = await call.db.row(sql`
    select 1 from bank_line l join agency_account a on a.account = l.account where l.name = ${line.name} and a.mda = ${agency} limit 1`);
  if (!own) throw new Refusal('not_found', say`The bank line does not exist`);
  requireWithin(call.viewer, agency);
  return line;
}

/** The days of a decision, if it has some. */
async function checkDecision(
  call: Call,
  { amount, valueOn, currency }: BankLine,
  { agency, kind, provider, fromDate, toDate }: Decision,
): Promise<{ readonly from: string; readonly to: string } | null> {
  const { sign, ofDays } = KINDS[kind] ?? {};
  if (sign === undefined || !ofDays) throw refuseValue('kind', say`must be another: release a line to make it unknown`);
  if (sign !== null && amount.isNegative() !== sign < 0)
    throw refuseValue('kind', say`does not fit the sign of the amount`);
  if (provider != null && !listPayingOut(call.config).includes(provider))
    throw refuseValue('provider', say`must be one of ${listPayingOut(call.config).join(', ')}`);
  const some = [provider, fromDate, toDate];
  if (ofDays === 'never' || some.every((one) => one == null)) {
    if (fromDate || toDate) throw refuseValue('fromDate', say`has no meaning for a ${kind}`);
    if (ofDays === 'always') throw refuseValue('provider', say`is required for a ${kind}`);
    return null;
  }
  if (provider == null) throw refuseValue('provider', say`is required for a ${kind}`);
  if (!fromDate || !toDate) throw refuseValue(fromDate ? 'toDate' : 'fromDate', say`is required for a ${kind}`);
  const [from, to] = [formatDay(fromDate), formatDay(toDate)];
  if (to < from) throw refuseValue('toDate', say`must not be before ${'fromDate'}`);
  if (to >= addDays(from, LONGEST_SPAN))
    throw refuseValue('toDate', say`must be less than ${LONGEST_SPAN} days after ${'fromDate'}`);
  if (to > formatDay(valueOn)) throw refuseValue('toDate', say`must not be after the value day of the line`);
  if (kind === 'payout' && amount.isNegative()) {
    const payouts = await findPayouts(call, { from, to, agencies: [agency] });
    const own = payouts.filter((one) => one.provider === provider && one.currency === currency);
    const net = sum(own.map(({ expected, fees, refunded }) => expected.minus(fees).minus(refunded)));
    if (!net.isNegative()) throw refuseValue('kind', say`does not fit the sign of the amount`);
  }
  return { from, to };
}
