import { refuseAgency, refuseChannel } from '../../platform/access/bounds.ts';
import { holds } from '../../platform/access/viewer.ts';
import { type Finding, raiseAnomalies } from '../anomalies/raise.ts';
import { findAssessment } from '../assessments/find.ts';
import { partsWithin } from '../../platform/access/owned.ts';
import type { Call } from '../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../platform/change/commit.ts';
import { type Step, guard } from '../../platform/change/step.ts';
import { empty, sql } from '../../platform/database/sql.ts';
import type { Channel } from '../../generated/prisma/enums.ts';
import { type Decimal, fitsJson, refuseOtherCurrency, requireExact } from '../../kernel/money.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import { chooseAggregator } from './aggregator.ts';
import { type Labels, type LabelsInput, readLabels } from '../assessments/labels.ts';
import { timeNextEnquiry } from './enquiries/schedule.ts';
import { type PaymentIntent, getIntent } from './find.ts';
import { type Claimed, claimOf, collect, initiatePayment } from './initiate.ts';
import { type Payer, type PayerInput, readPayer, requirePayer, sealPayerEmail } from './payer/payer.ts';
import { requireReturnUrl } from './payer/return-url.ts';
import {
  type Agency,
  type Deviation,
  type Split,
  agenciesBySize,
  deriveSplits,
  findDeviation,
  checkExplicitSplits,
  refuseForeignSplits,
} from './splits.ts';
import { refuseBeyondLimit } from './settlement/cash-limit.ts';
import { draftIntent, insertIntent, insertSplits, traceOpening } from './settlement/open.ts';
import { findTill } from './settlement/till.ts';
import { say } from '../../kernel/text/said.ts';

export interface IntentInput extends LabelsInput, PayerInput {
  readonly assessment: string;
  readonly channel: Channel;
  readonly currency?: string | null | undefined;
  readonly splits?: readonly Split[] | null | undefined;
  /** The cash that the payer hands over, of which they get back what is more than the amount. */
  readonly tendered?: Decimal | null | undefined;
  /** True if the aggregator is asked to collect at once. */
  readonly initiate?: boolean | null | undefined;
  /** Address that the payer's browser returns to after a page of the aggregator. */
  readonly returnUrl?: string | null | undefined;
}

export const MOST_SPLITS = 100;

/**
 * Opens a payment intent over the total of an Assessed assessment. One that is to be initiated is made in the hands of
 * this process, and its aggregator asked: if that fails, the intent stays Pending, as after any initiation.
 */
export async function createPaymentIntent(call: Call, input: IntentInput): Promise<PaymentIntent> {
  refuseChannel(call.viewer, input.channel);
  if (!input.initiate && input.payerMsisdn != null) throw refuseValue('payerMsisdn', say`is for \`initiate\` only`);
  const returnUrl = input.returnUrl == null ? null : await requireReturnUrl(call, input.returnUrl);
  const intent = await openIntent(call, input, { ...readLabels(input), returnUrl }, readPayer(input));
  return input.initiate ? (await collect(call, intent, 'before')).intent : intent;
}

/** The answer to a creation whose process died, or whose aggregator did not answer: its initiation is tried again. */
export async function intentCreatedBefore(
  call: Call,
  name: string,
  input: PayerInput & Pick<IntentInput, 'initiate'>,
): Promise<PaymentIntent> {
  const intent = await getIntent(call, name);
  if (!input.initiate || intent.status !== 'Pending') return intent;
  return (await initiatePayment(call, { ...input, name }, 'before')).intent;
}

/** Members of an intent that are neither priced nor chosen: the link, if a payer came by one. */
type Given = Labels & Pick<PaymentIntent, 'returnUrl'> & Partial<Pick<PaymentIntent, 'link'>>;

function openIntent(call: Call, input: IntentInput, given: Given, payer: Payer): Promise<Claimed> {
  return retryUntilSettled(() => tryToOpenIntent(call, input, given, payer));
}

