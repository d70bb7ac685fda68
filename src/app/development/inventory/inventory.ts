import { listDefinitions } from '../../../platform/database/migration/definitions.ts';
import { ACCOUNTS } from './accounts.ts';
import { COLLECTION } from './collection.ts';
import { type Entry, type TableEntry, USUAL } from './entry.ts';
import { RAIL } from './rail.ts';
import { columnsIn, readBlocks } from './schema.ts';
import { STAFF } from './staff.ts';

/** The entries of tables, by the headings that the page has. */
export const GROUPS = {
  'Citizens, assessments and payments': COLLECTION,
  'Accounts of integrators and agencies': ACCOUNTS,
  'Staff and what they do': STAFF,
  'The rail itself, and oversight': RAIL,
} as const;

export const ENTRIES: Readonly<Record<string, TableEntry>> = { ...COLLECTION, ...ACCOUNTS, ...STAFF, ...RAIL };

/** Types whose columns need words of their own, unless their name is usual: they can hold anything. */
const NEEDS_WORDS: ReadonlySet<string> = new Set(['String', 'Json', 'Bytes']);

export interface Column {
  readonly name: string;
  /** Null where nobody has said what it holds. */
  readonly entry: Entry | null;
}

export interface Table {
  readonly name: string;
  readonly model: string;
  readonly columns: readonly Column[];
  /** Whether triggers refuse to change or delete its rows. */
  readonly appendOnly: boolean;
}

/** Every table of Prisma's schema, with what each of its columns holds. */
export function listTables(): Table[] {
  const blocks = readBlocks('model');
  const models = new Set(blocks.map(({ name }) => name));
  const appendOnly = new Set(
    listDefinitions()
      .filter(({ kind, sql }) => kind === 'triggers' && sql.includes('refuse_rewriting'))
      .map(({ object }) => object),
  );
  return blocks.map((block) => ({
    name: block.table,
    model: block.name,
    columns: columnsIn(block, models).map(({ name, type }) => ({ name, entry: entryOf(block.table, name, type) })),
    appendOnly: appendOnly.has(block.table),
  }));
}

function entryOf(table: string, column: string, type: string): Entry | null {
  const own = ENTRIES[table]?.columns?.[column] ?? USUAL[column];
  if (own) return own;
  if (NEEDS_WORDS.has(type)) return null;
  return [type === 'Decimal' ? 'money' : 'operational', 'nobody', ''];
}
