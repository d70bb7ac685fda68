import { execute, parse } from 'graphql';
import { parseCrontab } from 'graphile-worker';
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { CRONTAB } from '../../../src/app/jobs/tasks.ts';
import { startWorker } from '../../../src/app/jobs/worker.ts';
import { seedHistory } from '../../../src/sandbox/history.ts';
import { schema } from '../../../src/app/schema.ts';
import { readDocuments } from '../../../src/site/operations/documents.ts';
import { addStaff } from '../../../src/identity/members/add.ts';
import { NO_GRANTS } from '../../../src/platform/access/grants.ts';
import { AGENCY_SCOPES, KEY_SCOPES, ROLES } from '../../../src/platform/access/needs.ts';
import { type Viewer, viewAgency, viewKey, viewSession, viewStaff } from '../../../src/platform/access/viewer.ts';
import { callOf } from '../../../src/platform/call/call.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { Refusal, rootOf } from '../../../src/kernel/refusal.ts';
import { type Visitors, exampleOf, fillPages } from '../../site/pages/every-page.ts';
import { type Facts, LARGEST, findFacts } from '../../bench/growth/facts.ts';
import { type Operation, QUESTIONS, questionOf } from '../../bench/growth/questions.ts';
import { PASSWORD, type StaffActor, makeStaff } from '../../harness/people/staff.ts';
import { issueTo } from '../../harness/records.ts';
import { RECORDS } from '../../harness/schema/edges.ts';
import { type Ask, testRail } from '../../harness/rail.ts';
import { type Examples, questionsOf } from './every-question.ts';

const rail = testRail({ DEV_REVEAL: 'on', WEBHOOK_ALLOW_PRIVATE: 'on' });

const STRANGER = 'stranger@agency.example';

/** So many rows every page of a table is taken to have: of what few rows fill, PostgreSQL reads the whole. */
const ROWS_A_PAGE = 100_000;

/** Indexes that PostgreSQL need not scan for the questions of this test, and what each serves. */
const SERVES: Readonly<Record<string, string>> = {
  oversight_stream_occurred_at_idx: 'finds the events of a span: it tells pages apart once there are many more of them',
  payment_event_occurred_at_idx: 'finds the payments of a day: it tells pages apart once there are many more of them',
  anomaly_mdas_idx: 'finds the anomalies of an agency that has few of all; here each agency has one',
  approval_decided_at_idx: 'finds the approvals of a day, for its seal; here none was decided on a day that has ended',
  event_log_agency_idx: 'an agency fetches its events by it; here none has fetched',
  event_log_created_at_idx: 'finds what is older than 90 days once the log has many pages of younger events',
  api_key_origins_idx: 'finds whether a page of another origin may read an answer; here no key stands in a browser',
  money_outcome_intent_idx: '`ledger:verify` finds the money of an allocation by it; no question does',
  payment_reference_assessment_idx: 'lists the references of an assessment, and finds the one that its payment pays',
  registered_operation_owner_idx: 'counts what an account has registered; here none has',
  embedded_chart_owner_idx: 'lists what somebody embedded; here nobody has',
  payment_claim_ask_at_idx: 'finds what a payment point is asked next; here none can be asked',
  saved_view_recipient_staff_idx: 'finds the views that a member of staff gets; here nobody does',
};

let facts: Facts;
let visitors: Visitors;
let staff: StaffActor;

beforeAll(async () => {
  await Array.fromAsync(seedHistory(rail.rail, { events: 1_500, years: 1.5, agencies: 24, seed: 1, whole: true }));
  facts = await findFacts(rail.url);
  await pretendToBeLarge();
  visitors = await fillPages(rail, { days: 2 });
  staff = await makeStaff(rail, 'admin', 'system_manager', 'supervisor');
  await doTheRest();
  // Also those that were empty: of these PostgreSQL never scans an index.
  await pretendToBeLarge();
}, 180_000);

/** Has PostgreSQL plan as if there were many rows, so that an index that can serve a statement does. */
async function pretendToBeLarge(): Promise<void> {
  await rail.rows(sql`analyze`);
  await rail.rows(sql`
    select pg_restore_relation_stats('schemaname', 'public', 'relname', c.relname::text,
      'relpages', greatest(c.relpages, 1), 'reltuples', (greatest(c.relpages, 1) * ${ROWS_A_PAGE}::int)::real)
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`);
}

/** Counts the links that were sent to somebody who never logged in from here, and sends another. */
const askForReset = () => rail.ask('/v1/work/password-reset:request', { body: { email: STRANGER } });

