import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANOMALY_KINDS, type AnomalyKind } from '../../src/collection/anomalies/kinds.ts';
import { actAsSystem } from '../../src/platform/access/viewer.ts';
import { callOf } from '../../src/platform/call/call.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { placeEvents } from '../../src/oversight/events/place.ts';
import { lookForAnomalies, lookForSealGaps } from '../../src/collection/anomalies/search.ts';
import { thresholdsOf } from '../../src/collection/anomalies/thresholds.ts';
import { sealAll } from '../../src/oversight/seals/seal.ts';
import { DAY_MS, HOUR_MS } from '../../src/kernel/time.ts';
import { createConfirmed, createInitiated, makeActor, createPendingFor, createSent } from '../harness/flow.ts';
import { testRail } from '../harness/rail.ts';
import { makeStaff } from '../harness/people/staff.ts';

const rail = testRail();
const call = () => callOf(rail.rail, actAsSystem('job:look_for_anomalies'), 'test');
let template: string;

/** So many days ago by the clock of the agencies, at some hour of UTC. */
const daysAgo = (days: number, hour: number) => {
  const at = new Date(rail.rail.now().getTime() - days * DAY_MS + 3 * HOUR_MS);
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate(), hour));
};

let made = 0;
/** Payment events as they would be there, of an agency and day. */
async function events(mda: string, at: Date, amounts: readonly number[], channel = 'mtn_momo'): Promise<void> {
  await rail.rail.transaction(async (db) => {
    await db.rows(sql`set local session_replication_role = replica`);
    for (const amount of amounts) {
      const name = `PEV-2020-01-${String(++made).padStart(6, '0')}`;
      await db.rows(sql`
        insert into payment_event (name, intent, assessment, integrator, mda, amount, currency, channel, kind,
          aggregator_reference, txn_id, occurred_at, created_at)
        select ${name}, ${`PI-X-${made}`}, assessment, null, ${mda}, ${amount}, 'UGX', ${channel}::channel, 'payment',
          ${`R-${made}`}, null, ${at}, ${at} from payment_event where name = ${template}`);
    }
  });
}

const found = (kind: string) =>
  rail.rows<{ mda: string; subject: string; severity: string; evidence: Record<string, unknown> }>(
    sql`select mda, subject, severity, evidence from anomaly where kind = ${kind} order by subject`,
  );

beforeAll(async () => {
  const actor = await makeActor(rail);
  await createConfirmed(rail, actor);
  const [row] = await rail.rows<{ name: string }>(sql`select name from payment_event limit 1`);
  template = row!.name;
});

