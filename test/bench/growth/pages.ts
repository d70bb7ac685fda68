import type { Cluster } from '../../../src/platform/database/cluster/cluster.ts';
import { schema } from '../../../src/app/schema.ts';
import { readDocuments } from '../../../src/app/site/operations/documents.ts';
import { median } from '../measure.ts';
import type { Cell, Report } from '../report.ts';
import { makeHistory, openHistory } from './history.ts';

/** What a page may take from the request to its last byte, with its charts drawn. */
const MOST_MS = 300;
const SAMPLES = 30;
const WARM_UP = 3;

/** The views that a page of revenue leads to, beside the one that it opens with. */
const VIEWS = ['?by=sector', '?by=service', '?step=month&fromDate=YEAR', '?mda=AGENCY&by=service'];

/** Opens every page of oversight, and some views of revenue, on a history of so many assessments. */
export async function measurePages(report: Report, cluster: Cluster, assessments: number): Promise<void> {
  report.begin(`Pages of oversight over ${assessments.toLocaleString('en')} assessments`);
  const history = await openHistory(await makeHistory(cluster, assessments));
  try {
    const year = new Date(Date.now() - 364 * 86_400_000).toISOString().slice(0, 10);
    const views = VIEWS.map((view) => view.replace('YEAR', year).replace('AGENCY', history.facts.mda));
    const pages = readDocuments(schema).pages.map(({ path }) => path);
    const paths = pages.filter((path) => /^\/oversight(\/|$)/.test(path) && !path.includes('{'));
    const rows: Cell[][] = [];
    for (const path of [...paths, ...views.map((view) => `/oversight${view}`)]) {
      const took: number[] = [];
      for (let turn = 0; turn < WARM_UP + SAMPLES; turn++) {
        const ms = await history.ask('staff', path);
        if (turn >= WARM_UP) took.push(ms);
      }
      const p95 = took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.95)]!;
      rows.push([path, median(took), p95]);
      report.judge({ what: path, figure: median(took), unit: 'ms', target: { atMost: MOST_MS } });
    }
    report.table(['page', 'p50 ms', 'p95 ms'], rows);
  } finally {
    await history.close();
  }
}