/** Does what stories leave out, so that no table is empty for which there is an index. */
async function doTheRest(): Promise<void> {
  const send = (path: string, body: unknown, more: Ask = {}) =>
    rail.ask(path, { body, ...more, headers: { cookie: staff.cookie, ...more.headers } });
  const fee = { fee_amount: 12_345, reason: 'A new tariff' };
  await send(`/v1/ops/services/${facts.service}`, fee, { method: 'PATCH', headers: { 'idempotency-key': 'once' } });
  await send('/v1/ops/staff', {
    email: 'new@agency.example',
    name: 'A colleague',
    roles: ['clerk', 'admin'],
    agencies: [],
  });
  await addStaff(rail.rail, { email: STRANGER, name: 'A stranger', roles: ['clerk'], password: PASSWORD });
  await askForReset();
  await rail.rows(sql`update propagation set receipt = name where status = 'done'`);
  await rail.rows(sql`
    insert into fiscal_document (name, issuer, number, assessment, payment_event, mda, created_at)
    select 'FISCAL-2026-01-000001', 'printer', '1', assessment, name, mda, now() from payment_event limit 1`);
  const later = sql`now() + interval '1 hour'`;
  await rail.rows(sql`
    insert into money_received (name, provider, txn_id, kind, amount, currency, channel, received_at, created_at)
    values ('MON-2026-01-900001', 'bank', 'FT-1', 'unknown_reference', 5, 'UGX', 'bank', now(), now())`);
  await rail.rows(sql`
    insert into money_outcome (money, kind, amount, reason, decided_by, at)
    values ('MON-2026-01-900001', 'written_off', 5, 'Nobody claims it', 'staff', now())`);
  await rail.rows(sql`insert into agency_assertion (hash, expires_at) values ('\\x01', ${later})`);
  await rail.rows(sql`
    insert into people_waiting (kind, document, was, becomes)
    select 'assessment', name, 'Assessed', 'Paid' from assessment where status = 'Paid' limit 1`);
  await rail.rows(sql`insert into passkey_challenge (hash, expires_at) values ('\\x01', ${later})`);
  await rail.rows(sql`
    insert into sign_on_attempt (hash, return_to, created_at, expires_at) values ('\\x01', '/', now(), ${later})`);
}

/** Indexes that keep nothing unique, of which nobody says what they serve, and that no statement has scanned. Those of months count as one. */
async function findUnscanned(): Promise<string[]> {
  const rows = await rail.rows<{ name: string }>(sql`
    select coalesce(p.relname, s.indexrelname) as name from pg_stat_user_indexes s
    join pg_index i on i.indexrelid = s.indexrelid
    left join pg_inherits h on h.inhrelid = s.indexrelid left join pg_class p on p.oid = h.inhparent
    where s.schemaname = 'public' and not i.indisunique and s.indexrelname <> all(${Object.keys(SERVES)})
    group by 1 having sum(s.idx_scan) = 0 order by 1`);
  return rows.map(({ name }) => name);
}

/** Callers by whom the graph is asked: what they may see is a condition of each statement. */
function viewers(): Viewer[] {
  const of = { id: randomUUID(), email: staff.email, roles: ROLES };
  const key = {
    ...NO_GRANTS,
    name: 'KEY-1',
    lineage: 'KEY-1',
    integrator: LARGEST,
    scopes: KEY_SCOPES,
    issuedBy: null,
  };
  return [
    viewStaff({ ...of, agencies: [] }),
    viewStaff({ ...of, agencies: [facts.rareAgency] }),
    viewKey({ ...key, managesAccount: true }),
    viewSession({ id: randomUUID(), integrator: LARGEST }),
    viewAgency({ mda: facts.mda, key: 'AGENCY-KEY-1', scopes: [...AGENCY_SCOPES] }),
  ];
}

/** Examples of arguments by name, or else by type. */
function examples(): Examples {
  const { mda, rareAgency, clerk, few, day, later } = facts;
  return {
    ...Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, [value]])),
    mda: [mda, rareAgency],
    agency: [mda],
    integrator: [LARGEST],
    subject: [LARGEST],
    owner: [clerk],
    actor: [staff.email],
    q: [few],
    Date: [day],
    DateTime: [`${later}T00:00:00Z`],
    String: ['x'],
    ID: ['X-1'],
  };
}

