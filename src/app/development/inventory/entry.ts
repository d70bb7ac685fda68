/** Categories of a column's content. */
const CATEGORIES = ['identifier', 'contact', 'personal', 'credential', 'free text', 'money', 'operational'] as const;
export type Category = (typeof CATEGORIES)[number];

/** People whose data it may be; `anyone`: a person may be named in somebody's text. */
const OWNERS = ['citizen', 'staff', 'account', 'anyone', 'nobody'] as const;
export type Whose = (typeof OWNERS)[number];

/** Content of a column, its owner, and its purpose. */
export type Entry = readonly [category: Category, whose: Whose, purpose: string];

/** Reads what a comment says of a column: `[category of whose] what it is for`. Null: the comment says nothing of it. */
export function readEntry(comment: string): Entry | null {
  const [, said, of = 'nobody', purpose = ''] = /\[([a-z ]+?)(?: of (\w+))?\](?: (.*))?$/.exec(comment) ?? [];
  if (said === undefined) return null;
  const category = CATEGORIES.find((one) => one === said);
  const whose = OWNERS.find((one) => one === of);
  if (!category || !whose) throw new Error(`${comment}: must be a category, and whose data it is`);
  return [category, whose, purpose];
}

/** Columns that mean the same in each table that has them. */
export const COMMON_ENTRIES: ReadonlyMap<string, Entry> = new Map(
  Object.entries({
    '[identifier of staff] who did it: the e-mail address of a member of staff, or the code of an account': `
      actor asked_by asked_key_issued_by assignee created_by decided_by issued_by registered_by requested_by
      resolved_by set_by withdrawn_by`,
    '[identifier of staff] the e-mail address of a member of staff': 'staff',
    '[free text of anyone] what somebody wrote': `
      asked_reason cancel_reason decided_reason decision_note description label note notes reason resolution
      revoked_reason suspended_reason title`,
    '[free text of anyone] what an integrator calls it, or attaches to it': 'reference metadata',
    '[operational]': `
      agencies agency aggregator anomaly assessment channels code country currency district document endpoint event
      family fiscal_year id integrator intent kid kind language lineage mda mdas message method mode name names object
      operations origins outcome path provider refund region replaces request_id role roles run scopes sector service
      service_name severity shift status type types version`,
  }).flatMap(([comment, columns]) => split(columns).map((column) => [column, readEntry(comment)!])),
);

/** The names in a text. */
export function split(names: string): string[] {
  return names.trim().split(/\s+/);
}
