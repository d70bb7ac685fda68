import { isOver } from '../../../platform/reading/ends.ts';
import { isSnoozed } from '../../../collection/anomalies/find.ts';
import { clockOf, localTime } from '../../../collection/catalogue/clock.ts';
import { rolesWith } from '../../../platform/access/needs.ts';
import type { Call } from '../../../platform/call/call.ts';
import { commit } from '../../../platform/change/commit.ts';
import { guard, step } from '../../../platform/change/step.ts';
import { sql } from '../../../platform/database/sql.ts';
import { type Posted, postLetters } from '../../../platform/mail/send.ts';
import { DAY_MS } from '../../../kernel/time.ts';
import { ALERTED, ALERTED_OF_AGENCY } from './content.ts';
import type { AlertRule } from './find.ts';
import { type Alerted, countAlerted, firstOf, writeAlert } from './letter.ts';

/** The time in which a rule sends a kind at most once. */
const BETWEEN_SECONDS = 3_600;
/** The most anomalies that a message to an endpoint names. */
const MOST_IN_MESSAGE = 100;

type Rule = Pick<AlertRule, 'name' | 'transport' | 'staff' | 'role' | 'staffOf' | 'revision'>;

interface Recipient {
  readonly email: string;
  readonly roles: readonly string[];
  readonly agencies: readonly string[];
}

interface Waiting extends Alerted {
  /** True if they still need attention. */
  readonly open: boolean;
}

/**
 * Sends what waits for rules whose quiet hours are over, and of kinds that they have not sent within the hour; how many
 * rules did. Each anomaly is sent once by a rule: what sends it takes it away in the same statement.
 */
export async function sendAlerts(call: Call): Promise<number> {
  const shown = sql`to_char(${localTime(call, clockOf(sql`r.mdas || r.staff_of`))}, 'HH24:MI')`;
  const rules = await call.db.rows<Rule>(sql`
    select r.name, r.transport, r.staff, r.role, r.staff_of as "staffOf", r.revision from alert_rule r
    where r.enabled and exists (select from alert_waiting w where w.rule = r.name)
      and (r.quiet_from is null or not case when r.quiet_from < r.quiet_to
        then ${shown} >= r.quiet_from and ${shown} < r.quiet_to
        else ${shown} >= r.quiet_from or ${shown} < r.quiet_to end)
    order by r.name`);
  let sent = 0;
  for (const rule of rules) if (await sendWaiting(call, rule)) sent += 1;
  return sent;
}

async function sendWaiting(call: Call, rule: Rule): Promise<boolean> {
  const at = call.now();
  const waiting = await call.db.rows<Waiting>(sql`
    select w.kind, a.severity, a.mdas, a.status = 'Open' and not ${isSnoozed(call)} as open,
      array_agg(a.name order by a.raised_at, a.name) as names,
      (array_agg(a.raised_at order by a.raised_at, a.name))[:${MOST_IN_MESSAGE}] as "raisedAt"
    from alert_waiting w join anomaly a on a.name = w.anomaly
    where w.rule = ${rule.name} and not exists (
      select from alert_sent s
      where s.rule = w.rule and s.kind = w.kind
        and not ${isOver(sql`s.sent_at + ${BETWEEN_SECONDS} * interval '1 second'`, at, BETWEEN_SECONDS)})
    group by 1, 2, 3, 4 order by min(a.raised_at), min(a.name)`);
  if (waiting.length === 0) return false;
  const alerted = waiting.filter(({ open }) => open);
  // Two processes that have read the same, or one that reads while the rule is changed: the first of them counts.
  const changed = guard`
    update alert_rule set revision = revision + 1 where name = ${rule.name} and revision = ${rule.revision} and enabled
    returning name, revision`;
  const taken = step('taken_alerts')`
    delete from alert_waiting w using ${changed} c
    where w.rule = c.name and w.anomaly = any(${waiting.flatMap(({ names }) => names)})`;
  const noted = step('noted')`
    insert into alert_sent (rule, kind, sent_at)
    select c.name, k.kind, ${at} from ${changed} c, unnest(${[...new Set(alerted.map(({ kind }) => kind))]}::text[]) as k (kind)
    on conflict (rule, kind) do update set sent_at = excluded.sent_at`;
  const letters = rule.transport === 'mail' ? await writeLetters(call, rule, alerted) : [];
  const messages =
    rule.transport === 'webhook' && alerted.length > 0
      ? [
          {
            type: 'alert.raised',
            object: rule.name,
            sequence: rule.revision + 1,
            integrator: null,
            payload: messageOf(rule, alerted),
          },
        ]
      : [];
  const steps = [
    taken,
    noted,
    ...postLetters(call, 'staff/anomalies', changed, letters, new Date(at.getTime() + DAY_MS)),
  ];
  const done = await commit(call, { subject: null, guard: changed, steps, messages });
  return done && alerted.length > 0;
}

/** Letters to the people of a rule, each with what its reader may know. */
async function writeLetters({ db }: Call, rule: Rule, alerted: readonly Alerted[]): Promise<Posted[]> {
  const { name, staff, role, staffOf } = rule;
  const recipients = await db.rows<Recipient>(sql`
    select email, roles, agencies from staff
    where active and roles && ${ALERTED}::text[] and (email = ${staff} or ${role} = any(roles)
      or ${staffOf} = any(agencies) and roles && ${ALERTED_OF_AGENCY}::text[])
    order by email`);
  return recipients.flatMap((recipient) => {
    const { email, agencies } = recipient;
    const own =
      agencies.length > 0 ? alerted.filter(({ mdas }) => mdas.some((code) => agencies.includes(code))) : alerted;
    return own.length === 0
      ? []
      : [{ staff: email, secret: JSON.stringify(writeAlert(own, name, pageFor(recipient))) }];
  });
}

/** The page on which somebody sees anomalies: that of operators, that of auditors, or the room of their agency. */
function pageFor({ roles, agencies }: Recipient): string {
  const holds = (need: 'operations.read' | 'oversight.read') =>
    agencies.length === 0 && rolesWith(need).some((role) => roles.includes(role));
  if (holds('operations.read')) return '/console/anomalies';
  return holds('oversight.read') ? '/oversight/anomalies' : '/agency';
}

function messageOf({ name }: Rule, alerted: readonly Alerted[]) {
  return {
    rule: name,
    agencies: [...new Set(alerted.flatMap(({ mdas }) => mdas))].toSorted(),
    anomalies: firstOf(alerted, MOST_IN_MESSAGE).map(({ raisedAt, ...anomaly }) => ({
      name: anomaly.name,
      kind: anomaly.kind,
      severity: anomaly.severity,
      mdas: anomaly.mdas,
      raised_at: raisedAt,
    })),
    more: Math.max(countAlerted(alerted) - MOST_IN_MESSAGE, 0),
  };
}
