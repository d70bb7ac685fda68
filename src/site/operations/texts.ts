import { GraphQLBoolean, type GraphQLInputType, GraphQLInt, isScalarType } from 'graphql';
import { refuseValue } from '../../kernel/refusal.ts';
import { readDigits } from '../../kernel/text/typed.ts';
import { say } from '../../kernel/text/said.ts';

/** A text as a value of its type; what is no number of such a field is refused there. */
export function readText(text: string, type: GraphQLInputType, name: string): unknown {
  if (text === '') return undefined;
  if (type === GraphQLInt) {
    if (!/^-?\d{1,18}$/.test(text)) throw refuseValue(name, say`must be a whole number`);
    return Number(text);
  }
  if (type === GraphQLBoolean) return text === 'on' || text === 'true';
  if (isScalarType(type) && type.name === 'Decimal') {
    const digits = withoutGroups(readDigits(text).replace(/\s/g, ''));
    if (/^-?[1-9]\d{0,2}(\.\d{3})+$/.test(digits))
      throw refuseValue(name, say`write ${digits.replaceAll('.', '')} or ${digits.replaceAll('.', ',')}`);
    if (!/^-?\d+(\.\d+)?$/.test(digits)) throw refuseValue(name, say`must be a number`);
    return Number(digits);
  }
  return text;
}

/** An amount as people write it, with a point for its minor unit alone: `25,000.50` and `25000,50` are `25000.50`. */
function withoutGroups(digits: string): string {
  if (/^-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(digits)) return digits.replaceAll(',', '');
  return /^-?\d+,\d{1,2}$/.test(digits) ? digits.replace(',', '.') : digits;
}
