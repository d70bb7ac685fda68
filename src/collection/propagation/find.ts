import { BY_AGENCY, whereWithin } from '../../platform/access/owned.ts';
import type { Call } from '../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../platform/change/commit.ts';
import { guard } from '../../platform/change/step.ts';
import { loadByName } from '../../platform/reading/batch.ts';
import { ifGiven } from '../../platform/reading/conditions.ts';
import {
  type Listing,
  type Page,
  type PageArgs,
  newestFirst,
  readPage,
  readPageOf,
} from '../../platform/reading/page.ts';
import { columnsOf } from '../../platform/database/record.ts';
import { raw, sql } from '../../platform/database/sql.ts';
import type { Propagation } from '../../generated/prisma/client.ts';
import { allows } from '../../kernel/lifecycle.ts';
import { Refusal, refuseValue } from '../../kernel/refusal.ts';
import { propagationLifecycle } from './lifecycle.ts';
import { say } from '../../kernel/text/said.ts';

const columns = columnsOf('Propagation');

export interface PropagationFilter {
  readonly status?: string | null | undefined;
  readonly agency?: string | null | undefined;
  readonly assessment?: string | null | undefined;
  readonly receipt?: string | null | undefined;
}

function listing({ viewer }: Call, filter: PropagationFilter): Listing {
  return {
    select: sql`select ${columns} from propagation r`,
    table: 'propagation',
    ...newestFirst,
    where: [whereWithin(viewer, BY_AGENCY)],
    filters: [
      ifGiven(filter.status, (status) => sql`r.status = ${status}`),
      ifGiven(filter.agency, (mda) => sql`r.mda = ${mda}`),
      ifGiven(filter.receipt, (receipt) => sql`r.receipt = ${receipt}`),
      ifGiven(filter.assessment, (assessment) => sql`r.assessment = ${assessment}`),
    ],
  };
}

/** Notices to agencies, newest first. */
export function listPropagations(call: Call, filter: PropagationFilter, page: PageArgs): Promise<Page<Propagation>> {
  return readPage(call, listing(call, filter), page);
}

/** The notices to agencies about one assessment, or to one agency, newest first. */
export function listPropagationsOf(
  call: Call,
  of: 'assessment' | 'mda',
  name: string,
  { status, ...page }: PageArgs & Pick<PropagationFilter, 'status'>,
): Promise<Page<Propagation>> {
  return readPageOf(call, listing(call, { status }), raw(`r.${of}`), name, page);
}

/** Notices to agencies, by docname. */
export const propagationLoader = loadByName<Propagation>(({ db, viewer }, names) =>
  db.rows(sql`select ${columns} from propagation r where r.name = any(${names}) and ${whereWithin(viewer, BY_AGENCY)}`),
);

export async function getPropagation(call: Call, name: string): Promise<Propagation> {
  const propagation = await propagationLoader.load(call, name);
  if (!propagation) throw new Refusal('not_found', say`The propagation does not exist`);
  return propagation;
}

/**
 * The notice that an agency speaks of: by its docname, or by that of the assessment for the notice of its payment. Only
 * those to these agencies are looked for.
 */
export async function findNoticeOf(
  { db }: Call,
  object: string,
  agencies: readonly string[],
): Promise<Propagation | null> {
  const rows = await db.rows<Propagation>(sql`
    select ${columns} from propagation r where r.mda = any(${[...agencies]})
      and (r.name = ${object} or (r.assessment = ${object} and r.kind = 'payment')) limit 2`);
  if (rows.length > 1) throw refuseValue('object', say`names several notices: add a dot and the code of the agency`);
  return rows[0] ?? null;
}

/**
 * Begins to tell an agency again that all tries to tell failed, or that rejected what it was told. What was rejected
 * did not happen for the agency, which gets it as a new notice.
 */
export function retryPropagation(call: Call, name: string): Promise<Propagation> {
  const { from, to } = propagationLifecycle.retry;
  return retryUntilSettled(async () => {
    const { status } = await getPropagation(call, name);
    if (!allows(propagationLifecycle.retry, status))
      throw new Refusal(
        'validation_failed',
        say`${name} is ${status}; only failed (dead) and rejected notifications can be retried`,
      );
    const at = call.now();
    const changed = guard`
      update propagation set status = ${to}, attempts = 0, next_attempt_at = ${at}, last_error = null,
        maybe_told = maybe_told and status <> 'rejected', updated_at = ${at}
      where name = ${name} and status = any(${from}) returning name`;
    const operated = {
      action: 'propagation.retry',
      subject: name,
      before: { status },
      after: { status: to },
      reason: null,
    };
    return (await commit(call, { subject: name, guard: changed, operated })) ? getPropagation(call, name) : undefined;
  });
}
