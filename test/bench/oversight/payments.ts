import pg from 'pg';
import type { Served } from '../../harness/processes.ts';
import type { Client } from '../clients.ts';
import { spread } from '../flows/subjects.ts';
import { runOpenLoop } from '../load/open-loop.ts';
import { median, percentile } from '../measure.ts';
import type { Report } from '../report.ts';

/** Most times as long as usual that the slowest hundredth of payments may take while the heaviest questions run. */
const MOST_TIMES = 1.2;
/** Flows a second, of which one process bears several times as many. */
const A_SECOND = 15;
const SECONDS = 6;
const ROUNDS = 3;
/** Concurrent questions: as many as the engine answers together. */
const ASKERS = 2;

export interface Asked {
  readonly url: string;
  readonly rail: Served;
  readonly key: { readonly plaintext: string; readonly integrator: string; readonly name: string };
  readonly client: Client;
  /** The questions that took longest. */
  readonly heaviest: readonly string[];
}

/**
 * Measures the effect of oversight on payments: the time of their slowest hundredth, in turns with and without
 * questions.
 */
export async function measurePayments(report: Report, { url, rail, key, client, heaviest }: Asked): Promise<void> {
  const db = new pg.Pool({ connectionString: url, max: 1 });
  try {
    const next = await spread(client, { ...key, scopes: [] }, db);
    const pay = async () => {
      const { accepted } = await runOpenLoop({
        origins: [rail.origin],
        key: key.plaintext,
        next,
        perSecond: A_SECOND,
        seconds: SECONDS,
      });
      return percentile(accepted, 0.99);
    };
    const rounds: { alone: number; asked: number; questions: number }[] = [];
    await pay();
    for (let round = 0; round < ROUNDS; round++) {
      const alone = await pay();
      const { result: asked, questions } = await whileAsking(client, heaviest, pay);
      rounds.push({ alone, asked, questions });
    }
    report.table(
      [`p99 of requests at ${A_SECOND} payments a second, ms`, 'alone', 'while asked', 'questions a second'],
      rounds.map(({ alone, asked, questions }, index) => [`round ${index + 1}`, alone, asked, questions / SECONDS]),
    );
    const ratios = rounds.map(({ alone, asked }) => asked / alone);
    report.judge({
      what: 'p99 of payments, with ÷ without the heaviest questions',
      figure: median(ratios),
      unit: '×',
      range: [Math.min(...ratios), Math.max(...ratios)],
      target: { atMost: MOST_TIMES },
    });
  } finally {
    await db.end();
  }
}

/** Asks one question after another, for as long as something takes. */
async function whileAsking<T>(
  client: Client,
  paths: readonly string[],
  run: () => Promise<T>,
): Promise<{ result: T; questions: number }> {
  const over = new AbortController();
  let questions = 0;
  const asking = Array.from({ length: ASKERS }, async () => {
    while (!over.signal.aborted) await client.get(paths[questions++ % paths.length]!);
  });
  try {
    return { result: await run(), questions };
  } finally {
    over.abort();
    await Promise.all(asking);
  }
}
