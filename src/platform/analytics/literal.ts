import { Decimal } from '../../kernel/money.ts';
import type { Sql } from '../database/sql.ts';

/** A text as part of a literal. */
export const escape = (text: string) => text.replaceAll("'", "''");

/** A question with its values written into it: the engine plans one with parameters twice, before it has them and with them. */
export function writeOut({ strings, values }: Pick<Sql, 'strings' | 'values'>): string {
  return strings.map((text, place) => (place === 0 ? text : literal(values[place - 1]) + text)).join('');
}

function literal(value: unknown): string {
  if (value === null) return 'null';
  // The type of a list is that of its items, of which an empty one has none.
  if (Array.isArray(value)) return value.length === 0 ? '[]::varchar[]' : `[${value.map(literal).join(', ')}]`;
  if (value instanceof Date) return `'${value.toISOString()}'::timestamptz`;
  if (value instanceof Decimal) return `(${value.toFixed()})`;
  if (typeof value === 'number' || typeof value === 'boolean') return `(${value})`;
  // A question would end at a NUL in its text.
  if (typeof value === 'string' && value.includes('\0'))
    return `(${value.split('\0').map(literal).join(' || chr(0) || ')})`;
  if (typeof value === 'string') return `'${escape(value)}'`;
  throw new TypeError(`the engine is asked with a value of type ${typeof value}`);
}
