import { setTimeout } from 'node:timers/promises';
import { requireWithin } from '../../../platform/access/owned.ts';
import type { Call } from '../../../platform/call/call.ts';
import { type Part, commitEach, retryUntilSettled } from '../../../platform/change/commit.ts';
import { guard, step } from '../../../platform/change/step.ts';
import { violatedUniqueOf } from '../../../platform/database/errors.ts';
import { sql } from '../../../platform/database/sql.ts';
import { takeTurns } from '../../../kernel/event-loop.ts';
import type { Decimal } from '../../../kernel/money.ts';
import { type Detail, refuseValue, refuseValues } from '../../../kernel/refusal.ts';
import { say } from '../../../kernel/text/said.ts';
import { DAY_MS, formatDay } from '../../../kernel/time.ts';
import type { Assessment } from '../../assessments/find.ts';
import { draftAssessment, insertAssessments, insertLines, traceBirth } from '../../assessments/insert.ts';
import { type InForceJson, readInForce, selectInForce, useExemptions } from '../../assessments/exemptions/apply.ts';
import type { Exemption } from '../../assessments/exemptions/find.ts';
import { dueOnOf } from '../../assessments/lines/due.ts';
import {
  type Offer,
  type OffersJson,
  findMistakes,
  priceLines,
  readAsked,
  readOffers,
  requireOneCurrency,
  selectOffers,
} from '../../assessments/lines/offers.ts';
import { type AskedLine, type PricedLine, pricesOf, stayCurrent } from '../../assessments/lines/pricing.ts';
import { STANDARD } from '../../catalogue/tariff/tariff.ts';
import { getAgency } from '../../catalogue/find.ts';
import { findRegistered } from '../../citizens/find.ts';
import { demandOf, notifyPayer } from '../../citizens/messages/queue.ts';
import { drawNumber } from '../number.ts';
import { type ReferenceDraft, insertReferences, traceIssue } from '../steps.ts';
import { type ImportRow, type WrongRow, mistakeIn, readRows } from './rows.ts';

/** What became of a row of a file. */
export interface ImportedRow {
  /** Its line in the file, from 1. */
  readonly line: number;
  readonly key: string | null;
  readonly outcome: 'created' | 'already' | 'refused';
  /** The assessment that the key stands for. */
  readonly assessment: string | null;
  readonly totalAmount: Decimal | null;
  readonly currency: string | null;
  /** The number that it can be paid by. */
  readonly reference: string | null;
  readonly mistake: Detail | null;
}

/** Rows of one statement: so few that its locks, and the turn that writes it, hold nobody up. */
export const BATCH = 25;

/**
 * Makes an agency's assessments from the rows of a CSV file, Assessed at once, each wholly its own. The agency's key of a
 * row makes one once and for ever, so that a file can be sent again. A dry run writes nothing and answers the same.
 */
export async function importAssessments(
  call: Call,
  { agency, body, dryRun }: { readonly agency: string; readonly body: Buffer; readonly dryRun: boolean },
): Promise<ImportedRow[]> {
  requireWithin(call.viewer, agency);
  const { name: mda } = await getAgency(call, agency);
  const imported: ImportedRow[] = [];
  for await (const batch of takeTurns(await readRows(body), BATCH)) {
    const from = performance.now();
    imported.push(...(await importBatch(call, mda, batch, dryRun)));
    // Rests for as long as it worked: half of a process is for those who pay meanwhile.
    await setTimeout(performance.now() - from);
  }
  return imported;
}

async function importBatch(
  call: Call,
  mda: string,
  batch: readonly (ImportRow | WrongRow)[],
  dryRun: boolean,
): Promise<ImportedRow[]> {
  const rows = batch.filter((row) => 'asked' in row);
  const payers = await findRegistered(
    call,
    rows.map(({ payer }) => payer),
  );
  const decided = new Map<number, ImportedRow>();
  await retryUntilSettled(async () => {
    const open = rows.filter(({ line }) => !decided.has(line));
    const books = { mda, payers, ...(await readBooks(call, mda, open, [...payers.values()])) };
    const judged = open.map((row) => judge(call, row, books));
    const made = await make(
      call,
      judged.filter((one) => 'lines' in one),
      books,
      dryRun,
    );
    for (const row of [...judged.filter((one) => 'outcome' in one), ...made]) decided.set(row.line, row);
    return decided.size === rows.length || undefined;
  });
  return batch.map((row) => ('asked' in row ? decided.get(row.line)! : refuse(row, row.mistake)));
}

