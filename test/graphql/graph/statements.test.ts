import pg from 'pg';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { seedHistory } from '../../../src/sandbox/history.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { type StaffActor, makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();

/** More rows than are asked for, so that pages are full. */
const ROWS = 60;

let admin: StaffActor;

beforeAll(async () => {
  await Array.fromAsync(seedHistory(rail.rail, { events: 600, years: 0.25, agencies: 60, seed: 5 }));
  // All of it is of few people, so that the newest citizens have assessments.
  await rail.rows(sql`
    update assessment a set citizen = c.name
    from (select name, row_number() over (order by created_at desc, name desc) as n from citizen limit ${ROWS}) c,
      (select name, row_number() over (order by name) as n from assessment) m
    where m.name = a.name and c.n = 1 + m.n % ${ROWS}`);
  await rail.rows(sql`
    insert into anomaly (name, kind, mda, mdas, severity, status, subject, evidence, raised_at)
    select 'ANOM-2020-01-' || lpad(n::text, 6, '0'), kind, s.mdas[1], s.mdas, 'low', 'Open', s.subject, '{}', now()
    from (
      select row_number() over () as n, 'late_collection' as kind, i.name as subject, array_agg(s.mda) as mdas
      from (select name from payment_intent order by name limit ${ROWS}) i join split_rule s on s.intent = i.name
      group by i.name
      union all
      select ${ROWS} + row_number() over (), 'split_differs', a.name, array['URA', 'KCCA']
      from (select name from assessment order by name desc limit ${ROWS}) a
    ) s`);
  await rail.rows(sql`
    insert into propagation (name, assessment, mda, status, next_attempt_at, created_at, updated_at)
    select a.name || '.' || m.name, a.name, m.name, 'pending', now() + interval '1 day', now(), now()
    from assessment a cross join (select name from mda order by name limit 2) m`);
  await rail.rows(sql`
    insert into reconciliation_run (
      name, provider, from_at, to_at, source_hash, rows, ignored, matched, missing_here, missing_there, amount_differs,
      duplicate, created_by, created_at, rerun_of
    )
    select 'RECON-2020-01-' || lpad(n::text, 6, '0'), 'card', now(), now(), repeat('0', 64), '[]', 0, 0, 2, 0, 0, 0, 'test', now(),
      case when n > 1 then 'RECON-2020-01-' || lpad((n - 1)::text, 6, '0') end
    from generate_series(1, ${ROWS}) n`);
  await rail.rows(sql`
    insert into reconciliation_item (name, run, idx, outcome, line, reference, intent)
    select r.name || '.' || n, r.name, n, 'missing_here', n, 'X', i.name
    from reconciliation_run r cross join generate_series(1, 2) n
    cross join (select name from payment_intent order by name limit 1) i`);
  await rail.rows(sql`
    insert into payment_reference (number, assessment, integrator, amount, currency, status, expires_at, revision, created_at, updated_at)
    select lpad((97 * n + 1)::text, 13, '0'), name, integrator, total_amount, currency, 'Withdrawn', now(), 1, now(), now()
    from (select *, row_number() over (order by name) as n from assessment) a`);
  await rail.rows(sql`
    insert into money_received (name, provider, txn_id, kind, amount, currency, channel, reference, assessment, received_at, created_at)
    select 'MON-2020-01-' || right(number, 6), 'bank', number, 'withdrawn', amount, currency, 'bank', number, assessment, now(), now()
    from payment_reference`);
  await rail.rows(sql`
    insert into payer_message (name, citizen, assessment, intent, subject, kind, transport, language, status, due_at, created_at, updated_at)
    select 'MSG-' || right(a.name, -5), a.citizen, a.name, (select min(name) from payment_intent where assessment = a.name), 'x',
      'paid', 'sms', 'en', 'Sent', now(), now(), now()
    from assessment a`);
  for (let nth = 0; nth < ROWS; nth++) await rail.key('assessments.read');
  const clerk = await makeStaff(rail, 'clerk');
  await rail.rows(sql`
    insert into counter_shift (
      name, mda, clerk, status, currency, opening_float, opened_at, closed_at, created_at, updated_at
    )
    select 'SHIFT-2020-01-01-' || lpad(n::text, 3, '0'), case when n % 2 = 0 then 'URA' else 'KCCA' end, ${clerk.email},
      'Cancelled', 'UGX', 0, now(), now(), now(), now()
    from generate_series(1, ${ROWS}) n`);
  await rail.rows(sql`
    update assessment a set shift = 'SHIFT-2020-01-01-' || lpad((1 + m.n % ${ROWS})::text, 3, '0')
    from (select name, row_number() over (order by name) as n from assessment) m where m.name = a.name`);
  admin = await makeStaff(rail, 'admin');
});

/** The number of statements of an operation, and the length of its answer. */
async function run(query: string): Promise<{ statements: number; length: number }> {
  await rail.rail.audit.flush();
  const asked = vi.spyOn(pg.Client.prototype, 'query');
  const { text, json } = await admin.post('/graphql', { query });
  const statements = asked.mock.calls.length;
  asked.mockRestore();
  expect(json.errors).toBeUndefined();
  return { statements, length: text.length };
}

