/** The shapes in which a lost database shows: PostgreSQL's own codes, the socket's, Prisma's, and two of node-postgres that have none. */
const OUTAGE_CODES = new Set(
  'ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT ENOTFOUND EHOSTUNREACH ENETUNREACH 57P01 57P02 57P03 53300 08000 08001 08003 08004 08006 P1000 P1001 P1002 P1008 P1017 P2024 P2037'.split(
    ' ',
  ),
);
const OUTAGE_MESSAGE =
  /Connection terminated|timeout exceeded when trying to connect|Cannot use a pool after|Can't reach database server|not queryable|not currently accepting connections/;

/** Whether an error says that the database cannot be reached now, rather than that a statement was wrong. */
export function isOutage(error: unknown): boolean {
  return chain(error).some((link) => OUTAGE_CODES.has(codeOf(link)) || OUTAGE_MESSAGE.test(link.message));
}

/** Whether a statement lost against another one, and may simply be tried again. */
export function isConflict(error: unknown): boolean {
  return chain(error).some((link) => ['40001', '40P01'].includes(codeOf(link)));
}

/** Whether a statement took longer than its connection lets statements take, as those of oversight may. */
export function isTooSlow(error: unknown): boolean {
  return chain(error).some((link) => codeOf(link) === '57014');
}

/** Whether a row found no table of its month: the only check violation that names no constraint. */
export function isPartitionMissing(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === '23514' && !('constraint' in error && error.constraint);
}

/** The unique constraint that a statement ran into, or null. */
export function violatedUnique(error: unknown): string | null {
  if (!(error instanceof Error) || codeOf(error) !== '23505') return null;
  return 'constraint' in error && typeof error.constraint === 'string' ? error.constraint : '';
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
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
