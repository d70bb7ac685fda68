import type { Account } from './account.ts';
import { type BrowserTerms, EVERY_AGENCY, type Grant, type Grants, NO_AGENCY, NO_GRANTS, coversAll } from './grants.ts';
import { Refusal, forbidBecause } from '../../kernel/refusal.ts';
import {
  type Scope,
  type Role,
  STAFF_NEEDS,
  NEEDS_INSTEAD,
  OF_PAYER,
  OWN_LOGIN,
  PART_OF_ACCOUNT,
  type StaffNeed,
  type Need,
  IMPLIED,
  scopesOf,
  isRole,
  staffRuleOf,
  isAccountNeed,
  isWithinWalls,
  withinWalls,
} from './needs.ts';
import { say } from '../../kernel/text/said.ts';

/** The caller and its rights. */
export interface Viewer extends Grants {
  readonly kind: 'anonymous' | 'key' | 'session' | 'staff' | 'agency' | 'payer' | 'system';
  /**
   * The name under which traces and audit rows know the caller: an integrator's code, the address of a member of
   * staff, an agency's code, or the docname of a payer's link.
   */
  readonly actor: string;
  /** The integrator that the caller acts for; null for anonymous callers, staff and the rail itself. */
  readonly integrator: string | null;
  /** The docname of the key that was presented. */
  readonly key: string | null;
  /**
   * Owner of stored answers: a key and those that replaced it, a session, or a member of staff; null without a
   * credential. Answers to one key of an integrator are not for its other keys.
   */
  readonly credential: string | null;
  /** The id of the session whose cookie was presented. */
  readonly session: string | null;
  readonly scopes: ReadonlySet<string>;
  /** Roles of a member of staff. */
  readonly roles: ReadonlySet<Role>;
  /** The operator that issued the key that was presented; null where the integrator did. */
  readonly issuedBy: string | null;
  /** Decisions of operators on the caller's account; null without an account. */
  readonly account: Account | null;
  /** True if a live rail's key is for trials alone, since it or its account is not live. */
  readonly trial: boolean;
  /**
   * The agencies whose records the viewer may see and touch, of those that they see at all: a wall around staff who are
   * bound to agencies, and around an agency itself.
   */
  readonly agencies: Grant;
  /** Bounds of a browser key; null for all others. */
  readonly browser: BrowserTerms | null;
  /**
   * True if a member of staff has yet to enrol the second factor that their roles require: until then they have no role
   * nor scope, and may do nothing else.
   */
  readonly mustEnrol: boolean;
  /** The link that a payer came by, with the secret that it ends with; null for all others. */
  readonly payer: { readonly link: string; readonly token: string } | null;
}

/** The account's part in a viewer that acts for it. */
type Standing = Partial<Pick<Viewer, 'account' | 'trial' | 'browser'>>;

const nobody = {
  integrator: null,
  key: null,
  credential: null,
  session: null,
  scopes: new Set<string>(),
  roles: new Set<Role>(),
  issuedBy: null,
  account: null,
  trial: false,
  agencies: EVERY_AGENCY,
  browser: null,
  mustEnrol: false,
  payer: null,
  ...NO_GRANTS,
};

export const anonymous: Viewer = { ...nobody, kind: 'anonymous', actor: 'anonymous' };

/**
 * Nobody, though with a cookie: it was left aside, since a page of another origin sent it along with what would change
 * something.
 */
export const cookieLeftAside: Viewer = { ...anonymous };

/** Nobody, though with the cookie of staff, which counts for nothing at an account. */
export const staffCookieLeftAside: Viewer = { ...anonymous };

/** Reason why a cookie was ignored, by the viewer that its request became. */
const LEFT_ASIDE: ReadonlyMap<Viewer, string> = new Map([
  [
    cookieLeftAside,
    'The cookie was ignored because a page of another origin sent this request (see its Origin or Sec-Fetch-Site)',
  ],
  [
    staffCookieLeftAside,
    'The cookie sid is for staff and not valid for accounts: sign in to the account, or send an API key as "Authorization: Bearer <key>"',
  ],
]);

