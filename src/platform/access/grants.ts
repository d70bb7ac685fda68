/** The agencies that something was granted for: their codes, or `*` alone for all of them. */
export type Grant = readonly string[];

const ALL = '*';

export const EVERY_AGENCY: Grant = [ALL];
export const NO_AGENCY: Grant = [];

/** Rights of a key in addition to its scopes. Only operators give the first two. */
export interface Grants {
  /** The agencies whose counters it supervises. */
  readonly supervises: Grant;
  /** The agencies at whose counters it may take cash. */
  readonly counters: Grant;
  /** True if it may change the account that it belongs to: other keys, profile and webhooks. */
  readonly managesAccount: boolean;
}

/** Bounds of a browser key; without operations or agencies it is not bound to any. */
export interface BrowserTerms {
  readonly origins: readonly string[];
  readonly operations: readonly string[];
  readonly agencies: readonly string[];
}

export const NO_BROWSER: BrowserTerms = { origins: [], operations: [], agencies: [] };

export const NO_GRANTS: Grants = { supervises: NO_AGENCY, counters: NO_AGENCY, managesAccount: false };

/** True if something was granted for an agency. */
export function covers(grant: Grant, mda: string): boolean {
  return coversAll(grant) || grant.includes(mda);
}

/** True if something was granted for all agencies, future ones included. */
export function coversAll(grant: Grant): boolean {
  return grant.includes(ALL);
}

/** True if a list allows something that another does not; `*` stands for all. */
export function isBeyond(grant: Grant, former: Grant): boolean {
  return !coversAll(former) && grant.some((one) => !former.includes(one));
}
