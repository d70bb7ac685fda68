export const SCOPES = [
  'citizens.read',
  'citizens.write',
  'catalogue.read',
  'assessments.read',
  'assessments.write',
  'assessments.cancel',
  'assessments.import',
  'payments.read',
  'payments.initiate',
  'payments.split',
  'payments.refund',
  'refunds.request',
  'references.issue',
  'books.write',
  'oversight.read',
  'oversight.audit',
  'webhooks.manage',
  'events.read',
] as const;

export type Scope = (typeof SCOPES)[number];

/** Scopes for the keys of an integrator that signed itself up. */
export const STANDARD_SCOPES: readonly Scope[] = ['citizens.read', 'assessments.write', 'payments.initiate'];

/**
 * Scopes for tokens of agencies: reading the agency's data, getting messages about it, and making, cancelling and having
 * people pay assessments that are the agency's alone.
 */
export const AGENCY_SCOPES = [
  'citizens.read',
  'catalogue.read',
  'assessments.read',
  'assessments.write',
  'assessments.cancel',
  'assessments.import',
  'payments.read',
  'references.issue',
  'refunds.request',
  'books.write',
  'webhooks.manage',
  'events.read',
] as const satisfies Scope[];

/** Scopes that tokens of agencies alone hold: an account gets its own messages without one, and issues by another. */
const OF_AGENCIES: readonly string[] = [
  'assessments.import',
  'books.write',
  'webhooks.manage',
  'events.read',
  'references.issue',
  'refunds.request',
] satisfies Scope[];

/** Scopes for keys of integrators. */
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
  // Clerks cancel unpaid assessments of their own shift; supervisors, any.
  'assessments.cancel',
  'payments.initiate',
];

/** Scopes of staff beyond their own pages. */
const SCOPES_OF: Readonly<Record<Role, readonly Scope[]>> = {
  clerk: COUNTER,
  supervisor: COUNTER,
  admin: [...COUNTER, 'assessments.import', 'books.write', 'oversight.read'],
  system_manager: ['catalogue.read', 'assessments.import', 'books.write', 'payments.read'],
  oversight: ['oversight.read', 'catalogue.read'],
  finance_officer: ['catalogue.read', 'assessments.read', 'assessments.import', 'books.write', 'payments.read'],
  auditor: ['oversight.read'],
};

