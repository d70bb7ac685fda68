import type { Call } from '../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../platform/change/commit.ts';
import { guard } from '../../platform/change/step.ts';
import type { Anomaly } from '../../generated/prisma/client.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import { LONGEST_REASON, requireText } from '../../kernel/text/free-text.ts';
import { say } from '../../kernel/text/said.ts';
import { DAY_MS, dayOf, formatDay } from '../../kernel/time.ts';
import { refuseOwnAnomaly } from './about-own.ts';
import { getAnomaly } from './find.ts';
import { holdOpenAnomaly, requireOpen } from './resolve.ts';

/** For how long an anomaly may be snoozed: what nobody looks into for longer is resolved. */
export const MOST_SNOOZED_DAYS = 90;

/** Takes an open anomaly out of what needs attention until a day; until today, it is back. */
export function snoozeAnomaly(call: Call, input: { id: string; day: Date; reason: string }): Promise<Anomaly> {
  const { id, day } = input;
  const reason = requireText('reason', input.reason, LONGEST_REASON);
  const today = dayOf(call.now());
  if (day < today) throw refuseValue('day', say`must not be before ${formatDay(today)}`);
  if (day.getTime() > today.getTime() + MOST_SNOOZED_DAYS * DAY_MS)
    throw refuseValue('day', say`must be at most ${MOST_SNOOZED_DAYS} days after ${formatDay(today)}`);
  return retryUntilSettled(async () => {
    const anomaly = await getAnomaly(call, id);
    requireOpen(anomaly);
    await refuseOwnAnomaly(call, anomaly);
    const { name, snoozedUntil: before } = anomaly;
    const held = holdOpenAnomaly(anomaly);
    const changed = guard`
      update anomaly set snoozed_until = ${day}::date, updated_at = ${call.now()}
      from ${held} where anomaly.name = ${held}.name and snoozed_until is not distinct from ${before}::date
      returning anomaly.name`;
    const operated = {
      action: 'anomaly.snooze',
      subject: name,
      before: { snoozed_until: before && formatDay(before) },
      after: { snoozed_until: formatDay(day) },
      reason,
    };
    return (await commit(call, { subject: name, guard: changed, operated })) ? getAnomaly(call, name) : undefined;
  });
}
