import type { Assessment } from '../../assessments/find.ts';
import { listInForce, useExemptions } from '../../assessments/exemptions/apply.ts';
import { assessmentLifecycle } from '../../assessments/lifecycle.ts';
import { dayAt } from '../../assessments/lines/due.ts';
import {
  type LineInput,
  type OffersJson,
  findMistakes,
  priceLines,
  readOffers,
  requireOneCurrency,
  selectOffers,
} from '../../assessments/lines/offers.ts';
import { type PricedLine, pricesOf, stayCurrent, totalOf } from '../../assessments/lines/pricing.ts';
import { trackAssessment } from '../../assessments/snapshot.ts';
import { insertAssessments, insertLines, traceBirth } from '../../assessments/insert.ts';
import { updateAssessment } from '../../assessments/update.ts';
import { isWholeWithin } from '../../../platform/access/owned.ts';
import { findRefusal } from '../../../platform/access/viewer.ts';
import type { Call } from '../../../platform/call/call.ts';
import type { Change } from '../../../platform/change/commit.ts';
import { type Step, guard, step } from '../../../platform/change/step.ts';
import { transition } from '../../../platform/change/transition.ts';
import { empty, sql } from '../../../platform/database/sql.ts';
import { allows } from '../../../kernel/lifecycle.ts';
import { type Decimal, refuseOtherCurrency, sum } from '../../../kernel/money.ts';
import { Refusal, refuseBecause, refuseValue, refuseValues } from '../../../kernel/refusal.ts';
import { say } from '../../../kernel/text/said.ts';
import { formatDay } from '../../../kernel/time.ts';
import { takesApproval } from '../../approvals/kinds.ts';
import { type Instalments, divide, daysOf } from './instalments.ts';

/** One of those that replace an assessment, as it is asked for: priced as an assessment of now. */
interface PartInput {
  readonly lines: readonly LineInput[];
  readonly dueOn: Date;
}

/** What an assessment is replaced by: instalments of it, or others. */
export interface AskedTerms {
  readonly instalments?: Instalments | null | undefined;
  readonly parts?: readonly PartInput[] | null | undefined;
}

/** An assessment that is about to replace another. */
export interface Part {
  readonly dueOn: Date;
  readonly totalAmount: Decimal;
  readonly lines: readonly PricedLine[];
}

/** What an assessment would be replaced by. */
export interface Terms {
  readonly parts: readonly Part[];
  /** The prices of its services, which have to hold in the statement; null: the amounts are those that are frozen. */
  readonly prices: Step | null;
  /** True if it takes a second person: less is owed then, or later. */
  readonly takesApproval: boolean;
}

/** Reads what an assessment is to be replaced by. Refuses what cannot be, or not by this caller. */
export async function readTerms(call: Call, before: Assessment, { instalments, parts }: AskedTerms): Promise<Terms> {
  requireReplaceable(call, before);
  if ((instalments == null) === (parts == null))
    throw refuseValue('parts', say`is required, or \`instalments\` instead`);
  const terms = instalments ? divideInto(before, instalments) : await priceParts(call, before, parts!);
  const first = await dayAt(call, before.lines[0]!.mda);
  const early = terms.parts.findIndex(({ dueOn }) => dueOn < first);
  if (early >= 0)
    throw refuseValue(
      instalments ? 'instalments.firstDueOn' : `parts[${early}].dueOn`,
      say`must not be before ${formatDay(first)}`,
    );
  return { ...terms, takesApproval: takesApproval(call) && isConcession(before, terms.parts) };
}

function requireReplaceable({ viewer }: Call, { name, status, lines }: Assessment): void {
  // Nothing replaces what it may not cancel.
  const refusal = viewer.kind === 'agency' ? findRefusal(viewer, 'assessments.cancel') : null;
  if (refusal) throw refusal;
  if (!isWholeWithin(viewer, lines)) throw new Refusal('forbidden', 'Other agencies have lines in the assessment, too');
  if (!allows(assessmentLifecycle.replace, status))
    throw refuseBecause('not_assessed', `${name} is ${status}; only an Assessed assessment can be replaced`);
}

/** True if less is owed than before, or any of it by a later day. */
function isConcession({ totalAmount, dueOn }: Assessment, parts: readonly Part[]): boolean {
  return sumOf(parts).lessThan(totalAmount) || parts.some((part) => dueOn === null || part.dueOn > dueOn);
}

/** What is owed in all by what would replace an assessment. */
export function sumOf(parts: readonly Part[]): Decimal {
  return sum(parts.map(({ totalAmount }) => totalAmount));
}

