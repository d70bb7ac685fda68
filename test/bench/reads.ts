import { deepStrictEqual } from 'node:assert/strict';
import { type Repeated, ask, repeat } from './clients.ts';
import { fillPage } from './flows/flow.ts';
import { type Peer, type Side, compare } from './measure.ts';
import type { Report } from './report.ts';
import { type IssuedKey, Setting, issueKey } from './setting.ts';
import type { Served } from '../harness/processes.ts';

/** Most CPU time as a multiple of the peer's, including PostgreSQL's. */
const CPU = 1;
/** Most time of the rail's slowest hundredth as a multiple of the peer's. */
const P99 = 1.5;

/** Headers that differ between requests or processes, or belong to the connection. */
const OWN_HEADERS = new Set(['date', 'connection', 'keep-alive', 'x-request-id', 'ratelimit']);

/** Reads over REST beside the same endpoints by Fastify and `pg`, with the same around them. */
export async function measureReads(report: Report, seconds: number): Promise<void> {
  report.begin('a. Reads over REST');
  const setting = await Setting.open();
  try {
    const env = await setting.database('rail');
    const rail = await setting.serve('src/app/main.ts', env);
    const key = await issueKey(env);
    const peer = await setting.servePeer('test/compat/peers/fastify.ts', env);
    const remembering = await setting.servePeer('test/compat/peers/fastify.ts', { ...env, REMEMBER: 'yes' });
    const assessment = await fillPage(setting.client(rail, key), key);
    const plain = { served: peer, label: 'Fastify + pg' };
    const remembers = { served: remembering, label: 'Fastify + pg, which remembers too' };
    for (const [what, path, rate, beside] of [
      ['GET one assessment', `/v1/assessments/${assessment}`, 0.75, [plain]],
      ['GET 50 assessments', '/v1/assessments?limit=50', 0.85, [plain]],
      // The rail asks which version of the catalogue holds, and sends what it answered of that version before.
      ['GET 100 services, remembered', '/v1/services?limit=100', 0.85, [plain, remembers]],
    ] as const) {
      const ours = await readOf(rail, key, path);
      const peers: Peer[] = [];
      for (const { served, label } of beside) {
        const theirs = await readOf(served, key, path);
        deepStrictEqual(ours.answer, theirs.answer, `The two sides answer ${path} differently`);
        peers.push({ ...theirs.side, label, bounds: { rate, cpu: CPU, p99: P99 } });
      }
      await compare(report, { what, ours: { ...ours.side, label: 'rail' }, peers, seconds, database: setting });
    }
  } finally {
    await setting.close();
  }
}

/** A read of one side again and again, and what it answers: its bytes, and its headers as far as they can be the same. */
async function readOf({ origin, cpuMs }: Served, { plaintext }: IssuedKey, path: string) {
  const request: Repeated = {
    url: `${origin}${path}`,
    headers: { authorization: `Bearer ${plaintext}`, 'accept-encoding': 'identity' },
  };
  const { bytes, headers } = await ask(request);
  const side: Omit<Side, 'label'> = { run: (milliseconds) => repeat(request, bytes, milliseconds), cpuMs };
  const same = [...headers]
    .filter(([name]) => !OWN_HEADERS.has(name))
    .map(([name, value]) => [name, value.replace(origin, '')]);
  return { side, answer: { bytes, headers: Object.fromEntries(same) as Record<string, string> } };
}
