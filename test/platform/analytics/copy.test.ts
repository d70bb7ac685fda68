import { readFileSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { FACTS, VIEWS } from '../../../src/oversight/facts/facts.ts';
import { emptyForeignFeed, remakeCopies, trimFeed } from '../../../src/platform/analytics/feed.ts';
import { Copy } from '../../../src/platform/analytics/copy.ts';
import type { Consequence } from '../../../src/platform/analytics/opened.ts';
import type { Source } from '../../../src/platform/database/open-database.ts';
import { openDatabase } from '../../../src/platform/database/open-database.ts';
import { type Sql, raw, sql } from '../../../src/platform/database/sql.ts';
import { DEADLINES } from '../../harness/run/deadlines.ts';
import { sizeOf } from '../../harness/chaos/size.ts';
import { createConfirmed, makeActor } from '../../harness/flow.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();
/** Another database of the same cluster. */
const other = testRail();

/** A copy of its own in a folder, as another process has; it reads PostgreSQL only after `before` where that is given. */
async function openCopy(
  folder: string,
  {
    of = rail,
    before = async () => {},
    consequence = async () => false,
    restMs = 0,
  }: { of?: typeof rail; before?: () => Promise<void>; consequence?: Consequence; restMs?: number } = {},
) {
  const pools = openDatabase({ url: of.url, replicaUrl: null }, 2, () => {});
  const source: Source = {
    db: pools.facts.db,
    snapshot: async (run, same) => {
      await before();
      return pools.facts.snapshot(run, same);
    },
  };
  const options = { folder, memoryMb: 256, threads: 1, waitMs: DEADLINES.event, restMs };
  const copy = new Copy(source, FACTS, options, of.rail.log, { views: VIEWS, consequence });
  return {
    copy,
    /** Has its questions wait for what is new, or not. */
    wait: (waits: boolean) => void (options.waitMs = waits ? DEADLINES.event : 0),
    close: async () => {
      await copy.close();
      await pools.close();
    },
  };
}

const TALLY = sql`select count(*)::int as parts, coalesce(sum(amount), 0) as amount from payment`;
const TRUTH = sql`select count(*)::int as parts, coalesce(sum(amount), 0) as amount from event_share`;

async function expectTrue(analytics: Pick<Copy, 'rows'>, of = rail): Promise<void> {
  const [copied] = await analytics.rows<{ parts: number; amount: unknown }>(TALLY);
  const [truth] = await of.rows<{ parts: number; amount: unknown }>(TRUTH);
  expect(`${copied!.parts} ${String(copied!.amount)}`).toBe(`${truth!.parts} ${String(truth!.amount)}`);
}

/** After a failure a copy rests before it is made again. */
async function expectTrueSoon(copy: Copy): Promise<void> {
  const answers = () =>
    copy.rows(TALLY).then(
      () => true,
      () => false,
    );
  await expect.poll(answers).toBe(true);
  await expectTrue(copy);
}

/** Changes a copy that is closed. */
async function changeFile(folder: string, statements: readonly string[]): Promise<void> {
  const instance = await DuckDBInstance.create(join(folder, 'copy-0.duckdb'));
  const connection = await instance.connect();
  for (const statement of statements) await connection.run(statement);
  connection.closeSync();
  instance.closeSync();
}

/** The layout of a DuckDB file: its heads, and blocks of one size. */
const [HEADS, BLOCK] = [12_288, 262_144];

/** Time until the failure. */
const TOOK_MS = 60_000;
const folderOf = (name: string) => join(rail.dataDir, name);
const madeAnew = () => rail.logged.filter((line) => line.includes('the copy of facts was made')).length;

describe('the copy of facts', () => {
  it('has what was acknowledged before a question, and says as of when', async () => {
    const actor = await makeActor(rail);
    for (let payment = 0; payment < 5; payment++) {
      await createConfirmed(rail, actor);
      const acknowledged = new Date();
      await expectTrue(rail.rail.analytics);
      expect((await rail.rail.analytics.asOf()).getTime()).toBeGreaterThanOrEqual(acknowledged.getTime() - 50);
    }
    expect(madeAnew()).toBe(1);
  });

  it('finds what has changed by the index of the feed, however often it looks', async () => {
    const LOOKS = 12;
    const counted = async () => {
      const [row] = await rail.rows<{ read: number; looked: number }>(sql`
        select seq_tup_read::int as read, coalesce(idx_scan, 0)::int as looked from pg_stat_user_tables
        where relname = 'fact_change'`);
      return row!;
    };
    // Of a transaction before all that are under way on the server.
    await rail.rows(sql`
      insert into fact_change (xid, kind, document) select '100', 'other', i::text from generate_series(1, 20000) i`);
    await rail.rows(sql`analyze fact_change`);
    const before = await counted();
    const { copy, close } = await openCopy(folderOf('feed'));
    for (let look = 0; look < LOOKS; look++) {
      await copy.asOf();
      await rail.rows(sql`insert into fact_change (kind, document) values ('other', 'changed')`);
    }
    // A connection that ends tells what it has read.
    await close();
    await expect.poll(async () => (await counted()).looked).toBeGreaterThanOrEqual(before.looked + LOOKS);
    expect((await counted()).read).toBe(before.read);
  });

  it('follows what changes as it would be made again: every column of every fact', { tags: 'long' }, async () => {
    const { copy, close } = await openCopy(folderOf('again'));
    try {
      for (const { name, columns } of FACTS) {
        const all = sql`select * from ${raw(name)} order by all`;
        expect(Object.keys((await copy.rows<object>(all))[0] ?? columns)).toEqual(
          expect.arrayContaining(Object.keys(columns)),
        );
        expect(await rail.rail.analytics.rows(all)).toEqual(await copy.rows(all));
      }
    } finally {
      await close();
    }
  });

  it('misses nothing of a transaction that was open for long while others committed', async () => {
    const actor = await makeActor(rail);
    await createConfirmed(rail, actor);
    await rail.rail.transaction(async (db) => {
      await db.rows(sql`
        update assessment set updated_at = now() where name = (select max(name) from assessment where status = 'Paid')`);
      await db.rows(sql`insert into fact_change (kind, document) select 'assessment', max(name) from assessment`);
      // Committed after that began, and read before it ends.
      await createConfirmed(rail, actor);
      await expectTrue(rail.rail.analytics);
      await db.rows(sql`update mda set district = 'Elsewhere' where name = 'URA'`);
      await expectTrue(rail.rail.analytics);
      await createConfirmed(rail, actor);
      await expectTrue(rail.rail.analytics);
    });
    const [agency] = await rail.rail.analytics.rows(sql`select district from agency where mda = 'URA'`);
    expect(agency).toEqual({ district: 'Elsewhere' });
    await expectTrue(rail.rail.analytics);
  });

  it('answers all questions of a request as of one moment, also where others have it follow meanwhile', async () => {
    const over = new AbortController();
    const once = rail.rail.analytics.atOnce(undefined, over.signal);
    const countParts = async (analytics: Pick<Copy, 'row'>) => (await analytics.row<{ parts: number }>(TALLY))!.parts;
    const first = await countParts(once);
    const actor = await makeActor(rail);
    for (let payment = 0; payment < 3; payment++) {
      await createConfirmed(rail, actor);
      expect(await countParts(rail.rail.analytics.atOnce())).toBe(first + 2 * (payment + 1));
      expect(await countParts(once)).toBe(first);
    }
    expect((await once.asOf()).getTime()).toBeLessThan((await rail.rail.analytics.asOf()).getTime());
    await remakeCopies(rail.rail.db);
    expect(await countParts(rail.rail.analytics)).toBe(first + 6);
    expect(await countParts(once)).toBe(first);
    over.abort();
    await expect(countParts(once)).rejects.toThrow('try again');
    expect(await countParts(rail.rail.analytics)).toBe(first + 6);
  });

  it('says the position that it reads, where another one is written while a question waits', async () => {
    let held: Promise<void> | null = null;
    let release = () => {};
    const { copy, wait, close } = await openCopy(folderOf('earlier'), { before: async () => held ?? undefined });
    try {
      const { parts: before } = (await copy.row<{ parts: number }>(TALLY))!;
      const first = copy.keptAsOf;
      await createConfirmed(rail, await makeActor(rail));
      held = new Promise((go) => (release = go));
      wait(false);
      const over = new AbortController();
      const once = copy.atOnce(undefined, over.signal);
      expect(await once.asOf()).toEqual(first);
      release();
      wait(true);
      expect((await copy.row<{ parts: number }>(TALLY))!.parts).toBe(before + 2);
      expect((await once.row<{ parts: number }>(TALLY))!.parts).toBe(before);
      expect(once.askedAsOf).toEqual(first);
      over.abort();
    } finally {
      release();
      await close();
    }
  });

  it('answers a question of one version once, and again where something was written or another question is asked', async () => {
    const { copy, close } = await openCopy(folderOf('known'));
    const spent: string[] = [];
    const asker = { who: 'one', waiting: <T>(run: () => Promise<T>) => run(), admit: async () => {} };
    const ask = async (query: Sql, note: string) =>
      (await copy.atOnce({ ...asker, spend: async () => void spent.push(note) }).row<{ parts: number }>(query))!.parts;
    const parts = await ask(TALLY, 'first');
    expect(await ask(TALLY, 'again')).toBe(parts);
    expect(await ask(sql`select count(*)::int as parts from payment where false`, 'another')).toBe(0);
    await createConfirmed(rail, await makeActor(rail));
    expect(await ask(TALLY, 'after a payment')).toBe(parts + 2);
    expect(spent).toEqual(['first', 'another', 'after a payment']);
    await close();
  });

  it('looks for what follows from changes after a pause, also where nothing has changed since', async () => {
    let looked = 0;
    const consequence = async () => looked++ < 0;
    const { copy, close } = await openCopy(folderOf('follows'), { consequence, restMs: 1_000 });
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    onTestFinished(() => void vi.restoreAllMocks());
    await copy.row(TALLY);
    await vi.waitFor(() => expect(looked).toBe(1));
    await createConfirmed(rail, await makeActor(rail));
    await expectTrue(copy);
    expect(looked).toBe(1);
    now = 1_000;
    await expectTrue(copy);
    await vi.waitFor(() => expect(looked).toBe(2));
    await close();
  });

  it('is kept up by questions as long as these come, and then without them', async () => {
    let read = 0;
    const { copy, close } = await openCopy(folderOf('kept-up'), { before: async () => void read++ });
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    onTestFinished(() => void vi.restoreAllMocks());
    await copy.asOf();
    const asked = read;
    const keepUpAt = async (moment: number) => {
      now = moment;
      await rail.rows(sql`insert into fact_change (kind, document) values ('other', 'changed')`);
      await copy.keepUp();
      return read - asked;
    };
    expect([await keepUpAt(0), await keepUpAt(500)]).toEqual([0, 1]);
    expect([await keepUpAt(70_000), await keepUpAt(129_000), await keepUpAt(130_000)]).toEqual([2, 2, 3]);
    await close();
  });

  it('answers while what follows from changes is under way, and closes after it', async () => {
    const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const seen: unknown[] = [];
    const consequence: Consequence = async (db) => {
      begun.resolve();
      await goOn.promise;
      seen.push((await db.rows(TALLY))[0]);
      return false;
    };
    const { copy, close } = await openCopy(folderOf('under-way'), { consequence, restMs: 1_000 });
    const before = await copy.row(TALLY);
    await begun.promise;
    await createConfirmed(rail, await makeActor(rail));
    await expectTrue(copy);
    const closed = close();
    goOn.resolve();
    await closed;
    expect(seen, 'as of the moment at which it began').toEqual([before]);
  });

  it('ends the transaction of a reader by another thread, since that removes rows, before it closes the reader', async () => {
    const run = vi.spyOn(DuckDBConnection.prototype, 'run');
    const closed: boolean[] = [];
    const original = DuckDBConnection.prototype.closeSync;
    vi.spyOn(DuckDBConnection.prototype, 'closeSync').mockImplementation(function (this: DuckDBConnection) {
      const calls = run.mock.calls.flatMap(([text], place) => (run.mock.contexts[place] === this ? [text] : []));
      closed.push(calls.at(-1) === 'rollback');
      original.call(this);
    });
    onTestFinished(() => void vi.restoreAllMocks());
    const { copy, close } = await openCopy(folderOf('ended'));
    await copy.row(TALLY);
    const over = new AbortController();
    await copy.atOnce(undefined, over.signal).row(TALLY);
    over.abort();
    // Of two questions, and of looking for what follows before each.
    await expect.poll(() => closed).toEqual([true, true, true, true]);
    await close();
    // The writer is closed as it is.
    expect(closed).toEqual([true, true, true, true, false]);
  });

  it('refuses what a request asks of it once it is closed', async () => {
    const { copy, close } = await openCopy(folderOf('closed'));
    const once = copy.atOnce(undefined, new AbortController().signal);
    await once.row(TALLY);
    await close();
    await expect(once.row(TALLY)).rejects.toThrow('try again');
  });

  it('says as of when its views are, where they are as of an earlier moment than its facts', async () => {
    let held: Promise<void> | null = null;
    let release = () => {};
    const { copy, wait, close } = await openCopy(folderOf('views'), { before: async () => held ?? undefined });
    try {
      const first = await copy.refresh();
      const actor = await makeActor(rail);
      await createConfirmed(rail, actor);
      const once = copy.atOnce();
      const facts = await once.asOf();
      expect(facts.getTime()).toBeGreaterThan(first.getTime());
      await createConfirmed(rail, actor);
      held = new Promise((go) => (release = go));
      wait(false);
      expect(await once.refresh()).toEqual(first);
      expect([await once.asOf(), once.askedAsOf]).toEqual([first, first]);
    } finally {
      release();
      await close();
    }
  });

  it('has no views from before a failure', async () => {
    let before = async () => {};
    let release = () => {};
    const { copy, wait, close } = await openCopy(folderOf('failed'), { before: () => before() });
    try {
      const first = await copy.refresh();
      await createConfirmed(rail, await makeActor(rail));
      before = () => Promise.reject(new Error('broken'));
      await expect(copy.refresh()).rejects.toThrow('cannot be computed now');
      const held = new Promise<void>((go) => (release = go));
      let made = 0;
      before = () => {
        made++;
        return held;
      };
      // After its rest, it is made again; meanwhile there is nothing to answer from.
      wait(false);
      const ask = async () => {
        await expect(copy.refresh()).rejects.toMatchObject({ code: 'unavailable' });
        return made;
      };
      await expect.poll(ask).toBe(1);
      expect(await ask()).toBe(1);
      wait(true);
      const answered = copy.refresh();
      release();
      expect((await answered).getTime()).toBeGreaterThan(first.getTime());
    } finally {
      release();
      await close();
    }
  });

  it('has a file for each process, and takes it up again after a restart', { tags: 'long' }, async () => {
    const folder = folderOf('several');
    const [one, two] = [await openCopy(folder), await openCopy(folder)];
    await expectTrue(one.copy);
    await expectTrue(two.copy);
    expect(readdirSync(folder).filter((name) => name.endsWith('.duckdb'))).toEqual(['copy-0.duckdb', 'copy-1.duckdb']);
    await Promise.all([one.close(), two.close()]);
    const before = madeAnew();
    await createConfirmed(rail, await makeActor(rail));
    const again = await openCopy(folder);
    await expectTrue(again.copy);
    expect(madeAnew()).toBe(before);
    await again.close();
  });

  it(
    'is made again for another database, and answers nothing of the former one meanwhile',
    { tags: 'long' },
    async () => {
      const folder = folderOf('elsewhere');
      const former = await openCopy(folder);
      await expectTrue(former.copy);
      await former.close();
      const { promise, resolve: read } = Promise.withResolvers<void>();
      let opened = false;
      const before = () => {
        opened = true;
        return promise;
      };
      const { copy, wait, close } = await openCopy(folder, { of: other, before });
      try {
        const answers = [expectTrue(copy, other)];
        await expect.poll(() => opened).toBe(true);
        answers.push(expectTrue(copy, other));
        // With a known position, the answer would come at once.
        wait(false);
        await expect(copy.rows(TALLY)).rejects.toMatchObject({ code: 'unavailable' });
        read();
        await Promise.all(answers);
      } finally {
        await close();
      }
    },
  );

  it.each([
    ['was cut short', (path: string) => truncateSync(path, 5_000)],
    ...sizeOf<[string, (path: string) => void][]>({
      fast: [],
      long: [
        ['is gone', (path) => rmSync(path)],
        ['is something else', (path) => writeFileSync(path, 'no database')],
      ],
    }),
  ])('is made again where its file %s', async (_what, damage) => {
    const folder = folderOf('damaged');
    const before = await openCopy(folder);
    await expectTrue(before.copy);
    await before.close();
    damage(join(folder, 'copy-0.duckdb'));
    const after = await openCopy(folder);
    await expectTrue(after.copy);
    await after.close();
  });

  it('is made again where a part of its file is damaged, which only some questions meet', async () => {
    const folder = folderOf('bits');
    const before = await openCopy(folder);
    await expectTrue(before.copy);
    await before.close();
    const path = join(folder, 'copy-0.duckdb');
    const sound = readFileSync(path);
    let met = 0;
    // One bit in each block of the file in turn, of which each has a checksum. Without those that it opens by it is made again.
    for (let at = HEADS + 1_000; at < sound.length; at += BLOCK) {
      const damaged = Buffer.from(sound);
      damaged[at]! ^= 8;
      writeFileSync(path, damaged);
      const { copy, close } = await openCopy(folder);
      const everything = Promise.all(FACTS.map(({ name }) => copy.rows(sql`select * from ${raw(name)} order by all`)));
      await everything.catch((error: unknown) => {
        expect(error).toMatchObject({ code: 'unavailable' });
        met++;
      });
      await expectTrueSoon(copy);
      await close();
      if (met > 0) break;
    }
    expect(met).toBe(1);
    expect(rail.logged.join()).toContain('Corrupt database file');
  });

  it(
    'is made again once the feed no longer has what it lacks, and when all facts change',
    { tags: 'long' },
    async () => {
      const folder = folderOf('behind');
      const before = await openCopy(folder);
      await expectTrue(before.copy);
      await before.close();
      await createConfirmed(rail, await makeActor(rail));
      rail.advance(25);
      // Transactions of other tests in the same cluster delay the trimming.
      const countAfterTrimming = async () => {
        await trimFeed(rail.rail);
        return rail.count(sql`select from fact_change`);
      };
      await expect.poll(countAfterTrimming).toBe(0);
      await createConfirmed(rail, await makeActor(rail));
      const made = madeAnew();
      const behind = await openCopy(folder);
      await expectTrue(behind.copy);
      expect(madeAnew()).toBe(made + 1);
      await remakeCopies(rail.rail.db);
      await expectTrue(behind.copy);
      expect(madeAnew()).toBe(made + 2);
      await behind.close();
    },
  );

  it('is made again once after a restore into another server, whose transactions are fewer', async () => {
    const { copy, close } = await openCopy(folderOf('restored'));
    try {
      await expectTrue(copy);
      await rail.rows(sql`update fact_feed set trimmed = '90000000000'`);
      await rail.rows(
        sql`insert into fact_change (xid, kind, document) select '90000000001', kind, document from fact_change`,
      );
      expect(await emptyForeignFeed(rail.rail.db)).toBe(true);
      expect(await emptyForeignFeed(rail.rail.db)).toBe(false);
      const made = madeAnew();
      for (let question = 0; question < 3; question++) await expectTrue(copy);
      expect(madeAnew()).toBe(made + 1);
      await createConfirmed(rail, await makeActor(rail));
      await expectTrue(copy);
      expect(madeAnew()).toBe(made + 1);
    } finally {
      await close();
    }
  });

  it('is made again where the files of the server were put back to before it', async () => {
    const folder = folderOf('back');
    const before = await openCopy(folder);
    await expectTrue(before.copy);
    await before.close();
    await changeFile(folder, [`update position set snapshot = '90000000000:90000000000:'`, 'delete from payment']);
    const { copy, close } = await openCopy(folder);
    await expectTrue(copy);
    await close();
  });

  it('is compared with PostgreSQL, names the document that differs, and is made again', async () => {
    const folder = folderOf('changed');
    const before = await openCopy(folder);
    await expectTrue(before.copy);
    expect(await before.copy.verify()).toEqual([]);
    await before.close();
    const [paid] = await rail.rows<{ document: number }>(
      sql`select max(document_number(name)) as document from payment_event`,
    );
    await changeFile(folder, [
      `update payment set amount = amount + 1 where document = ${paid!.document}`,
      `delete from agency where mda = 'URA'`,
    ]);
    const after = await openCopy(folder);
    expect(await after.copy.verify()).toEqual([
      { fact: 'agency', document: 0 },
      { fact: 'payment', document: paid!.document },
    ]);
    await expectTrue(after.copy);
    expect(await after.copy.verify()).toEqual([]);
    await after.close();
  });

  it('replaces documents that only its last filling brought', async () => {
    const actor = await makeActor(rail);
    const { copy, close } = await openCopy(folderOf('filled'));
    await expectTrue(copy);
    await createConfirmed(rail, actor);
    await expectTrue(copy);
    await createConfirmed(rail, actor);
    const made = madeAnew();
    await remakeCopies(rail.rail.db);
    await expectTrue(copy);
    expect(madeAnew()).toBe(made + 1);
    await rail.rows(sql`update receipt set copies = copies + 1`);
    await expectTrue(copy);
    expect(await copy.verify()).toEqual([]);
    await close();
  });

  it('is compared a day after it last was, also where its process has just started', async () => {
    const folder = folderOf('daily');
    const differing = () => rail.logged.filter((line) => line.includes('differs from PostgreSQL')).length;
    await createConfirmed(rail, await makeActor(rail));
    const first = await openCopy(folder);
    await expectTrue(first.copy);
    await first.close();
    await changeFile(folder, ['update payment set amount = amount + 1']);
    /** Starts again so many hours later; whether it is found to differ then, and is right. */
    const startLater = async (hours: number) => {
      await changeFile(folder, [`update position set verified_at = verified_at - interval '${hours}' hour`]);
      const before = differing();
      const { copy, close } = await openCopy(folder);
      await copy.keepUp();
      const isFound = differing() > before;
      if (isFound) await expectTrue(copy);
      await close();
      return isFound;
    };
    expect([await startLater(23), await startLater(1)]).toEqual([false, true]);
    await changeFile(folder, ['update payment set amount = amount + 1']);
    expect([await startLater(23), await startLater(1)]).toEqual([false, true]);
  });

  it('closes oversight, and nothing else, while it cannot be written', async () => {
    // A file stands where its folder is to be.
    const folder = folderOf('blocked');
    writeFileSync(folder, '');
    const { copy, close } = await openCopy(folder);
    await expect(copy.rows(TALLY)).rejects.toMatchObject({ code: 'unavailable' });
    await createConfirmed(rail, await makeActor(rail));
    rmSync(folder);
    await expectTrueSoon(copy);
    await close();
  });

  it('rests after a failure for as long as what failed took, and then tries again', { tags: 'long' }, async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    let tries = 0;
    const before = async () => {
      if (++tries > 1) return;
      vi.advanceTimersByTime(TOOK_MS);
      throw new Error('What was written cannot be read');
    };
    const { copy, close } = await openCopy(folderOf('resting'), { before });
    try {
      await expect(copy.rows(TALLY)).rejects.toMatchObject({ code: 'unavailable' });
      vi.advanceTimersByTime(TOOK_MS - 1);
      await expect(copy.rows(TALLY)).rejects.toMatchObject({ code: 'unavailable' });
      expect(tries).toBe(1);
      vi.advanceTimersByTime(1);
      await expectTrue(copy);
    } finally {
      await close();
    }
  });

  it('takes an empty list, and has amounts to their last digit', { tags: 'long' }, async () => {
    const [none] = await rail.rail.analytics.rows(sql`select 'x' = any(${[]}::text[]) as among`);
    expect(none).toEqual({ among: false });
    const [amount, name] = ['900719925474099.123', 'SHIFT-2020-01-01-001'];
    await rail.rail.analytics.asOf();
    await rail.rows(sql`
      insert into counter_shift (name, mda, clerk, status, currency, opening_float, cash_counted, variance, opened_at,
        closed_at, created_at, updated_at)
      values (${name}, 'URA', 'clerk@example.com', 'Closed', 'UGX', ${amount}::numeric, ${amount}::numeric, 0, now(), now(),
        now(), now())`);
    const [shift] = await rail.rail.analytics.rows<{ counted: unknown }>(
      sql`select cash_counted as counted from shift where document = 20200101001`,
    );
    expect(String(shift!.counted)).toBe(amount);
  });

  it('reads no file, and has no setting changed, by a statement', async () => {
    await expect(rail.rail.analytics.rows(sql`select * from read_text('/etc/passwd')`)).rejects.toThrow(/disabled/i);
    await expect(rail.rail.analytics.rows(sql`set enable_external_access = true`)).rejects.toThrow();
    await expect(rail.rail.analytics.rows(sql`install httpfs`)).rejects.toThrow();
  });
});
