import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Sql, sql } from '../../../src/platform/database/sql.ts';
import { FACTS, VIEWS } from '../../../src/oversight/facts/facts.ts';
import { GROUP_NAMES, groupOf } from '../../../src/oversight/figures/query/groups.ts';
import { FEWEST_PEOPLE } from '../../../src/oversight/common/small-cells.ts';
import { drawSeed } from '../../harness/run/seed.ts';
import { sizeOf } from '../../harness/chaos/size.ts';
import { seedRandom } from '../../harness/chaos/tampering.ts';
import { createAssessedFor, makeActor } from '../../harness/flow.ts';
import { type Row, keyOf, railWithHistory } from './asking.ts';

const { rail, ask, figures } = railWithHistory({ events: 2_400, agencies: 24 });

// People who come again and again: what is left out of one part may be in another. Many do not pay, or fail to. What was
// made in a month is due in no month, in one that is long past, or half of it in each: so an age is of one of these.
beforeAll(async () => {
  // Intents are changed without their events, which these figures do not read.
  await rail.rows(sql`alter table payment_intent disable trigger intent_equals_events`);
  await rail.rows(sql`
    update assessment set citizen = 'CITIZEN-2020-' || (900001 + floor(power(hashtext(name)::bigint % 1000 / 1000.0, 2) * 30)::int)`);
  await rail.rows(sql`
    update assessment set status = 'Assessed', paid_at = null, cancelled_at = null
    where assessed_at is not null and abs(hashtext(name || 'a')) % 10 < 3`);
  await rail.rows(sql`
    update assessment set due_on = now() - interval '500 days'
    where assessed_at between now() - interval '330 days' and date_trunc('month', now() at time zone 'utc') and case extract(month from assessed_at)::int % 3
      when 0 then false when 1 then true else abs(hashtext(name || 'd')) % 2 = 0 end`);
  await rail.rows(sql`
    update assessment set status = 'Cancelled', paid_at = null, cancelled_at = assessed_at + interval '1 hour'
    where assessed_at is not null and abs(hashtext(name || 'a')) % 10 in (3, 4)`);
  await rail.rows(sql`
    update payment_intent set status = (case when abs(hashtext(name)) % 10 < 3 then 'Failed' else 'Expired' end)::intent_status, confirmed_at = null,
      failure_reason = (array['APPROVAL_REJECTED', 'PAYER_LIMIT_REACHED', 'Invalid PIN', null])[1 + abs(hashtext(name || 'c')) % 4]
    where status = 'Confirmed' and assessment in (select name from assessment where paid_at is null)`);
});

/** A measure about people, how its figures are parted, and the truth: a row for each person in each part. */
interface Attacked {
  readonly group: string;
  /** The measure that is added up over groups. */
  readonly counted: string;
  /** The dimensions that part a month, from the outermost. */
  readonly tree: readonly string[];
  readonly truth: Sql;
}

const assessed = sql`
  select a.citizen as person, to_char(a.assessed_at at time zone 'utc', 'YYYY-MM') as month, l.mda as "agencyId",
    l.service as "serviceId",
    (select i.channel::text from payment_intent i where i.assessment = a.name and i.status = 'Confirmed') as channel
  from assessment a join assessment_line l on l.assessment = a.name where a.assessed_at is not null`;

const unpaid = sql`
  select o.*, case when days <= 7 then 'days_0_7' when days <= 30 then 'days_8_30' when days <= 90 then 'days_31_90'
    when days <= 365 then 'days_91_365' else 'days_over_365' end as age
  from (
    select a.citizen as person, to_char(a.assessed_at at time zone 'utc', 'YYYY-MM') as month, l.mda as "agencyId", a.due_on,
      floor(extract(epoch from now() - date_trunc('month', coalesce(a.due_on::timestamp, a.assessed_at at time zone 'utc')) at time zone 'utc') / 86400) as days
    from assessment a join assessment_line l on l.assessment = a.name where a.status = 'Assessed') o`;