/** Roles of staff for each need; with a scope, a key that an operator issued serves too. */
export const STAFF_NEEDS = {
  staff: { roles: ROLES, scope: null },
  counter: { roles: ['clerk', 'supervisor', 'admin'], scope: null },
  organisations: { roles: ['clerk', 'supervisor', 'admin'], scope: null },
  reviews: { roles: ['supervisor', 'admin'], scope: null },
  'supervision.read': { roles: ['supervisor', 'admin', 'finance_officer'], scope: 'assessments.read' },
  'supervision.write': { roles: ['supervisor', 'admin'], scope: 'assessments.write' },
  'propagation.read': { roles: ['admin', 'system_manager', 'oversight', 'finance_officer'], scope: null },
  'agency.read': { roles: ['supervisor', 'admin', 'oversight', 'finance_officer'], scope: null },
  'money.read': { roles: ['admin', 'system_manager', 'oversight', 'finance_officer'], scope: null },
  'reconciliation.read': { roles: ['admin', 'system_manager', 'oversight', 'finance_officer'], scope: null },
  // For assessments that the caller sees.
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
  'approvals.write': { roles: ['admin', 'system_manager', 'supervisor', 'finance_officer'], scope: null },
  'money.write': { roles: ['admin', 'system_manager', 'finance_officer'], scope: null },
  'replacements.write': { roles: ['supervisor', 'admin', 'system_manager', 'finance_officer'], scope: null },
  'refunds.write': { roles: ['supervisor', 'admin', 'finance_officer'], scope: 'payments.refund' },
  'refunds.decide': { roles: ['supervisor', 'admin', 'finance_officer'], scope: null },
  'refunds.cash': { roles: ['clerk', 'supervisor', 'admin'], scope: null },
  'refunds.pay': { roles: ['admin', 'finance_officer'], scope: null },
  'exemptions.read': { roles: ['supervisor', 'admin', 'system_manager', 'oversight', 'finance_officer'], scope: null },
  'exemptions.request': { roles: ['supervisor', 'admin', 'finance_officer'], scope: null },
  'books.read': {
    roles: ['supervisor', 'admin', 'system_manager', 'oversight', 'finance_officer', 'auditor'],
    scope: null,
  },
  'books.sign': { roles: ['finance_officer'], scope: null },
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

/** True if roles require a second factor on a live rail. */
export function needSecondFactor(roles: readonly string[]): boolean {
  return SECOND_FACTOR_ROLES.some((role) => roles.includes(role));
}

export type StaffNeed = keyof typeof STAFF_NEEDS;

/** Needs of an account for its own endpoints and messages. */
const OF_ACCOUNT = { 'account.webhooks': 'account', 'account.webhooks.manage': 'account.manage' } as const;

/**
 * Needs of some viewers that replace the declared one: of others than staff, which is how they use their own share of a
 * field for staff, and of staff, who see the accounts of others.
 */
export const NEEDS_INSTEAD: Readonly<
  Partial<Record<'agency' | 'key' | 'session' | 'anonymous' | 'staff', Partial<Record<Need, Need>>>>
> = {
  staff: { 'account.read': 'operations.read' },
  agency: {
    'agency.read': 'payments.read',
    'books.read': 'payments.read',
    'propagation.read': 'payments.read',
    'assessment.money': 'payments.read',
    'refunds.write': 'refunds.request',
    organisations: 'assessments.write',
    'exemptions.read': 'assessments.read',
    'exemptions.request': 'assessments.write',
    'replacements.write': 'assessments.write',
    'account.webhooks': 'webhooks.manage',
    'account.webhooks.manage': 'webhooks.manage',
    'account.events': 'events.read',
  },
  key: {
    'agency.read': 'oversight.read',
    'assessment.money': 'payments.read',
    'refunds.write': 'payments.refund',
    ...OF_ACCOUNT,
  },
  session: { 'assessment.money': 'payments.read', 'refunds.write': 'payments.refund', ...OF_ACCOUNT },
  anonymous: OF_ACCOUNT,
};

/**
 * Needs of an integrator at its own account: to be one, to be one that may change it, or to be one that gets messages,
 * as agencies do by a scope.
 */
const ACCOUNT_NEEDS = ['account', 'account.manage', 'account.events'] as const;

/** Need of a field that shows a part of an account: to be the integrator itself, or staff who may see all accounts. */
export const PART_OF_ACCOUNT = 'account.read';

/** Need of a field about the caller's own login: to be staff, with a second factor or yet without. */
export const OWN_LOGIN = 'own.login';

/** Need of a field of the page of a payment link: to have come by the link. */
export const OF_PAYER = 'payer';

type AccountNeed = (typeof ACCOUNT_NEEDS)[number];

/**
 * Need of a field: a scope, to be an integrator at its own account, to be staff of some roles, or to have come by a
 * payment link.
 */
export type Need = Scope | AccountNeed | typeof PART_OF_ACCOUNT | typeof OWN_LOGIN | typeof OF_PAYER | StaffNeed;

/** Scopes that others imply: who may write assessments may read them; who may initiate payments may read those. */
export const IMPLIED: Partial<Record<Scope, Scope>> = {
  'assessments.read': 'assessments.write',
  'payments.read': 'payments.initiate',
  'references.issue': 'payments.initiate',
};

/**
 * Needs within the walls of agencies: fields that show, and change, an agency's own records. All others are of the rail
 * as a whole, and closed to staff bound to agencies, with any roles and scopes.
 */
const WITHIN_WALLS: ReadonlySet<Need> = new Set<Need>([
  'citizens.read',
  'citizens.write',
  'catalogue.read',
  'assessments.read',
  'assessments.write',
  'assessments.cancel',
  'assessments.import',
  'payments.read',
  'payments.initiate',
  'references.issue',
  'webhooks.manage',
  'events.read',
  'staff',
  'counter',
  'organisations',
  'reviews',
  'supervision.read',
  'supervision.write',
  'propagation.read',
  'money.read',
  'money.write',
  'assessment.money',
  'reconciliation.read',
  'agency.read',
  'approvals.read',
  'approvals.write',
  'payments.refund',
  'refunds.request',
  'replacements.write',
  'refunds.write',
  'refunds.decide',
  'refunds.cash',
  'refunds.pay',
  'exemptions.read',
  'exemptions.request',
  'books.read',
  'books.write',
  'books.sign',
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

/** True for a need of an integrator at its own account. */
export function isAccountNeed(need: Need): need is AccountNeed {
  return (ACCOUNT_NEEDS as readonly Need[]).includes(need);
}
