import { AdapterFailure } from '../../adapters/failure.ts';
import type { Call } from '../../platform/call/call.ts';
import { requireSandbox } from '../../platform/call/sandbox.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Agency } from '../../generated/prisma/client.ts';
import { getAgency } from '../catalogue/find.ts';

/** Answers of a sandbox's agency to notices of an account's payments. */
export const BEHAVIOURS = {
  up: 'It accepts each notice, as at first.',
  down: 'It cannot be reached, until it is up again.',
  reject_next: 'It refuses the next notice, and accepts those after it.',
} as const;

export type Behaviour = keyof typeof BEHAVIOURS;

/** Sets how an agency behaves towards the caller's account, and towards nobody else's. */
export async function setBehaviour(call: Call, mda: string, behaviour: Behaviour): Promise<Agency> {
  requireSandbox(call);
  const agency = await getAgency(call, mda);
  const account = call.viewer.integrator!;
  await call.db.rows(
    behaviour === 'up'
      ? sql`delete from sandbox_agency where integrator = ${account} and mda = ${mda}`
      : sql`insert into sandbox_agency (integrator, mda, behaviour) values (${account}, ${mda}, ${behaviour})
          on conflict (integrator, mda) do update set behaviour = excluded.behaviour`,
  );
  call.work.note();
  return agency;
}

/** Fails a notice where the agency was set to behave so towards the account whose payment it reports. */
export async function behave(
  { config, db }: Pick<Call, 'config' | 'db'>,
  { mda, integrator }: { readonly mda: string; readonly integrator: string | null },
): Promise<void> {
  if (config.mode !== 'sandbox' || integrator === null) return;
  const row = await db.row<{ behaviour: Behaviour }>(sql`
    with used as (
      delete from sandbox_agency where integrator = ${integrator} and mda = ${mda} and behaviour = 'reject_next'
      returning behaviour)
    select behaviour from sandbox_agency where integrator = ${integrator} and mda = ${mda}`);
  if (row?.behaviour === 'down')
    throw new AdapterFailure(mda, 'unavailable', `${mda} is down, as its sandbox was told`);
  if (row) throw new AdapterFailure(mda, 'refused', `${mda} refused the notice, as its sandbox was told`);
}