const attempts = sql`
  select a.citizen as person, to_char(i.created_at at time zone 'utc', 'YYYY-MM') as month, i.channel::text,
    (select s.mda from split_rule s where s.intent = i.name order by s.amount desc, s.mda limit 1) as "agencyId",
    failure_cause(i.failure_reason) as cause
  from payment_intent i join assessment a on a.name = i.assessment`;

const ATTACKED: readonly Attacked[] = [
  ...Object.entries({ paid: 'Paid', outstanding: 'Assessed', cancelled: 'Cancelled' }).map(([counted, status]) => ({
    group: 'assessed',
    counted,
    tree: ['agency', 'service'],
    truth: sql`${assessed} and a.status = ${status}::assessment_status`,
  })),
  {
    group: 'toPayment',
    counted: 'paidAssessments',
    tree: ['agency', 'channel', 'service'],
    truth: sql`${assessed} and a.paid_at is not null`,
  },
  {
    group: 'unpaid',
    counted: 'unpaidAssessments',
    tree: ['agency', 'age'],
    truth: unpaid,
  },
  {
    group: 'overdue',
    counted: 'overdueAmount',
    tree: ['agency', 'age'],
    truth: sql`${unpaid} where due_on < date_trunc('month', now() at time zone 'utc')`,
  },
  {
    group: 'cancellations',
    counted: 'cancellations',
    tree: ['agency'],
    truth: sql`
      select a.citizen as person, to_char(a.cancelled_at at time zone 'utc', 'YYYY-MM') as month, l.mda as "agencyId"
      from assessment a join assessment_line l on l.assessment = a.name
      where a.cancelled_at is not null and a.paid_at is null and a.assessed_at is not null`,
  },
  ...Object.entries({ confirmed: 'Confirmed', failed: 'Failed', expired: 'Expired' }).map(([counted, status]) => ({
    group: 'attempts',
    counted,
    tree: ['channel', 'agency', ...(status === 'Failed' ? ['cause'] : [])],
    truth: sql`${attempts} where i.status = ${status}::intent_status`,
  })),
];

const nameOf = (row: Row, members: readonly string[]) => members.map((member) => String(row[member])).join(' ');
const isFew = (people: ReadonlySet<unknown>) => people.size > 0 && people.size < FEWEST_PEOPLE;

/** The values of a measure in each month down to a depth: the finest figures for that many dimensions. */
async function askAll({ group, counted, tree }: Attacked, depth: number): Promise<Row[]> {
  const rows = await figures(group, [counted], { by: ['month', ...tree.slice(0, depth)] });
  return rows.filter((row) => Number(row[counted]) > 0);
}

/** Random questions of each of these: 360 in all in the long run. */
const QUESTIONS = sizeOf({ fast: 4, long: 40 });

