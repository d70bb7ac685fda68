import { beforeAll, describe, expect, it } from 'vitest';
import { seedHistory } from '../../../src/sandbox/history.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { OPERATION_LIMITS } from '../../../src/graphql/builder.ts';
import { type StaffActor, makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';
import { LONGEST_SPAN, costlyDocuments } from '../../harness/schema/costly-documents.ts';

/** As many payments, about, and nearly as many assessments. */
const EVENTS = Number(process.env['PRICE_EVENTS'] ?? 110_000);
const MOST_MS = 2_000;

const rail = testRail();

let admin: StaffActor;
/** The agency that has a share in the fewest payments. */
let rare: string;

beforeAll(async () => {
  await Array.fromAsync(seedHistory(rail.rail, { events: EVENTS, years: 3, agencies: 60, seed: 1 }));
  const [few] = await rail.rows<{ mda: string }>(
    sql`select mda from split_rule group by mda order by count(*), mda limit 1`,
  );
  rare = few!.mda;
  admin = await makeStaff(rail, 'admin');
}, 3_600_000);

const ask = async (query: string) => (await admin.post('/graphql', { query })).json;

/** The largest document of a sort that is within the bounds. */
async function findLargest(document: (size: number) => string): Promise<number> {
  let [fits, exceeds] = [0, 201];
  while (exceeds - fits > 1) {
    const size = Math.floor((fits + exceeds) / 2);
    const { errors } = await ask(document(size));
    if (errors) exceeds = size;
    else fits = size;
  }
  return fits;
}

describe(`a document within the bounds, of ${EVENTS} payments`, () => {
  it.each(Object.keys(costlyDocuments('')))(
    `takes at most ${MOST_MS} ms: %s`,
    async (name) => {
      const size = await findLargest(costlyDocuments(rare)[name]!);
      // One question may be too much by itself, where its span is that long.
      if (size === 0 && name.endsWith(`of ${LONGEST_SPAN} days`)) return;
      expect(size).toBeGreaterThan(0);
      const taken: number[] = [];
      let asked = 0;
      for (let nth = 0; nth < 3; nth++) {
        const started = performance.now();
        const { extensions, errors } = await ask(costlyDocuments(rare)[name]!(size));
        taken.push(performance.now() - started);
        expect(errors).toBeUndefined();
        asked = extensions.cost.asked;
      }
      const least = Math.round(Math.min(...taken));
      process.stdout.write(`${name}: ${size} for ${asked} of ${OPERATION_LIMITS.complexity} points, ${least} ms\n`);
      expect(least).toBeLessThan(MOST_MS);
    },
    600_000,
  );
});
