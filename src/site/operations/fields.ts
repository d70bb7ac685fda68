import {
  type GraphQLInputType,
  GraphQLInt,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isScalarType,
  typeFromAST,
} from 'graphql';
import { findBadText } from '../../kernel/text/free-text.ts';
import { type Detail, refuseValue, refuseValues } from '../../kernel/refusal.ts';
import { readDay, readLocal } from './local-time.ts';
import { readTariff } from './tariff.ts';
import { readText } from './texts.ts';
import { say } from '../../kernel/text/said.ts';

/** A variable of an operation, which a form or an address fills in. */
export interface Field {
  readonly name: string;
  readonly type: GraphQLInputType;
  /** True if the operation cannot do without it. */
  readonly required: boolean;
}

/** Content of a form or an address, as it was parsed: text, lists of it, and members in brackets. */
export type Filled = Readonly<Record<string, unknown>>;

/** A file that a form was sent with. */
export class Attachment {
  readonly name: string;
  readonly bytes: Buffer;

  constructor(name: string, bytes: Buffer) {
    this.name = name;
    this.bytes = bytes;
  }

  /** Its text, if it is UTF-8. */
  get text(): string {
    return this.bytes.toString('utf8');
  }
}

export function fieldsOf(schema: GraphQLSchema, { variableDefinitions = [] }: OperationDefinitionNode): Field[] {
  return variableDefinitions.map(({ variable, type, defaultValue }) => ({
    name: variable.name.value,
    type: typeFromAST(schema, type) as GraphQLInputType,
    required: type.kind === Kind.NON_NULL_TYPE && !defaultValue,
  }));
}

/**
 * The values of variables. What is left blank is left out, as if the form did not have it. Moments that a form has by the
 * clock of a place are those of the time zone that it names as `_timeZone`, and days begin and end by it.
 */
export function readFields(fields: readonly Field[], filled: Filled): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { name, type } of fields) {
    const given = Object.hasOwn(filled, name) ? read(filled[name], type, name) : undefined;
    const zone = filled['_timeZone'];
    const value =
      isMoment(type) && typeof given === 'string' ? readDay(readLocal(given, zone), zone, name === 'to') : given;
    if (value !== undefined) values[name] = value;
  }
  return values;
}

function isMoment(type: GraphQLInputType): boolean {
  const plain = isNonNullType(type) ? type.ofType : type;
  return isScalarType(plain) && plain.name === 'DateTime';
}

function read(value: unknown, type: GraphQLInputType, name: string): unknown {
  const plain = isNonNullType(type) ? type.ofType : type;
  if (value === undefined || value === null) return undefined;
  if (isScalarType(plain) && plain.name === 'JSON') return readJson(value, name);
  if (value instanceof Attachment) return readFile(value, plain, name);
  if (isListType(plain)) {
    const members = Array.isArray(value) ? value : typeof value === 'object' ? Object.values(value) : [value];
    const list = members
      .map((member, index) => read(member, plain.ofType, `${name}[${index}]`))
      .filter((member) => member !== undefined);
    return list.length > 0 ? list : undefined;
  }
  if (isInputObjectType(plain)) {
    if (typeof value !== 'object') return value;
    const filled = value as Filled;
    const given = Object.values(plain.getFields()).filter((field) => Object.hasOwn(filled, field.name));
    const members = given.map(
      (field) => [field.name, read(filled[field.name], field.type, `${name}.${field.name}`)] as const,
    );
    // A row of a form without its number, or without what it needs, is no row. Anything else that is blank is left out.
    const counts = given.filter(({ type: of }) => isNonNullType(of) || of === GraphQLInt).map(({ name: of }) => of);
    if (members.some(([of, member]) => member === undefined && counts.includes(of))) return undefined;
    return Object.fromEntries(members.filter(([, member]) => member !== undefined));
  }
  if (typeof value !== 'string') return value;
  const mistake = findBadText(value);
  if (mistake) throw refuseValue(name, mistake);
  return readText(value.trim(), plain, name);
}

/** The bytes of a file, or its text; a form in which none was chosen sends an empty one. */
function readFile(file: Attachment, type: GraphQLInputType, name: string): unknown {
  if (file.bytes.length === 0) return undefined;
  return isScalarType(type) && type.name === 'Byte' ? file.bytes : readText(file.text.trim(), type, name);
}

/** Reads JSON in a file or a text. Of fields, a tariff alone is put together. */
function readJson(value: unknown, name: string): unknown {
  if (typeof value === 'object' && !(value instanceof Attachment)) return readTariff(value, name);
  const text = value instanceof Attachment ? value.text : (value as string);
  if (text.trim() === '') return undefined;
  // A public key in PEM is a text, which nobody writes in quotation marks.
  if (text.trim().startsWith('-----BEGIN ')) return text.trim();
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw refuseValue(name, say`is not JSON`);
  }
}

/** Refuses a form that leaves out what its operation cannot do without. */
export function requireFields(fields: readonly Field[], values: Readonly<Record<string, unknown>>): void {
  const missing = fields.filter(({ name, required }) => required && values[name] === undefined);
  if (missing.length > 0) throw refuseValues(missing.map(({ name }) => ({ path: name, message: MISSING })));
}

/** Refuses values that the enum of their type does not have, each by the first field that says it. */
export function refuseUnknown(fields: readonly Field[], values: Readonly<Record<string, unknown>>): void {
  const unknown = fields.flatMap(({ name, type }) => listUnknown(type, values[name], name));
  const once = unknown.filter(({ message }, place) => unknown.findIndex((one) => one.message === message) === place);
  if (once.length > 0) throw refuseValues(once);
}

function listUnknown(type: GraphQLInputType, value: unknown, path: string): Detail[] {
  if (value === undefined || value === null) return [];
  const plain = isNonNullType(type) ? type.ofType : type;
  if (isListType(plain)) return (value as readonly unknown[]).flatMap((one) => listUnknown(plain.ofType, one, path));
  if (isInputObjectType(plain))
    return Object.values(plain.getFields()).flatMap((field) =>
      listUnknown(field.type, (value as Filled)[field.name], field.name),
    );
  const isKnown = !isEnumType(plain) || typeof value !== 'string' || plain.getValue(value) !== undefined;
  return isKnown ? [] : [{ path, message: say`there is no such choice: ${value}` }];
}

/** Message for a field that was left blank. */
export const MISSING = 'is missing';
