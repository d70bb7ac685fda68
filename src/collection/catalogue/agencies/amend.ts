import type { Call } from '../../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../../platform/change/commit.ts';
import { guard } from '../../../platform/change/step.ts';
import { json, sql } from '../../../platform/database/sql.ts';
import type { Agency } from '../../../generated/prisma/client.ts';
import type { InteractionMode, AgencyStatus } from '../../../generated/prisma/enums.ts';
import { type Decimal, fitsJson } from '../../../kernel/money.ts';
import { refuseBecause, refuseValue } from '../../../kernel/refusal.ts';
import { LONGEST_LABEL, LONGEST_NAME, LONGEST_REASON, readText, requireText } from '../../../kernel/text/free-text.ts';
import { getAgency } from '../find.ts';
import { namesOf } from '../names.ts';
import { askForCash, widensCash, withdrawCash } from './cash-approval.ts';
import { changesOf } from '../loading/changes.ts';
import { requireRevision } from './find.ts';
import { say } from '../../../kernel/text/said.ts';

export interface AgencyChanges {
  readonly id: string;
  readonly revision?: number | null | undefined;
  readonly name?: string | null | undefined;
  readonly interactionMode?: InteractionMode | null | undefined;
  readonly type?: string | null | undefined;
  readonly region?: string | null | undefined;
  readonly district?: string | null | undefined;
  /** Null: that of its country. */
  readonly cashLimit?: Decimal | null | undefined;
  readonly shiftCashLimit?: Decimal | null | undefined;
  readonly status?: AgencyStatus | null | undefined;
  readonly reason?: string | null | undefined;
}

/**
 * Changes an agency; what is left out stays. On a live rail more cash takes two people, and is asked for. An agency is closed only once no shift is Open at it. Its services stay as
 * they are, since nothing of an agency that is not Active can be assessed, and are offered again with it.
 */
export function amendAgency(call: Call, input: AgencyChanges): Promise<Agency> {
  const reason = readText('reason', input.reason, LONGEST_REASON);
  return retryUntilSettled(async () => {
    const before = await getAgency(call, input.id);
    requireRevision(input.revision, before);
    const mdaName = input.name == null ? before.mdaName : requireText('name', input.name, LONGEST_NAME);
    const wanted: Agency = {
      ...before,
      mdaName,
      // The translated names belong to the former name.
      names: mdaName === before.mdaName ? before.names : {},
      mdaType: input.type == null ? before.mdaType : requireText('type', input.type, LONGEST_LABEL),
      interactionMode: input.interactionMode ?? before.interactionMode,
      region: input.region === undefined ? before.region : readText('region', input.region, LONGEST_LABEL),
      district: input.district === undefined ? before.district : readText('district', input.district, LONGEST_LABEL),
      cashLimit: readLimit('cashLimit', input.cashLimit, before.cashLimit),
      shiftCashLimit: readLimit('shiftCashLimit', input.shiftCashLimit, before.shiftCashLimit),
      status: input.status ?? before.status,
    };
    const [change] = changesOf('agency', [auditable(before)], [auditable(wanted)]);
    if (!change) return before;
    const waits = await widensCash(call, before, wanted);
    const { cashLimit, shiftCashLimit } = waits ? before : wanted;
    const after = { ...wanted, cashLimit, shiftCashLimit };
    const [given] = changesOf('agency', [auditable(before)], [auditable(after)]);
    const operated = waits
      ? {
          ...change,
          before: given?.before ?? null,
          after: { ...given?.after, asks: { cash_limit: wanted.cashLimit, shift_cash_limit: wanted.shiftCashLimit } },
        }
      : change;
    if (after.status === 'Active' && after.collectionAccount === null)
      throw refuseBecause('account_missing', `${after.name} has no collection account, so it cannot collect`, 'status');
    const closing = before.status === 'Active' && after.status !== 'Active';
    const open = sql`exists (select from counter_shift where mda = ${after.name} and status = 'Open')`;
    if (closing && (await call.db.row(sql`select 1 where ${open}`)))
      throw refuseBecause('shifts_open', `${after.name} has Open shifts; close them first`, 'status');
    const changed = guard`
      update mda set mda_name = ${mdaName}, names = ${json(namesOf(after))}::jsonb, interaction_mode = ${after.interactionMode}::interaction_mode,
        mda_type = ${after.mdaType}, region = ${after.region}, district = ${after.district},
        cash_limit = ${after.cashLimit}, shift_cash_limit = ${after.shiftCashLimit},
        status = ${after.status}::mda_status, revision = revision + 1, updated_at = ${call.now()}
      where name = ${after.name} and revision = ${before.revision} and not (${closing} and ${open}) returning name`;
    const limited = input.cashLimit !== undefined || input.shiftCashLimit !== undefined;
    const steps = waits
      ? [await askForCash(call, changed, wanted, reason)]
      : limited
        ? [withdrawCash(call, changed, after.name)]
        : [];
    return (await commit(call, { subject: after.name, guard: changed, steps, operated: { ...operated, reason } }))
      ? getAgency(call, after.name)
      : undefined;
  });
}

function readLimit(path: string, limit: Decimal | null | undefined, before: Decimal | null): Decimal | null {
  if (limit === undefined) return before;
  if (limit !== null && !fitsJson(limit)) throw refuseValue(path, say`has too many digits`);
  return limit;
}

function auditable(mda: Agency) {
  const { name, mdaName, names, interactionMode, mdaType, region, district, cashLimit, shiftCashLimit, status } = mda;
  const limits = { cash_limit: cashLimit, shift_cash_limit: shiftCashLimit };
  const places = { region, district };
  return {
    name,
    mda_name: mdaName,
    names,
    interaction_mode: interactionMode,
    mda_type: mdaType,
    ...places,
    ...limits,
    status,
  };
}
