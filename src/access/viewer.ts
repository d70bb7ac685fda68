import { Refusal } from '../refusal.ts';

/** Who calls, and what they may do. */
export interface Viewer {
  readonly kind: 'anonymous' | 'key' | 'session' | 'system';
  /** The name under which traces and audit rows know the caller. */
  readonly actor: string;
  /** The integrator that the caller acts for; null for anonymous callers and the rail itself. */
  readonly integrator: string | null;
  /** The docname of the key that was presented. */
  readonly key: string | null;
  /** The id of the session whose cookie was presented. */
  readonly session: string | null;
  readonly scopes: ReadonlySet<string>;
}

export const SCOPES = [
  'citizens.read',
  'citizens.write',
  'catalogue.read',
  'assessments.read',
  'assessments.write',
  'assessments.cancel',
  'payments.initiate',
  'oversight.read',
] as const;

export type Scope = (typeof SCOPES)[number];

/** What the keys of an integrator that signed itself up may hold. */
export const STANDARD_SCOPES: readonly Scope[] = ['citizens.read', 'assessments.write', 'payments.initiate'];

/** What a field asks of its viewer: a scope, or to be an integrator at its own account, by key or session. */
export type Need = Scope | 'account';

/** Who may write assessments may read them. */
const IMPLIED: Partial<Record<Scope, Scope>> = { 'assessments.read': 'assessments.write' };

export const anonymous: Viewer = { kind: 'anonymous', actor: 'anonymous', integrator: null, key: null, session: null, scopes: new Set() };

/** The rail acting by itself: a job, or a provider's callback. */
export function system(actor: string): Viewer {
  return { kind: 'system', actor, integrator: null, key: null, session: null, scopes: new Set() };
}

export function isScope(word: string): word is Scope {
  return (SCOPES as readonly string[]).includes(word);
}

export function holds(viewer: Viewer, scope: Scope): boolean {
  const wider = IMPLIED[scope];
  return viewer.scopes.has(scope) || (wider !== undefined && viewer.scopes.has(wider));
}

/** Why a viewer may not use what needs something; null where they may. */
export function refusalFor(viewer: Viewer, need: Need): Refusal | null {
  if (need === 'account') {
    if (viewer.integrator !== null) return null;
    return new Refusal('unauthenticated', 'Sign in, or send a bearer key as "Authorization: Bearer <key>"');
  }
  if (holds(viewer, need)) return null;
  if (viewer.kind === 'anonymous' || viewer.kind === 'session') {
    return new Refusal('unauthenticated', 'A bearer key is needed: send it as "Authorization: Bearer <key>"');
  }
  return new Refusal('forbidden', `This key lacks the scope ${need}`);
}

/** Whose records a viewer sees: those of one integrator, or, with null, all. */
export function ownerOf(viewer: Viewer): string | null {
  return viewer.kind === 'system' ? null : (viewer.integrator ?? '');
}
