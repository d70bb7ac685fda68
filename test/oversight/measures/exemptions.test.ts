import { beforeAll, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { type Actor, makeActor, serviceNamed } from '../../harness/flow.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();
const FEE = 450_000;

let actor: Actor;
let service: string;
let key: string;
let people = 0;

/** So many people are exempt on a ground, and each is assessed once. */
async function assessExempt(count: number, ground: string, percent: number): Promise<string[]> {
  const made: string[] = [];
  for (let nth = 0; nth < count; nth++) {
    const nin = `CM${String((people += 1)).padStart(8, '0')}MSR`;
    const { name: citizen } = (await actor.post('/v1/citizens', { nin, full_name: 'Ann Exempt' })).data;
    await rail.rows(sql`
      insert into exemption (name, citizen, mda, percent, ground, document_hash, valid_from, valid_to, status, created_at, updated_at)
      values (${`EXM-2026-${800_000 + people}`}, ${citizen}, 'URA', ${percent}, ${ground}, ${'ab'.repeat(32)}, '2020-01-01', '2099-12-31',
        'Approved', now(), now())`);
    const { data } = await actor.post('/v1/assessments', { citizen, lines: [{ service }], assess: true });
    expect(data.total_amount).toBe((FEE * (100 - percent)) / 100);
    made.push(data.name);
  }
  return made;
}

/** What is waived by ground. */
async function waived(): Promise<Record<string, number>> {
  const query = `{ oversight { figures(by: [ground], span: { preset: all_time }, slice: { agency: ["URA"] }) {
    nodes { key { currency ground } exemptions { waived } } } } }`;
  const { json } = await rail.ask('/graphql', { key, body: { query } });
  if (json.errors) throw new Error(JSON.stringify(json.errors));
  const nodes = json.data.oversight.figures.nodes as {
    key: { ground: string };
    exemptions: { waived: number } | null;
  }[];
  return Object.fromEntries(
    nodes.flatMap(({ key: { ground }, exemptions }) => (exemptions ? [[ground, exemptions.waived]] : [])),
  );
}

beforeAll(async () => {
  actor = await makeActor(rail);
  service = await serviceNamed(rail, 'URA-PAYE');
  key = (await rail.key('oversight.read')).plaintext;
});

it('tells what exemptions waived by ground, of 5 people and more, in steps of as many', async () => {
  await assessExempt(5, 'disability', 50);
  await assessExempt(5, 'charity', 100);
  await assessExempt(2, 'refugee', 100);
  // Of those left out, the smallest other ground is one.
  const first = await waived();
  expect(Object.keys(first)).not.toContain('refugee');
  expect(Object.values(first)).toEqual(expect.arrayContaining([expect.any(Number)]));
  expect([(5 * FEE) / 2, 5 * FEE]).toContain(Object.values(first)[0]);
  await assessExempt(3, 'refugee', 100);
  // They wait for two more of the same ground.
  expect(await waived()).toEqual(first);
  const more = await assessExempt(2, 'refugee', 100);
  expect(await waived()).toEqual({ disability: (5 * FEE) / 2, charity: 5 * FEE, refugee: 7 * FEE });
  // What was cancelled waives nothing, in a step too.
  for (const name of more) await actor.post(`/v1/assessments/${name}:cancel`, { reason: 'Entered twice' });
  expect((await waived()).refugee).toBe(7 * FEE);
});
