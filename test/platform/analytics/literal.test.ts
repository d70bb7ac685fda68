import { expect, it } from 'vitest';
import { Decimal } from '../../../src/kernel/money.ts';
import { writeOut } from '../../../src/platform/analytics/literal.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();

it('a value that is written into a question is that value, and ends nothing', async () => {
  const texts = ["it's", "'; drop table payment; --", String.raw`\'`, '$1', '-- 🙂 é', 'a\0b'];
  const at = new Date('2026-11-29T10:20:30.456Z');
  const row = await rail.rail.analytics.row(sql`
    select ${texts}::varchar[] as texts, ${[]}::varchar[] as none, ${null}::varchar as nothing, ${at}::timestamptz as at,
      5 -${-3} as number, ${new Decimal('0.25')} as amount, ${true} as yes`);
  expect(row).toEqual({ texts, none: [], nothing: null, at, number: 8, amount: new Decimal('0.25'), yes: true });
  expect(() => writeOut(sql`select ${{}}`)).toThrow(TypeError);
});