/** An assessment whose key stands in a file. */
interface Taken extends Pick<Assessment, 'name' | 'citizen' | 'totalAmount' | 'currency' | 'lineCount'>, AskedLine {
  readonly key: string;
  readonly service: string;
  readonly dueDay: string | null;
  readonly reference: string | null;
}

/** Everything that decides on rows. */
interface Books {
  readonly mda: string;
  readonly payers: ReadonlyMap<string, string>;
  readonly offers: ReadonlyMap<string, Offer>;
  readonly taken: ReadonlyMap<string, Taken>;
  /** The exemptions that are in force, with the uses that the rows judged so far leave. */
  readonly inForce: Exemption[];
}

async function readBooks({ db, now }: Call, mda: string, rows: readonly ImportRow[], citizens: readonly string[]) {
  const asked = rows.map((row) => row.asked);
  const row = await db.row<{ offers: OffersJson; inForce: InForceJson }>(
    sql`select ${selectOffers({ now }, asked)} as offers, ${selectInForce(citizens, now())} as "inForce"`,
  );
  const taken = await db.rows<Taken>(sql`
    select a.source_key as key, a.name, a.citizen, a.total_amount as "totalAmount", a.currency, a.line_count as "lineCount",
      to_char(a.due_on, 'YYYY-MM-DD') as "dueDay", l.service, l.quantity, l.category, l.base_amount as "baseAmount",
      l.stated_amount as "statedAmount", l.period, (
        select p.number from payment_reference p where p.assessment = a.name and p.status <> 'Withdrawn'
        order by p.created_at desc limit 1) as reference
    from assessment a join assessment_line l on l.assessment = a.name and l.idx = 1
    where a.source_mda = ${mda} and a.source_key = any(${rows.map(({ key }) => key)})`);
  const { offers, inForce } = row!;
  const byKey = new Map(taken.map((one) => [one.key, one]));
  return { offers: readOffers(offers), taken: byKey, inForce: readInForce(inForce) };
}

/** A row that becomes an assessment. */
interface PricedRow {
  readonly row: ImportRow;
  readonly citizen: string;
  readonly currency: string;
  readonly lines: readonly PricedLine[];
  readonly total: Decimal;
}

/** Decides on a row: its key stands for an assessment, it cannot become one, or at these prices. */
function judge(call: Call, row: ImportRow, { mda, payers, offers, taken, inForce }: Books): ImportedRow | PricedRow {
  const before = taken.get(row.key);
  try {
    const citizen = payers.get(row.payer);
    if (before) {
      if (!isSame(before, row, citizen)) throw refuseValue('key', say`stands for ${before.name}`, 'key_taken');
      return answer(row, 'already', before, before.reference);
    }
    if (citizen === undefined) throw refuseValue(row.payerColumn, say`could not find this Citizen`, 'not_found');
    const asked = [row.asked];
    const offer = offers.get(row.asked.service);
    if (offer && offer.mda !== mda) throw refuseValue('service', say`is no service of ${mda}`, 'service_not_offered');
    const mistakes = findMistakes(call, row.asked, offer, 'row');
    if (mistakes.length > 0) throw refuseValues(mistakes);
    const currency = requireOneCurrency(asked, offers);
    const own = inForce.filter((one) => one.citizen === citizen);
    const priced = priceLines(asked, offers, { inForce: own, currency });
    for (const { exemption } of priced.lines) useUp(inForce, exemption);
    return { row, citizen, currency, ...priced };
  } catch (error) {
    return refuse(row, mistakeIn(error), before?.name);
  }
}

/** Leaves one use less of an exemption, if it has a number of them. */
function useUp(inForce: Exemption[], used: string | null): void {
  const index = inForce.findIndex(({ name, usesLeft }) => name === used && usesLeft !== null);
  const found = inForce[index];
  if (found) inForce[index] = { ...found, usesLeft: found.usesLeft! - 1 };
}

