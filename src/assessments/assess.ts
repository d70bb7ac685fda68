import type { Call } from '../call.ts';
import { commit, untilSettled } from '../database/change.ts';
import { json, sql } from '../database/sql.ts';
import { allows } from '../lifecycle.ts';
import type { Decimal } from '../money.ts';
import { Refusal, invalid } from '../refusal.ts';
import { type Assessment, getAssessment } from './find.ts';
import { assessmentLifecycle } from './lifecycle.ts';
import { priceLine, totalOf } from './pricing.ts';

interface CurrentFee {
  readonly name: string;
  readonly serviceName: string;
  readonly mda: string;
  readonly feeAmount: Decimal;
  readonly currency: string;
  readonly offered: boolean;
}

/** Prices a Draft once more and freezes it. An Assessed one stays as it is. */
export function assess(call: Call, name: string): Promise<Assessment> {
  return untilSettled(async () => {
    const draft = await getAssessment(call, name);
    if (draft.status === 'Assessed') return draft;
    if (!allows(assessmentLifecycle.assess, draft.status)) {
      throw new Refusal('validation_failed', `${name} is ${draft.status}; only a Draft can be assessed`);
    }
    const fees = await currentFees(call, draft);
    const stale = draft.lines.find(({ service }) => !fees.get(service)?.offered || fees.get(service)!.currency !== draft.currency);
    if (stale) throw invalid(`lines[${stale.idx - 1}].service`, 'is no longer offered; make a new assessment');

    const lines = draft.lines.map(({ idx, service, quantity }) => priceLine(idx, fees.get(service)!, quantity));
    const at = call.now();
    const assessed: Assessment = {
      ...draft,
      status: assessmentLifecycle.assess.to,
      totalAmount: totalOf(lines),
      revision: draft.revision + 1,
      assessedAt: at,
      updatedAt: at,
      lines: lines.map((line) => ({ assessment: name, ...line })),
    };
    return (await freeze(call, draft, assessed)) ? assessed : undefined;
  });
}

async function currentFees(call: Call, { lines }: Assessment): Promise<Map<string, CurrentFee>> {
  const services = [...new Set(lines.map(({ service }) => service))];
  const rows = await call.db.rows<CurrentFee>(sql`
    select s.name, s.service_name as "serviceName", s.mda, s.fee_amount as "feeAmount", s.currency,
      s.status = 'Active' and m.status = 'Active' as offered
    from service s join mda m on m.name = s.mda where s.name = any(${services})`);
  return new Map(rows.map((row) => [row.name, row]));
}

/** A fee that changes meanwhile moves the revision of every Draft that names it, so that no stale price is ever frozen. */
function freeze(call: Call, draft: Assessment, assessed: Assessment): Promise<boolean> {
  const { name, status, totalAmount, revision, assessedAt, lines } = assessed;
  const changed = sql`
    update assessment set status = ${status}::assessment_status, total_amount = ${totalAmount}, revision = ${revision}, assessed_at = ${assessedAt},
      updated_at = ${assessedAt}
    where name = ${name} and revision = ${draft.revision} and status = any(${assessmentLifecycle.assess.from}::assessment_status[])
    returning name`;
  const priced = sql`
    update assessment_line l set rate = p.rate, amount = p.amount
    from changed, jsonb_to_recordset(${json(lines)}::jsonb) as p (idx int, rate numeric, amount numeric)
    where l.assessment = changed.name and l.idx = p.idx`;
  return commit(call, {
    subject: name,
    // Most prices are those of the Draft; then its lines need not be written again.
    steps: samePrices(draft, assessed) ? { changed } : { changed, priced },
    trace: [
      {
        kind: 'assessment.update',
        assessment: name,
        doc: name,
        summary: `${draft.status} → ${status}`,
        detail: { from: draft.status, to: status, total_amount: totalAmount, currency: assessed.currency },
      },
    ],
  });
}

function samePrices(draft: Assessment, assessed: Assessment): boolean {
  return draft.lines.every((line, index) => line.rate.equals(assessed.lines[index]!.rate));
}
