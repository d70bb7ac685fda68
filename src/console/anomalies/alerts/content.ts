import { DEFAULT_ENDPOINT } from '../../../accounts/events/owner.ts';
import { readAgencies } from '../../../accounts/notices/content.ts';
import { endpointsOfAccount } from '../../../accounts/endpoints/require-endpoint.ts';
import type { AnomalyKind, Severity } from '../../../collection/anomalies/kinds.ts';
import { ROLES, type Role } from '../../../platform/access/needs.ts';
import type { Call } from '../../../platform/call/call.ts';
import { sql } from '../../../platform/database/sql.ts';
import { refuseBecause, refuseValue } from '../../../kernel/refusal.ts';
import { say } from '../../../kernel/text/said.ts';
import type { AlertRule } from './find.ts';

/** Transports of anomalies to their readers. */
export const TRANSPORTS = {
  mail: 'By e-mail, to a member of staff, to all of a role, or to the staff of an agency.',
  webhook: 'By the message `alert.raised` to the endpoints of operators that want it.',
} as const;
export type AlertTransport = keyof typeof TRANSPORTS;

/** Clerks are not alerted: many anomalies are about what happens at their counters. */
export const ALERTED: readonly Role[] = ROLES.filter((role) => role !== 'clerk');
/** To the staff of an agency. */
export const ALERTED_OF_AGENCY: readonly Role[] = ['supervisor', 'finance_officer'];

type Recipient = Pick<AlertRule, 'staff' | 'role' | 'staffOf'>;

/** Content of a rule. */
export type RuleContent = Recipient &
  Pick<AlertRule, 'transport' | 'kinds' | 'severity' | 'mdas' | 'quietFrom' | 'quietTo' | 'enabled'>;

/** A caller's part of it; the rest stays as it was. */
export interface RuleInput {
  readonly staff?: string | null | undefined;
  readonly role?: Role | null | undefined;
  readonly staffOf?: string | null | undefined;
  readonly transport?: AlertTransport | null | undefined;
  readonly kinds?: readonly AnomalyKind[] | null | undefined;
  readonly severity?: Severity | null | undefined;
  readonly agencies?: readonly string[] | null | undefined;
  readonly quietFrom?: string | null | undefined;
  readonly quietTo?: string | null | undefined;
  readonly enabled?: boolean | null | undefined;
}

export const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d$/;

const NOBODY: Recipient = { staff: null, role: null, staffOf: null };

/** Content of a new rule by default. */
export const DEFAULTS: RuleContent = {
  ...NOBODY,
  transport: 'mail',
  kinds: [],
  severity: 'high',
  mdas: [],
  quietFrom: null,
  quietTo: null,
  enabled: true,
};

/** Content of a rule with a caller's part in it. */
export async function readRule(call: Call, was: RuleContent, input: RuleInput): Promise<RuleContent> {
  const transport = input.transport ?? was.transport;
  const [quietFrom, quietTo] = readQuietHours(was, input);
  return {
    ...(await readRecipient(call, was, input, transport)),
    transport,
    kinds: input.kinds ? [...new Set(input.kinds)].toSorted() : was.kinds,
    severity: input.severity ?? was.severity,
    mdas: input.agencies ? await readAgencies(call, input.agencies) : was.mdas,
    quietFrom,
    quietTo,
    enabled: input.enabled ?? was.enabled,
  };
}

function readQuietHours(was: RuleContent, input: RuleInput): [string | null, string | null] {
  const from = input.quietFrom === undefined ? was.quietFrom : input.quietFrom;
  const to = input.quietTo === undefined ? was.quietTo : input.quietTo;
  for (const [path, time] of Object.entries({ quietFrom: from, quietTo: to }))
    if (time !== null && !TIME_OF_DAY.test(time))
      throw refuseValue(path, say`must be a time of day such as ${'22:00'}`);
  if ((from === null) !== (to === null))
    throw refuseValue(from === null ? 'quietFrom' : 'quietTo', say`is required: quiet hours begin and end`);
  if (from !== null && from === to) throw refuseValue('quietTo', say`must differ from ${'quietFrom'}`);
  return [from, to];
}

async function readRecipient(call: Call, was: Recipient, input: RuleInput, transport: string): Promise<Recipient> {
  const given = {
    staff: input.staff?.trim().toLowerCase() ?? null,
    role: input.role ?? null,
    staffOf: input.staffOf ?? null,
  };
  const many = Object.values(given).filter((one) => one !== null).length;
  if (transport === 'webhook') {
    if (many > 0) throw refuseValue('transport', say`must be mail where somebody is named`);
    if (!(await isHeard(call)))
      throw refuseBecause(
        'no_webhook_endpoint',
        'There is no default endpoint; set one with `setDefaultEndpoint`',
        'transport',
      );
    return NOBODY;
  }
  if (many > 1) throw refuseValue('staff', say`must be the only one of ${'staff'}, ${'role'} and ${'staffOf'}`);
  const recipient = many === 1 ? given : { staff: was.staff, role: was.role, staffOf: was.staffOf };
  const { staff, role, staffOf } = recipient;
  if (role === 'clerk') throw refuseValue('role', say`must be another: clerks are not alerted`);
  if (staffOf !== null) return { ...NOBODY, staffOf: (await readAgencies(call, [staffOf]))[0]! };
  if (role === null && (staff === null || !(await mayBeAlerted(call, staff))))
    throw refuseValue(
      'staff',
      say`must be active staff with another role than clerk, unless a role or an agency is named`,
    );
  return recipient;
}

/** True if operators have an endpoint. */
async function isHeard({ db }: Call): Promise<boolean> {
  const row = await db.row(sql`
    select from webhook_endpoint where ${endpointsOfAccount(DEFAULT_ENDPOINT)} and url is not null limit 1`);
  return row !== null;
}

async function mayBeAlerted({ db }: Call, email: string): Promise<boolean> {
  const row = await db.row(sql`select from staff where email = ${email} and active and roles && ${ALERTED}::text[]`);
  return row !== null;
}

/** Content of a rule for the operators' audit. */
export function auditable(rule: RuleContent): Record<string, unknown> {
  const { staff, role, staffOf, transport, kinds, severity, mdas, quietFrom, quietTo, enabled } = rule;
  return {
    staff,
    role,
    staff_of: staffOf,
    transport,
    kinds,
    severity,
    agencies: mdas,
    quiet_from: quietFrom,
    quiet_to: quietTo,
    enabled,
  };
}
