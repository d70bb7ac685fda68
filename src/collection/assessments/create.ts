import { refuseAgency } from '../../platform/access/bounds.ts';
import { BY_AGENCY, partsWithin, refuseShared, whereWithin } from '../../platform/access/owned.ts';
import type { Call } from '../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../platform/change/commit.ts';
import { guard, step } from '../../platform/change/step.ts';
import { sql } from '../../platform/database/sql.ts';
import { refuseOtherCurrency } from '../../kernel/money.ts';
import { refuseValue, refuseValues } from '../../kernel/refusal.ts';
import { demandOf, notifyPayer } from '../citizens/messages/queue.ts';
import type { Assessment } from './find.ts';
import { draftAssessment, insertAssessments, insertLines, traceBirth } from './insert.ts';
import { type Labels, type LabelsInput, readLabels } from './labels.ts';
import { type InForceJson, readInForce, selectInForce, useExemptions } from './exemptions/apply.ts';
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
import { dueOnOf, refuseOthers } from './lines/due.ts';
import { pricesOf, stayCurrent } from './lines/pricing.ts';
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
  /** True if its agency has the payer notified of it. */
  readonly notify?: boolean | null | undefined;
}

export const MOST_LINES = 100;
export const MOST_OF_ONE = 10_000;

/** Opens an assessment in Draft, or Assessed if it is asked for, priced from the fee schedule. */
export function createAssessment(call: Call, input: AssessmentInput): Promise<Assessment> {
  const labels = readLabels(input);
  if (input.notify && !input.assess) throw refuseValue('notify', say`is for what is assessed at once`);
  return retryUntilSettled(() => open(call, input, labels));
}

/** One try; undefined: its shift was closed or fees changed meanwhile, which an assessment is not to have missed. */
async function open(call: Call, input: AssessmentInput, labels: Labels): Promise<Assessment | undefined> {
  const { lines: asked, citizen } = input;
  const { offers, inForce, citizenKnown, shiftCurrency } = await readLines(call, input);
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

  const { lines, total } = priceLines(asked, offers, { inForce, currency });
  if (input.dueOn) refuseOthers(call.viewer, lines, 'dueOn');
  if (input.notify) refuseOthers(call.viewer, lines, 'notify');

  const at = call.now();
  const name = await call.docnames.next('assessment', at);
  const assessed = input.assess ?? false;
  const dueOn = assessed ? await dueOnOf(call, lines, offers, input.dueOn ?? null) : (input.dueOn ?? null);
  const shift = input.shift ?? null;
  const made = { name, citizen, currency, totalAmount: total, dueOn, shift, ...labels, lines, assessed };
  const assessment = draftAssessment(call, made, at);
  return (await insert(call, assessment, offers, input.notify ?? false)) ? assessment : undefined;
}

/** Everything that decides whether the assessment may be made, in one look. */
async function readLines(call: Call, { citizen, lines, shift = null, assess }: AssessmentInput) {
  const row = await call.db.row<{
    citizenKnown: boolean;
    shiftCurrency: string | null;
    offers: OffersJson;
    inForce: InForceJson;
  }>(sql`
    select exists (select from citizen where name = ${citizen}) as "citizenKnown",
      (select r.currency from counter_shift r where r.name = ${shift} and r.status = 'Open'
        and r.clerk = ${call.viewer.actor} and ${whereWithin(call.viewer, BY_AGENCY)}) as "shiftCurrency",
      ${selectOffers(call, lines)} as offers, ${assess ? selectInForce([citizen], call.now()) : sql`null`} as "inForce"`);
  return { ...row!, offers: readOffers(row!.offers), inForce: readInForce(row!.inForce) };
}

async function insert(
  call: Call,
  assessment: Assessment,
  offers: ReadonlyMap<string, Offer>,
  notify: boolean,
): Promise<boolean> {
  const { name, shift, createdAt, lines } = assessment;
  const exemptions = useExemptions(lines, createdAt);
  // Raises the revision of its shift, so that this closes only on what was entered by then.
  const entered = step('entered')`
    update counter_shift set revision = revision + 1 where name = ${shift} and status = 'Open' returning name`;
  const changed = guard`${insertAssessments([assessment], {
    ...(shift !== null && { from: sql`, ${entered}` }),
    where: sql`${stayCurrent(pricesOf(lines, { services: offers }), createdAt)} and ${exemptions.held}`,
  })}`;
  const demanded = notify ? await notifyPayer(call, changed, [demandOf(assessment)], createdAt) : [];
  return commit(call, {
    subject: name,
    guard: changed,
    steps: [insertLines(changed, lines), ...exemptions.counted(changed), ...demanded],
    trace: traceBirth(assessment),
  });
}
