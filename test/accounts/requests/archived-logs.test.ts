import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { archiveMonths } from '../../../src/platform/audit/archive.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { type Account, makeAccount } from '../../harness/people/accounts.ts';
import { type Answer, testRail } from '../../harness/rail.ts';

const rail = testRail({ DEV_REVEAL: 'on' });

const DAY_MS = 86_400_000;
const HOURS = 6;
/** Half a year until yesterday: the oldest months of it are cold. */
const DAYS = 180;

let account: Account;
let other: Account;
/**
 * Request IDs in the log of the account, newest first: one request every six hours, alternating between two endpoints.
 */
let entered: string[];
let today: string;
const dayBefore = (days: number) => new Date(Date.parse(today) - days * DAY_MS).toISOString().slice(0, 10);

beforeAll(async () => {
  [account, other] = [await makeAccount(rail), await makeAccount(rail)];
  await rail.rail.audit.flush();
  today = rail.rail.now().toISOString().slice(0, 10);
  await rail.rows(sql`select ensure_audit_partition(now() - n * interval '1 month') from generate_series(0, 7) n`);
  for (const { integrator } of [account, other])
    await rail.rows(sql`
      insert into audit_log (id, ts, request_id, http_status, endpoint, event, integrator, actor)
      select gen_random_uuid(), ${today}::timestamptz - (n / 2) * ${HOURS * 2}::int * interval '1 hour' - interval '1 hour',
        'r-' || n, case when n % 10 = 0 then 403 else 200 end, case when n % 2 = 0 then 'GET /v1/even' else 'GET /v1/odd' end,
        case when n % 10 = 0 then 'api.auth.denied' else 'api.auth.granted' end, ${integrator}, 'x'
      from generate_series(0, ${(DAYS * 24) / HOURS - 1}::int) n`);
  const rows = await rail.rows<{ requestId: string }>(sql`
    select request_id as "requestId" from audit_log where integrator = ${account.integrator} and request_id like 'r-%'
    order by ts desc, id desc`);
  entered = rows.map(({ requestId }) => requestId);
  expect(await archiveMonths(rail.rail)).toBeGreaterThan(1);
});

const ask = (query: string, headers = {}) => rail.ask(`/v1/me/logs?${query}`, { key: account.key, headers });
/** The same by the graph, which has filters that the endpoint has not. */
const asked = async (filter: string): Promise<string[]> => {
  const query = `{ myLogs(first: 200, ${filter}) { nodes { requestId } } }`;
  const { json } = await rail.ask('/graphql', { key: account.key, body: { query } });
  return json.data.myLogs.nodes.map(({ requestId }: { requestId: string }) => requestId);
};
const idsOf = ({ data }: Answer) =>
  data.map(({ request_id }: { request_id: string }) => request_id).filter((id: string) => id.startsWith('r-'));

