import { describe, expect, it } from 'vitest';
import { Prisma } from '../../src/generated/prisma/client.ts';
import { columnsOf } from '../../src/platform/database/record.ts';
import { testRail } from '../harness/rail.ts';

const rail = testRail();

describe('the Prisma schema', () => {
  it.each(Object.values(Prisma.ModelName))('and the migrations agree on %s', async (model) => {
    const prisma = await rail.rail.prisma();
    const delegate = prisma[(model.charAt(0).toLowerCase() + model.slice(1)) as 'citizen'];
    // Reads every column that the model has, by name and type.
    await expect(delegate.findFirst()).resolves.toBeDefined();
  });

  /** Fields that sound like secrets, and are meant to be read: hashes of what is public. */
  const PUBLIC =
    'BankStatement.sourceHash Exemption.documentHash LogSeal.hash EventSeal.hash ReconciliationRun.sourceHash Refund.documentHash'.split(
      ' ',
    );

  it('has no secret among the columns that a record is read with', () => {
    const read = Object.values(Prisma.ModelName).flatMap((model) =>
      [...columnsOf(model).text.matchAll(/r\.(?:\w+ as "(\w+)"|(\w+))/g)].map(
        ([, named, same]) => `${model}.${named ?? same}`,
      ),
    );
    expect(read.length).toBeGreaterThan(200);
    expect(read.filter((field) => /hash$|secret$|password|token|sealed$/i.test(field))).toEqual(PUBLIC);
  });
});