/** The lines of an assessment in instalments: each in parts that are its service, and its base, with their share of it. */
function divideInto({ lines, currency }: Assessment, instalments: Instalments): Omit<Terms, 'takesApproval'> {
  const { count } = instalments;
  const divided = lines.map((line) => ({
    ...line,
    amounts: divide(line.amount, count, currency),
    reliefs: divide(line.waived, count, currency),
  }));
  const parts = daysOf(instalments).map((dueOn, nth): Part => {
    const shares = divided.map(({ amounts, reliefs, assessment: _of, ...line }): PricedLine => {
      const [amount, waived] = [amounts[nth]!, reliefs[nth]!];
      const rate = amount.plus(waived);
      return { ...line, quantity: 1, rate, waived, amount, statedAmount: line.statedAmount && rate };
    });
    return { dueOn, totalAmount: totalOf(shares), lines: shares };
  });
  if (parts.at(-1)!.totalAmount.isZero())
    throw refuseValue('instalments.count', say`must leave something to pay in each`);
  return { parts, prices: null };
}

async function priceParts(
  call: Call,
  { name, citizen, lines: replaced, currency }: Assessment,
  parts: readonly PartInput[],
): Promise<Omit<Terms, 'takesApproval'>> {
  const asked = parts.flatMap(({ lines }) => lines);
  const row = await call.db.row<{ offers: OffersJson }>(sql`select ${selectOffers(call, asked)} as offers`);
  const offers = readOffers(row!.offers);
  const agencies = new Set(replaced.map(({ mda }) => mda));
  const details = parts.flatMap(({ lines }, part) =>
    lines.flatMap((line, index) => {
      const [path, offer] = [`parts[${part}].lines[${index}]`, offers.get(line.service)];
      if (offer && !agencies.has(offer.mda))
        return [{ path: `${path}.service`, message: say`is of ${offer.mda}, to which the assessment owes nothing` }];
      return findMistakes(call, line, offer, path);
    }),
  );
  if (details.length > 0) throw refuseValues(details);
  refuseOtherCurrency(currency, requireOneCurrency(asked, offers));
  const { lines: priced } = priceLines(asked, offers, { inForce: await listInForce(call, citizen), currency });
  let next = 0;
  return {
    parts: parts.map(({ lines, dueOn }): Part => {
      const own = priced.slice(next, (next += lines.length)).map((line, index) => ({ ...line, idx: index + 1 }));
      return { dueOn, totalAmount: totalOf(own), lines: own };
    }),
    prices: pricesOf(
      priced.map((line) => ({ ...line, assessment: name })),
      { currency, services: offers },
    ),
  };
}

/** The change that replaces an assessment: it is Cancelled, and the others are born Assessed. */
export async function planReplacement(
  call: Call,
  before: Assessment,
  { parts, prices }: Terms,
  reason: string,
  approved?: Step,
): Promise<{ readonly after: Assessment; readonly change: Change }> {
  const { name, revision, status } = before;
  const { replace } = assessmentLifecycle;
  const at = call.now();
  const after: Assessment = {
    ...before,
    status: replace.to,
    cancelReason: reason,
    revision: revision + 1,
    cancelledAt: at,
    updatedAt: at,
  };
  const names = await call.docnames.take('assessment', parts.length, at);
  const born = parts.map(({ lines, ...part }, index): Assessment => ({
    ...before,
    ...part,
    name: names[index]!,
    replaces: name,
    // Its row of a file, and its shift, are those of the one that was made of them.
    sourceKey: null,
    shift: null,
    duePassedAt: null,
    lineCount: lines.length,
    revision: 1,
    assessedAt: at,
    createdAt: at,
    updatedAt: at,
    lines: lines.map((line) => ({ ...line, assessment: names[index]! })),
  }));
  // Instalments have what was waived already.
  const exemptions = useExemptions(prices ? born.flatMap(({ lines }) => lines) : [], at);
  const held = step('assessment_held')`
    select a.name from assessment a ${approved ? sql`, ${approved}` : empty}
    where a.name = ${name} and a.revision = ${revision} and a.status = any(${replace.from}::assessment_status[])
      and ${prices ? sql`${stayCurrent(prices, at)} and ${exemptions.held}` : sql`true`} for no key update of a`;
  const changed = guard`${updateAssessment(after, sql`${held}`)}`;
  const inserted = step('born')`${insertAssessments(born, { where: sql`exists (select from ${changed})` })}`;
  const { currency, totalAmount } = before;
  const change: Change = {
    subject: name,
    guard: changed,
    steps: [
      inserted,
      insertLines(
        inserted,
        born.flatMap(({ lines }) => lines),
      ),
      ...exemptions.counted(inserted),
    ],
    trace: [
      transition(trackAssessment(after), replace, status, { reason, replaced_by: names }),
      ...born.flatMap((one) => traceBirth(one, { replaces: name })),
    ],
    operated: {
      action: 'assessment.replace',
      subject: name,
      before: { status, amount: totalAmount, currency },
      after: {
        status: after.status,
        replaced_by: born.map((one) => ({ name: one.name, amount: one.totalAmount, due_on: formatDay(one.dueOn!) })),
      },
      reason,
    },
  };
  return { after, change };
}
