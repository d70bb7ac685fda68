import type { Assessment as AssessmentRecord, AssessmentLine } from '../../../generated/prisma/client.ts';
import { isWholeWithin, partsWithin } from '../../../platform/access/owned.ts';
import { actAsSystem, holds } from '../../../platform/access/viewer.ts';
import type { Call } from '../../../platform/call/call.ts';
import { columnsOf } from '../../../platform/database/record.ts';
import { sql } from '../../../platform/database/sql.ts';
import { loadByOwner } from '../../../platform/reading/batch.ts';
import { refuseBecause } from '../../../kernel/refusal.ts';
import { say } from '../../../kernel/text/said.ts';
import { getAssessment, readLinesOf } from '../../assessments/find.ts';
import { assessedLoader } from '../../citizens/find.ts';
import { type Reference, lookUpReference } from '../find.ts';
import { referenceStatusOf } from '../lifecycle.ts';

/** What an assessment asks of its payer. */
export interface Notice extends AssessmentRecord {
  /** True for who sees the assessment; others have the number alone, and learn of no person. */
  readonly visible: boolean;
}

/** The notice of an assessment for who sees it. */
export async function getNotice(call: Call, name: string): Promise<Notice> {
  const assessment = await getAssessment(call, name);
  const { status } = assessment;
  if (status !== 'Assessed')
    throw refuseBecause('assessment_not_payable', say`It is ${status}: only what is Assessed has a notice`);
  return { ...assessment, visible: true };
}

/** The same of a payment reference for who has its number, without the person. */
export async function getPublicNotice(call: Call, typed: string): Promise<Notice> {
  const { number, ...reference } = await lookUpReference(call, typed);
  const status = referenceStatusOf(reference, call.now());
  // Another number may have replaced one that is withdrawn, which is for others to tell.
  if (status !== 'Issued') throw refuseBecause('reference_not_payable', say`The reference is ${status}`, 'number');
  const row = await call.db.row<{ assessment: string }>(
    sql`select assessment from payment_reference where number = ${number}`,
  );
  return { ...(await getNotice({ ...call, viewer: actAsSystem('notice') }, row!.assessment)), visible: false };
}

/** Its lines, of which who is bound to agencies sees some. */
export async function linesOf(call: Call, { name, visible }: Notice): Promise<AssessmentLine[]> {
  const lines = await readLinesOf(call, name);
  return visible ? partsWithin(call.viewer, lines) : [...lines];
}

/** True for who sees all lines. */
export async function isWholeFor(call: Call, { name, visible }: Notice): Promise<boolean> {
  return !visible || isWholeWithin(call.viewer, await readLinesOf(call, name));
}

/** The name of the payer, for who may see people. */
export async function payerOf(call: Call, { citizen, visible }: Notice): Promise<string | null> {
  if (!visible || !holds(call.viewer, 'citizens.read')) return null;
  return (await assessedLoader.load(call, citizen))?.fullName ?? null;
}

const issuedOf = loadByOwner<Omit<Reference, 'name'>>(
  ({ assessment }) => assessment,
  ({ db }, names) =>
    db.rows(sql`
      select ${columnsOf('PaymentReference')} from payment_reference r
      where r.assessment = any(${[...names]}) and r.status = 'Issued'`),
);

/** The number to pay by, where there is one that can be paid. */
export async function numberOf(call: Call, { name }: Notice): Promise<Pick<Reference, 'number' | 'expiresAt'> | null> {
  const [issued] = await issuedOf(call, name);
  return issued && referenceStatusOf(issued, call.now()) === 'Issued' ? issued : null;
}

/** The agency of a line, and the law by which it is charged: that of the tariff which held when it was assessed. */
export interface Ground {
  readonly assessment: string;
  readonly idx: number;
  readonly agency: string;
  readonly law: string | null;
}

const groundsOf = loadByOwner<Ground>(
  ({ assessment }) => assessment,
  ({ db, now }, names) =>
    db.rows(sql`
      select l.assessment, l.idx, m.mda_name as agency, case when l.category is not null then (
        select f.tariff ->> 'law' from service_fee f
        where f.service = l.service and f.since <= coalesce(a.assessed_at, ${now()})
          and not exists (select from withdrawn_fee w where w.fee = f.id)
        order by f.since desc, f.id desc limit 1) end as law
      from assessment_line l join assessment a on a.name = l.assessment join mda m on m.name = l.mda
      where l.assessment = any(${[...names]})`),
);

export async function groundOf(call: Call, { assessment, idx }: Pick<AssessmentLine, 'assessment' | 'idx'>) {
  return (await groundsOf(call, assessment)).find((line) => line.idx === idx)!;
}