/** The rail itself: a job, or a provider's callback. */
export function actAsSystem(actor: string): Viewer {
  return { ...nobody, kind: 'system', actor };
}

/** An operator at the machine itself. */
export const commandLine: Viewer = actAsSystem('command line');

export function viewKey(
  key: Grants & {
    name: string;
    lineage: string;
    integrator: string;
    scopes: readonly string[];
    issuedBy: string | null;
  },
  { account = null, trial = false, browser = null }: Standing = {},
): Viewer {
  const { name, lineage, integrator, scopes, issuedBy, supervises, counters, managesAccount } = key;
  const credential = `key:${lineage}`;
  return {
    ...nobody,
    kind: 'key',
    actor: integrator,
    integrator,
    key: name,
    credential,
    scopes: new Set(scopes),
    issuedBy,
    supervises,
    counters,
    managesAccount,
    account,
    trial,
    browser,
  };
}

export function viewSession(session: { id: string; integrator: string }, account: Account | null = null): Viewer {
  return {
    ...nobody,
    kind: 'session',
    actor: session.integrator,
    integrator: session.integrator,
    credential: `session:${session.id}`,
    session: session.id,
    // Somebody who is signed in to an account sees what it has done; what is done is done with a key.
    scopes: new Set<Scope>(['assessments.read', 'payments.read']),
    managesAccount: true,
    account,
  };
}

/** A member of staff; with `agencies`, bound to them. */
export function viewStaff(session: {
  id: string;
  email: string;
  roles: readonly string[];
  agencies: readonly string[];
  mustEnrol?: boolean;
}): Viewer {
  const { mustEnrol = false } = session;
  const roles = mustEnrol ? [] : session.roles.filter(isRole);
  const agencies = session.agencies.length === 0 ? EVERY_AGENCY : session.agencies;
  const held = scopesOf(roles);
  const grantedBy = (need: StaffNeed) =>
    STAFF_NEEDS[need].roles.some((role) => roles.includes(role)) ? agencies : NO_AGENCY;
  return {
    ...nobody,
    kind: 'staff',
    actor: session.email,
    // After a change of agencies, staff do not get answers from within other walls.
    credential: ['staff', session.email, ...session.agencies].join(':'),
    session: session.id,
    mustEnrol,
    roles: new Set(roles),
    scopes: agencies === EVERY_AGENCY ? held : withinWalls(held),
    agencies,
    supervises: grantedBy('supervision.read'),
    counters: grantedBy('counter'),
  };
}

/** An agency itself, by a token that it was given for a key of its own: it sees what is its own, and nothing else. */
export function viewAgency(token: {
  mda: string;
  /** The docname of the key that the agency asked for the token with. */
  key: string;
  scopes: readonly string[];
}): Viewer {
  const { mda, key, scopes } = token;
  return {
    ...nobody,
    kind: 'agency',
    actor: mda,
    key,
    credential: `agency:${mda}`,
    scopes: withinWalls(scopes),
    agencies: [mda],
  };
}

/** Somebody who came by a payment link: they see no record, and reach the page of that link alone. */
export function viewPayer(payer: { readonly link: string; readonly token: string }): Viewer {
  const { link } = payer;
  return { ...nobody, kind: 'payer', actor: link, credential: `link:${link}`, agencies: NO_AGENCY, payer };
}

/** True if a viewer may use a scope. */
export function holds(viewer: Viewer, scope: Scope): boolean {
  return hasScope(viewer, scope) && !(viewer.trial && scope !== TRIED_SCOPE);
}

/** True if a viewer has a scope, perhaps for the day on which its account is live. */
export function hasScope(viewer: Viewer, scope: Scope): boolean {
  const wider = IMPLIED[scope];
  return viewer.scopes.has(scope) || (wider !== undefined && viewer.scopes.has(wider));
}

