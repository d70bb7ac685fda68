import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FACTS } from '../../../src/oversight/facts/facts.ts';
import { FEWEST_PEOPLE } from '../../../src/oversight/common/small-cells.ts';
import { type Staying, type Waiting, chooseDisclosed, takeStep } from '../../../src/oversight/common/steps.ts';
import { seedHistory } from '../../../src/sandbox/history.ts';
import { Copy } from '../../../src/platform/analytics/copy.ts';
import { openDatabase } from '../../../src/platform/database/open-database.ts';
import { type Database, type Sql, sql } from '../../../src/platform/database/sql.ts';
import { drawSeed } from '../../harness/run/seed.ts';
import { DEADLINES } from '../../harness/run/deadlines.ts';
import { sizeOf } from '../../harness/chaos/size.ts';
import { seedRandom } from '../../harness/chaos/tampering.ts';
import { testRail } from '../../harness/rail.ts';

const SEED = drawSeed('steps');
const random = seedRandom(SEED);
const below = (most: number) => Math.floor(random() * most);
const rail = testRail();

/** Another process, with a copy of its own. */
let other: { readonly copy: Copy; close(): Promise<void> };
const services: { name: string; mda: string }[] = [];
const PEOPLE = 60;
const ROUNDS = sizeOf({ fast: 12, long: 48 });
/** In more parts than these there is somebody at the end. */
const PARTS = sizeOf({ fast: 20, long: 30 });
/** Options of a copy that takes each step at once, however slow the machine is. */
const PATIENT = { memoryMb: 256, threads: 1, waitMs: DEADLINES.event, restMs: 0 };

beforeAll(async () => {
  const pools = openDatabase({ url: rail.url, replicaUrl: null }, 2, () => {});
  const options = { folder: join(rail.dataDir, 'other'), ...PATIENT };
  const copy = new Copy(pools.facts, FACTS, options, rail.rail.log, {
    consequence: (asked) => takeStep(asked, pools.db),
  });
  other = {
    copy,
    close: async () => {
      await copy.close();
      await pools.close();
    },
  };
  await rail.rows(sql`
    insert into citizen (name, nin, full_name, verified, search_text, created_at, updated_at)
    select 'CITIZEN-2021-' || (900000 + n), 'CM21' || (900000 + n) || 'ABCD', 'Sample', false, 'sample', now(), now()
    from generate_series(1, ${PEOPLE}) n`);
  services.push(
    ...(await rail.rows<{ name: string; mda: string }>(sql`
      select name, mda from (select name, mda, row_number() over (partition by mda order by name) as place from service) s
      where mda = 'URA' and place <= 2 or mda = 'KCCA' and place = 1`)),
  );
  // From the first question on, what becomes of people waits.
  await copy.asOf();
});
afterAll(() => other.close());

let made = 0;
const nextName = (prefix: string) => `${prefix}-2021-01-${900_000 + ++made}`;

/** Somebody is to pay for one service or two, since this month or the one before. Nobody else owes as much. */
async function assess(
  db: Database,
  person = below(PEOPLE),
  service: (typeof services)[number] | null = null,
  monthsAgo = random() < 0.2 ? 1 : 0,
) {
  const name = nextName('ASMT');
  const any = () => services[below(services.length)]!;
  const lines = (service ? [service] : random() < 0.2 ? [any(), any()] : [any()]).map((line, idx) => ({
    ...line,
    idx,
    amount: 1 + below(1e9),
  }));
  const total = lines.reduce((sum, { amount }) => sum + amount, 0);
  await db.rows(sql`
    with made as (
      insert into assessment (name, citizen, status, currency, total_amount, line_count, revision, assessed_at, created_at, updated_at)
      values (${name}, ${`CITIZEN-2021-${900_001 + person}`}, 'Assessed', 'UGX', ${total}, ${lines.length}, 1,
        now() - ${monthsAgo}::int * interval '1 month', now(), now())
    )
    insert into assessment_line (assessment, idx, service, service_name, mda, quantity, rate, amount)
    select ${name}, idx, service, 'A service', mda, 1, amount, amount
    from unnest(${lines.map(({ idx }) => idx)}::int[], ${lines.map((line) => line.name)}::text[], ${lines.map(({ mda }) => mda)}::text[],
      ${lines.map(({ amount }) => amount)}::numeric[]) l (idx, service, mda, amount)`);
  return name;
}

/** Somebody tries to pay an assessment. */
async function attempt(db: Database, assessment: string): Promise<string> {
  const name = nextName('PI');
  const channel = random() < 0.9 ? 'mtn_momo' : 'card';
  await db.rows(sql`
    with made as (
      insert into payment_intent (name, assessment, channel, status, amount, currency, aggregator, aggregator_reference, revision,
        initiated_at, expires_at, created_at, updated_at)
      select ${name}, name, ${channel}::channel, 'Sent', total_amount, currency, ${channel}, ${name}, 1, now(), now(), assessed_at, now()
      from assessment where name = ${assessment}
    )
    insert into split_rule (intent, mda, amount) select ${name}, mda, sum(amount) from assessment_line where assessment = ${assessment} group by mda`);
  return name;
}

