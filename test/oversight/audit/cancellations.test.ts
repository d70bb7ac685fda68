import { beforeAll, describe, expect, it } from 'vitest';
import { remakeCopies } from '../../../src/platform/analytics/feed.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { createConfirmed, makeActor, serviceNamed } from '../../harness/flow.ts';
import { collectInShift, openShift } from '../../harness/people/counter.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { railWithYear } from '../revenue/filled.ts';

const rail = railWithYear();
let key: string;

interface Row {
  readonly id: string;
  readonly kind: string;
  readonly agencyId: string;
  readonly amount: number;
  readonly cancelledAt: string;
  readonly [field: string]: unknown;
}

const graphql = async (query: string, variables: object = {}) => {
  const { json } = await rail.ask('/graphql', { key, body: { query, variables } });
  if (json.errors) throw new Error(JSON.stringify(json.errors));
  return json.data.oversight;
};
const EVER = 'fromDate: "2020-01-01"';
const FIELDS =
  'id kind agencyId amount currency channel cancelledAt paidAt ageDays counterAgencyId counter explained sameHand';
const SPAN = 'span: { days: { fromDate: "2020-01-01" } }';
type Sum = Readonly<Record<'key' | 'revenue' | 'reversals', Readonly<Record<string, unknown>> | null>> & {
  readonly key: Readonly<Record<string, unknown>>;
};
const REVERSED = 'revenue { reversals reversed } reversals { sameHandReversals unexplainedReversals largestReversal }';
const CANCELLED = `cancellations { cancellations cancelledAmount unexplainedCancellations largestCancellation }
  hidden { figures reason }`;
/** Sums of reversals, or of cancellations, by group. */
const sums = async (args: string, selection = REVERSED): Promise<Sum[]> =>
  (await graphql(`{ oversight { figures(${args}) { nodes { key { agencyId currency } ${selection} } } } }`)).figures
    .nodes;
const list = async (args: string): Promise<Row[]> =>
  (await graphql(`{ oversight { cancellations(${args}) { nodes { ${FIELDS} } } } }`)).cancellations.nodes;

beforeAll(async () => {
  key = (await rail.key('oversight.read')).plaintext;
});