describe('the job that looks for what is strange', () => {
  it('finds sudden drops and rises of an agency beside its own history, and not what is as usual', async () => {
    for (let week = 1; week <= 8; week++) {
      const wobble = (week % 3) * 1_000;
      for (const mda of ['KCCA', 'NSSF', 'NIRA'])
        await events(mda, daysAgo(1 + 7 * week, 9), [100_000 + wobble, 101_000]);
    }
    await events('KCCA', daysAgo(1, 9), [20_000]);
    await events('NSSF', daysAgo(1, 9), [400_000, 201_001]);
    await events('NIRA', daysAgo(1, 9), [100_500, 101_300]);
    // Three weeks are no history.
    for (const week of [1, 2, 3]) await events('MOWT', daysAgo(1 + 7 * week, 9), [100_000]);
    await events('MOWT', daysAgo(1, 9), [5_000_001]);
    await lookForAnomalies(call());
    expect(await found('revenue_drop')).toMatchObject([
      { mda: 'KCCA', severity: 'medium', evidence: { amount: 20_000, currency: 'UGX', thresholds: { part: 0.5 } } },
    ]);
    expect(await found('revenue_rise')).toMatchObject([{ mda: 'NSSF', evidence: { amount: 601_001 } }]);
    // Once, however often it looks.
    await lookForAnomalies(call());
    expect(await found('revenue_drop')).toHaveLength(1);
  });

  it('finds cash outside opening hours, in local time', async () => {
    await events('URSB', daysAgo(1, 1), [5_001, 5_002, 5_003], 'cash'); // 4 in the morning in Kampala
    await events('URSB', daysAgo(1, 1), [5_001, 5_002, 5_003]); // phones pay at any time
    await events('UNBS', daysAgo(1, 4), [5_001, 5_002, 5_003], 'cash'); // 7 in the morning
    await lookForAnomalies(call());
    expect(await found('off_hours')).toMatchObject([
      { mda: 'URSB', evidence: { collections: 3, from_hour: 6, to_hour: 20 } },
    ]);
  });

  it('finds days on which amounts are far rounder than usual', async () => {
    const crooked = Array.from({ length: 25 }, (_, i) => 43_210 + i * 137);
    for (const mda of ['MOH', 'UWA']) await events(mda, daysAgo(9, 9), crooked);
    await events(
      'MOH',
      daysAgo(1, 9),
      Array.from({ length: 25 }, (_, i) => (i % 2 ? 300_000 : 43_219)),
    );
    await events('UWA', daysAgo(1, 9), crooked);
    await lookForAnomalies(call());
    expect(await found('round_amounts')).toMatchObject([
      { mda: 'MOH', evidence: { payments: 25, usual_rate: 0, threshold: 0.3 } },
    ]);
  });

  it('finds counters that cancel much of what they collect', async () => {
    const [supervisor, another] = [await makeStaff(rail, 'supervisor'), await makeStaff(rail, 'supervisor')];
    const { data: shift } = await supervisor.post('/v1/counter-shifts', { mda: 'URA', counter_label: 'Window 7' });
    const [citizen] = await rail.rows<{ name: string }>(sql`select name from citizen limit 1`);
    const [service] = await rail.rows<{ name: string }>(sql`select name from service where code = 'URA-TCC'`);
    for (let i = 0; i < 12; i++) {
      const { data: assessment } = await supervisor.post('/v1/assessments', {
        citizen: citizen!.name,
        lines: [{ service: service!.name }],
        shift: shift.name,
      });
      await supervisor.post(`/v1/assessments/${assessment.name}:assess`);
      const { data: intent } = await supervisor.post('/v1/payment-intents', {
        assessment: assessment.name,
        channel: 'cash',
      });
      await supervisor.post(`/v1/payment-intents/${intent.name}:initiate`);
      await supervisor.post(`/v1/payment-intents/${intent.name}:confirm`);
      if (i < 5) await another.post(`/v1/assessments/${assessment.name}:cancel`);
    }
    rail.advance(24);
    await lookForAnomalies(call());
    expect(await found('cancellation_rate')).toMatchObject([
      { mda: 'URA', severity: 'high', evidence: { collections: 12, cancelled: 5, rate: 0.4167, threshold: 0.2 } },
    ]);
    rail.advance(-24);
  });

  it('finds gaps in the numbers of seals', async () => {
    while ((await sealAll(rail.rail)) > 0);
    expect(await lookForSealGaps(call())).toBe(0);
    await rail.rail.transaction(async (db) => {
      await db.rows(sql`set local session_replication_role = replica`);
      await db.rows(sql`delete from event_seal where mda = 'MOH' and sequence = 2`);
    });
    await lookForSealGaps(call());
    expect(await found('seal_gap')).toMatchObject([{ mda: 'MOH', severity: 'high' }]);
  });
});

