import { expect, it } from 'vitest';
import { Decimal } from '../../../src/kernel/money.ts';
import { parseAmount } from '../../../src/platform/database/sql.ts';

it.each([
  '0',
  '0.00',
  '1.50',
  '-1.50',
  '50000.00',
  '-50000.00',
  '9999999.00',
  '10000000.00',
  '123456789012.00',
  '123456789012.01',
  '1.0000000000001',
  '1.0000000000000001',
  '12345678901234567890.12',
  '0.000000000001',
  'NaN',
  'Infinity',
])('reads %s as it is written', (text) => {
  expect(parseAmount(text)).toEqual(new Decimal(text));
});
