import {
  type GraphQLInputType,
  GraphQLBoolean,
  GraphQLInt,
  type GraphQLSchema,
  type OperationDefinitionNode,
  isInputObjectType,
  isListType,
  isNonNullType,
  isScalarType,
  typeFromAST,
} from 'graphql';
import { findBadText } from '../../../kernel/text/free-text.ts';
import { refuseValue } from '../../../kernel/refusal.ts';

/** A variable of an operation, which a form or an address fills in. */
export interface Field {
  readonly name: string;
  readonly type: GraphQLInputType;
}

/** What a form or an address says, as it was parsed: text, lists of it, and members in brackets. */
export type Filled = Readonly<Record<string, unknown>>;

export function fieldsOf(schema: GraphQLSchema, { variableDefinitions = [] }: OperationDefinitionNode): Field[] {
  return variableDefinitions.map(({ variable, type }) => ({
    name: variable.name.value,
    type: typeFromAST(schema, type) as GraphQLInputType,
  }));
}

/** The values of variables. What is left blank is left out, as if the form did not have it. */
export function readFields(fields: readonly Field[], filled: Filled): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { name, type } of fields) {
    const value = Object.hasOwn(filled, name) ? read(filled[name], type, name) : undefined;
    if (value !== undefined) values[name] = value;
  }
  return values;
}

function read(value: unknown, type: GraphQLInputType, name: string): unknown {
  const plain = isNonNullType(type) ? type.ofType : type;
  if (value === undefined || value === null) return undefined;
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
    const members = given.map((field) => [field.name, read(filled[field.name], field.type, `${name}.${field.name}`)]);
    // A row of a form in which something was left blank is no row.
    return members.some(([, member]) => member === undefined) ? undefined : Object.fromEntries(members);
  }
  if (typeof value !== 'string') return value;
  const mistake = findBadText(value);
  if (mistake) throw refuseValue(name, mistake);
  return readText(value.trim(), plain);
}

/** A text as a value of its type; what cannot be one stays text, which the type then refuses. */
function readText(text: string, type: GraphQLInputType): unknown {
  if (text === '') return undefined;
  if (type === GraphQLInt && /^-?\d{1,18}$/.test(text)) return Number(text);
  if (type === GraphQLBoolean) return text === 'on' || text === 'true';
  if (isScalarType(type) && type.name === 'Decimal') {
    const digits = withoutGroups(text.replace(/\s/g, ''));
    if (/^-?\d+(\.\d+)?$/.test(digits)) return Number(digits);
  }
  return text;
}

/** An amount as people write it, with a point for its minor unit alone: `25,000.50` and `25000,50` are `25000.50`. */
function withoutGroups(digits: string): string {
  if (/^-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(digits)) return digits.replaceAll(',', '');
  return /^-?\d+,\d{1,2}$/.test(digits) ? digits.replace(',', '.') : digits;
}
