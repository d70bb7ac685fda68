import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FACTS } from '../../../src/oversight/facts/facts.ts';
import { Copy } from '../../../src/platform/analytics/copy.ts';
import { openDatabase } from '../../../src/platform/database/open-database.ts';
import { type Sql, sql } from '../../../src/platform/database/sql.ts';
import { type Actor, createConfirmed, makeActor } from '../../harness/flow.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();
let actor: Actor;

beforeAll(async () => {
  actor = await makeActor(rail);
  await createConfirmed(rail, actor);
});

function openCopy(folder: string, options: { memoryMb?: number; questionMs?: number } = {}) {
  const pools = openDatabase({ url: rail.url, replicaUrl: null }, 2, () => {});
  const copy = new Copy(pools.facts, FACTS, { folder, memoryMb: 256, threads: 1, ...options }, rail.rail.log);
  return {
    copy,
    close: async () => {
      await copy.close();
      await pools.close();
    },
  };
}

const SLOW = sql`
  select a.i, count(*) as n from range(300000) a(i), range(300000) b(i) group by a.i order by n desc, a.i limit 1`;
const PAID = sql`select count(*)::int as n from payment where leads`;
const countPaid = () => rail.count(sql`select from payment_event`);

describe('a question of the copy', () => {
  it('is cut off after its time, and leaves nothing: no file, no reader that is taken, no other answer', async () => {
    const folder = join(rail.dataDir, 'slow');
    const { copy, close } = openCopy(folder, { questionMs: 300 });
    expect(await copy.row(PAID)).toEqual({ n: await countPaid() });
    const tooLong = () => copy.rows(SLOW);
    // More than there are readers: none may be lost.
    for (let time = 0; time < 4; time++)
      await expect(tooLong()).rejects.toMatchObject({
        code: 'validation_failed',
        message: expect.stringContaining('takes too long'),
      });
    await createConfirmed(rail, actor);
    expect(await copy.row(PAID)).toEqual({ n: await countPaid() });
    expect(await copy.verify()).toEqual([]);
    expect(readdirSync(folder, { recursive: true }).filter((file) => String(file).includes('.tmp'))).toEqual([]);
    await close();
  });

  it('is answered or refused where the copy is closed while it begins, and refused from then on', async () => {
    for (let turns = 0; turns < 8; turns++) {
      const { copy, close } = openCopy(join(rail.dataDir, `closed-${turns}`));
      await copy.asOf();
      const asked = Promise.allSettled(Array.from({ length: 6 }, () => copy.read(PAID)));
      for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
      await close();
      for (const answer of await asked)
        if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'unavailable' });
      await expect(copy.read(PAID)).rejects.toMatchObject({ code: 'unavailable' });
    }
  });

  it('of one who asks much waits behind those of others, and each is given no more than its asker may take', async () => {
    const { copy, close } = openCopy(join(rail.dataDir, 'shared'));
    await copy.asOf();
    const ended: string[] = [];
    const asker = (who: string) => ({
      who,
      questionMs: 300,
      waiting: <T>(run: () => Promise<T>) => run(),
      admit: async () => {},
      spend: async () => void ended.push(who),
    });
    const ask = (who: string, query: Sql) => copy.atOnce(asker(who)).rows(query);
    const codeOf = (error: { code: string }) => error.code;
    const much = Promise.all(Array.from({ length: 6 }, () => ask('much', SLOW).catch(codeOf)));
    const little = ask('little', PAID);
    expect(await much).toEqual(Array.from({ length: 6 }, () => 'validation_failed'));
    expect(await little).toEqual([{ n: await countPaid() }]);
    // One question of a caller runs at a time.
    expect(ended[0]).toBe('little');
    expect(ended).toHaveLength(7);
    await close();
  });

  it('waits for as many times as long as the one before took, where its asker rests, and holds up nobody else', async () => {
    const { copy, close } = openCopy(join(rail.dataDir, 'resting'));
    await copy.asOf();
    // Each another question: what is known is answered at once.
    const ask = (who: string, rests: number) =>
      copy
        .atOnce({ who, rests, waiting: (run) => run(), admit: async () => {}, spend: async () => {} })
        .rows(sql`select ${asked++}::int as number from payment limit 1`)
        .then(() => ended.push(who));
    let asked = 0;
    const ended: string[] = [];
    await ask('one', 1_000_000);
    void ask('one', 1_000_000).catch(() => {});
    await Promise.all([ask('another', 0), ask('another', 0)]);
    await ask('a third', 0);
    expect(ended).toEqual(['one', 'another', 'another', 'a third']);
    await close();
  });

  it('is refused where it takes more memory than there is, and leaves others theirs', async () => {
    const { copy, close } = openCopy(join(rail.dataDir, 'large'), { memoryMb: 128 });
    await copy.asOf();
    await expect(
      copy.rows(sql`select list(i order by i desc) as all_of_them from range(100000000) r(i)`),
    ).rejects.toMatchObject({ code: 'validation_failed', message: expect.stringContaining('too much memory') });
    expect(await copy.row(PAID)).toEqual({ n: await countPaid() });
    await close();
  });
});

// A disk of its own that can be filled takes root.
describe.runIf(process.getuid?.() === 0)('a disk that is full', () => {
  const disk = () => join(rail.dataDir, 'disk');

  beforeAll(() => {
    mkdirSync(disk());
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', disk()]);
  });
  afterAll(() => {
    execFileSync('umount', [disk()]);
  });

  it('closes oversight and nothing else, and is over once there is room', async () => {
    const { copy, close } = openCopy(join(disk(), 'analytics'));
    expect(await copy.row(PAID)).toEqual({ n: await countPaid() });
    const ballast = join(disk(), 'ballast');
    fill(ballast);
    // Until what changes does not fit into what was left any more.
    const askAfterPayment = async () => {
      await createConfirmed(rail, actor);
      await rail.rows(sql`update fact_feed set epoch = epoch + 1`);
      return copy.row(PAID).catch((error: { code: string }) => error.code);
    };
    await expect.poll(askAfterPayment).toBe('unavailable');
    const before = await countPaid();
    await createConfirmed(rail, actor);
    expect(await countPaid()).toBe(before + 2);
    rmSync(ballast);
    // It rests for as long as what failed took.
    await expect.poll(() => copy.row(PAID).catch(() => null)).toEqual({ n: before + 2 });
    expect(await copy.verify()).toEqual([]);
    await close();
  });
});

/** Takes all the room that is left. */
function fill(path: string): void {
  for (const size of [1 << 20, 1 << 12]) {
    try {
      for (;;) writeFileSync(path, Buffer.alloc(size), { flag: 'a' });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
    }
  }
}