/** An attempt succeeds, and its assessment is paid. */
async function pay(db: Database, intent: string): Promise<void> {
  await db.rows(sql`update payment_intent set status = 'Confirmed', confirmed_at = now() where name = ${intent}`);
  await db.rows(sql`
    insert into payment_event (name, intent, assessment, mda, amount, currency, channel, kind, aggregator_reference, occurred_at, created_at)
    select ${nextName('PEV')} || row_number() over (order by s.mda), i.name, i.assessment, s.mda, s.amount, i.currency, i.channel, 'payment', i.name, now(), now()
    from payment_intent i join split_rule s on s.intent = i.name where i.name = ${intent}`);
  await db.rows(sql`
    update assessment a set status = 'Paid', paid_at = now() from payment_intent i
    where i.name = ${intent} and a.name = i.assessment and a.status = 'Assessed'`);
}

/** One random event in the life of some person. In quiet times nobody new comes, and most of those who owe pay. */
async function live(isQuiet: boolean): Promise<void> {
  await rail.rail.transaction(async (db) => {
    const pick = async (query: Sql) => {
      const names = await db.rows<{ name: string }>(sql`${query} order by name`);
      return names.length === 0 ? null : names[below(names.length)]!.name;
    };
    const owing = sql`select name from assessment a where status = 'Assessed'`;
    const sent = sql`
      select i.name from payment_intent i join assessment a on a.name = i.assessment where i.status = 'Sent' and a.status = 'Assessed'`;
    const fate = isQuiet ? 0.4 + random() * 0.5 : random();
    if (fate < 0.4) await assess(db);
    else if (fate < 0.65) {
      const assessment = await pick(
        sql`${owing} and not exists (select from payment_intent i where i.assessment = a.name and i.status = 'Sent')`,
      );
      if (assessment) await attempt(db, assessment);
    } else if (fate < 0.85) {
      const intent = await pick(sent);
      if (intent) await pay(db, intent);
    } else if (fate < 0.92) {
      const intent = await pick(sent);
      const [status, cause] = random() < 0.6 ? ['Failed', ['declined', 'limit'][below(2)]!] : ['Expired', null];
      if (intent)
        await db.rows(
          sql`update payment_intent set status = ${status}::intent_status, failure_reason = ${cause} where name = ${intent}`,
        );
    } else {
      const assessment = await pick(
        sql`${owing} and not exists (select from payment_intent i where i.assessment = a.name and i.status = 'Sent')`,
      );
      if (assessment)
        await db.rows(sql`update assessment set status = 'Cancelled', cancelled_at = now() where name = ${assessment}`);
    }
  });
}

/** All that a copy tells of people, in the finest parts: to each the people in it, by what is told of each document. */
const SHOWN = sql`
  select concat_ws(' ', 'assessed', month, mda, service) as part, person, concat_ws(' ', document, status, channel, milliseconds is null) as what from assessed
  union all
  select concat_ws(' ', status, month, mda, service), person, document::text from assessed
  union all
  select concat_ws(' ', 'paid by', channel, month, mda, service), person, document::text from assessed where milliseconds is not null
  union all
  select concat_ws(' ', 'attempted', month, channel, mda), person, concat_ws(' ', attempt, status, cause) from attempt
  union all
  select concat_ws(' ', status, month, channel, mda), person, attempt::text from attempt
  union all
  select concat_ws(' ', cause, month, channel, mda), person, attempt::text from attempt where cause not in ('', 'expired')
  union all
  select concat_ws(' ', 'cancelled', month, mda), person, document::text from cancellation where told and kind = 'cancellation'
  order by 1, 2, 3`;

type Shown = ReadonlyMap<string, readonly { readonly person: number; readonly what: string }[]>;

async function readShown(copy: Pick<Copy, 'rows'>): Promise<Shown> {
  return Map.groupBy(await copy.rows<{ part: string; person: number; what: string }>(SHOWN), ({ part }) => part);
}

/** The people of whom two answers tell something else, in a part. */
function peopleBetween(before: Shown, after: Shown, part: string): ReadonlySet<number> {
  const [had, has] = [before, after].map(
    (shown) => new Map((shown.get(part) ?? []).map((row) => [`${row.person} ${row.what}`, row.person])),
  );
  return new Set(
    [...[...had!].filter(([key]) => !has!.has(key)), ...[...has!].filter(([key]) => !had!.has(key))].map(
      ([, person]) => person,
    ),
  );
}