describe('the agencies that an anomaly concerns', () => {
  /**
   * From the documents, in plain SQL: the agencies that the intent of an anomaly pays, or that the reversal of an
   * assessment took from.
   */
  const concerned = (kind: string) =>
    rail.rows<{ mda: string; name: string; mdas: string[] }>(sql`
      select s.mda, a.name, array_agg(s.mda) over (partition by a.name
        order by s.amount desc range between unbounded preceding and unbounded following) as mdas
      from anomaly a join (
        select intent as subject, mda, amount from split_rule
        union all select assessment, mda, -amount from payment_event where kind = 'reversal'
      ) s on s.subject = a.subject
      where a.kind = ${kind} order by s.amount desc`);
  const KINDS = ['reversal', 'late_collection', 'duplicate_collection', 'amount_mismatch'];

  beforeAll(async () => {
    const actor = await makeActor(rail);
    const post = async (path: string) => expect((await actor.post(path)).status, path).toBeLessThan(500);
    const reversed = await createConfirmed(rail, actor);
    await post(`/v1/assessments/${reversed.assessment}:cancel`);
    const late = await createSent(rail, actor);
    await post(`/v1/assessments/${late.assessment}:cancel`);
    await post(`/v1/payment-intents/${late.intent}:confirm`);
    const { assessment, intent } = await createSent(rail, actor);
    const second = await createPendingFor(actor, assessment);
    await createInitiated(actor, second);
    for (const name of [intent, second]) await post(`/v1/payment-intents/${name}:confirm`);
    // The simulator collects another amount from this payer.
    const { intent: mismatched } = await createSent(rail, actor, '+256700123003');
    await post(`/v1/payment-intents/${mismatched}:confirm`);
    while ((await placeEvents(rail.rail)) > 0);
  });

  it('are those that were paid, the largest share first, and each of them finds it', async () => {
    const admin = await makeStaff(rail, 'admin');
    const { plaintext: key } = await rail.key('oversight.read');
    for (const kind of KINDS) {
      const rows = await concerned(kind);
      expect(rows.length, kind).toBeGreaterThan(1);
      for (const { mda, name, mdas } of rows) {
        const expected = { name, kind, mda: mdas[0], mdas };
        const query = `anomalies?kind=${kind}&mda=${mda}`;
        for (const { data } of [await admin.ask(`/v1/ops/${query}`), await rail.ask(`/v1/oversight/${query}`, { key })])
          expect(
            data.find((row: { name: string }) => row.name === name),
            `${kind} ${mda}`,
          ).toMatchObject(expected);
      }
      expect((await rail.ask(`/v1/oversight/anomalies?kind=${kind}&mda=UNBS`, { key })).data).toEqual([]);
    }
    // The first of all is the one that is named alone.
    expect(await rail.count(sql`select 1 from anomaly where mda is distinct from mdas[1]`)).toBe(0);
  });
});

describe('what it means', () => {
  it('GET /v1/anomaly-rules and /docs/anomalies: each kind with its thresholds', async () => {
    const { data } = await rail.ask('/v1/anomaly-rules');
    const kinds = data.map(({ kind }: { kind: string }) => kind);
    const raised = await rail.rows<{ kind: string }>(sql`select distinct kind from anomaly`);
    expect(kinds).toEqual(expect.arrayContaining(raised.map(({ kind }) => kind)));
    expect(kinds).toEqual(ANOMALY_KINDS);
    const severities = Object.fromEntries(
      data.map(({ kind, severity }: { kind: AnomalyKind; severity: string }) => [kind, severity]),
    );
    for (const { kind, severity } of await rail.rows<{ kind: string; severity: string }>(
      sql`select kind, severity from anomaly`,
    ))
      expect([kind, severity]).toEqual([kind, severities[kind]]);
    expect(data.find(({ kind }: { kind: string }) => kind === 'cash_variance').thresholds).toMatchObject({
      part: 0.01,
      amounts: { UGX: 10_000 },
    });
    const page = await rail.ask('/docs/anomalies');
    expect(page.status).toBe(200);
    for (const kind of kinds) expect(page.text).toContain(`id="${kind}"`);
  });

  it('is shown to oversight without what leads to a person', async () => {
    while ((await placeEvents(rail.rail)) > 0);
    const { plaintext: key } = await rail.key('oversight.read');
    const { data } = await rail.ask('/v1/oversight/anomalies?limit=200', { key });
    expect(data.length).toBeGreaterThan(5);
    for (const row of data)
      expect(Object.keys(row)).toEqual(['name', 'kind', 'mda', 'mdas', 'severity', 'raised_at', 'status', 'evidence']);
    expect(JSON.stringify(data)).not.toMatch(/ASMT-|PI-|SHIFT-|Window 7|@/);
    expect(
      (await rail.ask('/v1/oversight/anomalies?kind=seal_gap&mda=MOH&severity=high&status=Open', { key })).data,
    ).toHaveLength(1);
  });
});

