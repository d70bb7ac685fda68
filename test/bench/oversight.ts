import pg from 'pg';
import type { Cluster } from '../../src/platform/database/cluster/cluster.ts';
import { capture, serve } from '../harness/processes.ts';
import { type Client, httpClient } from './clients.ts';
import { makeEvents } from './growth/history.ts';
import { median } from './measure.ts';
import type { Report, Target } from './report.ts';

/** What the same question may cost at most, whatever the number of events. */
const TARGETS = { timesFaster: 100, medianMs: 60, growth: 1.5, depth: 1.5, everythingMs: 35_000 };
const FEW = 100_000;
const DEEP = 1_000_000;
const ROUNDS = 40;

const QUESTION =
  '{ oversight { figureRecords(by: [agency, month], measures: [net, events], fromDate: "1970-01-01", first: 10000) { nodes { agencyId: agency month currency net count: events } } } }';
/** All that can be grouped by, over all time: answered, or refused as too wide, but in bounded time. */
const EVERYTHING =
  '/v1/oversight/revenue?group_by=mda,sector,family,service,channel,country,currency,day,week,month,kind&from_date=1970-01-01&order_by=net&limit=10000';
const PLAIN = `
  select e.mda, to_char(e.occurred_at at time zone 'utc', 'YYYY-MM') as month, e.currency, sum(e.amount) filter (where e.kind = 'payment') as collected,
    -sum(e.amount) filter (where e.kind = 'reversal') as reversed, sum(e.amount) as net, count(*) as count
  from payment_event e group by 1, 2, 3 order by 1, 2, 3`;

/**
 * Asks for revenue by agency and month of a long history and of a short one, beside a plain GROUP BY; and for early and
 * late pages.
 */
export async function measureOversight(report: Report, cluster: Cluster, events: number): Promise<void> {
  const few = await history(cluster, FEW);
  const many = await history(cluster, events);
  try {
    const small = await questions(few.client);
    const large = await questions(many.client);
    const plain = await many.plainMs();
    await many.compare();
    const pages = await many.pagesMs();
    report.begin(`Revenue by agency and month over ${events.toLocaleString('en')} events`);
    report.table(
      ['', 'ms'],
      [
        [`the rail, ${FEW.toLocaleString('en')} events`, small],
        [`the rail, ${events.toLocaleString('en')} events`, large],
        ['a plain GROUP BY', plain],
        ['page 1 of the events', pages.first],
        [`the page after event ${pages.depth.toLocaleString('en')}`, pages.deep],
      ],
    );
    const judge = (what: string, figure: number, unit: string, target: Target) =>
      report.judge({ what, figure, unit, target });
    judge('plain GROUP BY ÷ rail', plain / large, '×', { atLeast: TARGETS.timesFaster });
    judge('median', large, 'ms', { atMost: TARGETS.medianMs });
    judge('many events ÷ few', large / small, '×', { atMost: TARGETS.growth });
    judge('a deep page ÷ the first', pages.deep / pages.first, '×', { atMost: TARGETS.depth });
    const { outcome, tookMs } = await widest(many.client);
    judge(`all groupings over all time: ${outcome}`, tookMs, 'ms', { atMost: TARGETS.everythingMs });
  } finally {
    await Promise.all([few.close(), many.close()]);
  }
}

async function widest(client: Client): Promise<{ outcome: string; tookMs: number }> {
  const from = performance.now();
  const outcome = await client.get(EVERYTHING).then(
    () => 'answered',
    (error: unknown) => (String(error).includes(': 422 ') ? 'refused as too wide' : Promise.reject(error)),
  );
  return { outcome, tookMs: performance.now() - from };
}

async function questions(client: Client): Promise<number> {
  return timed(ROUNDS, () => client.post('/graphql', { query: QUESTION }));
}

/** The median of so many turns, after a few to warm up. */
async function timed(rounds: number, once: () => Promise<unknown>): Promise<number> {
  for (let i = 0; i < Math.min(5, rounds); i++) await once();
  const took: number[] = [];
  for (let i = 0; i < rounds; i++) {
    const from = performance.now();
    await once();
    took.push(performance.now() - from);
  }
  return median(took);
}

async function history(cluster: Cluster, events: number) {
  const url = await makeEvents(cluster, events);
  const env = { DATABASE_URL: url, PORT: '0', JOBS: 'off', LOG_LEVEL: 'error' };
  const { plaintext } = JSON.parse(
    await capture(
      'src/app/cli/admin.ts',
      ['key:issue', '--organisation', 'Bench', '--email', 'bench@example.com', '--scopes', 'oversight.read', '--json'],
      env,
    ),
  ) as { plaintext: string };
  const rail = await serve('src/app/main.ts', env);
  const client = httpClient(rail.origin, plaintext);
  const db = new pg.Client({ connectionString: url });
  await db.connect();

  return {
    client,
    plainMs: () => timed(3, () => db.query(PLAIN)),
    /** Both sides have to say the same. */
    compare: async () => {
      const { data } = (await client.post('/graphql', { query: QUESTION })) as {
        data: { oversight: { figureRecords: { nodes: Parameters<typeof line>[0][] } } };
      };
      const { rows } = await db.query<{ mda: string; month: string; currency: string; net: string; count: string }>(
        PLAIN,
      );
      const line = (row: {
        mda?: string;
        agencyId?: string;
        month: string;
        currency: string;
        net: number | string;
        count: number | string;
      }) => [row.mda ?? row.agencyId, row.month, row.currency, Number(row.net), Number(row.count)].join(' ');
      if (data.oversight.figureRecords.nodes.map(line).toSorted().join('\n') !== rows.map(line).toSorted().join('\n'))
        throw new Error('The rail and the plain GROUP BY answer differently');
    },
    pagesMs: async () => {
      const depth = Math.min(DEEP, Math.floor(events / 2));
      const { rows } = await db.query<{ name: string }>(
        'select name from oversight.payment_event order by position desc offset $1 limit 1',
        [depth],
      );
      const path = '/v1/oversight/payment-events?limit=100';
      return {
        depth,
        first: await timed(ROUNDS, () => client.get(path)),
        deep: await timed(ROUNDS, () => client.get(`${path}&after=${rows[0]!.name}`)),
      };
    },
    close: async () => {
      await client.close();
      await db.end();
      await rail.stop();
    },
  };
}
