import { refuseAgency } from '../../platform/access/bounds.ts';
import { BY_AGENCY, partsWithin, refuseShared, whereWithin } from '../../platform/access/owned.ts';
import type { Call } from '../../platform/call/call.ts';
import { type TraceEntry, commit, retryUntilSettled } from '../../platform/change/commit.ts';
import { guard, step } from '../../platform/change/step.ts';
import { transition } from '../../platform/change/transition.ts';
import { empty, json, sql } from '../../platform/database/sql.ts';
import { refuseOtherCurrency } from '../../kernel/money.ts';
import { refuseValue, refuseValues } from '../../kernel/refusal.ts';
import type { Assessment } from './find.ts';
import { type Labels, type LabelsInput, readLabels } from './labels.ts';
import { assessmentLifecycle } from './lifecycle.ts';
import {
  type LineInput,
  type Offer,
  type OffersJson,
  findMistakes,
  priceLines,
  readOffers,
  requireOneCurrency,
  selectOffers,
} from './lines/offers.ts';
import { dueOnOf, refuseDueDate } from './lines/due.ts';
import { pricesOf, stayCurrent } from './lines/pricing.ts';
import { trackAssessment } from './snapshot.ts';
import { say } from '../../kernel/text/said.ts';

export interface AssessmentInput extends LabelsInput {
  readonly citizen: string;
  readonly lines: readonly LineInput[];
  readonly shift?: string | null | undefined;
  readonly currency?: string | null | undefined;
  /** The day by which it is to be paid, from who speaks for all of its agencies. */
  readonly dueOn?: Date | null | undefined;
  /** True if its amounts are fixed at once. */
  readonly assess?: boolean | null | undefined;
}

export const MOST_LINES = 100;
export const MOST_OF_ONE = 10_000;

/** Opens an assessment in Draft, or Assessed if it is asked for, priced from the fee schedule. */
export function createAssessment(call: Call, input: AssessmentInput): Promise<Assessment> {
  const labels = readLabels(input);
  return retryUntilSettled(() => open(call, input, labels));
}

/** One try; undefined: its shift was closed or fees changed meanwhile, which an assessment is not to have missed. */
async function open(call: Call, input: AssessmentInput, labels: Labels): Promise<Assessment | undefined> {
  const { lines: asked, citizen } = input;
  const { offers, citizenKnown, shiftCurrency } = await readLines(call, input);
  asked.forEach(({ service }, index) => {
    const offer = offers.get(service);
    if (offer) refuseAgency(call.viewer, offer.mda, `lines[${index}].service`);
  });
  refuseShared(call.viewer, [...offers.values()]);
  const shiftOpen = input.shift == null || shiftCurrency !== null;
  const details = [
    ...(citizenKnown ? [] : [{ path: 'citizen', message: say`could not find this Citizen` }]),
    ...(shiftOpen ? [] : [{ path: 'shift', message: say`is no Open shift of yours` }]),
    ...asked.flatMap((line, index) => findMistakes(call, line, offers.get(line.service), `lines[${index}]`)),
  ];
  if (details.length > 0) throw refuseValues(details);

  if (partsWithin(call.viewer, [...offers.values()]).length === 0)
    throw refuseValue('lines', say`must include a service of ${call.viewer.agencies.join(' or ')}`);
  const currency = requireOneCurrency(asked, offers);
  if (shiftCurrency !== null && shiftCurrency !== currency)
    throw refuseValue('shift', say`is in ${shiftCurrency}, but the services are priced in ${currency}`);
  refuseOtherCurrency(input.currency, currency);

  const { lines, total } = priceLines(asked, offers);
  if (input.dueOn) refuseDueDate(call.viewer, lines);

  const at = call.now();
  const name = await call.docnames.next('assessment', at);
  const assessment: Assessment = {
    name,
    citizen,
    status: input.assess ? assessmentLifecycle.assess.to : 'Draft',
    currency,
    totalAmount: total,
    lineCount: lines.length,
    dueOn: input.assess ? await dueOnOf(call, lines, offers, input.dueOn ?? null) : (input.dueOn ?? null),
    replaces: null,
    sourceKey: null,
    shift: input.shift ?? null,
    integrator: call.viewer.integrator,
    sourceMda: call.viewer.kind === 'agency' ? call.viewer.actor : null,
    ...labels,
    cancelReason: null,
    revision: 1,
    assessedAt: input.assess ? at : null,
    paidAt: null,
    cancelledAt: null,
    createdAt: at,
    updatedAt: at,
    lines: lines.map((line) => ({ assessment: name, ...line })),
  };
  return (await insert(call, assessment, offers)) ? assessment : undefined;
}