describe.each(ATTACKED)('$group: $counted', (attacked) => {
  const { group, counted, tree, truth } = attacked;
  const members = ['month', ...tree.map(keyOf)];

  it('tells of no part of few people, and of none that few would be missing from', async () => {
    const facts = await rail.rows<Row>(truth);
    let [disclosed, hidden] = [0, 0];
    for (let depth = 1; depth <= tree.length; depth++) {
      const [own, whole] = [members.slice(0, depth + 1), members.slice(0, depth)];
      const shown = new Set((await askAll(attacked, depth)).map((row) => nameOf(row, own)));
      for (const [name, within] of Map.groupBy(facts, (fact) => nameOf(fact, own))) {
        const people = new Set(within.map(({ person }) => person));
        if (shown.has(name)) expect(isFew(people), `${group} tells of ${name}`).toBe(false);
        if (shown.has(name)) disclosed++;
        else hidden++;
      }
      if (depth === 1) continue;
      for (const [name, within] of Map.groupBy(facts, (fact) => nameOf(fact, whole))) {
        const [open, rest] = [true, false].map((isShown) =>
          within.filter((fact) => shown.has(nameOf(fact, own)) === isShown),
        ) as [Row[], Row[]];
        if (open.length === 0) continue;
        const seen = new Set(open.map(({ person }) => person));
        const missing = new Set(rest.map(({ person }) => person));
        expect(isFew(missing), `${group}: few are missing from ${name}`).toBe(false);
        expect(isFew(missing.difference(seen)), `${group}: few are only in what is missing from ${name}`).toBe(false);
      }
    }
    expect(disclosed).toBeGreaterThan(10);
    expect(hidden).toBeGreaterThan(40);
  });

  it('tells nothing else, whatever is grouped, filtered and spanned', async () => {
    const random = seedRandom(drawSeed(`questions of ${group}, ${counted}`));
    const parts = await Promise.all(tree.map((_level, index) => askAll(attacked, index + 1)));
    let answered = 0;
    for (let turn = 0; turn < QUESTIONS || (answered <= 5 && turn < 10 * QUESTIONS); turn++) {
      const by = [...(random() < 0.5 ? ['month'] : []), ...tree.filter(() => random() < 0.5)];
      const filters = tree
        .map((name, level) => ({ name, of: parts[level]! }))
        .filter(({ of }) => of.length > 0 && random() < 0.35)
        .map(({ name, of }) => ({ name, value: String(of[Math.floor(random() * of.length)]![keyOf(name)]) }));
      const depth = Math.max(
        1,
        ...[...by, ...filters.map(({ name }) => name)].map((dimension) => tree.indexOf(dimension) + 1),
      );
      const [from, to] = [random(), random()].map((part) => Math.floor(part * 360)).toSorted((a, b) => b - a);
      const [fromDate, toDate] = [from!, to!].map((days) =>
        new Date(rail.rail.now().getTime() - days * 86_400_000).toISOString().slice(0, 10),
      ) as [string, string];
      // The filters as they are, or negated.
      const isLeftOut = filters.length > 0 && random() < 0.25;
      const named = Object.fromEntries(filters.map(({ name, value }) => [name, [value]]));
      const rows = await figures(group, [counted], {
        by,
        slice: isLeftOut ? { not: named } : named,
        days: { fromDate, toDate },
      });
      const own = by.map(keyOf);
      const expected = new Map<string, number>();
      for (const part of parts[depth - 1]!) {
        const month = String(part['month']);
        const isNamed = filters.every(({ name, value }) => part[keyOf(name)] === value);
        if (month < fromDate.slice(0, 7) || month > toDate.slice(0, 7) || isNamed === isLeftOut) continue;
        expected.set(nameOf(part, own), (expected.get(nameOf(part, own)) ?? 0) + Number(part[counted]));
      }
      const shown = new Map(
        rows.filter((row) => Number(row[counted]) > 0).map((row) => [nameOf(row, own), Number(row[counted])]),
      );
      expect(shown).toEqual(expected);
      answered += shown.size;
    }
    expect(answered).toBeGreaterThan(5);
  });
});

/** Random questions of each of these, after each of so many rounds: 10,000 in all in the long run. */
const ROUNDS = sizeOf({ fast: { rounds: 6, questions: 20 }, long: { rounds: 25, questions: 400 } });
/** A round a test, so that each has the deadline of a test to itself. */
const EACH_ROUND = Array.from({ length: ROUNDS.rounds }, (_, round) => round);