describe('the days that are searched', () => {
  let movedHours = 0;
  const advance = (hours: number) => {
    movedHours += hours;
    rail.advance(hours);
  };
  afterAll(() => rail.advance(-movedHours));
  const daysOf = async (mda: string) =>
    (await found('off_hours')).filter((row) => row.mda === mda).map(({ evidence }) => evidence['day']);
  const CASH = [5_001, 5_002, 5_003];

  beforeAll(async () => {
    await rail.rows(sql`
      with chile as (
        insert into country select (jsonb_populate_record(c, '{"code": "CL", "time_zone": "America/Santiago"}')).*
        from country c where code = 'UG' returning code
      )
      insert into mda select (jsonb_populate_record(m, '{"name": "SII", "country": "CL"}')).*
      from mda m, chile where m.name = 'URA'`);
    await lookForAnomalies(call());
  });

  it('are those of the time zone of each agency, in summer and in winter', async () => {
    const year = rail.rail.now().getUTCFullYear() + 1;
    for (const month of ['01', '07']) {
      // 12:00 in Santiago in summer, 11:00 in winter.
      advance((Date.parse(`${year}-${month}-12T15:00:00Z`) - rail.rail.now().getTime()) / HOUR_MS);
      // 6:30 in summer, 5:30 in winter.
      await events('SII', new Date(`${year}-${month}-10T09:30:00Z`), CASH, 'cash');
      // 23:30 in summer, 22:30 in winter, of the 10th: they would be in the morning of the 11th in Kampala.
      await events('SII', new Date(`${year}-${month}-11T02:30:00Z`), CASH, 'cash');
      // In the middle of the day, which is 20:30 in Kampala.
      await events('SII', new Date(`${year}-${month}-11T17:30:00Z`), CASH, 'cash');
      await lookForAnomalies(call());
    }
    const rows = (await found('off_hours')).filter(({ mda }) => mda === 'SII');
    expect(rows.map(({ evidence }) => [evidence['day'], evidence['collections']])).toEqual([
      [`${year}-01-10`, 3],
      [`${year}-07-10`, 6],
    ]);
  });

  it('go on after an outage from the last one that was searched, 92 at the most', async () => {
    const off = async (mda: string, days: number) => {
      await events(mda, daysAgo(0, 1), CASH, 'cash');
      const missed = daysAgo(0, 1).toISOString().slice(0, 10);
      advance(24 * days);
      await lookForAnomalies(call());
      return [await daysOf(mda), missed];
    };
    await lookForAnomalies(call());
    for (const [mda, days] of [
      ['KCCA', 40],
      ['NIRA', 92],
    ] as const) {
      const [searched, missed] = await off(mda, days);
      expect(searched).toEqual([missed]);
    }
    expect((await off('MOWT', 93))[0]).toEqual([]);
  });
});

describe('thresholds', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rail-thresholds-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const read = (content: object) => {
    const path = join(folder, 'thresholds.json');
    writeFileSync(path, JSON.stringify(content));
    return thresholdsOf(readConfig({ ANOMALY_THRESHOLDS: path }));
  };

  it('are configured; what is left out is as usual; what is wrong stops the start', () => {
    expect(read({ revenue_drop: { deviations: 5 } }).revenue_drop).toEqual({ deviations: 5, part: 0.5, weeks: 8 });
    expect(read({ cash_variance: { amounts: { UGX: 1 } } }).cash_variance).toEqual({ part: 0.01, amounts: { UGX: 1 } });
    expect(() => read({ revenue_drop: { deviatoins: 5 } })).toThrow(
      /^ANOMALY_THRESHOLDS: .*revenue_drop: .*deviatoins/,
    );
    expect(() => read({ off_hours: { from_hour: 25 } })).toThrow(/^ANOMALY_THRESHOLDS: .*from_hour/);
  });
});
