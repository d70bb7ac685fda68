import pg from 'pg';
import { expect, it } from 'vitest';
import { parseMoment } from '../../../src/platform/database/sql.ts';

const asTheDriver = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ);

it.each([
  '2026-11-22 10:00:00+00',
  '2026-11-22 10:00:00.1+00',
  '2026-11-22 10:00:00.12+00',
  '2026-11-22 10:00:00.123+00',
  '2026-11-22 10:00:00.123456+00',
  '2026-11-22 23:59:59.999999+00',
  '1969-12-31 23:59:59.999999+00',
  '2026-11-22 10:00:00.5+03',
  '2026-11-22 10:00:00+05:30',
  '0099-01-01 00:00:00+00',
  '0044-03-15 00:00:00+00 BC',
  '10000-01-01 00:00:00+00',
  'infinity',
])('reads %s as the driver does', (text) => {
  expect(parseMoment(text)).toEqual(asTheDriver(text));
});