describe('registrations', () => {
  let random: () => number;
  const some = <Of>(of: readonly Of[]) => of[Math.floor(random() * of.length)]!;
  const momentOf = (daysAgo: number) => new Date(rail.rail.now().getTime() - daysAgo * 86_400_000);
  const dayOf = (daysAgo: number) => momentOf(daysAgo).toISOString().slice(0, 10);
  let agencies: string[];
  let asked: { by: string[]; slice: Readonly<Record<string, string[]>>; days: { fromDate: string; toDate: string } }[];
  let before: ReadonlyMap<string, number>[];
  let registered = 0;

  /** Has people register at an agency, or by hand. */
  const register = async (people: number, mda: string | null, daysAgo: number) => {
    for (let one = 0; one < people; one++) {
      const [name, at] = [`CITIZEN-2026-${700_000 + registered++}`, momentOf(daysAgo)];
      await rail.rows(sql`
        insert into citizen (name, nin, full_name, verified, search_text, created_at, updated_at)
        values (${name}, ${`CM${name.slice(-6)}ABCD`}, 'Sample', false, 'sample', ${at}, ${at})`);
      if (mda !== null)
        await rail.rows(sql`
          insert into consent_event (name, citizen, mda, purpose, created_at) values (${`CONSENT-${name}`}, ${name}, ${mda}, 'x', ${at})`);
    }
  };
  const askEach = async () => {
    const answers: ReadonlyMap<string, number>[] = [];
    for (const { by, slice, days } of asked) {
      const rows = await figures('registrations', ['registered'], { by, slice, days });
      answers.push(new Map(rows.map((row) => [nameOf(row, by.map(keyOf)), Number(row['registered'] ?? 0)])));
    }
    return answers;
  };
  /** By how many each figure is another than before. */
  const listMoves = async () => {
    const after = await askEach();
    const moves = after.flatMap((answer, at) =>
      [...answer].map(([key, count]) => Math.abs(count - (before[at]!.get(key) ?? 0))),
    );
    before = after;
    return moves.filter((by) => by > 0);
  };

  beforeAll(async () => {
    random = seedRandom(drawSeed('questions of registrations'));
    agencies = (await rail.rows<{ name: string }>(sql`select name from mda order by name limit 4`)).map(
      ({ name }) => name,
    );
    for (let one = 0; one < 300; one++) await register(1, [null, ...agencies][one % 5]!, Math.floor(random() * 60));
    asked = Array.from({ length: ROUNDS.questions }, () => {
      const [fromDate, toDate] = [random(), random()].map((part) => Math.floor(part * 400)).toSorted((a, b) => b - a);
      return {
        by: ['source', 'agency', 'year', 'month', 'day'].filter(() => random() < 0.4),
        slice: random() < 0.4 ? { agency: [some(agencies)] } : random() < 0.5 ? { source: ['by_hand'] } : {},
        days: { fromDate: dayOf(fromDate!), toDate: dayOf(toDate!) },
      };
    });
    asked.push({ by: ['source', 'year'], slice: {}, days: { fromDate: dayOf(0), toDate: dayOf(0) } });
  });

  it('are asked for before anybody else registers', async () => {
    before = await askEach();
    expect(before.some((answer) => answer.size > 0)).toBe(true);
  });

  it.each(EACH_ROUND)('move by many people or not at all, while few register: round %i', async (round) => {
    await register(1 + (round % (FEWEST_PEOPLE - 1)), some([null, ...agencies]), Math.floor(random() * 60));
    expect((await listMoves()).filter((by) => by < FEWEST_PEOPLE)).toEqual([]);
  });

  it('move by many people once many register', async () => {
    await register(2 * FEWEST_PEOPLE, null, 0);
    const moves = await listMoves();
    expect(moves.filter((by) => by < FEWEST_PEOPLE)).toEqual([]);
    expect(moves.length).toBeGreaterThan(0);
  });
});

describe('each group of measures', () => {
  it('says that it is about people where it reads facts about them', () => {
    const facts = FACTS.filter(({ name, columns }) => 'person' in columns || name === 'registration');
    const about = [...facts, ...VIEWS].map(({ name }) => name);
    expect(about.length).toBeGreaterThan(6);
    const reading = {
      spans: [{ from: new Date(0), to: new Date(0) }],
      timeZone: 'UTC',
      slice: {},
      by: [],
    } as const;
    for (const name of GROUP_NAMES) {
      const { select, people } = groupOf(name);
      const { text } = select(reading, { now: new Date(0), config: rail.rail.config });
      const read = about.filter((fact) => new RegExp(`\\b(from|join)\\s+${fact}\\b`).test(text));
      // Reversals are of payments, which are public without their payers.
      if (name === 'reversals') expect(text).toContain("kind = 'reversal'");
      else expect(people === 'none', `${name} reads ${read.join(', ')}`).toBe(read.length === 0);
    }
  });
});

