export const SCOPES = [
  'citizens.read',
  'citizens.write',
  'catalogue.read',
  'assessments.read',
  'assessments.write',
  'assessments.cancel',
  'payments.read',
  'payments.initiate',
  'payments.split',
  'references.issue',
  'oversight.read',
  'oversight.audit',
  'webhooks.manage',
  'events.read',
] as const;

export type Scope = (typeof SCOPES)[number];

/** What the keys of an integrator that signed itself up may hold. */
export const STANDARD_SCOPES: readonly Scope[] = ['citizens.read', 'assessments.write', 'payments.initiate'];

/**
 * What tokens of agencies may be used for: reading what concerns the agency, getting messages about it, and issuing
 * payment references for assessments that are the agency's alone.
 */
export const AGENCY_SCOPES = [
  'catalogue.read',
  'assessments.read',
  'payments.read',
  'references.issue',
  'webhooks.manage',
  'events.read',
] as const satisfies Scope[];

/** Scopes that tokens of agencies alone hold: an account gets its own messages without one, and issues by another. */
const OF_AGENCIES: readonly string[] = ['webhooks.manage', 'events.read', 'references.issue'] satisfies Scope[];

/** What keys of integrators may hold. */
export const KEY_SCOPES = SCOPES.filter((scope) => !OF_AGENCIES.includes(scope));

export const ROLES = [
  'clerk',
  'supervisor',
  'admin',
  'system_manager',
  'oversight',
  'finance_officer',
  'auditor',
] as const;

export type Role = (typeof ROLES)[number];

const COUNTER: readonly Scope[] = [
  'citizens.read',
  'citizens.write',
  'catalogue.read',
  'assessments.read',
  'assessments.write',
  // Of what is unpaid in a shift of their own; supervisors, of anything.
  'assessments.cancel',
  'payments.initiate',
];

/** What staff may do beyond their own pages. */
const SCOPES_OF: Readonly<Record<Role, readonly Scope[]>> = {
  clerk: COUNTER,
  supervisor: COUNTER,
  admin: [...COUNTER, 'oversight.read'],
  system_manager: ['catalogue.read', 'payments.read'],
  oversight: ['oversight.read', 'catalogue.read'],
  finance_officer: ['catalogue.read', 'assessments.read', 'payments.read'],
  auditor: ['oversight.read'],
};

/** What staff of one of some roles may do; with a scope, a key that an operator issued may too. */
export const STAFF_NEEDS = {
  staff: { roles: ROLES, scope: null },
  counter: { roles: ['clerk', 'supervisor', 'admin'], scope: null },
  reviews: { roles: ['supervisor', 'admin'], scope: null },
  'supervision.read': { roles: ['supervisor', 'admin', 'finance_officer'], scope: 'assessments.read' },
  'supervision.write': { roles: ['supervisor', 'admin'], scope: 'assessments.write' },
  'propagation.read': { roles: ['admin', 'system_manager', 'oversight', 'finance_officer'], scope: null },
  'agency.read': { roles: ['supervisor', 'admin', 'oversight', 'finance_officer'], scope: null },
  'money.read': { roles: ['admin', 'system_manager', 'oversight', 'finance_officer'], scope: null },
  'reconciliation.read': { roles: ['admin', 'system_manager', 'oversight', 'finance_officer'], scope: null },
  // Of assessments that the caller sees.
  'assessment.money': { roles: ['admin', 'system_manager', 'oversight', 'finance_officer'], scope: null },
  'operations.read': { roles: ['admin', 'system_manager', 'oversight'], scope: null },
  'audit.read': { roles: ['admin', 'system_manager', 'oversight', 'auditor'], scope: null },
  // Not for those whose own look-ups it shows.
  'citizen_access.read': { roles: ['auditor'], scope: null },
  'operations.write': { roles: ['admin', 'system_manager'], scope: null },
  // Endpoints of messages, and the messages themselves: of operators' own account.
  'account.webhooks': { roles: ['admin', 'system_manager', 'oversight'], scope: null },
  'account.webhooks.manage': { roles: ['admin', 'system_manager'], scope: null },
  'approvals.read': { roles: ['admin', 'system_manager', 'oversight', 'supervisor', 'finance_officer'], scope: null },
  'approvals.write': { roles: ['admin', 'system_manager', 'supervisor'], scope: null },
  'admin.grant': { roles: ['admin'], scope: null },
} as const satisfies Record<string, { readonly roles: readonly Role[]; readonly scope: Scope | null }>;

/** The roles that a live rail gives to nobody who has not shown a second factor. */
const SECOND_FACTOR_ROLES: readonly Role[] = [
  'supervisor',
  'admin',
  'system_manager',
  'oversight',
  'finance_officer',
  'auditor',
];

/** Whether roles require a second factor on a live rail. */
export function needSecondFactor(roles: readonly string[]): boolean {
  return SECOND_FACTOR_ROLES.some((role) => roles.includes(role));
}

