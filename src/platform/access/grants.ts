/** The agencies that something was granted for: their codes, or `*` alone for all of them. */
export type Grant = readonly string[];

const ALL = '*';

export const EVERY_AGENCY: Grant = [ALL];
export const NO_AGENCY: Grant = [];

/** What a key may do in addition to its scopes. The first two are given by operators alone. */
export interface Grants {
  /** The agencies whose counters it supervises. */
  readonly supervises: Grant;
  /** The agencies at whose counters it may take cash. */
  readonly counters: Grant;
  /** Whether it may change the account that it belongs to: other keys, profile and webhooks. */
  readonly managesAccount: boolean;
}

/** What a key is bound to that stands in a browser; where it names no operations or agencies, it is bound to none. */
export interface BrowserTerms {
  readonly origins: readonly string[];
  readonly operations: readonly string[];
  readonly agencies: readonly string[];
}

export const NO_BROWSER: BrowserTerms = { origins: [], operations: [], agencies: [] };

export const NO_GRANTS: Grants = { supervises: NO_AGENCY, counters: NO_AGENCY, managesAccount: false };

/** Whether something was granted for an agency. */
export function covers(grant: Grant, mda: string): boolean {
  return coversAll(grant) || grant.includes(mda);
}

/** Whether something was granted for all agencies, those to come among them. */
export function coversAll(grant: Grant): boolean {
  return grant.includes(ALL);
}

/** Whether a list allows what another one does not; `*` stands for all. */
export function isBeyond(grant: Grant, former: Grant): boolean {
  return !coversAll(former) && grant.some((one) => !former.includes(one));
}
