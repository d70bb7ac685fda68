/** What a column holds. */
export type Category = 'identifier' | 'contact' | 'personal' | 'credential' | 'free text' | 'money' | 'operational';

/** Whose data it is; `anyone`: a person may be named in what somebody wrote. */
export type Whose = 'citizen' | 'staff' | 'account' | 'anyone' | 'nobody';

/** What a column holds, whose data it is, and what it is for. */
export type Entry = readonly [category: Category, whose: Whose, purpose: string];

/** What the inventory says of a table. */
export interface TableEntry {
  /** What its rows are. */
  readonly holds: string;
  /** Whose affairs its rows are about, also where no column names them. */
  readonly about?: Whose;
  /** When rows go, and by which job; without it they stay. */
  readonly removed?: string;
  /** Who is shown its rows. */
  readonly shown: string;
  /** What `USUAL` and the types of columns do not say. */
  readonly columns?: Readonly<Record<string, Entry>>;
}

export type Entries = Readonly<Record<string, TableEntry>>;

const ACTED = 'who did it: the e-mail address of a member of staff, or the code of an account';
const WRITTEN = 'what somebody wrote';

const NAMES = 'names and states of records, services, agencies and accounts';

/** The same entry for several columns. */
export const all = (entry: Entry, ...columns: readonly string[]): Record<string, Entry> =>
  Object.fromEntries(columns.map((column) => [column, entry]));

/** Columns of a table about nobody. */
export const operational = (...columns: readonly string[]): Record<string, Entry> =>
  all(['operational', 'nobody', NAMES], ...columns);

/** Columns that mean the same in each table that has them. */
export const USUAL: Readonly<Record<string, Entry>> = {
  ...all(
    ['identifier', 'staff', ACTED],
    'actor',
    'asked_by',
    'asked_key_issued_by',
    'assignee',
    'created_by',
    'decided_by',
    'issued_by',
    'registered_by',
    'requested_by',
    'resolved_by',
    'set_by',
    'withdrawn_by',
  ),
  staff: ['identifier', 'staff', 'the e-mail address of a member of staff'],
  ...all(
    ['free text', 'anyone', WRITTEN],
    'asked_reason',
    'cancel_reason',
    'decided_reason',
    'decision_note',
    'description',
    'label',
    'note',
    'notes',
    'reason',
    'resolution',
    'revoked_reason',
    'suspended_reason',
    'title',
  ),
  ...all(['free text', 'anyone', 'what an integrator calls it, or attaches to it'], 'reference', 'metadata'),
  ...operational(
    'agencies',
    'agency',
    'aggregator',
    'anomaly',
    'assessment',
    'channels',
    'code',
    'country',
    'currency',
    'district',
    'document',
    'endpoint',
    'event',
    'family',
    'fiscal_year',
    'id',
    'integrator',
    'intent',
    'kid',
    'kind',
    'language',
    'lineage',
    'mda',
    'mdas',
    'message',
    'method',
    'mode',
    'name',
    'names',
    'object',
    'operations',
    'origins',
    'outcome',
    'path',
    'provider',
    'region',
    'replaces',
    'request_id',
    'role',
    'roles',
    'run',
    'scopes',
    'sector',
    'service',
    'service_name',
    'severity',
    'shift',
    'status',
    'type',
    'types',
    'version',
  ),
};
