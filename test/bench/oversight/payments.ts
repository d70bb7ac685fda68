import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Served } from '../../harness/processes.ts';
import { type Client, Unexpected, httpClient } from '../clients.ts';
import { type Load, runOpenLoop } from '../load/open-loop.ts';
import { ROUNDS, median, percentile } from '../measure.ts';
import type { Report } from '../report.ts';

/** Flows a second, of which one process bears several times as many. */
const A_SECOND = 15;
const SECONDS = 6;
/** Concurrent questions: as many as the engine answers together, and so many that most have to wait or are refused. */
const READERS = 2;
const TOO_MANY = 20;
const ORIGIN = 'https://dashboard.example.org';
/** Wait after a refusal, as pages have it. */
const REFUSED_MS = 1_000;

/** A rail that answers, who asks it, and who pays. */
export interface Payments {
  readonly rail: Served;
  readonly key: { readonly plaintext: string };
  readonly client: Client;
  readonly next: Load['next'];
  readonly db: pg.Pool;
}

/** Those who ask about figures while others pay: how many questions at once, and how much slower payments may become. */
interface Askers {
  readonly what: string;
  readonly atOnce: number;
  readonly mostTimes: number;
  readonly client: Client;
  readonly paths: readonly string[];
}

/** Measures the effect of the heaviest questions on payments: as many as the engine answers together, and too many. */
export async function measurePayments(
  report: Report,
  { rail, key, client, next }: Payments,
  heaviest: readonly string[],
): Promise<void> {
  const browserKey = await issueBrowserKey(client);
  const browser = httpClient(rail.origin, browserKey, { headers: { origin: ORIGIN }, connections: TOO_MANY });
  try {
    const pay = async () => {
      const load = { origins: [rail.origin], key: key.plaintext, next, perSecond: A_SECOND, seconds: SECONDS };
      const { accepted, shed, failed } = await runOpenLoop(load);
      if (shed.length > 0 || failed.size > 0) throw new Error('Requests of payments were not accepted');
      return percentile(accepted, 0.99);
    };
    const what = 'the heaviest questions';
    await measureBeside(report, pay, { what, client, paths: heaviest, atOnce: READERS, mostTimes: 1.2 });
    const many = `${TOO_MANY} of them at once, by a browser key`;
    await measureBeside(report, pay, { what: many, client: browser, paths: heaviest, atOnce: TOO_MANY, mostTimes: 2 });
  } finally {
    await browser.close();
  }
}

async function issueBrowserKey(client: Client): Promise<string> {
  const query = `mutation { issueBrowserKey(label: "Bench", origins: ["${ORIGIN}"]) { plaintext } }`;
  const { data } = (await client.post('/graphql', { query })) as { data: { issueBrowserKey: { plaintext: string } } };
  return data.issueBrowserKey.plaintext;
}

/** The time of the slowest hundredth of requests of payments, in turns with and without questions. */
async function measureBeside(report: Report, pay: () => Promise<number>, askers: Askers): Promise<void> {
  const rounds: { alone: number; asked: number; answered: number; refused: number }[] = [];
  await pay();
  for (let round = 0; round < ROUNDS; round++) {
    const alone = await pay();
    const { result: asked, ...questions } = await whileAsking(askers, pay);
    rounds.push({ alone, asked, ...questions });
  }
  report.table(
    [
      `p99 of requests at ${A_SECOND} payments a second, ms`,
      'alone',
      `beside ${askers.what}`,
      'answered a second',
      'refused a second',
    ],
    rounds.map(({ alone, asked, answered, refused }, index) => [
      `round ${index + 1}`,
      alone,
      asked,
      answered / SECONDS,
      refused / SECONDS,
    ]),
  );
  const ratios = rounds.map(({ alone, asked }) => asked / alone);
  report.judge({
    what: `p99 of payments, with ÷ without ${askers.what}`,
    figure: median(ratios),
    unit: '×',
    range: [Math.min(...ratios), Math.max(...ratios)],
    target: { atMost: askers.mostTimes },
  });
}

/** Asks one question after another, for as long as something takes. */
async function whileAsking<T>(
  { client, paths, atOnce }: Askers,
  run: () => Promise<T>,
): Promise<{ result: T; answered: number; refused: number }> {
  const over = new AbortController();
  let [asked, answered, refused] = [0, 0, 0];
  const askOne = async () => {
    try {
      await client.get(paths[asked++ % paths.length]!);
      answered++;
    } catch (error) {
      if (!(error instanceof Unexpected && [422, 429, 503].includes(error.status))) throw error;
      refused++;
      await sleep(REFUSED_MS);
    }
  };
  const asking = Array.from({ length: atOnce }, async () => {
    while (!over.signal.aborted) await askOne();
  });
  try {
    return { result: await run(), answered, refused };
  } finally {
    over.abort();
    await Promise.all(asking);
  }
}