/** True if a row asks for what its key stands for. A due day that it leaves to the tariff is the one that there is. */
function isSame(before: Taken, { asked, dueDate }: ImportRow, citizen: string | undefined): boolean {
  const { quantity, category, baseAmount, statedAmount, period } = readAsked(asked, 'row');
  return (
    before.lineCount === 1 &&
    before.citizen === citizen &&
    before.service === asked.service &&
    before.quantity === quantity &&
    (before.category ?? STANDARD) === (category ?? STANDARD) &&
    String(before.baseAmount) === String(baseAmount) &&
    String(before.statedAmount) === String(statedAmount) &&
    before.period === period &&
    (dueDate === null || before.dueDay === formatDay(dueDate))
  );
}

/** Makes what was priced; those that happened. Others were made by somebody faster, or what they cost has changed. */
async function make(
  call: Call,
  priced: readonly PricedRow[],
  { mda, offers }: Books,
  dryRun: boolean,
): Promise<ImportedRow[]> {
  if (dryRun) return priced.map(({ row, total, currency }) => answer(row, 'created', { totalAmount: total, currency }));
  if (priced.length === 0) return [];
  const at = call.now();
  const names = await call.docnames.take('assessment', priced.length, at);
  const drafts = await Promise.all(
    priced.map(async ({ row, citizen, currency, lines, total }, index) => {
      const dueOn = await dueOnOf(call, lines, offers, row.dueDate);
      const source = { sourceMda: mda, sourceKey: row.key };
      const made = { name: names[index]!, citizen, currency, totalAmount: total, dueOn, lines, ...source };
      const assessment = draftAssessment(call, { ...made, assessed: true }, at);
      return { row, assessment, reference: draftReference(assessment, row.referenceDays, at) };
    }),
  );
  const born = drafts.map(({ assessment }) => assessment);
  const lines = born.flatMap((assessment) => assessment.lines);
  const references = drafts.flatMap(({ reference }) => reference ?? []);
  const exemptions = useExemptions(lines, at);
  const where = sql`${stayCurrent(pricesOf(lines, { services: offers }), at)} and ${exemptions.held}`;
  const changed = guard`${insertAssessments(born, { where })}`;
  const parts = drafts.map(({ assessment, reference }): Part => ({
    name: assessment.name,
    trace: [...traceBirth(assessment), ...(reference ? [traceIssue(reference)] : [])],
  }));
  const issued = step('issued')`${insertReferences(sql`${changed}`, references)}`;
  const demands = drafts.filter(({ row }) => row.notify).map(({ assessment }) => demandOf(assessment));
  const told = await notifyPayer(call, changed, demands, at);
  const done = await commitEach(call, changed, parts, [
    insertLines(changed, lines),
    issued,
    ...exemptions.counted(changed),
    ...told,
  ]).catch((error: unknown) => {
    // A number stands for another assessment.
    if (violatedUniqueOf(error) !== 'payment_reference_pkey') throw error;
    return new Set<string>();
  });
  return drafts
    .filter(({ assessment }) => done.has(assessment.name))
    .map(({ row, assessment, reference }) => answer(row, 'created', assessment, reference?.number));
}

/** The number that a row asks for; none where there is nothing to pay. */
function draftReference(
  { name: assessment, integrator, totalAmount: amount, currency }: Assessment,
  days: number | null,
  at: Date,
): ReferenceDraft | null {
  if (days === null || amount.isZero()) return null;
  const expiresAt = new Date(at.getTime() + days * DAY_MS);
  return { number: drawNumber(), assessment, integrator, amount, currency, expiresAt, at };
}

function answer(
  { line, key }: ImportRow,
  outcome: 'created' | 'already',
  of: Pick<Assessment, 'totalAmount' | 'currency'> & Partial<Pick<Assessment, 'name'>>,
  reference: string | null = null,
): ImportedRow {
  const { name: assessment = null, totalAmount, currency } = of;
  return { line, key, outcome, assessment, totalAmount, currency, reference, mistake: null };
}

function refuse({ line, key }: ImportRow | WrongRow, mistake: Detail, assessment: string | null = null): ImportedRow {
  return { line, key, outcome: 'refused', assessment, totalAmount: null, currency: null, reference: null, mistake };
}