/** Scope that a key may use on a live rail before it is live itself. */
const TRIED_SCOPE: Scope = 'catalogue.read';

/** Reason why a viewer does not meet a need; null if they do. */
export function findRefusal(viewer: Viewer, need: Need): Refusal | null {
  const refusal = findReasonAgainst(viewer, need);
  const leftAside = LEFT_ASIDE.get(viewer);
  return refusal === null || leftAside === undefined ? refusal : new Refusal('unauthenticated', leftAside);
}

/**
 * Reason why a viewer may not follow an edge of a record that they see; null if they may. Those who have shown a
 * credential are not asked for one of another kind.
 */
export function findEdgeRefusal(viewer: Viewer, need: Need): Refusal | null {
  const refusal = findRefusal(viewer, need);
  if (refusal?.code !== 'unauthenticated' || viewer.kind === 'anonymous') return refusal;
  const rule = staffRuleOf(need);
  if (rule) return refuseRoles(rule.roles);
  return new Refusal(
    'forbidden',
    isAccountNeed(need) ? 'This is for the account itself' : `This takes an API key with the scope ${need}`,
  );
}

function refuseRoles(roles: readonly Role[]): Refusal {
  return new Refusal('forbidden', say`This requires one of the roles ${roles.join(', ')}`);
}

function findReasonAgainst(viewer: Viewer, need: Need): Refusal | null {
  const asked = NEEDS_INSTEAD[viewer.kind as keyof typeof NEEDS_INSTEAD]?.[need] ?? need;
  return RULES[viewer.mustEnrol ? 'unproved' : viewer.browser ? 'browser' : viewer.kind][subjectOf(asked)](
    viewer,
    asked,
  );
}

/** Subject of a need: the page of a payment link, one's own login, work of staff, an account, or a scope. */
type Subject = 'link' | 'login' | 'staff' | 'account' | 'scope';

function subjectOf(need: Need): Subject {
  if (need === OF_PAYER) return 'link';
  if (need === OWN_LOGIN) return 'login';
  if (need === PART_OF_ACCOUNT || isAccountNeed(need)) return 'account';
  return staffRuleOf(need) ? 'staff' : 'scope';
}

/** Reason why a viewer does not meet a need; null if they do. */
type Rule = (viewer: Viewer, need: Need) => Refusal | null;

const refuse =
  (code: 'forbidden' | 'unauthenticated', message: string): Rule =>
  () =>
    new Refusal(code, message);

const may: Rule = () => null;
const forStaff: Rule = refuseAllButStaff;
const unproved: Rule = refuseUnproved;
const sendLink = refuse('unauthenticated', 'Send the token of a payment link as "Authorization: Bearer <token>"');
const takesLink = refuse('forbidden', 'This takes the token of a payment link');
const isLink = refuse('forbidden', 'This is the token of a payment link: it opens its page');
const isBrowser = refuse('forbidden', 'This is a browser key: it reads oversight alone');
const isAgency = refuse('forbidden', 'This is the token of an agency, which has no account');
const signIn = refuse('unauthenticated', 'Sign in, or send an API key as "Authorization: Bearer <key>"');
const sendKey = refuse('unauthenticated', 'An API key is required: send it as "Authorization: Bearer <key>"');

const ownAccount: Rule = ({ managesAccount }, need) =>
  need !== 'account.manage' || managesAccount ? null : refuseUnmanaged();

/** By a scope that the viewer holds; the other rule says why without. */
const byScope =
  (without: Rule): Rule =>
  (viewer, scope) =>
    holds(viewer, scope as Scope) ? null : without(viewer, scope);
