import { type Finding, raiseAnomalies } from '../../anomalies/raise.ts';
import { type KnownCitizen, findCitizenKnownAs } from '../../citizens/find.ts';
import { namesAgree } from '../../citizens/identity-names.ts';
import type { Call } from '../../../platform/call/call.ts';
import { always, commit } from '../../../platform/change/commit.ts';
import { guard } from '../../../platform/change/step.ts';
import { violatedUniqueOf } from '../../../platform/database/errors.ts';
import { sql } from '../../../platform/database/sql.ts';
import { say } from '../../../kernel/text/said.ts';
import { type Decided, type StoreDecision, UNKNOWN } from './decisions.ts';
import type { PushData } from './push-event.ts';

/** Assessments in whose timelines it stands, the newest of those that are open. */
const MOST_ASSESSMENTS = 100;

/**
 * Flags a citizen whose record the identity authority says has changed, and tells the integrators whose open
 * assessments are of that person. Nothing of the record is overwritten. Undefined: someone was faster, read again.
 */
export async function flagIdentity(
  call: Call,
  input: { readonly object: string; readonly data: PushData<'identity.changed'>; readonly eventId: string },
  store: StoreDecision,
): Promise<Decided | undefined> {
  const citizen = await findCitizenKnownAs(call, input.object);
  if (!citizen) return UNKNOWN;
  const { name: object } = citizen;
  const stated = input.data.full_name ?? null;
  if (stated !== null && namesAgree(stated, citizen.fullName)) {
    const decided: Decided = { decision: 'identity_unchanged', object };
    await commit(call, { subject: null, guard: always, steps: [store(always, decided)] });
    return decided;
  }
  try {
    return await flag(call, citizen, input, store);
  } catch (error) {
    // Another message about the citizen took this place in the order.
    if (violatedUniqueOf(error) !== 'outbox_object_sequence_key') throw error;
    return undefined;
  }
}

async function flag(
  call: Call,
  { name: object, fullName }: KnownCitizen,
  { data, eventId }: { readonly data: PushData<'identity.changed'>; readonly eventId: string },
  store: StoreDecision,
): Promise<Decided | undefined> {
  const open = await call.db.rows<{ name: string; integrator: string | null }>(sql`
    select name, integrator from assessment where citizen = ${object} and status in ('Draft', 'Assessed')
    order by created_at desc, name desc limit ${MOST_ASSESSMENTS}`);
  const row = await call.db.row<{ last: number }>(
    sql`select coalesce(max(sequence), 0) as last from outbox where object = ${object}`,
  );
  // Held as its name was read: a change of the record meanwhile has it compared again.
  const changed = guard`select name from citizen where name = ${object} and full_name = ${fullName} for no key update`;
  const decided: Decided = { decision: 'identity_flagged', object };
  const evidence = { citizen: object, purpose: 'authority', event_id: eventId };
  const finding: Finding = { kind: 'identity_mismatch', subject: object, mdas: [], evidence };
  const integrators = [...new Set(open.map(({ integrator }) => integrator))];
  const done = await commit(call, {
    subject: null,
    guard: changed,
    steps: [store(changed, decided), ...(await raiseAnomalies(call, changed, [finding]))],
    trace: open.map(({ name: assessment }) => ({
      kind: 'assessment.update',
      assessment,
      doc: object,
      summary: say`The identity authority says that the record of the citizen changed`,
      detail: { citizen: object, event_id: eventId, reason: data.reason ?? null },
    })),
    messages: integrators.map((integrator, index) => ({
      type: 'citizen.identity_changed',
      object,
      sequence: row!.last + 1 + index,
      integrator,
      payload: {
        name: object,
        assessments: open.filter((one) => one.integrator === integrator).map(({ name }) => name),
      },
    })),
  });
  return done ? decided : undefined;
}
