// `npm run trial:prisma`: the same reads by Prisma's client and Pothos' plugin for it, and by SQL as the rail reads.
// Yoga serves both from the same tables, in one process. Prints, after equal answers, lines and times of each.
import { createYoga } from 'graphql-yoga';
import { deepStrictEqual } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { openRail } from '../../../src/app/open-rail.ts';
import { meters } from '../../../src/graphql/builder.ts';
import { createLog } from '../../../src/kernel/log.ts';
import { EVERY_AGENCY } from '../../../src/platform/access/grants.ts';
import { type Viewer, viewKey, viewStaff } from '../../../src/platform/access/viewer.ts';
import { callOf } from '../../../src/platform/call/call.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import { fillPage } from '../../bench/flows/flow.ts';
import { type Form, QUESTIONS, type Subject } from '../../bench/graphql/questions.ts';
import { median } from '../../bench/measure.ts';
import { Report } from '../../bench/report.ts';
import { Setting, issueKey } from '../../bench/setting.ts';
import { askerOf, schemaByClient } from './by-client.ts';
import { schemaBySql } from './by-sql.ts';

const ROUNDS = 200;
const WARMTH = 50;

const AGENCIES: Form = {
  query: '{ agencies(first: 50) { nodes { id name country region createdAt } } }',
  variables: () => ({}),
  meaning: (data) => data,
};

/** Answers the question of a viewer. */
type Way = (viewer: Viewer, form: Form, subject: Subject) => Promise<unknown>;

/** One way to answer: a schema, and what it takes of a viewer as its context. */
function wayOf(schema: typeof schemaBySql, contextOf: (viewer: Viewer) => object): Way {
  const yoga = createYoga<{ viewer: Viewer }, object>({
    schema,
    context: ({ viewer }) => contextOf(viewer),
    logging: false,
  });
  return async (viewer, { query, variables }, subject) => {
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    const request = { method: 'POST', headers, body: JSON.stringify({ query, variables: variables(subject) }) };
    const answer = await yoga.fetch('http://trial/graphql', request, { viewer });
    const { data, errors } = (await answer.json()) as { data: unknown; errors?: unknown };
    if (errors) throw new Error(JSON.stringify(errors));
    return data;
  };
}

/** The lines of a file next to this one that are neither empty nor comments. */
function linesOf(file: string): number {
  const lines = readFileSync(new URL(file, import.meta.url), 'utf8').split('\n');
  return lines.filter((line) => !/^\s*($|\/\/|\/?\*)/.test(line)).length;
}

/** Times each way in turns, and returns the medians of its milliseconds and of this process' CPU time. */
async function race(ways: readonly (() => Promise<unknown>)[]) {
  const took = ways.map(() => ({ ms: [] as number[], cpuMs: [] as number[] }));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, way] of ways.entries()) {
      const [from, cpuFrom] = [performance.now(), process.cpuUsage()];
      await way();
      const { user, system } = process.cpuUsage(cpuFrom);
      took[at]!.ms.push(performance.now() - from);
      took[at]!.cpuMs.push((user + system) / 1_000);
    }
  }
  // The first rounds compile.
  return took.map(({ ms, cpuMs }) => ({ ms: median(ms.slice(WARMTH)), cpuMs: median(cpuMs.slice(WARMTH)) }));
}

const report = new Report();
const setting = await Setting.open();
try {
  const env = await setting.database('rail');
  const served = await setting.serve('src/app/main.ts', env);
  const key = await issueKey(env);
  const subject = { assessment: await fillPage(setting.client(served, key), key), integrator: key.integrator };
  await served.stop();
  await setting.pool(env).query('analyze');
  const { rail, close } = await openRail(readConfig(env), createLog('silent'));
  setting.closeWith(close);

  const memory = process.memoryUsage().rss;
  const loading = performance.now();
  const prisma = await rail.prisma();
  await prisma.agency.count();
  report.begin('Reads by Prisma’s client and by SQL');
  const mebibytes = (process.memoryUsage().rss - memory) / 2 ** 20;
  report.table(['', 'ms', 'MiB'], [['loading the client', performance.now() - loading, mebibytes]]);
  report.table(['lines', 'client', 'SQL'], [['types, reads and walls', linesOf('by-client.ts'), linesOf('by-sql.ts')]]);

  const byClient = wayOf(schemaByClient(prisma), askerOf);
  const bySql = wayOf(schemaBySql, (viewer) => {
    const call = callOf(rail, viewer, 'trial');
    // The plugin prices nothing either.
    meters.set(call, null);
    return call;
  });
  const { name, integrator, scopes } = key;
  const grants = { supervises: EVERY_AGENCY, counters: [], managesAccount: false };
  const account = viewKey({ name, lineage: name, integrator, scopes, issuedBy: null, ...grants });
  const officer = (mda: string) =>
    viewStaff({ id: mda, email: `${mda}@example.com`, roles: ['finance_officer'], agencies: [mda] });
  const viewers = [account, officer('URA'), officer('KCCA')];
  const rows = [];
  for (const { what, form } of [
    ...QUESTIONS.slice(0, 2).map((question) => ({ what: question.what, form: question.ours })),
    { what: '50 agencies, which have no wall', form: AGENCIES },
  ]) {
    for (const viewer of viewers)
      deepStrictEqual(await byClient(viewer, form, subject), await bySql(viewer, form, subject), what);
    const [client, sql] = await race([byClient, bySql].map((way) => () => way(account, form, subject)));
    rows.push([what, client!.ms, sql!.ms, client!.cpuMs, sql!.cpuMs, client!.cpuMs / sql!.cpuMs]);
  }
  report.table(['an answer', 'client, ms', 'SQL, ms', 'client, CPU ms', 'SQL, CPU ms', 'CPU, client ÷ SQL'], rows);
} finally {
  await setting.close();
}