const isFew = (people: number) => people > 0 && people < FEWEST_PEOPLE;

describe('over time', () => {
  it(`tells of what became of many or of nobody, on two processes (SEED=${SEED})`, async () => {
    const copies = [rail.rail.analytics, other.copy] as const;
    let before: Shown = new Map();
    let lefts = 0;
    // Goes on until there is enough to judge by.
    const isEnough = () => lefts > 0 && before.size > PARTS;
    for (let round = 0; round < ROUNDS || (!isEnough() && round < 4 * ROUNDS); round++) {
      const isQuiet = round % 4 === 3;
      for (let event = below(isQuiet ? 150 : 40); event >= 0; event--) await live(isQuiet);
      const [one, two] = random() < 0.5 ? copies : copies.toReversed();
      // At once, or one after the other: both say the same.
      if (random() < 0.3) await Promise.all([one.asOf(), two.asOf()]);
      const after = await readShown(one);
      expect(await readShown(two)).toEqual(after);
      for (const part of new Set([...before.keys(), ...after.keys()])) {
        const moved = peopleBetween(before, after, part).size;
        expect(isFew(moved), `${moved} people move ${part} in round ${round}`).toBe(false);
        // No status is left with few, of whom other figures less it would tell.
        const people = new Set((after.get(part) ?? []).map(({ person }) => person)).size;
        expect(isFew(people), `${people} people in ${part} in round ${round}`).toBe(false);
        if (/^(Assessed|Sent)/.test(part) && (after.get(part)?.length ?? 0) < (before.get(part)?.length ?? 0)) lefts++;
      }
      before = after;
    }
    const [last] = await rail.rows<{ number: number }>(sql`select number from people_step`);
    expect(last!.number).toBeGreaterThan(ROUNDS / 4);
    expect(lefts).toBeGreaterThan(0);
    expect(before.size).toBeGreaterThan(PARTS);
    // Changes that few people share wait.
    const waiting = await rail.count(sql`select distinct document, intent from people_waiting`);
    const all = await rail.count(sql`select 1 from assessment union all select 1 from payment_intent`);
    expect(waiting).toBeGreaterThan(0);
    expect(waiting).toBeLessThan(all);
  });

  it('tells the same people to who asks for less: each figure is of finest parts', async () => {
    const [facts] = await rail.rail.analytics.rows<{ documents: number; people: number }>(
      sql`select count(distinct document)::int as documents, count(distinct person)::int as people from assessed`,
    );
    const [tables] = await rail.rows<{ documents: number; people: number }>(sql`
      select count(*)::int as documents, count(distinct (citizen, date_trunc('month', assessed_at)))::int as people from assessment a
      where not exists (select from people_waiting w where w.document = a.name and w.intent is null and w.was is null)`);
    expect(facts).toEqual(tables);
  });
});

describe('a step of many', () => {
  const full = testRail();

  it(
    'reads of what waits no more than it tells, though PostgreSQL believes that nothing does',
    { tags: 'long' },
    async () => {
      for await (const _ of seedHistory(full.rail, { events: 3_000, years: 1, agencies: 4, seed: 3 }));
      const pools = openDatabase({ url: full.url, replicaUrl: null }, 2, () => {});
      const options = { folder: join(full.dataDir, 'apart'), ...PATIENT };
      const copy = new Copy(pools.facts, FACTS, options, full.rail.log);
      try {
        await full.rows(sql`insert into people_step default values on conflict do nothing`);
        const wait = sql`
        insert into people_waiting (kind, document, was, becomes)
        select 'assessment', name, 'Assessed', 'Paid' from assessment where status = 'Paid'`;
        // Looked through while it was empty, after it had been full.
        await full.rows(wait);
        await full.rows(sql`delete from people_waiting`);
        await full.rows(sql`analyze people_waiting`);
        await full.rows(wait);
        await full.rows(
          sql`insert into fact_change (kind, document) select distinct kind, document from people_waiting`,
        );
        const waiting = await full.count(sql`select from people_waiting`);
        expect(waiting).toBeGreaterThan(1_000);
        await copy.asOf();
        const [read] = await full.rail.transaction(async (db) => {
          expect(await takeStep(copy, db)).toBe(true);
          return db.rows<{ rows: number }>(sql`
          select (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables where relname = 'people_waiting'`);
        });
        expect(await full.count(sql`select from people_waiting`)).toBeLessThan(waiting);
        expect(read!.rows).toBeLessThan(10 * waiting);
      } finally {
        await copy.close();
        await pools.close();
      }
    },
  );
});

