import { beforeAll, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { makeActor, serviceNamed } from '../../harness/flow.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();
let key: string;
let people: string[];

/** Days until the first of a month that is so many months from this one, and a few days into it. */
const monthFrom = (months: number, day = 10) => {
  const now = rail.rail.now();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, day)).toISOString().slice(0, 10);
};

const ask = async (fields: string) => {
  const query = `{ oversight(slice: { agency: ["URA"] }) { ${fields} } }`;
  const { json } = await rail.ask('/graphql', { key, body: { query } });
  return json.data?.oversight ?? json;
};
const byAge = async () => {
  const span = 'span: { preset: all_time }';
  const { figures } = await ask(
    `figures(by: [age], ${span}) { nodes { key { age } unpaid { unpaidAmount } overdue { overdueAmount } } }`,
  );
  const rows = figures.nodes as {
    key: { age: string };
    unpaid: { unpaidAmount: number } | null;
    overdue: { overdueAmount: number } | null;
  }[];
  return Object.fromEntries(
    rows.map((row) => [row.key.age, [row.unpaid?.unpaidAmount ?? null, row.overdue?.overdueAmount ?? null]]),
  );
};

beforeAll(async () => {
  key = (await rail.key('oversight.read')).plaintext;
  const actor = await makeActor(rail);
  const service = await serviceNamed(rail, 'URA-PAYE');
  people = (await rail.rows<{ name: string }>(sql`select name from citizen order by name limit 6`)).map(
    ({ name }) => name,
  );
  // Six people each: due five months ago, this month, in two months, and on no day.
  for (const due of [monthFrom(-5), monthFrom(0), monthFrom(2), null])
    for (const citizen of people) {
      const { data } = await actor.post('/v1/assessments', { citizen, lines: [{ service }], assess: true });
      await rail.rows(sql`update assessment set due_on = ${due}::date where name = ${data.name}`);
    }
});

it('counts ages of debts from the month in which they are due, and says what was due before the present one', async () => {
  const days = rail.rail.now().getUTCDate() - 1;
  const own = days <= 7 ? 'days_0_7' : 'days_8_30';
  const amounts: Record<string, number[]> = { days_0_7: [0, 0], days_91_365: [6 * 450_000, 6 * 450_000] };
  // What is due later is as young as can be.
  amounts['days_0_7']![0]! += 6 * 450_000;
  amounts[own] ??= [0, 0];
  amounts[own][0]! += 12 * 450_000;
  expect(await byAge()).toEqual(amounts);
  const { unpaidAssessments } = await ask('unpaidAssessments(first: 100) { nodes { age days } }');
  const listed = Map.groupBy(unpaidAssessments.nodes as { age: string; days: number }[], ({ age }) => age);
  expect(listed.get('days_91_365')).toHaveLength(6);
  expect([...listed.values()].flat()).toHaveLength(24);
  expect(Math.min(...[...listed.values()].flat().map((row) => row.days))).toBe(0);
});

it('tells of nothing that fewer than five people owe, and moves by as many', async () => {
  const before = await byAge();
  const actor = await makeActor(rail);
  const service = await serviceNamed(rail, 'URA-PAYE');
  for (const citizen of people.slice(0, 4)) {
    const { data } = await actor.post('/v1/assessments', { citizen, lines: [{ service }] });
    await rail.rows(sql`update assessment set due_on = ${monthFrom(-14)}::date where name = ${data.name}`);
    await actor.post(`/v1/assessments/${data.name}:assess`);
  }
  expect(await byAge()).toEqual(before);
  for (const citizen of people.slice(4, 5)) {
    const { data } = await actor.post('/v1/assessments', { citizen, lines: [{ service }] });
    await rail.rows(sql`update assessment set due_on = ${monthFrom(-14)}::date where name = ${data.name}`);
    await actor.post(`/v1/assessments/${data.name}:assess`);
  }
  await expect.poll(byAge).toEqual({ ...before, days_over_365: [5 * 450_000, 5 * 450_000] });
});
