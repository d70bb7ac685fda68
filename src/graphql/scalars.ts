import { GraphQLError, type GraphQLErrorOptions, GraphQLScalarType, Kind, type ValueNode } from 'graphql';
import { GraphQLDate, GraphQLDateTime, GraphQLJSON } from 'graphql-scalars';
import { Decimal, MOST_DIGITS, fitsJson, toNumber } from '../kernel/money.ts';
import { Day, REACH, dayOf, formatMoment, isWithinReach } from '../kernel/time.ts';
import { type Said, say } from '../kernel/text/said.ts';

/** A value that a scalar does not take. */
export class ScalarMistake extends GraphQLError {
  readonly said: Said;

  constructor(said: Said, options?: GraphQLErrorOptions) {
    super(String(said), options);
    this.said = said;
  }
}

function toDecimal(value: unknown): Decimal {
  if (typeof value !== 'number' && typeof value !== 'bigint') throw new ScalarMistake(say`must be a number`);
  if (typeof value === 'number' && !Number.isFinite(value)) throw new ScalarMistake(say`must be a finite number`);
  return parseExact(new Decimal(String(value)));
}

function parseExact(amount: Decimal): Decimal {
  if (!fitsJson(amount)) throw new ScalarMistake(say`must have at most ${MOST_DIGITS} significant digits`);
  return amount;
}

export const DecimalScalar = new GraphQLScalarType<Decimal, number>({
  name: 'Decimal',
  description:
    'An amount of money as a JSON number, exact to the minor unit of its currency. By ISO 4217, UGX has no decimals, KES and USD have two. At most 15 significant digits.',
  serialize: (value) => {
    if (!(value instanceof Decimal)) throw new TypeError('A resolver returned something else than a Decimal');
    return toNumber(value);
  },
  parseValue: toDecimal,
  parseLiteral: (node: ValueNode) => {
    if (node.kind !== Kind.INT && node.kind !== Kind.FLOAT)
      throw new ScalarMistake(say`must be a number`, { nodes: node });
    return parseExact(new Decimal(node.value));
  },
  extensions: { jsonSchema: { type: 'number' } },
});

function requireStorable(date: Date): Date {
  if (!isWithinReach(date)) throw new ScalarMistake(say`must lie ${REACH}`);
  return date;
}

/**
 * A scalar of graphql-scalars in the rail's words: values that PostgreSQL cannot hold are refused, messages are for
 * callers.
 */
function parseMoment(
  { name }: GraphQLScalarType,
  read: (value: unknown) => unknown,
  description: string,
  mistake: Said,
  serialize: (value: Date) => string,
  format: string,
) {
  const parse = (parseValue: () => unknown): Date => {
    let value: unknown;
    try {
      value = parseValue();
    } catch {
      throw new ScalarMistake(mistake);
    }
    if (!(value instanceof Date)) throw new ScalarMistake(mistake);
    return requireStorable(value);
  };
  return new GraphQLScalarType<Date, string>({
    name,
    description,
    serialize: (value) => {
      if (!(value instanceof Date)) throw new GraphQLError(`${name} is no date`);
      return serialize(value);
    },
    parseValue: (value) => parse(() => read(value)),
    parseLiteral: (node: ValueNode) => parse(() => read(node.kind === Kind.STRING ? node.value : undefined)),
    extensions: { jsonSchema: { type: 'string', format } },
  });
}

const BARE_DAY = /^\d{4}-\d\d-\d\d$/;

/** A moment, or a bare day: its beginning, or the whole of it where it is an end. */
function parseMomentOrDay(value: unknown): unknown {
  if (typeof value !== 'string' || !BARE_DAY.test(value)) return GraphQLDateTime.parseValue(value);
  return new Day(GraphQLDate.parseValue(value));
}

/** A day, or the UTC day that a moment lies in, which is what programs that draw by time ask with. */
function parseDay(value: unknown): unknown {
  if (typeof value !== 'string' || BARE_DAY.test(value)) return GraphQLDate.parseValue(value);
  return dayOf(GraphQLDateTime.parseValue(value));
}

export const DateTimeScalar = parseMoment(
  GraphQLDateTime,
  parseMomentOrDay,
  'A date and time (RFC 3339). Responses are in UTC with milliseconds: `2026-11-21T09:25:00.000Z`. In input, a UTC date without a time, `YYYY-MM-DD`, means the start of that day, or the end of it if it ends a range.',
  say`must be a date-time in RFC 3339 form, such as 2026-11-21T09:25:00Z, or a day, YYYY-MM-DD`,
  formatMoment,
  'date-time',
);

export const DateScalar = parseMoment(
  GraphQLDate,
  parseDay,
  'A UTC day, `YYYY-MM-DD`. In input, a date-time (RFC 3339) means the UTC day that it lies in.',
  say`must be a date, YYYY-MM-DD`,
  (value) => value.toISOString().slice(0, 10),
  'date',
);

export const JsonScalar = new GraphQLScalarType({
  ...GraphQLJSON.toConfig(),
  description: 'Any JSON value: an object, a list, a text, a number, true, false or null.',
  extensions: { jsonSchema: {} },
});

/** Its checks are with its reader: `src/collection/assessments/labels.ts`. */
export const MetadataScalar = new GraphQLScalarType({
  ...GraphQLJSON.toConfig(),
  name: 'Metadata',
  description:
    'Texts by keys of your own, as a JSON object: at most 20 keys of 40 characters, and values of 200. `{"branch": "Jinja"}`.',
  specifiedByURL: null,
  extensions: {
    jsonSchema: {
      type: 'object',
      maxProperties: 20,
      additionalProperties: { type: 'string', maxLength: 200 },
      examples: [{ branch: 'Jinja' }],
    },
  },
});

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function toBytes(value: unknown): Buffer {
  if (Buffer.isBuffer(value)) return value;
  if (typeof value !== 'string' || !BASE64.test(value)) throw new ScalarMistake(say`must be base64`);
  return Buffer.from(value, 'base64');
}

export const ByteScalar = new GraphQLScalarType<Buffer, string>({
  name: 'Byte',
  description: 'Binary data, encoded as base64 (RFC 4648).',
  serialize: (value) => toBytes(value).toString('base64'),
  parseValue: toBytes,
  parseLiteral: (node: ValueNode) => toBytes(node.kind === Kind.STRING ? node.value : undefined),
  extensions: { jsonSchema: { type: 'string', format: 'byte' } },
});
