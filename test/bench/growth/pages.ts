import pg from 'pg';
import type { Pool } from 'undici';
import type { Cluster } from '../../../src/platform/database/cluster/cluster.ts';
import { schema } from '../../../src/app/schema.ts';
import { readDocuments } from '../../../src/site/operations/documents.ts';
import { median } from '../measure.ts';
import type { Cell, Report } from '../report.ts';
import { makeEvents, makeHistory, openRail } from './history.ts';

/** What a page may take from the request to its last byte, with its charts drawn. */
const MOST_MS = 150;
const SAMPLES = 30;
const WARM_UP = 3;

/** The views that a page of revenue leads to, beside the one that it opens with. */
const VIEWS = ['?by=sector', '?by=service', '?step=month&fromDate=YEAR', '?mda=AGENCY&by=service'];

/** A long history: of assessments with all that a rail writes beside them, or of events alone. */
export type History = { readonly assessments: number } | { readonly events: number };

/** Opens every page of oversight, and some views of revenue, on a history. */
export async function measurePages(report: Report, cluster: Cluster, history: History): Promise<void> {
  const number = ('events' in history ? history.events : history.assessments).toLocaleString('en');
  report.begin(`Pages of oversight over ${number} ${'events' in history ? 'events' : 'assessments'}`);
  const url = await ('events' in history
    ? makeEvents(cluster, history.events)
    : makeHistory(cluster, history.assessments));
  const { pool, cookie, close } = await openRail(url);
  try {
    const year = new Date(Date.now() - 364 * 86_400_000).toISOString().slice(0, 10);
    const agency = await findLargestAgency(url);
    const views = VIEWS.map((view) => view.replace('YEAR', year).replace('AGENCY', agency));
    const pages = readDocuments(schema).pages.map(({ path }) => path);
    const paths = pages.filter((path) => /^\/oversight(\/|$)/.test(path) && !path.includes('{'));
    const rows: Cell[][] = [];
    // A process serves before it has filled its copy, and says so.
    while (await isBusy(pool, cookie, paths[0]!));
    for (const path of [...paths, ...views.map((view) => `/oversight${view}`)]) {
      const took: number[] = [];
      for (let turn = 0; turn < WARM_UP + SAMPLES; turn++) {
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

async function isBusy(pool: Pool, cookie: string, path: string): Promise<boolean> {
  const { statusCode, body } = await pool.request({ method: 'GET', path, headers: { cookie } });
  await body.dump();
  return statusCode === 503;
}

/** How many milliseconds a page takes, from the request to the last byte. */
async function open(pool: Pool, cookie: string, path: string): Promise<number> {
  const from = performance.now();
  const { statusCode, body } = await pool.request({ method: 'GET', path, headers: { cookie } });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${text}`);
  return performance.now() - from;
}

async function findLargestAgency(url: string): Promise<string> {
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  try {
    const { rows } = await db.query<{ mda: string }>(
      'select mda from payment_event group by mda order by count(*) desc, mda limit 1',
    );
    return rows[0]!.mda;
  } finally {
    await db.end();
  }
}