/** Tries to open an intent, only where the step `held` yields a row, if there is one; undefined: someone was faster. */
export async function tryToOpenIntent(
  call: Call,
  input: IntentInput,
  given: Given,
  { msisdn: payerMsisdn, email }: Payer,
  held?: Step,
): Promise<Claimed | undefined> {
  const assessment = await findAssessment(call, input.assessment);
  if (!assessment) throw refuseValue('assessment', say`could not find this Assessment`, 'not_found');
  if (assessment.status !== 'Assessed')
    throw refuseValue(
      'assessment',
      `is ${assessment.status}; only an Assessed assessment can be paid`,
      'assessment_not_payable',
    );
  for (const { mda } of assessment.lines) refuseAgency(call.viewer, mda, 'assessment');
  input.splits?.forEach(({ mda }, index) => refuseAgency(call.viewer, mda, `splits[${index}].mda`));
  const { totalAmount: amount, currency } = assessment;
  refuseOtherCurrency(input.currency, currency);
  if (amount.isZero()) throw refuseValue('assessment', 'has a total of zero', 'nothing_to_pay');
  const tendered = input.tendered == null ? null : checkTendered(input.channel, input.tendered, { amount, currency });
  const { name: aggregator, adapter } = await chooseAggregator(call, input.channel, assessment);
  if (input.initiate) requirePayer(adapter, { payerMsisdn, channel: input.channel });
  if (input.channel === 'cash')
    await (call.config.mode === 'live'
      ? findTill(call, assessment)
      : refuseBeyondLimit(call, assessment, assessment.shift));
  const owed = deriveSplits(assessment.lines);
  const splits = input.splits ? await checkSplits(call, input.splits, owed, { amount, currency }) : owed;
  const differs = findDeviation(splits, owed);

  const at = call.now();
  const name = await call.docnames.next('intent', at);
  const accounts = input.initiate ? await accountsOf(call, splits) : {};
  const intent: Claimed = {
    ...draftIntent(call, assessment, at, {
      name,
      channel: input.channel,
      aggregator,
      payerMsisdn,
      tendered,
      ...given,
      splitOverride: differs !== null,
      ...(input.initiate && claimOf(call, adapter, name, at)),
      splits,
    }),
    accounts,
    payerEmail: sealPayerEmail(call, name, email),
  };
  const findings = differs ? [splitsDifferFinding(call, intent, owed, differs)] : [];
  const enquirable = intent.claimedBy !== null && adapter.enquirable;
  return (await insert(call, intent, enquirable, findings, held)) ? intent : undefined;
}

function checkTendered(channel: Channel, tendered: Decimal, due: { amount: Decimal; currency: string }): Decimal {
  if (channel !== 'cash') throw refuseValue('tendered', say`is for cash only`);
  const cash = requireExact('tendered', tendered, due.currency);
  if (!fitsJson(cash)) throw refuseValue('tendered', say`has too many digits`);
  if (cash.lessThan(due.amount))
    throw refuseValue(
      'tendered',
      `is less than the ${due.amount.toString()} ${due.currency} to be paid`,
      'tendered_too_low',
    );
  return cash;
}

/** The splits that a caller asks for: what the lines owe, unless the caller may have it otherwise. */
async function checkSplits(
  call: Call,
  asked: readonly Split[],
  owed: readonly Split[],
  whole: { amount: Decimal; currency: string },
): Promise<Split[]> {
  const open = await findOpenAgencies(call, [...asked, ...owed]);
  const splits = checkExplicitSplits(asked, whole, open);
  if (!findDeviation(splits, owed)) return splits;
  if (!holds(call.viewer, 'payments.split')) {
    const due = partsWithin(call.viewer, owed)
      .map(({ mda, amount }) => `${amount.toString()} to ${mda}`)
      .join(', ');
    throw refuseValue(
      'splits',
      `must match what the lines owe to each agency: ${due}. Other amounts require the scope payments.split`,
      'splits_differ',
    );
  }
  refuseForeignSplits(asked, owed, whole.currency, open);
  return splits;
}

async function findOpenAgencies(call: Call, splits: readonly Split[]): Promise<Map<string, Agency>> {
  const rows = await call.db.rows<Agency>(sql`
    select m.name as mda, m.country, array(select distinct s.currency from service s where s.mda = m.name) as currencies
    from mda m where m.status = 'Active' and m.name = any(${splits.map(({ mda }) => mda)})`);
  return new Map(rows.map((agency) => [agency.mda, agency]));
}

function splitsDifferFinding(
  { viewer }: Call,
  intent: PaymentIntent,
  owed: readonly Split[],
  { mda, amount }: Deviation,
): Finding {
  const { name, assessment, currency, channel, splits } = intent;
  const byAgency = (parts: readonly Split[]) => Object.fromEntries(parts.map((part) => [part.mda, part.amount]));
  return {
    kind: 'split_differs',
    subject: name,
    mdas: [...new Set([mda, ...agenciesBySize([...owed, ...splits])])],
    evidence: { assessment, amount, currency, channel, owed: byAgency(owed), given: byAgency(splits), key: viewer.key },
  };
}

/** The collection account of each agency in splits. */
async function accountsOf(call: Call, splits: readonly Split[]): Promise<Claimed['accounts']> {
  const rows = await call.db.rows<{ mda: string; account: string }>(sql`
    select name as mda, collection_account as account from mda where name = any(${splits.map(({ mda }) => mda)})`);
  return Object.fromEntries(rows.map(({ mda, account }) => [mda, account]));
}

async function insert(
  call: Call,
  intent: Claimed,
  enquirable: boolean,
  findings: readonly Finding[],
  held: Step | undefined,
): Promise<boolean> {
  const { name, assessment, createdAt, payerEmail } = intent;
  const payable = sql`assessment a ${held ? sql`cross join ${held}` : empty} where a.name = ${assessment} and a.status = 'Assessed'`;
  const changed = guard`${insertIntent(intent, enquirable ? timeNextEnquiry(sql`0`, createdAt) : sql`null`, payable, payerEmail)}`;
  return commit(call, {
    subject: name,
    guard: changed,
    steps: [insertSplits(changed, intent), ...(await raiseAnomalies(call, changed, findings))],
    trace: [traceOpening(intent)],
  });
}
