import { refuseAgency } from '../../platform/access/bounds.ts';
import { IS_AGENCY, whereWithin } from '../../platform/access/owned.ts';
import type { Call } from '../../platform/call/call.ts';
import { commit } from '../../platform/change/commit.ts';
import { guard } from '../../platform/change/step.ts';
import { violatedUniqueOf } from '../../platform/database/errors.ts';
import { sql } from '../../platform/database/sql.ts';
import { type Decimal, requireExact, fitsJson, isCurrency } from '../../kernel/money.ts';
import { Refusal, refuseValue } from '../../kernel/refusal.ts';
import { readName } from '../../kernel/text/names.ts';
import { LONGEST_LABEL, readText } from '../../kernel/text/free-text.ts';
import { type Shift, getShift } from './find.ts';
import { say } from '../../kernel/text/said.ts';

export interface Opening {
  readonly agency: string;
  readonly counterLabel?: string | null | undefined;
  readonly openingFloat: Decimal;
  readonly currency: string;
  readonly openingNotes?: string | null | undefined;
}

/** Opens the caller's shift at an agency; they have one at a time. */
export async function openShift(call: Call, input: Opening): Promise<Shift> {
  const { agency: mda } = input;
  if (call.viewer.kind === 'agency') throw new Refusal('forbidden', 'An agency opens no shifts: its clerks do');
  const currency = input.currency.toUpperCase();
  if (!isCurrency(currency)) throw refuseValue('currency', say`must be an ISO 4217 currency code`);
  const float = requireExact('openingFloat', input.openingFloat, currency);
  if (!fitsJson(float)) throw refuseValue('openingFloat', say`has too many digits`);
  const label = readName('counterLabel', input.counterLabel, LONGEST_LABEL);
  const notes = readText('openingNotes', input.openingNotes);
  refuseAgency(call.viewer, mda, 'agency');
  const open = sql`r.name = ${mda} and r.status = 'Active' and ${whereWithin(call.viewer, IS_AGENCY)}`;
  if (!(await call.db.row(sql`select 1 from mda r where ${open}`)))
    throw refuseValue('agency', say`could not find an Active agency with this code`, 'not_found');
  const at = call.now();
  const name = await call.docnames.next('shift', at);
  const { actor: clerk, integrator } = call.viewer;
  const changed = guard`
    insert into counter_shift (name, mda, clerk, integrator, counter_label, status, currency, opening_float,
      opening_notes, opened_at, created_at, updated_at)
    values (${name}, ${mda}, ${clerk}, ${integrator}, ${label}, 'Open', ${currency}, ${float}, ${notes}, ${at}, ${at},
      ${at}) returning name`;
  try {
    await commit(call, { subject: name, guard: changed });
  } catch (error) {
    if (violatedUniqueOf(error) !== 'counter_shift_one_open') throw error;
    throw new Refusal('validation_failed', say`You already have an Open shift at ${mda}; close it first`, [
      { path: 'agency', message: say`already has an Open shift of yours`, code: 'shift_already_open' },
    ]);
  }
  return getShift(call, name);
}