describe('unpaid assessments, one by one', () => {
  let asked: string[];
  let before: ReadonlyMap<unknown, unknown>[];
  let everMoved = false;

  /** The person who owes each row, by the row's name on this day. */
  const peopleOf = async () => {
    const day = rail.rail.now().toISOString().slice(0, 10);
    const owed = await rail.rail.analytics.rows<{ name: string; person: unknown }>(
      sql`select distinct name, person::varchar as person from assessed where name is not null`,
    );
    return new Map(
      owed.map(({ name, person }) => [
        `DUE-${createHash('sha256')
          .update(name + day)
          .digest('hex')
          .slice(0, 24)}`,
        person,
      ]),
    );
  };
  const askEach = async () => {
    const people = await peopleOf();
    const answers: ReadonlyMap<unknown, unknown>[] = [];
    for (const question of asked) {
      const rows = await ask(`unpaidAssessments(${question}) { id agencyId currency amount assessedOn days age }`);
      const shown = ({ id: _id, ...row }: Row) => JSON.stringify(row);
      for (const [cell, sharing] of Map.groupBy(rows, shown)) {
        const owing = new Set(sharing.map(({ id }) => people.get(String(id))));
        expect(owing.has(undefined), cell).toBe(false);
        expect(owing.size, `${question}: ${cell}`).toBeGreaterThanOrEqual(FEWEST_PEOPLE);
      }
      answers.push(new Map(rows.map((row) => [row['id'], people.get(String(row['id']))])));
    }
    return answers;
  };
  /** True if a row came or went. Changed rows must belong to many people. */
  const isMoved = async () => {
    const after = await askEach();
    const each = after.map((rows, at) => {
      const gone = [...before[at]!].filter(([id]) => !rows.has(id));
      const come = [...rows].filter(([id]) => !before[at]!.has(id));
      const people = new Set([...gone, ...come].map(([, person]) => person));
      expect(isFew(people), asked[at]).toBe(false);
      return people.size > 0;
    });
    before = after;
    return each.includes(true);
  };

  it('show nothing that few people share', async () => {
    const random = seedRandom(drawSeed('questions of unpaid assessments'));
    const some = <Of>(of: readonly Of[]) => of[Math.floor(random() * of.length)]!;
    const agencies = (await rail.rows<{ name: string }>(sql`select name from mda order by name`)).map(
      ({ name }) => name,
    );
    const ages = ['days_0_7', 'days_8_30', 'days_31_90', 'days_91_365', 'days_over_365'];
    asked = Array.from({ length: ROUNDS.questions }, () => {
      const filters = [
        ...(random() < 0.4 ? [`agency: ${JSON.stringify([some(agencies), some(agencies)])}`] : []),
        ...(random() < 0.4 ? [`age: [${[...new Set([some(ages), some(ages)])].join()}]`] : []),
        ...(random() < 0.2 ? ['currency: ["UGX"]'] : []),
      ];
      return [...filters, `orderBy: ${some(['oldest', 'newest', 'largest'])}`, 'first: 10000'].join(', ');
    });
    before = await askEach();
    expect(before.some((rows) => rows.size > 20)).toBe(true);
  });

  it.each(EACH_ROUND)('move by many or not at all, while few pay: round %i', async (round) => {
    const [actor, few] = [await makeActor(rail), 1 + (round % (FEWEST_PEOPLE - 1))];
    await rail.rows(sql`
      update assessment set status = 'Paid', paid_at = ${rail.rail.now()} where name in (
        select name from assessment where status = 'Assessed' order by md5(name || ${String(round)}) limit ${few})`);
    const citizens = await rail.rows<{ name: string }>(
      sql`select name from citizen order by md5(name || ${String(round)}) limit ${few}`,
    );
    for (const { name } of citizens) await createAssessedFor(rail, actor, 'KCCA-TRADELIC', { citizen: name });
    everMoved = (await isMoved()) || everMoved;
  });

  it('move at last', async () => {
    await expect.poll(async () => everMoved || (await isMoved())).toBe(true);
  });

  it('have other names on each day', async () => {
    const names = async () => (await ask('unpaidAssessments(first: 10000) { id }')).map(({ id }) => String(id));
    const today = new Set(await names());
    rail.advance(24);
    const tomorrow = await names();
    expect(tomorrow.length).toBeGreaterThan(0);
    expect(tomorrow.filter((name) => today.has(name))).toEqual([]);
  });
});

