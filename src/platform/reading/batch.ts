import DataLoader from 'dataloader';
import type { Call } from '../call/call.ts';
import { SideTable } from '../../kernel/side-table.ts';

type Loader = DataLoader<string, unknown>;

const loaders = new SideTable<Call, Map<unknown, Loader>>();

/**
 * Reads by key what the fields of one operation ask for at the same moment with one statement. `purpose` tells what is
 * read from what else is: the same for all keys that `read` may be handed together. Nothing is kept: what is asked
 * for later is read again, since a mutation or a long stream may have seen it change.
 */
export function loadTogether<Value>(
  call: Call,
  purpose: unknown,
  key: string,
  read: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): Promise<Value | null> {
  const known = loaders.of(call, () => new Map());
  let loader = known.get(purpose) as DataLoader<string, Value | null> | undefined;
  if (!loader) {
    loader = new DataLoader(
      async (keys) => {
        const found = await read([...new Set(keys)]);
        return keys.map((each) => found.get(each) ?? null);
      },
      { cache: false },
    );
    known.set(purpose, loader);
  }
  return loader.load(key);
}

const moments = new SideTable<Call, Date | null>();

/**
 * The time, for a statement that is read together with others of the operation: those that are asked for at the same
 * moment are handed the same.
 */
export function nowTogether(call: Call): Date {
  let now = moments.get(call);
  if (!now) {
    now = call.now();
    moments.set(call, now);
    setImmediate(() => moments.set(call, null));
  }
  return now;
}

/** Loader of records of one kind by their IDs, each under the rules of who may see it. */
export interface RecordLoader<Row> {
  /** The record of this id; null where there is none for the caller. */
  readonly load: (call: Call, id: string) => Promise<Row | null>;
  /** The field of a record that holds its id. */
  readonly key: string;
}

/**
 * Makes a reader of what belongs to a record, such as its lines: of a statement that finds what belongs to some, in the
 * order in which it is answered.
 */
export function loadByOwner<Row>(
  ownerOf: (row: Row) => string,
  find: (call: Call, owners: readonly string[]) => Promise<readonly Row[]>,
): (call: Call, owner: string) => Promise<readonly Row[]> {
  return async (call, owner) =>
    (await loadTogether(call, find, owner, async (owners) => Map.groupBy(await find(call, owners), ownerOf))) ?? [];
}

/** Makes a loader of a statement that finds the caller's records among some docnames. */
export function loadByName<Row extends { readonly name: string }>(
  find: (call: Call, names: readonly string[]) => Promise<readonly Row[]>,
): RecordLoader<Row> {
  return loadByKey('name', ({ name }) => name, find);
}

/** Makes a loader of a statement that finds the caller's records among some ids, which are not docnames. */
export function loadByKey<Row>(
  key: keyof Row & string,
  idOf: (row: Row) => string,
  find: (call: Call, ids: readonly string[]) => Promise<readonly Row[]>,
): RecordLoader<Row> {
  return {
    key,
    load: (call, id) =>
      loadTogether(call, find, id, async (ids) => new Map((await find(call, ids)).map((row) => [idOf(row), row]))),
  };
}