const sessionScope = byScope(sendKey);
const roleScope = byScope((_, scope) => new Refusal('forbidden', say`Your roles do not include the scope ${scope}`));
const tokenScope = byScope((_, scope) => new Refusal('forbidden', `This token lacks the scope ${scope}`));
const keyScope = byScope((viewer, scope) =>
  isTried(viewer, scope as Scope) ? refuseTrial(viewer) : new Refusal('forbidden', `This key lacks the scope ${scope}`),
);
const browserScope: Rule = (viewer, scope) => (scope === 'oversight.read' ? keyScope : isBrowser)(viewer, scope);

const byRoles: Rule = (viewer, need) => {
  const { roles } = staffRuleOf(need)!;
  if (!roles.some((role) => viewer.roles.has(role))) return refuseRoles(roles);
  return coversAll(viewer.agencies) || isWithinWalls(need)
    ? null
    : new Refusal('forbidden', say`This is for staff of all agencies; you are bound to some`);
};

/** A key that supervises agencies has a part in what supervisors do. */
const supervising: Rule = (viewer, need) => {
  const { scope } = staffRuleOf(need)!;
  if (scope === null) return refuseAllButStaff();
  const refusal = keyScope(viewer, scope);
  return refusal || viewer.supervises.length > 0
    ? refusal
    : new Refusal('forbidden', 'This key supervises no agency; operators grant supervision when they issue a key');
};

/** A line for each viewer: keys in browsers, and staff who have yet to prove a second factor, are held to fewer things. */
const RULES: Readonly<Record<Viewer['kind'] | 'browser' | 'unproved', Readonly<Record<Subject, Rule>>>> = {
  anonymous: { link: sendLink, login: forStaff, staff: forStaff, account: signIn, scope: sendKey },
  key: { link: takesLink, login: forStaff, staff: supervising, account: ownAccount, scope: keyScope },
  browser: { link: takesLink, login: forStaff, staff: isBrowser, account: isBrowser, scope: browserScope },
  session: { link: takesLink, login: forStaff, staff: forStaff, account: ownAccount, scope: sessionScope },
  staff: { link: takesLink, login: may, staff: byRoles, account: signIn, scope: roleScope },
  unproved: { link: takesLink, login: may, staff: unproved, account: unproved, scope: unproved },
  agency: { link: takesLink, login: forStaff, staff: forStaff, account: isAgency, scope: tokenScope },
  payer: { link: may, login: isLink, staff: isLink, account: isLink, scope: isLink },
  system: { link: takesLink, login: forStaff, staff: forStaff, account: signIn, scope: keyScope },
};

/** True if a scope is refused only because the key, or its account, is not live. */
function isTried(viewer: Viewer, scope: Scope): boolean {
  return viewer.trial && scope !== TRIED_SCOPE;
}

function refuseTrial({ account }: Viewer): Refusal {
  return new Refusal(
    'forbidden',
    account?.tier === 'live'
      ? 'This is a sandbox key: issue a live one with POST /v1/me/keys'
      : 'Not live yet: ask for it with POST /v1/me:request-live',
  );
}

function refuseUnproved(): Refusal {
  return forbidBecause(
    'second_factor_required',
    'Your roles require a second factor: enrol one with `enrolSecondFactor`, log in with its code, or show one with `verifySecondFactor`',
    'second_factor',
  );
}

function refuseUnmanaged(): Refusal {
  return new Refusal('forbidden', 'This key may not manage the account: sign in, or use a key with managesAccount');
}

/** True if a caller shows a program's credential, a key or a token, and so can be no session. */
export function showsBearer({ kind }: Viewer): boolean {
  return kind === 'key' || kind === 'agency' || kind === 'payer';
}

/** A refusal of callers without a session of staff where only that counts. */
export function refuseAllButStaff(): Refusal {
  return new Refusal('unauthenticated', 'Staff must log in with `staffLogIn`');
}

/** Owner of the records that a viewer sees: one integrator, or null for all that their agencies let them see. */
export function ownerOf(viewer: Viewer): string | null {
  return viewer.kind === 'system' || viewer.kind === 'staff' || viewer.kind === 'agency'
    ? null
    : (viewer.integrator ?? '');
}