describe('cancellations', () => {
  it('are every reversed payment, as plain SQL finds them', async () => {
    const expected = await rail.rows<{ id: string; amount: number; age: number }>(sql`
      select r.name as id, -r.amount::float8 as amount,
        round((extract(epoch from r.occurred_at - p.occurred_at) / 86400)::numeric, 3)::float8 as age
      from payment_event r join payment_event p on p.intent = r.intent and p.mda = r.mda and p.kind = 'payment'
      where r.kind = 'reversal' order by r.occurred_at desc, r.name desc`);
    const found = await list(`${EVER}, first: 1000, kind: reversal`);
    expect(found.map(({ id, amount, ageDays: age }) => ({ id, amount, age }))).toEqual(expected);
    expect(found.length).toBeGreaterThan(5);
    expect(found.every(({ paidAt, channel }) => paidAt !== null && channel !== null)).toBe(true);
  });

  it('are filtered by amount, agency and days, ordered by amount, and paged', async () => {
    const all = await list(`${EVER}, first: 1000, orderBy: largest`);
    expect(all.map(({ amount }) => amount)).toEqual(all.map(({ amount }) => amount).toSorted((a, b) => b - a));
    const [least, most] = [all.at(-3)!.amount, all[2]!.amount];
    const between = await list(`${EVER}, first: 1000, minAmount: ${least}, maxAmount: ${most}`);
    expect(between.map(({ id }) => id).toSorted()).toEqual(
      all
        .filter(({ amount }) => amount >= least && amount <= most)
        .map(({ id }) => id)
        .toSorted(),
    );
    const { agencyId, cancelledAt } = all[0]!;
    const day = cancelledAt.slice(0, 10);
    expect(await list(`timeZone: UTC, fromDate: "${day}", toDate: "${day}", agency: ["${agencyId}"]`)).toContainEqual(
      all[0],
    );
    const [local] = await rail.rows<{ day: string; names: string[] }>(sql`
      select ((occurred_at at time zone 'Africa/Kampala')::date)::text as day, array_agg(name order by name) as names
      from payment_event where kind = 'reversal' group by 1 order by count(*) desc, 1 limit 1`);
    const ofDay = await list(`fromDate: "${local!.day}", toDate: "${local!.day}"`);
    expect(ofDay.map(({ id }) => id).toSorted()).toEqual(local!.names);
    const paged: Row[] = [];
    for (;;) {
      const page = await list(
        `${EVER}, orderBy: largest, first: 4${paged.length > 0 ? `, after: "${paged.at(-1)!.id}"` : ''}`,
      );
      paged.push(...page);
      if (page.length < 4) break;
    }
    expect(paged).toEqual(all);
    for (const args of ['minAmount: 5, maxAmount: 4', 'after: "nothing"'])
      await expect(list(`${EVER}, ${args}`), args).rejects.toThrow(/validation_failed/);
  });

  it('are added up by agency, as plain SQL does, over days and counters too', async () => {
    const rows = await sums(
      `by: [agency], ${SPAN}, having: [{ measure: reversals, gte: 1 }], orderBy: [{ measure: reversed }]`,
    );
    const answered = rows.map(({ key: { agencyId, currency }, revenue, reversals }) => ({
      agencyId,
      currency,
      ...revenue,
      largest: reversals!['largestReversal'],
      unexplained: reversals!['unexplainedReversals'],
    }));
    const expected = await rail.rows(sql`
      select e.mda as "agencyId", e.currency, count(*)::int as reversals, -sum(e.amount)::float8 as reversed,
        max(-e.amount)::float8 as largest, count(*) filter (where coalesce(a.cancel_reason, '') = '')::int as unexplained
      from payment_event e join assessment a on a.name = e.assessment where e.kind = 'reversal' group by 1, 2 order by 4 desc, 1`);
    expect(answered).toEqual(expected);
    const [whole] = await sums(SPAN);
    const largest = (one: Sum) => Number(one.reversals?.['largestReversal'] ?? 0);
    const unexplained = (one: Sum) => Number(one.reversals?.['unexplainedReversals'] ?? 0);
    for (const by of ['day', 'counter', 'district, channel']) {
      const parts = await sums(`by: [${by}], ${SPAN}, first: 10000`);
      expect(Math.max(...parts.map(largest)), by).toBe(largest(whole!));
      expect(
        parts.reduce((sum, one) => sum + unexplained(one), 0),
        by,
      ).toBe(unexplained(whole!));
    }
  });

  it('say whether the hand that took the money reversed it, where a hand took it, and at which counter', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    const other = await makeStaff(rail, 'supervisor');
    const taker = await makeStaff(rail, 'clerk');
    const [shift, former] = [
      await openShift(clerk, { counter_label: 'Window 3' }),
      await openShift(taker, { counter_label: 'Window 3' }),
    ];
    const [own, foreign] = [await collectInShift(rail, taker, former), await collectInShift(rail, clerk, shift)];
    await other.post(`/v1/assessments/${own.assessment}:cancel`, {});
    // As somebody could do it to their own until 2.0.
    await rail.rows(sql`update counter_shift set clerk = ${other.email} where name = ${former}`);
    await other.post(`/v1/assessments/${foreign.assessment}:cancel`, { reason: 'Paid for the wrong car' });
    const actor = await makeActor(rail);
    const online = await createConfirmed(rail, actor);
    await actor.post(`/v1/assessments/${online.assessment}:cancel`);
    const nameOf = async (assessment: string, mda: string) =>
      (
        await rail.rows<{ name: string }>(sql`
        select name from payment_event where assessment = ${assessment} and mda = ${mda} and kind = 'reversal'`)
      )[0]!.name;
    const rows = new Map((await list('first: 100')).map((row) => [row.id, row]));
    const at = { counterAgencyId: 'URA', counter: 'Window 3', channel: 'cash' };
    expect(rows.get(await nameOf(own.assessment, 'URA'))).toMatchObject({ ...at, sameHand: true, explained: false });
    expect(rows.get(await nameOf(foreign.assessment, 'URA'))).toMatchObject({
      ...at,
      sameHand: false,
      explained: true,
    });
    expect(rows.get(await nameOf(online.assessment, 'URSB'))).toMatchObject({ counter: null, sameHand: null });
    const [sum] = await sums('slice: { agency: ["URA"], counter: ["URA Window 3"] }');
    expect(sum).toMatchObject({
      revenue: { reversals: 2 },
      reversals: { sameHandReversals: 1, unexplainedReversals: 1 },
    });
  });

  it('of what was never paid are told of where they are about enough people, by a name that leads nowhere', async () => {
    const actor = await makeActor(rail);
    const citizens = await rail.rows<{ name: string }>(sql`select name from citizen order by name limit 6`);
    for (const [index, { name: citizen }] of citizens.entries()) {
      expect(await list('kind: cancellation')).toEqual([]);
      const lines = [{ service: await serviceNamed(rail, 'URA-PAYE') }];
      const more = index === 0 ? [{ service: await serviceNamed(rail, 'URSB-COMPANY') }] : [];
      const { data } = await actor.post('/v1/assessments', { citizen, lines: [...lines, ...more] });
      await actor.post(`/v1/assessments/${data.name}:assess`);
      await actor.post(`/v1/assessments/${data.name}:cancel`, { reason: 'Given up' });
    }
    const unpaid = await list('kind: cancellation');
    expect(unpaid).toHaveLength(5);
    for (const row of unpaid) {
      expect(row).toMatchObject({ agencyId: 'URA', amount: 450_000, channel: null, paidAt: null, ageDays: null });
      expect(row).toMatchObject({ sameHand: null, explained: true, id: expect.stringMatching(/^CNL-[0-9a-f]{24}$/) });
    }
    expect(await list('kind: cancellation')).toEqual(unpaid);
    // One person's demand at URSB is neither told nor taken for none, whichever days of the month are asked for.
    const first = `${new Date().toISOString().slice(0, 8)}01`;
    for (const span of ['', `span: { days: { fromDate: "${first}", toDate: "${first}" } }`]) {
      const of = async (agency: string) =>
        (await sums(`by: [agency], slice: { agency: ["${agency}"] } ${span}`, CANCELLED))[0]!;
      expect(await of('URA'), span).toEqual({
        key: { agencyId: 'URA', currency: 'UGX' },
        cancellations: {
          cancellations: 5,
          cancelledAmount: 2_250_000,
          unexplainedCancellations: 0,
          largestCancellation: 450_000,
        },
        hidden: [],
      });
      expect(await of('URSB'), span).toEqual({
        key: { agencyId: 'URSB', currency: 'UGX' },
        cancellations: null,
        hidden: [{ figures: 'cancellations', reason: 'few_people' }],
      });
    }
  });

  it('are asked by one name: the sums by agency, and the list, which amounts and kinds narrow', async () => {
    const variables = encodeURIComponent(JSON.stringify({ kind: 'cancellation', minAmount: 1, first: 2 }));
    const { json } = await rail.ask(`/graphql?operation=money-back&variables=${variables}`, { key });
    const { reversed, cancelled, cancellations } = json.data.oversight;
    expect(reversed.nodes[0].revenue.reversals).toBeGreaterThan(0);
    expect(cancelled.nodes).toContainEqual(
      expect.objectContaining({ key: { agencyId: 'URSB', currency: 'UGX' }, cancellations: null }),
    );
    expect(cancellations.nodes.map(({ kind }: Row) => kind)).toEqual(['cancellation', 'cancellation']);
  });

  it('give their reasons to whoever operators trust with words that may name people, and to nobody else', async () => {
    const query = '{ oversight { cancellations(first: 100) { nodes { id explained reason } } } }';
    const refused = (await rail.ask('/graphql', { key, body: { query } })).json;
    expect(refused.errors[0]).toMatchObject({
      path: ['oversight', 'cancellations', 'nodes', 0, 'reason'],
      extensions: { code: 'forbidden' },
    });
    const { nodes } = refused.data.oversight.cancellations;
    expect(nodes.every(({ reason }: { reason: unknown }) => reason === null)).toBe(true);
    expect(JSON.stringify(refused)).not.toMatch(/Given up|wrong car/);
    const { plaintext } = await rail.key('oversight.read', 'oversight.audit');
    const { data } = (await rail.ask('/graphql', { key: plaintext, body: { query } })).json;
    const given: { id: string; explained: boolean; reason: string | null }[] = data.oversight.cancellations.nodes;
    for (const { explained, reason } of given) expect(reason !== null).toBe(explained);
    const reasonsOf = (prefix: string) =>
      new Set(given.filter(({ id }) => id.startsWith(prefix)).map(({ reason }) => reason));
    expect(reasonsOf('CNL-')).toEqual(new Set(['Given up']));
    expect(reasonsOf('PEV-')).toEqual(new Set([null, 'Paid for the wrong car']));
  });

  it('follow what is changed of them', { tags: 'long' }, async () => {
    const answers = async () => [
      await rail.rail.analytics.rows(sql`select * from cancellation order by name`),
      await list(`${EVER}, first: 1000`),
    ];
    const before = await answers();
    expect(before.map(({ length }) => length > 5)).toEqual([true, true]);
    await rail.rows(sql`update assessment set cancel_reason = null where cancelled_at is not null`);
    await rail.rows(sql`update counter_shift set counter_label = 'Window 4', clerk = name || '@example.com'`);
    const [facts, listed] = await answers();
    expect(facts).toHaveLength(before[0]!.length);
    expect(new Set((listed as Row[]).map(({ explained }) => explained))).toEqual(new Set([false]));
    const atCounters = (listed as Row[]).filter(({ counterAgencyId }) => counterAgencyId !== null);
    expect(new Set(atCounters.map(({ counter, sameHand }) => `${String(counter)} ${String(sameHand)}`))).toEqual(
      new Set(['Window 4 false']),
    );
    // As they would be read anew.
    await remakeCopies(rail.rail.db);
    expect(await answers()).toEqual([facts, listed]);
  });
});
