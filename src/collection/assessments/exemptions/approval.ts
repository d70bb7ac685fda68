import { requireWithin } from '../../../platform/access/owned.ts';
import type { Call } from '../../../platform/call/call.ts';
import { guard } from '../../../platform/change/step.ts';
import { json, sql } from '../../../platform/database/sql.ts';
import type { Decimal } from '../../../kernel/money.ts';
import { refuseValue } from '../../../kernel/refusal.ts';
import { LONGEST_REASON, readText, requireSha256 } from '../../../kernel/text/free-text.ts';
import { say } from '../../../kernel/text/said.ts';
import { formatDay } from '../../../kernel/time.ts';
import { z } from '../../../kernel/zod.ts';
import { requestApproval } from '../../approvals/ask.ts';
import { type Approval, defineApproval } from '../../approvals/kinds.ts';
import { getAgency, serviceLoader } from '../../catalogue/find.ts';
import { CATEGORY, MOST_PERCENT_DECIMALS } from '../../catalogue/tariff/tariff.ts';
import type { Ground } from './lifecycle.ts';

interface ExemptionInput {
  readonly agency: string;
  readonly citizen: string;
  readonly service?: string | null | undefined;
  readonly category?: string | null | undefined;
  readonly percent: Decimal;
  readonly ground: Ground;
  readonly documentHash: string;
  readonly fromDate: Date;
  readonly toDate: Date;
  readonly usesLeft?: number | null | undefined;
  readonly reason?: string | null | undefined;
}

/** Approval of an exemption, which makes it under the docname that is its subject. */
const exemptionApproval = defineApproval({
  kind: 'exemption',
  proposal: z.object({
    citizen: z.string(),
    agency: z.string(),
    service: z.string().optional(),
    category: z.string().optional(),
    percent: z.string(),
    ground: z.string(),
    document_hash: z.string(),
    valid_from: z.string(),
    valid_to: z.string(),
    uses_left: z.int().optional(),
  }),
  needs: 'money.write',
  carryOut: async (call, { subject, proposal }, held) => {
    const at = call.now();
    const { agency: mda, percent, ground, valid_from, valid_to } = proposal;
    const changed = guard`
      insert into exemption (name, citizen, mda, service, category, percent, ground, document_hash, valid_from, valid_to,
        uses_left, status, created_at, updated_at)
      select ${subject}, p.*, 'Approved', ${at}, ${at} from ${held}, jsonb_to_record(${json(proposal)}::jsonb) as p (citizen text,
        agency text, service text, category text, percent numeric, ground text, document_hash text, valid_from date,
        valid_to date, uses_left int)
      returning name`;
    const after = { mda, percent, ground, valid_from, valid_to };
    const operated = { action: 'exemption.approve', subject, before: null, after, reason: null };
    return { subject, guard: changed, operated };
  },
});

/** Asks that somebody pays an agency less, or nothing, for what is assessed on some days. It takes a second person. */
export async function requestExemption(call: Call, input: ExemptionInput): Promise<Approval> {
  const { agency, citizen, service, category, percent, ground, fromDate, toDate, usesLeft } = input;
  requireWithin(call.viewer, agency);
  const { name: mda } = await getAgency(call, agency);
  const reason = readText('reason', input.reason, LONGEST_REASON);
  const hash = requireSha256('documentHash', input.documentHash);
  if (ground === 'other' && reason === null) throw refuseValue('reason', say`is required`);
  if (percent.isZero()) throw refuseValue('percent', say`must be more than 0`);
  if (percent.decimalPlaces() > MOST_PERCENT_DECIMALS)
    throw refuseValue('percent', say`must have at most ${MOST_PERCENT_DECIMALS} decimals`);
  if (toDate < fromDate) throw refuseValue('toDate', say`must not be before the first day`);
  if (!(await call.db.row(sql`select 1 from citizen where name = ${citizen}`)))
    throw refuseValue('citizen', say`could not find this Citizen`);
  if (service != null && (await serviceLoader.load(call, service))?.mda !== mda)
    throw refuseValue('service', say`is no service of ${mda}`);
  if (category != null && !CATEGORY.test(category))
    throw refuseValue('category', say`is no category of this service`, 'category_unknown');
  return requestApproval(call, exemptionApproval, {
    subject: await call.docnames.next('exemption', call.now()),
    about: [],
    mdas: [mda],
    proposal: {
      citizen,
      agency: mda,
      ...(service != null && { service }),
      ...(category != null && { category }),
      percent: String(percent),
      ground,
      document_hash: hash,
      valid_from: formatDay(fromDate),
      valid_to: formatDay(toDate),
      ...(usesLeft != null && { uses_left: usesLeft }),
    },
    reason,
  });
}