export type StaffNeed = keyof typeof STAFF_NEEDS;

/** What an account takes for its own endpoints and messages. */
const OF_ACCOUNT = { 'account.webhooks': 'account', 'account.webhooks.manage': 'account.manage' } as const;

/**
 * What something takes of some viewers instead of what it needs: of others than staff, which is how they use their own of
 * what is for staff, and of staff, who see the accounts of others.
 */
export const NEEDS_INSTEAD: Readonly<
  Partial<Record<'agency' | 'key' | 'session' | 'anonymous' | 'staff', Partial<Record<Need, Need>>>>
> = {
  staff: { 'account.read': 'operations.read' },
  agency: {
    'agency.read': 'payments.read',
    'propagation.read': 'payments.read',
    'assessment.money': 'payments.read',
    'account.webhooks': 'webhooks.manage',
    'account.webhooks.manage': 'webhooks.manage',
    'account.events': 'events.read',
  },
  key: { 'agency.read': 'oversight.read', 'assessment.money': 'payments.read', ...OF_ACCOUNT },
  session: { 'assessment.money': 'payments.read', ...OF_ACCOUNT },
  anonymous: OF_ACCOUNT,
};

/**
 * What a field asks of an integrator at its own account: to be one, to be one that may change it, or to be one that
 * gets messages, as agencies do by a scope.
 */
const ACCOUNT_NEEDS = ['account', 'account.manage', 'account.events'] as const;

/** What a field asks that shows a part of an account: to be the integrator itself, or staff who may see all accounts. */
export const PART_OF_ACCOUNT = 'account.read';

/** What a field asks that is about the caller's own login: to be staff, with a second factor or yet without. */
export const OWN_LOGIN = 'own.login';

/** What a field asks that is of the page of a payment link: to have come by the link. */
export const OF_PAYER = 'payer';

type AccountNeed = (typeof ACCOUNT_NEEDS)[number];

/**
 * What a field asks of its viewer: a scope, to be an integrator at its own account, to be staff of some
 * roles, or to have come by a payment link.
 */
export type Need = Scope | AccountNeed | typeof PART_OF_ACCOUNT | typeof OWN_LOGIN | typeof OF_PAYER | StaffNeed;

/** Who may write assessments may read them, and who may initiate payments may read those, and have people pay by number. */
export const IMPLIED: Partial<Record<Scope, Scope>> = {
  'assessments.read': 'assessments.write',
  'payments.read': 'payments.initiate',
  'references.issue': 'payments.initiate',
};

/**
 * What may be used within the walls of agencies: what shows, and changes, what is theirs alone. All else is of the rail
 * as a whole, and closed to who is bound to agencies, with any roles and scopes.
 */
const WITHIN_WALLS: ReadonlySet<Need> = new Set<Need>([
  'citizens.read',
  'citizens.write',
  'catalogue.read',
  'assessments.read',
  'assessments.write',
  'assessments.cancel',
  'payments.read',
  'payments.initiate',
  'references.issue',
  'webhooks.manage',
  'events.read',
  'staff',
  'counter',
  'reviews',
  'supervision.read',
  'supervision.write',
  'propagation.read',
  'money.read',
  'assessment.money',
  'reconciliation.read',
  'agency.read',
  'approvals.read',
  'approvals.write',
]);

/** Those of some scopes that hold within walls. */
export function withinWalls(scopes: Iterable<string>): Set<string> {
  return new Set([...scopes].filter((scope) => isScope(scope) && isWithinWalls(scope)));
}

export function isWithinWalls(need: Need): boolean {
  return WITHIN_WALLS.has(need);
}

export function scopesOf(roles: readonly Role[]): Set<string> {
  return new Set(roles.flatMap((role) => SCOPES_OF[role]));
}

/** The roles that fulfil a need of staff. */
export function rolesWith(need: Need): readonly Role[] {
  const scopes = [need, IMPLIED[need as Scope]];
  return staffRuleOf(need)?.roles ?? ROLES.filter((role) => SCOPES_OF[role].some((scope) => scopes.includes(scope)));
}

export function isScope(word: string): word is Scope {
  return (SCOPES as readonly string[]).includes(word);
}

export function isRole(word: string): word is Role {
  return (ROLES as readonly string[]).includes(word);
}

/** The rule of a need that staff fulfil; null for other needs. */
export function staffRuleOf(need: Need): { readonly roles: readonly Role[]; readonly scope: Scope | null } | null {
  return Object.hasOwn(STAFF_NEEDS, need) ? STAFF_NEEDS[need as StaffNeed] : null;
}

/** Whether a need is that of an integrator at its own account. */
export function isAccountNeed(need: Need): need is AccountNeed {
  return (ACCOUNT_NEEDS as readonly Need[]).includes(need);
}
