import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Meaning of a database error for the caller. The first five pass without a change of the request; `conflict` is tried
 * again at once if possible, and `bad_input` is the caller's to mend. Everything else is a bug.
 */
export type Fault = 'outage' | 'exhausted' | 'full' | 'read_only' | 'cancelled' | 'conflict' | 'bad_input';

/** By SQLSTATE, or by its class where all of that mean the same. */
const BY_SQLSTATE: Readonly<Record<string, Fault>> = {
  '08': 'outage', // the connection
  '28': 'outage', // the rail's own name or password
  '3D000': 'outage', // there is no such database
  '57P': 'outage', // it stops, crashed, starts, or the session was ended
  '25P03': 'outage', // the session was ended in the middle of a transaction
  '40003': 'outage', // nobody knows what became of the statement
  '53': 'exhausted', // memory, connections, a limit of the server's
  '53100': 'full', // the disk
  '58030': 'full', // the disk cannot be read or written
  '25006': 'read_only', // a standby, or made so
  '57014': 'cancelled', // it took too long, or somebody ended it
  '55P03': 'cancelled', // it waited too long for a lock
  '25P04': 'cancelled', // its transaction took too long
  '40001': 'conflict', // it could not be serialised with another
  '40P01': 'conflict', // a deadlock
  '22001': 'bad_input', // a text is too long
  '22003': 'bad_input', // a number is out of range
  '22007': 'bad_input', // no date or time
  '22008': 'bad_input', // a date or time is out of range
  '22021': 'bad_input', // a character that cannot be stored
  '22P02': 'bad_input', // a text that is no value of its type
  '22P05': 'bad_input', // a character that cannot be converted
};

/** Codes of the socket and of Prisma instead of an SQLSTATE. */
const BY_CODE: Readonly<Record<string, Fault>> = Object.fromEntries([
  ...'ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT ENOTFOUND EAI_AGAIN EHOSTDOWN EHOSTUNREACH ENETDOWN ENETUNREACH'
    .split(' ')
    .map((code) => [code, 'outage']),
  ...'P1000 P1001 P1002 P1008 P1017 P2024 P2037'.split(' ').map((code) => [code, 'outage']),
  ['P2034', 'conflict'],
]);

/** Messages of node-postgres without any code. */
const OUTAGE_MESSAGE =
  /Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Cannot use a pool after|Can't reach database server|not queryable|not currently accepting connections/;

/** Fault that an error of the database means; null for a bug, and for other errors. */
export function faultOf(error: unknown): Fault | null {
  for (const link of chain(error)) {
    const known = codesOf(link)
      .map((code) => BY_CODE[code] ?? faultOfSqlstate(code))
      .find((fault) => fault !== undefined);
    if (known) return known;
    if (OUTAGE_MESSAGE.test(link.message)) return 'outage';
  }
  return null;
}

function faultOfSqlstate(code: string): Fault | undefined {
  if (!/^[0-9A-Z]{5}$/.test(code)) return undefined;
  return BY_SQLSTATE[code] ?? BY_SQLSTATE[code.slice(0, 3)] ?? BY_SQLSTATE[code.slice(0, 2)];
}

/** True if an error says that the database cannot be reached now: the connection is of no use any more. */
export function isOutage(error: unknown): boolean {
  return faultOf(error) === 'outage';
}

/** True if the connection ended before the statement's outcome was known: it may have been carried out. */
export function isUnsure(error: unknown): boolean {
  return chain(error).some(
    (link) =>
      codesOf(link).some((code) => ['ECONNRESET', 'EPIPE', 'ETIMEDOUT', '40003'].includes(code)) ||
      /Connection terminated|Query read timeout/.test(link.message),
  );
}

/** True if the request was right, and may succeed in a moment. */
export function isPassing(error: unknown): boolean {
  const fault = faultOf(error);
  return fault !== null && fault !== 'bad_input';
}

/** True if a statement lost against another one, and may simply be tried again. */
export function isConflict(error: unknown): boolean {
  return faultOf(error) === 'conflict';
}

const MOST_CONFLICTS = 3;

/** Sends a transaction again that lost against another one: nothing of it was done. */
export async function retryOnConflict<T>(send: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await send();
    } catch (error) {
      if (!isConflict(error) || tries === MOST_CONFLICTS) throw error;
      await sleep(Math.random() * 10 * 2 ** tries);
    }
  }
}

/** True if a statement took longer than its session allows, rather than that somebody ended it. */
export function isTimedOut(error: unknown): boolean {
  return chain(error).some((link) => codesOf(link).includes('57014') && !/user request/.test(link.message));
}

/** True if the client gave up a statement, since the server did not answer in time. */
export function isGivenUp(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** True if a statement was not prepared, since the one on its connection that was to do that failed. */
export function isUnprepared(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === '26000';
}

/** True if a row found no table of its month: the only check violation that names no constraint. */
export function isPartitionMissing(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === '23514' && !('constraint' in error && error.constraint);
}

/** The unique constraint that a statement ran into, or null. */
export function violatedUniqueOf(error: unknown): string | null {
  if (!(error instanceof Error) || codeOf(error) !== '23505') return null;
  return 'constraint' in error && typeof error.constraint === 'string' ? error.constraint : '';
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** The code of an error, and the one that PostgreSQL gave where Prisma put its own in its place. */
function codesOf(error: Error): string[] {
  const meta =
    'meta' in error
      ? (error.meta as { driverAdapterError?: { cause?: { originalCode?: unknown } } } | undefined)
      : undefined;
  const original = meta?.driverAdapterError?.cause?.originalCode;
  return [...(typeof original === 'string' ? [original] : []), codeOf(error)];
}

/** An error with all that it was caused by. */
function chain(error: unknown): Error[] {
  const links: Error[] = [];
  for (let link = error; link instanceof Error && links.length < 10; link = link.cause) {
    links.push(link);
    if (link instanceof AggregateError) links.push(...link.errors.filter((part) => part instanceof Error));
  }
  return links;
}
