import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, sql } from '../../src/platform/database/sql.ts';
import { GENESIS, type SealedFacts, sealOf } from '../../src/platform/audit/seal-chain.ts';
import { type KeptHead, readHeads } from '../../src/oversight/seals/heads.ts';
import { formatFindings } from '../../src/oversight/seals/report.ts';
import { facts } from '../../src/oversight/seals/seal.ts';
import { verifyLedger } from '../../src/oversight/seals/verify.ts';
import { drawSeed } from '../harness/run/seed.ts';
import { createConfirmed, makeActor } from '../harness/flow.ts';
import { catchUp, fillLedger, tamperAtRandom, verifyAfter } from '../harness/ledger.ts';
import { run } from '../harness/processes.ts';
import { testRail } from '../harness/rail.ts';
import { TAMPERINGS, type Tampering, seedRandom } from '../harness/chaos/tampering.ts';

const rail = testRail();
const folder = mkdtempSync(join(tmpdir(), 'rail-heads-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = (content: unknown) => {
  const path = join(folder, 'heads.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};
let heads: KeptHead[];

beforeAll(async () => {
  await fillLedger(rail, 300);
  const { plaintext: key } = await rail.key('oversight.read');
  const { json } = await rail.ask('/v1/oversight/seals', { key });
  heads = readHeads(file(json)).filter((head) => 'mda' in head);
});

const named = (name: string) => TAMPERINGS.find((tampering) => tampering.name === name)!;
const found = async (tampering: Tampering, kept: readonly KeptHead[] = []) => {
  const { hit, verification } = await verifyAfter(rail, tampering, seedRandom(1), kept);
  return { hit, ...verification, checks: verification.findings.map(({ check }) => check) };
};

describe('ledger:verify', () => {
  it('finds nothing in a ledger that nobody touched, and says what it cannot prove', async () => {
    const { findings, chains, right, unproved } = await verifyLedger(rail.rail);
    expect(findings).toEqual([]);
    expect(chains.filter(({ broken }) => broken)).toEqual([]);
    expect(right).toBe(true);
    expect(chains.length).toBeGreaterThan(15);
    expect(unproved.join('\n')).toMatch(
      /removed together with everything that tells of it[^]*2 events wait to be sealed/,
    );
  });

  it('finds each of 60 random tamperings', async () => {
    expect(await tamperAtRandom(rail, (tried) => tried < 60, drawSeed('tamperings'))).toEqual({
      tried: 60,
      missed: [],
    });
  });

  it('finds a removed tail and a removed agency, which the seals alone do not show', async () => {
    const tail = await found(named('the tail of an agency is removed with its seals'));
    expect(tail.chains.every(({ broken }) => broken === null)).toBe(true);
    expect(tail.checks).toContain('confirmed_without_event');
    const agency = await found(named('an agency is removed with its seals'));
    expect(agency.checks).toContain('confirmed_without_event');
  });

  it('names an event that no confirmation made, and one that oversight is shown otherwise', async () => {
    const stray = await found(named('an event is slipped in that no confirmation made'));
    expect(stray.findings.find(({ check }) => check === 'event_without_confirmation')).toMatchObject({
      count: 1,
      rows: [{ row: 'PEV-2026-11-999999' }],
    });
    const shown = await found(named('what oversight is shown is edited'));
    expect(shown.findings).toMatchObject([
      { check: 'oversight_stream', count: 1, rows: [{ row: expect.stringMatching(/^PEV-/) }] },
    ]);
  });

  it('names the first of very many, and counts the rest', async () => {
    const { findings } = await found({
      name: 'all events differ',
      run: async (db) => {
        await db.rows(sql`update payment_event set created_at = created_at + interval '1 hour'`);
        return 'all';
      },
    });
    const events = findings.find(({ check }) => check === 'event_differs')!;
    expect(events.rows).toHaveLength(100);
    expect(events.count).toBeGreaterThan(200);
    expect(formatFindings({ findings, unproved: [] })).toContain(`  and ${events.count - 100} more`);
  });

  it('reports nothing beside a rail that goes on paying, counting and sealing', async () => {
    const actor = await makeActor(rail);
    const paying = (async () => {
      for (let i = 0; i < 12; i++) {
        await createConfirmed(rail, actor);
        await catchUp(rail);
      }
    })();
    const verified = [];
    for (let i = 0; i < 3; i++) verified.push(await verifyLedger(rail.rail));
    await paying;
    for (const { right, findings } of verified) expect({ right, findings }).toEqual({ right: true, findings: [] });
  });
});

describe('ledger:verify --heads', () => {
  /**
   * Removes the last payment of an agency with everything that tells of it, or makes a chain anew after an edit that is
   * carried through everywhere.
   */
  const forged: Tampering = {
    name: 'a chain is made anew',
    async run(db: Database) {
      const { event, mda } = (await db.row<{ event: string; mda: string }>(
        sql`select event, mda from event_seal where mda = 'URA' and sequence = 2`,
      ))!;
      await db.rows(
        sql`update payment_event set txn_id = 'FORGED' where intent = (select intent from payment_event where name = ${event})`,
      );
      for (const { mda: agency } of await db.rows<{ mda: string }>(sql`select distinct mda from event_seal`)) {
        let hash = GENESIS;
        const rows = await db.rows<SealedFacts & { sequence: number; salt: string }>(sql`
          select s.sequence, k.salt, ${facts} from event_seal s join payment_event e on e.name = s.event
            join seal_salt k on k.event = s.event where s.mda = ${agency} order by s.sequence`);
        for (const row of rows) {
          const seal = sealOf(2, hash, row.sequence, row, row.salt);
          hash = seal.hash;
          await db.rows(sql`
            update event_seal set hash = ${hash}, commitment = ${seal.commitment}
            where mda = ${agency} and sequence = ${row.sequence}`);
        }
      }
      return mda;
    },
  };

  it('finds a chain that was made anew; without heads nothing can, and it says so', async () => {
    const without = await found(forged);
    expect(without).toMatchObject({ right: true, checks: [] });
    expect(without.unproved.join()).toContain('a chain that was made anew');
    const { right, findings } = await found(forged, heads);
    expect(right).toBe(false);
    expect(findings.find(({ check }) => check === 'kept_head')!.rows[0]).toMatchObject({
      mda: expect.any(String),
      why: expect.stringContaining('another hash'),
    });
  });

  it('tells the hash at a kept sequence of a chain that has grown, and how many events no head vouches for', async () => {
    await catchUp(rail);
    const { right, chains, unproved } = await verifyLedger(rail.rail, heads);
    expect(right).toBe(true);
    const [kept] = heads.filter(({ mda }) => mda === 'URA');
    const chain = chains.find(({ mda }) => mda === 'URA')!;
    expect(chain.seals).toBeGreaterThan(kept!.sequence);
    expect(chain.heads).toEqual([{ sequence: kept!.sequence, hash: kept!.hash, found: kept!.hash }]);
    expect(unproved.join()).toMatch(/\d+ events were sealed after the heads were kept/);
  });

  it('finds a head that the chain does not reach, and one of an agency that is gone', async () => {
    const ahead = [
      ...heads,
      { mda: 'URA', sequence: 1_000_000, hash: GENESIS },
      { mda: 'GONE', sequence: 3, hash: GENESIS },
    ];
    const { right, findings } = await verifyLedger(rail.rail, ahead);
    expect(right).toBe(false);
    expect(findings).toMatchObject([
      { check: 'kept_head', count: 2, rows: [{ row: 'GONE 3' }, { row: 'URA 1000000' }] },
    ]);
  });

  it('reads what the seals of oversight and what --json printed, and nothing else', () => {
    const head = { mda: 'URA', sequence: 3, hash: GENESIS };
    expect(readHeads(file({ data: [{ ...head, sealed_at: 'x' }] }))).toEqual([head]);
    expect(readHeads(file([head]))).toEqual([head]);
    expect(readHeads(file({ chains: [{ mda: 'URA', seals: 3, hash: GENESIS, broken: null }] }))).toEqual([head]);
    for (const wrong of [
      '',
      '{',
      [],
      { data: [] },
      [{ mda: 'URA', sequence: 3, hash: 'x' }],
      { data: [{ ...head, sequence: -1 }] },
    ])
      expect(() => readHeads(file(wrong))).toThrow(/^--heads: /);
    expect(() => readHeads(join(folder, 'nothing'))).toThrow(/^--heads: .*nothing cannot be read/);
  });

  it('on the command line: ends with 1 and names the row; --json can be kept as heads', { tags: 'long' }, async () => {
    const env = { DATABASE_URL: rail.url, DATA_DIR: rail.dataDir };
    const right = await run('src/app/cli/admin.ts', ['ledger:verify', '--json'], env);
    expect(right.code).toBe(0);
    expect(readHeads(file(right.output)).length).toBeGreaterThan(15);
    const edited = JSON.parse(right.output) as { chains: { hash: string }[] };
    edited.chains[0]!.hash = GENESIS;
    const wrong = await run('src/app/cli/admin.ts', ['ledger:verify', '--heads', file(edited)], env);
    expect(wrong).toMatchObject({ code: 1, output: expect.stringContaining('FOUND kept_head: 1') });
  });
});