/** Everything that decides whether the assessment may be made, in one look. */
async function readLines(call: Call, { citizen, lines, shift = null }: AssessmentInput) {
  const row = await call.db.row<{ citizenKnown: boolean; shiftCurrency: string | null; offers: OffersJson }>(sql`
    select exists (select from citizen where name = ${citizen}) as "citizenKnown",
      (select r.currency from counter_shift r where r.name = ${shift} and r.status = 'Open'
        and r.clerk = ${call.viewer.actor} and ${whereWithin(call.viewer, BY_AGENCY)}) as "shiftCurrency",
      ${selectOffers(call, lines)} as offers`);
  return { ...row!, offers: readOffers(row!.offers) };
}

async function insert(call: Call, assessment: Assessment, offers: Map<string, Offer>): Promise<boolean> {
  const { name, citizen, status, currency, totalAmount, lineCount, shift, integrator, revision, createdAt, lines } =
    assessment;
  const { sourceMda, reference, metadata, assessedAt, dueOn } = assessment;
  const prices = pricesOf(lines, { currency, services: offers });
  // Raises the revision of its shift, so that this closes only on what was entered by then.
  const entered = step('entered')`
    update counter_shift set revision = revision + 1 where name = ${shift} and status = 'Open' returning name`;
  const changed = guard`
    insert into assessment (name, citizen, status, currency, total_amount, line_count, due_on, shift, integrator, source_mda,
      reference, metadata, revision, assessed_at, created_at, updated_at)
    select ${name}, ${citizen}, ${status}::assessment_status, ${currency}, ${totalAmount}, ${lineCount},
      ${dueOn}::date, ${shift}, ${integrator}, ${sourceMda}, ${reference}, ${metadata && json(metadata)}::jsonb,
      ${revision}, ${assessedAt}::timestamptz, ${createdAt}, ${createdAt}
    ${shift === null ? empty : sql`from ${entered}`}
    where ${stayCurrent(prices, createdAt)}
    returning name`;
  const priced = step('priced')`
    insert into assessment_line (assessment, idx, service, service_name, mda, quantity, rate, amount, category, base_amount,
      stated_amount, period)
    select ${changed}.name, l.idx, l.service, l."serviceName", l.mda, l.quantity, l.rate, l.amount, l.category, l."baseAmount",
      l."statedAmount", l.period
    from ${changed}, jsonb_to_recordset(${json(lines)}::jsonb)
      as l (idx int, service text, "serviceName" text, mda text, quantity int, rate numeric, amount numeric, category text,
        "baseAmount" numeric, "statedAmount" numeric, period text)`;
  const detail = { total_amount: totalAmount, currency };
  const drafted: TraceEntry = {
    kind: 'assessment.update',
    assessment: name,
    doc: name,
    summary: say`Draft created`,
    detail: { to: 'Draft', ...detail },
  };
  const assessed = transition(trackAssessment(assessment), assessmentLifecycle.assess, 'Draft', detail);
  return commit(call, {
    subject: name,
    guard: changed,
    steps: [priced],
    trace: assessedAt === null ? [drafted] : [drafted, assessed],
  });
}
