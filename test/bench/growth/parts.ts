import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PAYMENTS } from '../../../src/oversight/facts/payments.ts';
import { createLog } from '../../../src/kernel/log.ts';
import { Engine } from '../../../src/platform/analytics/engine.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { median } from '../measure.ts';
import type { Report } from '../report.ts';

const MONTHS = 36;
const ROUNDS = 3;
/** As a process has it where nothing else is said. */
const LIMITS = { memoryMb: 512, threads: 2 };

/** Each column of a part `i`, from a random number: one in two hundred is a reversal, four of five lead. */
const MADE: Readonly<Record<string, string>> = {
  document: 'i',
  event: `'PEV-' || strftime(paid, '%Y-%m') || '-' || lpad(i::varchar, 9, '0')`,
  occurred_at: 'paid',
  day: 'paid::date',
  hour: 'extract(hour from paid)',
  local_day: `(paid + interval 3 hour)::date`,
  local_hour: 'extract(hour from paid + interval 3 hour)',
  mda: `'AGENCY-' || agency`,
  service: `'SVC-2026-' || lpad((agency * 10 + i % 10)::varchar, 6, '0')`,
  channel: `['mtn_momo', 'airtel_money', 'card', 'cash'][1 + dice % 4]`,
  station: `['counter', 'integrator', 'other'][1 + dice % 3]`,
  counter: `if(dice % 3 = 0, 'AGENCY-' || agency || ' Window ' || dice % 5, null)`,
  integrator: `if(dice % 3 = 1, 'INTEGRATOR-' || dice % 40, null)`,
  currency: `'UGX'`,
  kind: `if(dice % 200 = 0, 'reversal', 'payment')`,
  amount: `if(dice % 200 = 0, -1, 1) * (1000 + dice % 500000)`,
  quantity: '1 + dice % 3',
  leads: 'dice % 5 > 0',
  provider: `['mtn_momo', 'airtel_money', 'flutterwave', 'cash'][1 + dice % 4]`,
  event_amount: `if(dice % 200 = 0, -1, 1) * (1000 + dice % 500000)`,
};

const LAST_YEAR = sql`local_day >= '2026-01-01' and local_day < '2027-01-01'`;
const LAST_MONTH = sql`local_day >= '2026-12-01' and local_day < '2027-01-01'`;

/** Questions as the grammar of figures asks them. */
const QUESTIONS = {
  'net by agency, three years': sql`select mda, sum(amount) as net from payment group by 1 order by 2 desc`,
  'net and payments by agency and month, three years': sql`
    select mda, date_trunc('month', local_day) as month, sum(amount) as net, count(*) filter (where leads) as payments
    from payment group by 1, 2 order by 1, 2`,
  'net by agency, a year': sql`select mda, sum(amount) as net from payment where ${LAST_YEAR} group by 1 order by 2 desc`,
  'net by day, a month': sql`select local_day, sum(amount) as net from payment where ${LAST_MONTH} group by 1 order by 1`,
  'net by channel and station, a year': sql`
    select channel, station, sum(amount) as net from payment where ${LAST_YEAR} group by 1, 2 order by 1, 2`,
  'counter, service and hour of an agency, a year': sql`
    select counter, service, local_hour, sum(amount) as net from payment
    where ${LAST_YEAR} and mda = 'AGENCY-7' group by 1, 2, 3 order by 4 desc limit 100`,
  'services by growth, half a year and the one before': sql`
    select service, sum(amount) filter (where local_day >= '2026-07-01') as net,
      sum(amount) filter (where local_day < '2026-07-01') as before
    from payment where ${LAST_YEAR} group by 1 order by 2 - 3 desc limit 10`,
  'percentiles of payments by agency and channel, a month': sql`
    select mda, channel, quantile_cont(event_amount, [0.5, 0.9, 0.99]) as sizes from payment
    where ${LAST_MONTH} and leads and kind = 'payment' group by 1, 2 order by 1, 2`,
  'net by hour of the day, a year': sql`
    select local_hour, sum(amount) as net from payment where ${LAST_YEAR} group by 1 order by 1`,
  'payments by integrator and month, a year': sql`
    select integrator, date_trunc('month', local_day) as month, count(*) filter (where leads) as payments
    from payment where ${LAST_YEAR} group by 1, 2 order by 1, 2`,
  'reversed by provider, a year': sql`
    select provider, -sum(case when kind = 'reversal' then amount end) as reversed, sum(amount) as net
    from payment where ${LAST_YEAR} group by 1 order by 1`,
  'the three largest services of each agency, a year': sql`
    select * from (
      select mda, service, sum(amount) as net, row_number() over (partition by mda order by sum(amount) desc) as place
      from payment where ${LAST_YEAR} group by 1, 2
    ) r where place <= 3 order by mda, place`,
};

/** Makes so many payment parts up, in the columnar copy alone, and asks about them. */
export async function measureParts(report: Report, parts: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'parts-'));
  const engine = await Engine.open({ folder, ...LIMITS }, createLog('error'));
  try {
    report.begin(`${parts.toLocaleString('en')} payment parts in a copy of facts`);
    const from = performance.now();
    await makeParts(engine, parts);
    const moment = await engine.begin();
    const madeSeconds = (performance.now() - from) / 1_000;
    const asked: [string, number, number][] = [];
    let memoryMiB = 0;
    for (const [what, question] of Object.entries(QUESTIONS)) {
      const [took, used]: [number[], number[]] = [[], []];
      for (let round = 0; round < ROUNDS; round++) {
        const [begun, before] = [performance.now(), process.cpuUsage()];
        await engine.rows(moment, question);
        took.push(performance.now() - begun);
        const { user, system } = process.cpuUsage(before);
        used.push((user + system) / 1_000);
        memoryMiB = Math.max(memoryMiB, process.memoryUsage().rss / 2 ** 20);
      }
      asked.push([what, median(took), median(used)]);
    }
    report.table(['', 'ms', 'ms of CPU'], asked);
    report.table(
      ['', ''],
      [
        ['seconds to make them up', madeSeconds],
        ['file, MiB', statSync(engine.path).size / 2 ** 20],
        ['memory of the process at most, MiB', memoryMiB],
      ],
    );
  } finally {
    await engine.close();
    rmSync(folder, { recursive: true });
  }
}

/** A month by lot, and the others like it: each row is another one, and takes less time than it would by lot. */
async function makeParts(engine: Engine, parts: number): Promise<void> {
  const columns = Object.entries({ document: 'bigint', ...PAYMENTS.columns });
  const made = columns.map(([name, type]) => `(${MADE[name]})::${type} as ${name}`).join(', ');
  const each = Math.ceil(parts / MONTHS);
  await engine.write(async (run) => {
    await run('create table position (snapshot varchar)');
    await run(`create table payment (${columns.map((column) => column.join(' ')).join(', ')})`);
    await run(
      `insert into payment select ${made} from (
        select i, dice, dice % 61 % 60 as agency, date '2024-01-01' + (interval 1 second) * (i * 2419200 // $1) as paid
        from (select i, (hash(i) >> 20)::bigint as dice from range($1::bigint) r(i)) d
      ) p`,
      [each],
    );
  });
  for (let month = 1; month < MONTHS; month++)
    await engine.write(async (run) => {
      await run(`
        insert into payment select * replace (document + ${month * each} as document,
          'PEV-' || (${month} * ${each} + document)::varchar as event,
          occurred_at + interval ${month} month as occurred_at, (day + interval ${month} month)::date as day,
          (local_day + interval ${month} month)::date as local_day)
        from payment where document < ${each}`);
    });
}
