import pg from 'pg';
import type { Pool } from 'undici';
import type { Cluster } from '../../../src/platform/database/cluster/cluster.ts';
import { schema } from '../../../src/app/schema.ts';
import { readDocuments } from '../../../src/site/operations/documents.ts';
import { type Sql, sql } from '../../../src/platform/database/sql.ts';
import { EXAMPLES } from '../../site/pages/examples.ts';
import { median } from '../measure.ts';
import type { Cell, Report } from '../report.ts';
import { makeEvents, makeHistory, openRail } from './history.ts';

/** Most time from the request for a page to its last byte, with its charts drawn. */
const MOST_MS = 150;
const SAMPLES = 30;
const WARM_UP = 3;

/** Has every page computed again: until the copy of facts changes, answers are remembered. */
const TOUCH = sql`insert into fact_change (kind, document) select 'payment', max(name) from payment_event`;

/** The views that a page of revenue leads to, beside the one that it opens with. */
const VIEWS = ['?by=sector', '?by=service', '?step=month&fromDate=YEAR', '?mda=AGENCY&by=service'];

/** A long history: of assessments with all that a rail writes beside them, or of events alone. */
export type History = { readonly assessments: number } | { readonly events: number };

/** Opens every page of staff on a history of assessments, every one of oversight on one of events, and some views of revenue. */
export async function measurePages(report: Report, cluster: Cluster, history: History): Promise<void> {
  const number = ('events' in history ? history.events : history.assessments).toLocaleString('en');
  report.begin(`Pages over ${number} ${'events' in history ? 'events' : 'assessments'}`);
  const url = await ('events' in history
    ? makeEvents(cluster, history.events)
    : makeHistory(cluster, history.assessments));
  const { pool, cookie, close } = await openRail(url);
  try {
    const year = new Date(Date.now() - 364 * 86_400_000).toISOString().slice(0, 10);
    const agency = await findLargestAgency(url);
    const views = VIEWS.map((view) => view.replace('YEAR', year).replace('AGENCY', agency));
    const paths = await listPaths(url, 'assessments' in history);
    const rows: Cell[][] = [];
    // A process serves before it has filled its copy, and says so.
    while ((await ask(pool, cookie, '/oversight')).status === 503);
    for (const path of [...paths, ...views.map((view) => `/oversight${view}`)]) {
      // Redirects, as from the log-in, are no pages of this member of staff.
      if ((await ask(pool, cookie, path)).status === 303) continue;
      const took: number[] = [];
      for (let turn = 0; turn < WARM_UP + SAMPLES; turn++) {
        await query(url, TOUCH);
        const ms = await open(pool, cookie, path);
        if (turn >= WARM_UP) took.push(ms);
      }
      const p95 = took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.95)]!;
      rows.push([path, median(took), p95]);
      report.judge({ what: path, figure: median(took), unit: 'ms', target: { atMost: MOST_MS } });
    }
    report.table(['page', 'p50 ms', 'p95 ms'], rows);
  } finally {
    await close();
  }
}

/** The pages of staff, of each record one; or those of oversight alone, which a history of events has something for. */
async function listPaths(url: string, all: boolean): Promise<string[]> {
  const paths = readDocuments(schema)
    .pages.filter(({ who, path }) => who === 'STAFF' && (all || /^\/oversight(\/|$)/.test(path)))
    .map(({ path }) => path);
  const found: string[] = [];
  for (const path of paths) {
    if (!path.includes('{')) found.push(path);
    else if (all && EXAMPLES[path]) {
      const [row] = await query<Record<string, string>>(url, EXAMPLES[path]);
      if (row) found.push(path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(row[name]!)));
    }
  }
  return found;
}

async function ask(pool: Pool, cookie: string, path: string) {
  const { statusCode, body } = await pool.request({ method: 'GET', path, headers: { cookie } });
  return { status: statusCode, text: await body.text() };
}

/** Milliseconds from the request for a page to its last byte. */
async function open(pool: Pool, cookie: string, path: string): Promise<number> {
  const from = performance.now();
  const { status, text } = await ask(pool, cookie, path);
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
  return performance.now() - from;
}

async function findLargestAgency(url: string): Promise<string> {
  const [row] = await query<{ mda: string }>(
    url,
    sql`select mda from payment_event group by mda order by count(*) desc, mda limit 1`,
  );
  return row!.mda;
}

async function query<Row extends pg.QueryResultRow>(url: string, statement: Sql): Promise<Row[]> {
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  try {
    return (await db.query<Row>(statement.text, [...statement.values])).rows;
  } finally {
    await db.end();
  }
}
