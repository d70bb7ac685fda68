import type { Call } from '../../../platform/call/call.ts';
import { type Step, step } from '../../../platform/change/step.ts';
import { columnsOf, fromJson, jsonOf } from '../../../platform/database/record.ts';
import { type Sql, json, sql } from '../../../platform/database/sql.ts';
import type { AssessmentLine } from '../../../generated/prisma/client.ts';
import { minorDigitsOf } from '../../../kernel/money.ts';
import { formatDay } from '../../../kernel/time.ts';
import { STANDARD } from '../../catalogue/tariff/tariff.ts';
import type { Exemption } from './find.ts';

/** What counts of an exemption for a line. */
export type InForce = Pick<Exemption, 'name' | 'mda' | 'service' | 'category' | 'percent' | 'usesLeft'>;

/** Exemptions as `selectInForce` reads them. */
export type InForceJson = readonly object[] | null;

type Line = Pick<AssessmentLine, 'service' | 'mda' | 'category' | 'amount' | 'waived' | 'exemption'>;

const FROM = sql`from exemption r join agency_calendar c on c.mda = r.mda`;

/** True for an exemption `r` that can be used: on a day, or on the day that it is at its agency `c`. */
const isInForce = (at: Date, day: Date | null = null) => sql`r.status = 'Approved' and r.uses_left is distinct from 0
  and ${day ? sql`${formatDay(day)}::date` : sql`(${at}::timestamptz at time zone c.time_zone)::date`} between r.valid_from and r.valid_to`;

/** The exemptions of a citizen that are in force: now, or on a day, of agencies within a wall. */
export function listInForce(
  { db, now }: Call,
  citizen: string,
  { day = null, within = sql`true` }: { readonly day?: Date | null | undefined; readonly within?: Sql } = {},
): Promise<Exemption[]> {
  return db.rows(sql`
    select ${columnsOf('Exemption')} ${FROM} where r.citizen = ${citizen} and ${isInForce(now(), day)} and ${within}`);
}

/** Those of citizens that are in force now, as one JSON value. */
export function selectInForce(citizens: readonly string[], at: Date): Sql {
  return sql`(
    select jsonb_agg(${jsonOf('Exemption', 'r')}) ${FROM} where r.citizen = any(${citizens}) and ${isInForce(at)})`;
}

export function readInForce(inForce: InForceJson): Exemption[] {
  return (inForce ?? []).map((one) => fromJson('Exemption', one));
}

/** The condition that a citizen has an exemption, which may be in force or not. */
export function hasExemption(citizen: string): Sql {
  return sql`exists (select from exemption e where e.citizen = ${citizen} and e.status = 'Approved')`;
}

/** The better one first: by what it waives, then one that is not used up, then the older one. */
function compare(one: InForce, other: InForce): number {
  const counted = Number(one.usesLeft !== null) - Number(other.usesLeft !== null);
  return other.percent.comparedTo(one.percent) || counted || (one.name < other.name ? -1 : 1);
}

/**
 * Lines with what the best exemption waives of each, which is one use of it. What remains is rounded half up to the
 * minor unit; of a line of which nothing would be waived, none is used.
 */
export function waive<Priced extends Line>(
  lines: readonly Priced[],
  inForce: readonly InForce[],
  currency: string,
): Priced[] {
  const left = new Map(inForce.map(({ name, usesLeft }) => [name, usesLeft ?? Infinity]));
  const inOrder = inForce.toSorted(compare);
  return lines.map((line) => {
    const best = inOrder.find(
      ({ name, mda, service, category }) =>
        mda === line.mda &&
        (service === null || service === line.service) &&
        (category === null || category === (line.category ?? STANDARD)) &&
        left.get(name)! > 0,
    );
    if (!best) return line;
    const owed = line.amount.times(best.percent.negated().plus(100)).dividedBy(100);
    const amount = owed.toDecimalPlaces(minorDigitsOf(currency));
    if (amount.equals(line.amount)) return line;
    left.set(best.name, left.get(best.name)! - 1);
    return { ...line, amount, waived: line.amount.minus(amount), exemption: best.name };
  });
}

/**
 * The condition that the exemptions of lines are in force still and have as many uses left, and the step that counts
 * these down for the assessments that a change makes or fixes.
 */
export function useExemptions(
  lines: readonly AssessmentLine[],
  at: Date,
): { readonly held: Sql; readonly counted: (changed: Step) => Step[] } {
  const uses = lines.filter(({ exemption }) => exemption !== null);
  if (uses.length === 0) return { held: sql`true`, counted: () => [] };
  const names = [...new Set(uses.map(({ exemption }) => exemption))];
  const used = step('exemptions_used')`
    select * from jsonb_to_recordset(${json(uses.map(({ assessment, exemption }) => ({ assessment, exemption })))}::jsonb)
      as u (assessment text, exemption text)`;
  const held = step('exemptions_held')`
    select r.name ${FROM} where r.name = any(${names}) and ${isInForce(at)}
      and (r.uses_left is null or r.uses_left >= (select count(*) from ${used} u where u.exemption = r.name))
    order by r.name for no key update of r`;
  return {
    held: sql`(select count(*) from ${held}) = ${names.length}`,
    counted: (changed) => [
      step('exemptions_counted')`
        update exemption e set uses_left = e.uses_left - n.times, updated_at = ${at}
        from (select u.exemption, count(*) as times from ${used} u join ${changed} c on c.name = u.assessment group by 1) n
        where e.name = n.exemption and e.uses_left is not null`,
    ],
  };
}