/** All pages of a question, by the links of each to the next. */
async function walk(query: string): Promise<string[]> {
  const seen: string[] = [];
  for (let path: string | undefined = `/v1/me/logs?${query}`; path;) {
    const answer: Answer = await rail.ask(path, { key: account.key });
    expect(answer.status, answer.text).toBe(200);
    seen.push(...idsOf(answer));
    path = /<(.+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  return seen;
}

describe('GET /v1/me/logs by days', () => {
  it('200: goes on from what is at hand into the archive, page by page, newest first', async () => {
    const query = `from_date=${dayBefore(200)}&to_date=${dayBefore(1)}`;
    const whole = await walk(`${query}&limit=200`);
    expect(whole).toEqual(entered);
    // Small pages, some of whose rows are of one moment.
    expect(await walk(`${query}&limit=87`)).toEqual(entered);
    expect(idsOf(await ask(`${query}&limit=10&start=450`))).toEqual(entered.slice(450, 460));
  });

  it('200: includes both days, whole', async () => {
    const one = await walk(`from_date=${dayBefore(170)}&to_date=${dayBefore(170)}`);
    expect(one).toHaveLength(24 / HOURS);
    expect(await walk(`from_date=${dayBefore(170)}&to_date=${dayBefore(168)}`)).toHaveLength(3 * (24 / HOURS));
  });

  it('finds one request by its ID, and those of a key, at hand and in the archive', async () => {
    const days = `fromDate: "${dayBefore(200)}", toDate: "${dayBefore(1)}"`;
    for (const id of [entered[0]!, entered.at(-1)!]) expect(await asked(`${days}, requestId: "${id}"`)).toEqual([id]);
    expect(await asked(`requestId: "${entered[0]!}"`)).toEqual([entered[0]]);
    expect(await asked(`requestId: "${entered.at(-1)!}"`)).toEqual([]);
    expect(await asked(`${days}, requestId: "r-"`)).toEqual([]);
    // The entries made above have no key. The first request of the account has one.
    expect(await asked(`${days}, key: "${account.keyName}"`)).toEqual([]);
    await rail.rail.audit.flush();
    expect((await asked(`key: "${account.keyName}"`)).length).toBeGreaterThan(0);
  });

  it('200: filters by the same rules on both sides', async () => {
    const days = `from_date=${dayBefore(200)}&to_date=${dayBefore(1)}&limit=200`;
    const number = (id: string) => Number(id.slice(2));
    for (const [filter, holds] of [
      ['endpoint=EVEN', (id: string) => number(id) % 2 === 0],
      ['event=api.auth.denied', (id: string) => number(id) % 10 === 0],
      ['min_status=400&endpoint=v1/even', (id: string) => number(id) % 10 === 0],
      ['endpoint=%25', () => false],
    ] as const)
      expect(await walk(`${days}&${filter}`), filter).toEqual(entered.filter(holds));
  });

  it('200: as a file, all of it', async () => {
    const { text } = await ask(`from_date=${dayBefore(200)}&to_date=${dayBefore(1)}`, { accept: 'text/csv' });
    expect(text.split('\n').flatMap((line) => /\br-\d+\b/.exec(line)?.[0] ?? [])).toEqual(entered);
  });

  it('200: over GraphQL, from both ends, with its count', async () => {
    const days = `fromDate: "${dayBefore(200)}", toDate: "${dayBefore(1)}"`;
    const graph = async (query: string) =>
      (await rail.ask('/graphql', { key: account.key, body: { query } })).json.data;
    const { myLogs } = await graph(
      `{ myLogs(${days}, last: 30) { totalCount nodes { requestId } pageInfo { hasPreviousPage startCursor } } }`,
    );
    const ids = (nodes: { requestId: string }[]) => nodes.map(({ requestId }) => requestId);
    expect(myLogs.totalCount).toBe(entered.length);
    expect(ids(myLogs.nodes)).toEqual(entered.slice(-30));
    const { me } = await graph(
      `{ me { requests(${days}, last: 30, before: "${myLogs.pageInfo.startCursor}") { nodes { requestId } } } }`,
    );
    expect(ids(me.requests.nodes)).toEqual(entered.slice(-60, -30));
  });

  it('200: without days nothing older than 90 days, as before', async () => {
    const whole = await walk('limit=200');
    expect(whole).toEqual(entered.slice(0, whole.length));
    expect(whole.length).toBeLessThanOrEqual(90 * (24 / HOURS));
    expect(await walk(`to_date=${dayBefore(120)}&limit=200`)).toHaveLength(61 * (24 / HOURS));
  });

  it.each([
    ['from_date=2026-02-02&to_date=2026-02-01', 'to_date'],
    ['from_date=2024-01-01&to_date=2025-06-01', 'from_date'],
    ['from_date=x', 'from_date'],
    ['from_date=2026-02-02&after=x', 'after'],
  ])('422: %s', async (query, path) => {
    const answer = await ask(query);
    expect(answer).toMatchObject({ status: 422, code: 'validation_failed' });
    expect(answer.json.error.details[0].path).toBe(path);
  });

  it('503: where the file of a month was changed or is gone, and the log says which', async () => {
    const [{ file }] = (await rail.rows<{ file: string }>(
      sql`select file from audit_archive where month = date_trunc('month', ${dayBefore(179)}::timestamptz at time zone 'utc')`,
    )) as [{ file: string }];
    const path = join(rail.dataDir, 'archive', file);
    expect(existsSync(path)).toBe(true);
    const query = `from_date=${dayBefore(200)}&to_date=${dayBefore(1)}&start=${entered.length - 12}`;
    const bytes = readFileSync(path);
    const refused = async () => {
      const answer = await ask(query);
      expect(answer).toMatchObject({ status: 503, code: 'unavailable' });
      expect(answer.json.error.message).toContain(`The archive of ${file.slice(6, 13)} cannot be read`);
      expect(rail.logged.some((line) => line.includes('a month of the archive cannot be read'))).toBe(true);
    };
    writeFileSync(path, Buffer.concat([bytes.subarray(0, -1), Buffer.from([bytes.at(-1)! ^ 1])]));
    await refused();
    renameSync(path, `${path}.away`);
    await refused();
    // Queries that need nothing of that month are answered.
    expect((await ask(`from_date=${dayBefore(2)}`)).status).toBe(200);
    writeFileSync(path, bytes);
    expect((await ask(query)).status).toBe(200);
  });
});
