import { describe, expect, it } from 'vitest';
import { Prisma } from '../../src/generated/prisma/client.ts';
import { testRail } from '../harness/rail.ts';

const rail = testRail();

describe('the Prisma schema', () => {
  it.each(Object.values(Prisma.ModelName))('and the migrations agree on %s', async (model) => {
    const delegate = rail.rail.prisma[(model.charAt(0).toLowerCase() + model.slice(1)) as 'citizen'];
    // Reads every column that the model has, by name and type.
    await expect(delegate.findFirst()).resolves.toBeDefined();
  });
});
