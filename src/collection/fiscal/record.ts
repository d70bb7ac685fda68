import type { FiscalDocument } from '../../generated/prisma/client.ts';
import { type Assessment, findAssessment } from '../assessments/find.ts';
import { eventLoader } from '../payments/find.ts';
import type { Call } from '../../platform/call/call.ts';
import { always, commit } from '../../platform/change/commit.ts';
import { type Step, guard } from '../../platform/change/step.ts';
import { violatedUniqueOf } from '../../platform/database/errors.ts';
import { isDocname } from '../../platform/database/docnames.ts';
import { json } from '../../platform/database/sql.ts';
import { say } from '../../kernel/text/said.ts';
import { findIssued } from './find.ts';
import { snapshotFiscalDocument } from './snapshot.ts';

/** Decision on the announcement of a fiscal document. */
interface Decided {
  readonly decision: 'fiscal_document_recorded' | 'already_recorded' | 'fiscal_number_taken' | 'unknown_object';
  readonly object: string | null;
}

/** The issuer, and the payments for which it may issue. */
interface Issuer {
  readonly issuer: string;
  readonly agencies: readonly string[];
}

interface Announced {
  /** The docname of a payment event, or of an assessment. */
  readonly object: string;
  readonly number: string;
  readonly url?: string | null | undefined;
  readonly issued_at?: Date | null | undefined;
  readonly eventId: string;
}

/**
 * Records the fiscal document that was issued for a payment event, or for a whole assessment. A number stands for one
 * of them. Undefined: someone was faster, read again.
 */
export async function recordFiscalDocument(
  call: Call,
  { issuer, agencies }: Issuer,
  announced: Announced,
  store: (changed: Step, decided: Decided) => Step,
): Promise<Decided | undefined> {
  const subject = await findSubject(call, announced.object, agencies);
  if (!subject) return { decision: 'unknown_object', object: null };
  const before = await findIssued(call, issuer, announced.number);
  if (before) {
    const same =
      before.assessment === subject.assessment.name && before.paymentEvent === (subject.paymentEvent?.name ?? null);
    const decided: Decided = same
      ? { decision: 'already_recorded', object: before.name }
      : { decision: 'fiscal_number_taken', object: announced.object };
    await commit(call, { subject: null, guard: always, steps: [store(always, decided)] });
    return decided;
  }
  const at = call.now();
  const { assessment, paymentEvent } = subject;
  const document: FiscalDocument = {
    name: await call.docnames.next('fiscal', at),
    issuer,
    number: announced.number,
    assessment: assessment.name,
    paymentEvent: paymentEvent?.name ?? null,
    mda: paymentEvent?.mda ?? null,
    integrator: assessment.integrator,
    url: announced.url ?? null,
    issuedAt: announced.issued_at ?? null,
    createdAt: at,
  };
  const { name: object, integrator } = document;
  const decided: Decided = { decision: 'fiscal_document_recorded', object };
  const changed = insertDocument(document);
  try {
    await commit(call, {
      subject: null,
      guard: changed,
      steps: [store(changed, decided)],
      trace: [
        {
          kind: 'assessment.update',
          assessment: assessment.name,
          ...(paymentEvent && { intent: paymentEvent.intent }),
          doc: object,
          summary: say`${issuer} issued the fiscal document ${document.number}`,
          detail: { number: document.number, url: document.url, event_id: announced.eventId },
        },
      ],
      messages: [
        {
          type: 'fiscal_document.issued',
          object,
          sequence: 1,
          integrator,
          agency: document.mda,
          payload: snapshotFiscalDocument(document),
        },
      ],
    });
  } catch (error) {
    if (violatedUniqueOf(error) !== 'fiscal_document_issuer_number_key') throw error;
    return undefined;
  }
  return decided;
}

function insertDocument(document: FiscalDocument): Step {
  return guard`
    insert into fiscal_document (name, issuer, number, assessment, payment_event, mda, integrator, url, issued_at,
      created_at)
    select d.name, d.issuer, d.number, d.assessment, d."paymentEvent", d.mda, d.integrator, d.url, d."issuedAt",
      d."createdAt"
    from jsonb_to_record(${json(document)}::jsonb) as d (name text, issuer text, number text, assessment text,
      "paymentEvent" text, mda text, integrator text, url text, "issuedAt" timestamptz, "createdAt" timestamptz)
    returning name`;
}

interface Subject {
  readonly assessment: Assessment;
  /** Null where it is the whole assessment. */
  readonly paymentEvent: { readonly name: string; readonly mda: string; readonly intent: string } | null;
}

/** Subject of a document, if it is of these agencies. */
async function findSubject(call: Call, object: string, agencies: readonly string[]): Promise<Subject | null> {
  const event = isDocname('event', object) ? await eventLoader.load(call, object) : null;
  const assessment = await findAssessment(call, event?.assessment ?? object);
  if (!assessment) return null;
  const own = event ? agencies.includes(event.mda) : assessment.lines.some(({ mda }) => agencies.includes(mda));
  return own ? { assessment, paymentEvent: event } : null;
}