/** Runs a document as a viewer; a refusal is an answer. */
async function ask(viewer: Viewer, document: string): Promise<unknown> {
  const contextValue = callOf(rail.rail, viewer, randomUUID());
  const { data, errors = [] } = await execute({ schema, document: parse(document), contextValue });
  for (const error of errors) {
    const root = rootOf(error);
    if (root !== error && !(root instanceof Refusal)) throw new Error(document, { cause: root });
  }
  return data;
}

interface Found {
  readonly __typename: string;
  readonly id: string;
}

/** All records within a value. */
function foundIn(value: unknown): Found[] {
  if (typeof value !== 'object' || value === null) return [];
  const within = Object.values(value).flatMap(foundIn);
  return 'id' in value && '__typename' in value ? [value as Found, ...within] : within;
}

/** Asks every list and reference of the graph, from its roots and from a record of each type that they lead to. */
async function askGraph(): Promise<void> {
  const given = examples();
  const roots = questionsOf(schema.getQueryType()!, given);
  const found = new Map<string, string>();
  for (const viewer of viewers()) {
    for (const question of roots)
      for (const { __typename, id } of foundIn(await ask(viewer, `{ ${question} }`))) found.set(__typename, id);
    for (const type of RECORDS)
      for (const question of questionsOf(type, given))
        if (found.has(type.name))
          await ask(
            viewer,
            `{ node(id: ${JSON.stringify(found.get(type.name))}) { ... on ${type.name} { ${question} } } }`,
          );
  }
  expect(found.size).toBeGreaterThan(20);
}

/** Asks every list and filter of REST that is asked of long histories, and every named operation. */
async function askRest(): Promise<void> {
  const authorization = `Bearer ${await issueTo(staff, LARGEST, { scopes: KEY_SCOPES })}`;
  const headers = { integrator: { authorization }, auditor: { authorization }, staff: { cookie: staff.cookie } };
  const operations = (await rail.ask('/graphql/operations')).json.data as Operation[];
  for (const { asker, path } of [...QUESTIONS, ...operations.map(questionOf)]) {
    const { status, text } = await rail.ask(path(facts), {
      headers: headers[asker],
    });
    if (status !== 200) throw new Error(`${path(facts)}: ${status} ${text}`);
  }
}

async function askPages(): Promise<void> {
  for (const { path, who } of readDocuments(schema).pages) {
    const cookie = visitors[who];
    const { status, text } = await rail.ask(await exampleOf(rail, path), { headers: { ...(cookie && { cookie }) } });
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
  }
}

/** Runs each job, and what goes on all the time until nothing is left to do. */
async function runJobs(): Promise<void> {
  const worker = await startWorker(rail.rail);
  for (const { task } of parseCrontab(CRONTAB)) await rail.rows(sql`select graphile_worker.add_job(${task})`);
  await expect.poll(() => rail.count(sql`select from graphile_worker.jobs`)).toBe(0);
  await worker.stop();
}

/** Indexes whose columns another one of the same rows begins with. */
function findDoubled(): Promise<object[]> {
  return rail.rows(sql`
    select i.indexrelid::regclass::text as index, o.indexrelid::regclass::text as "beginsWithIt"
    from pg_index i join pg_class c on c.oid = i.indrelid join pg_class ic on ic.oid = i.indexrelid
    join pg_index o on o.indrelid = i.indrelid and o.indexrelid <> i.indexrelid
    join pg_class oc on oc.oid = o.indexrelid and oc.relam = ic.relam
    where c.relnamespace = 'public'::regnamespace and not c.relispartition and not i.indisunique
      and pg_get_expr(i.indpred, i.indrelid) is not distinct from pg_get_expr(o.indpred, o.indrelid)
      and i.indexprs is null and o.indexprs is null
      and o.indkey::text || ' ' like i.indkey::text || ' %' and o.indoption::text || ' ' like i.indoption::text || ' %'`);
}

describe('every index', () => {
  it('is there, where it is said to serve something', async () => {
    const named = Object.keys(SERVES);
    expect(await rail.count(sql`select from pg_indexes where indexname = any(${named})`)).toBe(named.length);
  });

  it('has columns that no other one begins with', async () => {
    expect(await findDoubled()).toEqual([]);
  });

  it('is scanned by some question, keeps something unique, or is said to serve something', async () => {
    await askGraph();
    await askRest();
    await askPages();
    await askForReset();
    await runJobs();
    // A connection tells how often it scanned an index once it rests.
    await expect.poll(findUnscanned).toEqual([]);
  });
});
