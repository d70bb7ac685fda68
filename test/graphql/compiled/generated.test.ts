import fc from 'fast-check';
import { validate } from 'graphql';
import { expect, it } from 'vitest';
import { countCompiledFields } from '../../../src/graphql/compiled/execute.ts';
import { drawSeed } from '../../harness/run/seed.ts';
import { sizeOf } from '../../harness/chaos/size.ts';
import { findDifferences } from './both.ts';
import { schema } from './mocked.ts';
import { RandomOperation } from './random.ts';

const DOCUMENTS = sizeOf({ fast: 500, long: 50_000 });
const seed = drawSeed('documents');

it(`${DOCUMENTS} documents are answered as by graphql-js (SEED=${seed})`, async () => {
  let compiled = 0;
  const tapes = fc.uint8Array({ minLength: 1, maxLength: 300, size: 'max' });
  const property = fc.asyncProperty(tapes, fc.nat(), async (tape, of) => {
    const { text, ...asked } = new RandomOperation(tape).make();
    fc.pre(validate(schema, asked.document).length === 0);
    expect(await findDifferences(asked, of), text).toEqual([]);
    if (countCompiledFields(asked.document) > 0) compiled++;
  });
  await fc.assert(property, { numRuns: DOCUMENTS, seed });
  // Others have more conditions than are compiled, or variables that do not fit.
  expect(compiled).toBeGreaterThan(DOCUMENTS / 2);
});
