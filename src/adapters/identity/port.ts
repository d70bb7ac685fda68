/** A person as the national identity authority knows them. */
export interface Identity {
  readonly nin: string;
  readonly fullName: string;
}

/** The national identity authority. Throws an `AdapterFailure` where it cannot answer. */
export interface IdentityAuthority {
  /** True if answers are made up, for trying the rail without an account at the authority. */
  readonly stub: boolean;
  /** The person with a NIN, or null where the authority knows none. */
  find(nin: string): Promise<Identity | null>;
}