describe('unpaid', () => {
  it('tells of months alone that are told as outstanding, however it is parted', async () => {
    const by = ['agency', 'month'];
    const months = await figures('unpaid', ['unpaidAmount'], { by });
    const shown = months.filter(({ unpaidAmount }) => unpaidAmount !== null);
    expect(shown.length).toBeGreaterThan(0);
    const named = (rows: readonly Row[], measure: string) =>
      new Map(rows.map((row) => [nameOf(row, ['agencyId', 'month', 'currency']), row[measure]]));
    const outstanding = named(await figures('assessed', ['outstanding'], { by }), 'outstanding');
    for (const [name, amount] of named(shown, 'unpaidAmount')) expect(outstanding.get(name), name).toBe(amount);
    const sum = (rows: readonly Row[], measure = 'unpaidAmount') =>
      rows.reduce((all, row) => all + Number(row[measure] ?? 0), 0);
    const sumBy = async (...groups: string[]) => sum(await figures('unpaid', ['unpaidAmount'], { by: groups }));
    for (const groups of [[], ['agency'], ['country']]) expect(await sumBy(...groups), groups.join()).toBe(sum(shown));
    // Of ages, each is of many people.
    const aged = await sumBy('age');
    expect(aged).toBeLessThan(sum(shown));
    for (const groups of [
      ['agency', 'age'],
      ['country', 'age'],
      ['month', 'age'],
    ])
      expect(await sumBy(...groups), groups.join()).toBe(aged);
    // The list of each month, age and agency has as many rows as the figures count, with amounts that are not larger.
    const byAge = await figures('unpaid', ['unpaidAssessments', 'unpaidAmount'], { by: [...by, 'age'] });
    const told = byAge.filter(({ unpaidAmount }) => unpaidAmount !== null);
    const namedByAge = (measure: string) =>
      new Map(told.map((row) => [nameOf(row, ['agencyId', 'month', 'currency', 'age']), row[measure]]));
    const listed = Map.groupBy(
      await ask('unpaidAssessments(first: 10000) { agencyId currency amount assessedOn age }'),
      ({ agencyId, currency, assessedOn, age }) => [agencyId, String(assessedOn).slice(0, 7), currency, age].join(' '),
    );
    expect(new Map([...listed].map(([name, rows]) => [name, rows.length]))).toEqual(namedByAge('unpaidAssessments'));
    expect([...listed.values()].some((rows) => new Set(rows.map((row) => row['amount'])).size > 1)).toBe(true);
    for (const [name, amount] of namedByAge('unpaidAmount')) {
      expect(sum(listed.get(name)!, 'amount'), name).toBeLessThanOrEqual(Number(amount));
      expect(sum(listed.get(name)!, 'amount'), name).toBeGreaterThan(0);
    }
  });
});

describe('asking again while a month goes on', () => {
  const thisMonth = async () => {
    const day = rail.rail.now().toISOString().slice(0, 10);
    const [row] = await figures('assessed', ['assessments', 'assessed', 'outstanding'], {
      slice: { agency: ['URA'], currency: ['UGX'] },
      days: { fromDate: day, toDate: day },
    });
    return row!;
  };
  let before: Row;
  let after: Row;
  beforeAll(async () => {
    const actor = await makeActor(rail);
    const people = await rail.rows<{ name: string }>(
      sql`select name from citizen order by name limit ${FEWEST_PEOPLE}`,
    );
    for (const { name } of people) await createAssessedFor(rail, actor, 'URA-PAYE', { citizen: name });
    before = await thisMonth();
    const [newcomer] = await rail.rows<{ name: string }>(sql`select name from citizen order by name desc limit 1`);
    await createAssessedFor(rail, actor, 'URA-PAYE', { citizen: newcomer!.name });
    after = await thisMonth();
  });

  it('tells of the month as it is at each moment, once enough people are in it', () => {
    expect(before['assessments']).toBeGreaterThanOrEqual(FEWEST_PEOPLE);
    expect(after['assessments']).not.toBeNull();
  });

  it('tells nothing of the one person who came between two answers', () => {
    expect(after).toEqual(before);
  });
});