describe('a step', () => {
  const service = () => services.find(({ mda }) => mda === 'URA')!;
  const ASKED = sql`select count(*)::int as n from assessed where month = date_trunc('month', now() - interval '20 months')::date`;
  const count = async (copy: Pick<Copy, 'rows'>) => (await copy.rows<{ n: number }>(ASKED))[0]!.n;

  it('waits for a transaction that is held open, and has what it commits with others', async () => {
    const late = new pg.Client({ connectionString: rail.url });
    await late.connect();
    try {
      await late.query('begin');
      const lateDb: Database = {
        rows: async <Row>({ text, values }: Sql) => (await late.query(text, values)).rows as Row[],
        row: async <Row>(query: Sql) => (await lateDb.rows<Row>(query))[0] ?? null,
      };
      await assess(lateDb, 1, service(), 20);
      for (let person = 2; person < 2 + FEWEST_PEOPLE; person++)
        await rail.rail.transaction((db) => assess(db, person, service(), 20));
      expect(await count(rail.rail.analytics)).toBe(FEWEST_PEOPLE);
      await late.query('commit');
      // It happened before the step, and was not in it.
      expect(await count(rail.rail.analytics)).toBe(FEWEST_PEOPLE);
      for (let person = 10; person < 9 + FEWEST_PEOPLE; person++) {
        expect(await count(other.copy)).toBe(FEWEST_PEOPLE);
        await rail.rail.transaction((db) => assess(db, person, service(), 20));
      }
      expect(await count(other.copy)).toBe(2 * FEWEST_PEOPLE);
      expect(await count(rail.rail.analytics)).toBe(2 * FEWEST_PEOPLE);
    } finally {
      await late.end();
    }
  });

  it('counts only as the one after the last that a copy knows of', async () => {
    const names: string[] = [];
    for (let person = 20; person < 20 + FEWEST_PEOPLE; person++)
      names.push(await rail.rail.transaction((db) => assess(db, person, service(), 20)));
    const waiting = await rail.rows<{ id: number }>(sql`select id from people_waiting where document = any(${names})`);
    expect(waiting).toHaveLength(FEWEST_PEOPLE);
    const [last] = await rail.rows<{ number: number }>(sql`select number from people_step`);
    // The state that two processes read at the same time.
    const rows = async <Row>({ text }: Sql) =>
      (text.includes('from step')
        ? [last]
        : text.includes('statuses')
          ? []
          : waiting.map(({ id }) => ({ id, last: id, person: id, part: 'a', left: null }))) as Row[];
    const copy: Database = { rows, row: async <Row>(query: Sql) => (await rows<Row>(query))[0] ?? null };
    const taken = await Promise.all([takeStep(copy, rail.rail.db), takeStep(copy, rail.rail.background.db)]);
    expect(taken.toSorted()).toEqual([false, true]);
    expect(await rail.rows(sql`select number from people_step`)).toEqual([{ number: last!.number + 1 }]);
    expect(await count(rail.rail.analytics)).toBe(3 * FEWEST_PEOPLE);
    expect(await count(other.copy)).toBe(3 * FEWEST_PEOPLE);
  });
});

describe('what can be told together', () => {
  const rowsOf = (part: string, people: readonly number[], left: string | null = null): Waiting[] =>
    people.map((person) => ({ id: person, last: person, person, part, left }));
  const disclosed = (due: readonly Waiting[], staying: readonly Staying[] = []) =>
    [...chooseDisclosed(due, staying).keys()].toSorted((a, b) => a - b);

  it('is what enough people share, in each part that it is of', () => {
    expect(disclosed(rowsOf('a', [1, 2, 3, 4]))).toEqual([]);
    expect(disclosed(rowsOf('a', [1, 2, 3, 4, 5]))).toEqual([1, 2, 3, 4, 5]);
    // A fifth person has two services. One of them has only that person, so neither service shows the fifth.
    const both = [...rowsOf('a', [1, 2, 3, 4, 5]), ...rowsOf('b', [5])];
    expect(disclosed(both)).toEqual([]);
    expect(disclosed([...both, ...rowsOf('a', [6])])).toEqual([1, 2, 3, 4, 6]);
  });

  it('leaves a status to nobody, or to enough', () => {
    const leaving = rowsOf('paid', [1, 2, 3, 4, 5, 6, 7, 8], 'unpaid');
    expect(disclosed(leaving)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(disclosed(leaving, [{ left: 'unpaid', people: [11, 12, 13, 14, 15] }])).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    // The last to leave wait with those who stay.
    expect(disclosed(leaving, [{ left: 'unpaid', people: [11, 12] }])).toEqual([1, 2, 3, 4, 5]);
    expect(disclosed(leaving, [{ left: 'unpaid', people: [11] }])).toEqual([]);
    // Whoever stays with another document is no further one.
    expect(disclosed(leaving, [{ left: 'unpaid', people: [7, 8, 11] }])).toEqual([1, 2, 3, 4, 7, 8]);
  });
});
