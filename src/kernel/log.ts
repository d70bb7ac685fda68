import { type DestinationStream, type Logger, pino } from 'pino';

/** Names under which personal data or secrets could reach a log line by mistake. */
const NEVER_LOGGED: ReadonlySet<string> = new Set([
  'nin',
  'phone',
  'payer_msisdn',
  'payerMsisdn',
  'payer_email',
  'payerEmail',
  'return_url',
  'returnUrl',
  'full_name',
  'fullName',
  'email',
  'authorization',
  'cookie',
  'otp',
  'token',
  'plaintext',
  'password',
  'secret',
  'contact_email',
  'contactEmail',
  'contact_phone',
  'contactPhone',
]);

/**
 * JSON lines with times, levels and request ids; never an address, a body or a parameter of a statement. A line says all
 * of it itself: what a child logger adds would not be looked through. `mixin` yields what is added to each line.
 */
export function createLog(level: string, destination?: DestinationStream, mixin?: () => object): Logger {
  return pino(
    {
      level,
      ...(mixin && { mixin }),
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { log: redact },
      serializers: { err: describeError },
    },
    destination ?? buffer(),
  );
}

type Members = Record<string, unknown>;

/** A line without what is never logged, in itself or in its members. As a rule there is nothing, and nothing is copied. */
function redact(line: Members): Members {
  return redactMembers(line, (value) => (isObject(value) ? redactMembers(value, (inner) => inner) : value));
}

function redactMembers(members: Members, within: (value: unknown) => unknown): Members {
  let redacted = members;
  for (const name of Object.keys(members)) {
    const value = members[name];
    const safe = NEVER_LOGGED.has(name) ? '[redacted]' : within(value);
    if (safe === value) continue;
    if (redacted === members) redacted = { ...members };
    redacted[name] = safe;
  }
  return redacted;
}

/** Only what `describeError` says of an error is logged. */
function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !(value instanceof Error) && !ArrayBuffer.isView(value);
}

/**
 * Lines go out some at a time, at the latest after a quarter of a second and at the exit: a write a request would cost
 * more than the line.
 */
function buffer(): DestinationStream {
  return pino.destination({ dest: 1, sync: false, minLength: 8_192, periodicFlush: 250 });
}

/**
 * Type, message, code and stack. Not what else hangs on an error: PostgreSQL's `detail` and `where` quote rows,
 * Prisma's message quotes arguments.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const code = 'code' in error ? error.code : undefined;
  const quoting = error.name.startsWith('PrismaClient');
  return {
    type: error.name,
    message: quoting ? error.message.split('\n').at(-1) : error.message,
    ...(code !== undefined && { code }),
    stack: error.stack
      ?.split('\n')
      .filter((line) => line.trimStart().startsWith('at '))
      .join('\n'),
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  };
}