/** The one of three runs that took the fewest: how many statements become one depends on what arrives together. */
async function leastOf(query: string): ReturnType<typeof run> {
  const runs = [await run(query), await run(query), await run(query)];
  return runs.toSorted((one, other) => one.statements - other.statements)[0]!;
}

/** Nested queries, by how many rows their first list has. */
const WALKS: Readonly<Record<string, (rows: number) => string>> = {
  'from citizens to events': (rows) =>
    `{ citizens(first: ${rows}) { nodes { id fullName assessments(first: 3) { totalCount nodes { id status
      intents(first: 2) { nodes { id amount events(first: 3) { nodes { id amount kind } } } } } } } } }`,
  'from assessments to citizens, services, agencies and notifications': (rows) =>
    `{ assessments(first: ${rows}) { nodes { id citizen { fullName nin } lines { amount service { serviceName
      agency { name } } agency { name } } intents(first: 2) { totalCount nodes { timeline { at kind summary detail } splits { amount agency { name } } } }
      propagations(first: 2) { nodes { status agency { name } } } events(first: 2) { nodes { amount } } } } }`,
  'from events up to citizens': (rows) =>
    `{ paymentEvents(first: ${rows}) { nodes { id amount agency { name } seal { hash } intent { status amount
      assessment { totalAmount citizen { fullName } } } assessment { status } } } }`,
  'from anomalies to their subjects and agencies': (rows) =>
    `{ anomalies(first: ${rows}) { nodes { id agencies { name } agency { name } subject { __typename
      ... on PaymentIntent { amount assessment { citizen { fullName } } } ... on Assessment { totalAmount lines { amount } } } } } }`,
  'from agencies to services and back': (rows) =>
    `{ agencies(first: ${rows}) { nodes { id services(first: 3) { totalCount nodes { id serviceName agency { id name } } } } } }`,
  'from notifications to assessments': (rows) =>
    `{ propagations(first: ${rows}) { nodes { id agency { name } assessment { status citizen { fullName } } } } }`,
  'from shifts to agencies, clerks, assessments and cancellations': (rows) =>
    `{ counterShifts(first: ${rows}) { nodes { id agency { name shifts(first: 1) { nodes { status } } }
      clerk { fullName shifts(first: 1) { nodes { status } } } assessments(first: 2) { nodes {
      totalAmount shift { status agency { name } } citizen { fullName } } }
      cancellations(first: 1) { totalCount nodes { reason } } } } }`,
  'from accounts to keys and deliveries': (rows) =>
    `{ integrators(first: ${rows}) { nodes { id organisation keys(first: 2) { totalCount nodes { label
      integrator { organisation } } } deliveries(first: 2) { nodes { status } } } } }`,
  'from money that arrived to references, assessments and back': (rows) =>
    `{ moneyReceived(first: ${rows}) { nodes { id paymentReference { status agencies { name } paidBy { status } assessment {
      paymentReferences(first: 2) { nodes { id } } } } intent { status } assessment { status moneyReceived(first: 2) { nodes { kind } } } } } }`,
  'from messages to payers to citizens, assessments and back': (rows) =>
    `{ payerMessages(first: ${rows}) { nodes { id citizen { id messages(first: 2) { nodes { kind } } } intent { status }
      assessment { status messages(first: 2) { totalCount nodes { status } } } } } }`,
  'from reconciliation runs to items, intents and earlier runs': (rows) =>
    `{ reconciliationRuns(first: ${rows}) { nodes { id rerunOf { createdAt rerunOf { createdAt } } items(first: 2) {
      nodes { reference run { createdAt } intent { status assessment { status } } } } mismatches { reference } } } }`,
};

describe('a nested query', () => {
  it.each(Object.keys(WALKS))('%s takes as many statements for 50 rows as for 5', async (walk) => {
    const [few, many] = [await leastOf(WALKS[walk]!(5)), await leastOf(WALKS[walk]!(50))];
    expect(many.length).toBeGreaterThan(5 * few.length);
    // Branches whose answers arrive at the same moment read on together, which is one statement fewer.
    expect(Math.abs(many.statements - few.statements)).toBeLessThanOrEqual(2);
    expect(many.statements).toBeLessThanOrEqual(20);
  });

  it('reads nothing of a record of which the id alone is asked', async () => {
    const bare = await run('{ assessments(first: 50) { nodes { id } } anomalies(first: 50) { nodes { id } } }');
    const withIds = await run(
      `{ assessments(first: 50) { nodes { id citizenId citizen { id __typename } } } anomalies(first: 50) { nodes {
        id agencyId agency { id } agencyIds agencies { ...OfAgency } subjectId
        subject { ... on Assessment { id } ... on PaymentIntent { id } } } } } fragment OfAgency on Agency { id }`,
    );
    expect(withIds.length).toBeGreaterThan(2 * bare.length);
    expect(withIds.statements).toBe(bare.statements);
  });
});
