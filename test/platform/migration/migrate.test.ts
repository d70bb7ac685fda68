import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listDefinitions } from '../../../src/platform/database/migration/definitions.ts';
import { isContract, listMigrations, listStatements } from '../../../src/platform/database/migration/list.ts';
import { listWaiting } from '../../../src/platform/database/migration/contract.ts';
import { listMissing, migrate } from '../../../src/platform/database/migration/migrate.ts';
import { FORMER, listFormer } from '../../../src/platform/database/migration/take-over.ts';
import { openDatabase } from '../../../src/platform/database/open-database.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { EmptyDatabase, connect } from './empty-database.ts';
import { undoContract } from './undo-contract.ts';

const database = new EmptyDatabase('test');

const DEFINITIONS = listDefinitions();
/** The migrations since the baseline that do not wait for an operator. */
const LATER = listMigrations()
  .slice(1)
  .map(({ name }) => name)
  .filter((name) => !isContract(name));
const FORMER_DEFINITIONS = listFormer(DEFINITIONS);
/** What is defined differently since the baseline was made. */
const CHANGED_SINCE = DEFINITIONS.filter((one) => !FORMER_DEFINITIONS.includes(one)).map(({ name }) => name);
/** How one of these was defined then. */
const FIRST_WAITING = `
  create or replace view first_waiting as
  select w.document, w.intent, w.id, w.was from people_waiting w
  where not exists (
    select from people_waiting o where o.document = w.document and coalesce(o.intent, '') = coalesce(w.intent, '') and o.id < w.id)`;

/** Makes the database one of the migrations from before the baseline, of which there were so many. */
async function becomeFormer(count = FORMER.count, last = FORMER.last, url = database.url): Promise<void> {
  await migrate(url);
  if ((await listWaiting(url)).length === 0) await undoContract(url);
  const owner = await connect(url);
  await owner.query(`
    drop table _definitions;
    delete from _prisma_migrations;
    ${FIRST_WAITING};
    alter table trace_row drop column said;
    alter table audit_log drop column object, drop column refusal;
    drop table registered_operation, saved_view_recipient, saved_view, embedded_chart, alert_waiting, alert_sent, alert_rule, anomaly_digest, searched_day;
    alter table anomaly drop column assignee, drop column snoozed_until, drop column updated_at;
    alter table service_notice drop column rooms;
    alter table assessment drop column reference, drop column metadata;
    alter table reconciliation_run drop column part, drop column parts, drop column ignored_statuses;
    drop index reconciliation_item_matched;
    drop trigger forget_payer on payment_intent;
    drop function forget_payer, fold_for_search;
    alter table payment_intent drop column reference, drop column metadata, drop column return_url,
      drop column next_action, drop column payer_email, drop column link, drop column enquire_until;
    alter table integrator drop column return_hosts;
    alter table inbound_callback drop column about;
    alter table payment_event drop column proof;
    drop type payment_proof;
    drop view oversight.fact_receipt, oversight.fact_money_received;
    drop table payer_message, stopped_address;
    drop type payer_message_kind, payer_message_transport, payer_message_status;
    alter table citizen drop column language, drop column texts_stopped_at, drop column letters_stopped_at;
    drop table receipt;
    drop function refuse_reissuing;
    drop trigger kept on signing_key;
    drop trigger unchanged on signing_key;
    drop function refuse_forgetting;
    alter table signing_key drop column use, alter column private_key set not null;
    create unique index signing_key_current on signing_key ((expires_at is null)) where expires_at is null;
    drop type signing_key_use, receipt_status;
    drop table event_log, event_reader, sandbox_agency, payment_reference, payment_link, money_received, payment_claim;
    drop type payment_link_status;
    drop type payment_reference_status;
    drop trigger one_book on payment_intent;
    drop trigger intent_equals_events on payment_intent;
    create constraint trigger intent_equals_events after update of status on payment_intent
      deferrable initially deferred for each row when (new.status = 'Confirmed') execute function check_intent_events();
    drop function keep_in_one_book, refuse_repricing;
    alter table log_seal drop constraint log_seal_log,
      add constraint log_seal_log check (log in ('citizen_access', 'operator_audit'));
    drop index approval_decided_at_idx;
    alter table service_notice drop constraint service_notice_channels_check,
      add constraint service_notice_channels_check check (channels <@ array['mtn_momo', 'airtel_money', 'card', 'cash']);
    alter table outbox drop column agency;
    create unique index webhook_delivery_message_key on webhook_delivery (message);
    create index webhook_delivery_due_idx on webhook_delivery (integrator, next_attempt_at) where status = 'pending';
    create index webhook_delivery_claimed_idx on webhook_delivery (integrator, claimed_until)
      where status = 'pending' and claimed_until is not null;
    create index webhook_delivery_order_idx on webhook_delivery (integrator, object, sequence) where status = 'pending';
    drop trigger has_endpoint on webhook_delivery;
    drop trigger follow on integrator;
    drop trigger follow_first on integrator;
    drop function set_default_endpoint, follow_account_endpoint;
    alter table webhook_delivery drop column endpoint, drop column agency, alter column integrator set not null;
    drop table webhook_endpoint;
    drop function follow_default_endpoint;
    alter table api_key drop column origins, drop column operations, drop column agencies;
    alter table mda drop column names;
    alter table service drop column names;
    alter table country drop column sectors, drop column families, drop column holidays;
    create function move_times(seconds double precision[], added double precision[], removed double precision[])
      returns double precision[] language sql immutable parallel safe return seconds;
    create table trace_row_before partition of trace_row for values from (minvalue) to ('2020-01-01')`);
  // PostgreSQL has no statement that takes a value out of a type; its administrator can all the same.
  await database.client.query(
    `delete from pg_enum where enumtypid = 'channel'::regtype and enumlabel in ('bank', 'agent', 'ussd')`,
  );
  await owner.query(
    `insert into _prisma_migrations (id, checksum, migration_name, finished_at)
     select n, 'x', case when n < $1 then to_char(n, 'FM0000') || '_former' else $2 end, now() from generate_series(1, $1::integer) n`,
    [count, last],
  );
  await owner.end();
}

/** Indexes of deliveries by account, replaced by those by endpoint; and that of the current signing key, now one of each use. */
const REPLACED = [
  ...['message_key', 'due_idx', 'claimed_idx', 'order_idx'].map((name) => `webhook_delivery_${name}`),
  'signing_key_current',
];

/** What is booked, and how tables, indexes and views are known to the server, which changes where they are made again. */
const readState = () =>
  database.rows(`
    select migration_name as name, null as node from _prisma_migrations
    union all select oid::regclass::text, coalesce(pg_relation_filenode(oid), oid)::text from pg_class
    where relnamespace in ('public'::regnamespace, 'oversight'::regnamespace) and relname not like '\\_definitions%' order by 1`);

describe('the migrations', () => {
  it('are not edited once they have landed: their hashes stay as they are listed', () => {
    const listed = readFileSync(new URL('../../../prisma/migrations/hashes.txt', import.meta.url), 'utf8');
    expect(listed).toBe(
      listMigrations()
        .map(({ name, checksum }) => `${checksum}  ${name}/migration.sql\n`)
        .join(''),
    );
  });

  it('are refused where one was edited after it had been applied', async () => {
    await migrate(database.url);
    const [baseline] = listMigrations();
    const edited = { ...baseline!, checksum: 'another' };
    await expect(migrate(database.url, { migrations: [edited], definitions: listDefinitions() })).rejects.toThrow(
      'Migration 0001_baseline was changed after it had been applied to this database',
    );
  });
});

describe('a database from before the baseline', () => {
  it('is taken over as it is, and upgraded from then on', { tags: 'long' }, async () => {
    await becomeFormer();
    const missing = await listMissing(database.url);
    expect(missing).toEqual(expect.arrayContaining(['0001_baseline', 'views/event_share', 'roles/rail_oversight']));
    const before = await readState();
    // A process of the version before reads and writes meanwhile.
    const old = await connect(database.url);
    try {
      await old.query(
        `begin; select from oversight.fact_payment; insert into country values ('TZ', 'Africa/Dar_es_Salaam', 7)`,
      );
      const migrated = migrate(database.url);
      // The baseline waits for nobody; what alters these tables later waits for it.
      const taken = async () => (await readState()).filter(({ name }) => name === '0001_baseline').length;
      await expect.poll(taken).toBe(1);
      await old.query('commit');
      expect(await migrated).toEqual(['0001_baseline', ...LATER, ...CHANGED_SINCE]);
    } finally {
      await old.end();
    }
    const kept = before.filter(({ name }) => !REPLACED.includes(String(name)));
    expect(await readState()).toEqual(expect.arrayContaining([...kept, { name: '0001_baseline', node: null }]));
    expect(await database.rows(`select from pg_proc where proname = 'move_times'`)).toEqual([]);
    expect(
      await database.rows(`select from pg_views where viewname = 'first_waiting' and definition ~* 'distinct on'`),
    ).toHaveLength(1);
    expect(await listMissing(database.url)).toEqual([]);
    const definitions = listDefinitions().filter(({ name }) => name !== 'views/oversight.stream');
    expect(await migrate(database.url, { migrations: listMigrations(), definitions })).toEqual([
      'views/oversight.stream',
    ]);
    expect(await migrate(database.url)).toEqual(['views/oversight.stream']);
  });

  it('is refused with what differs in it, and stays as it was', { tags: 'long' }, async () => {
    await becomeFormer();
    await database.client.query(`
      alter table mda add column of_theirs text, alter column region set default 'x', drop constraint mda_cash_limits;
      drop index assessment_shift_idx;
      alter table payment_event disable trigger append_only;
      drop trigger append_only on citizen_access;
      create or replace function refuse_rewriting() returns trigger language plpgsql as $$ begin return new; end $$;
      create or replace view oversight.stream as select position, kind, at from oversight_stream where position > 0;
      alter type channel add value 'cheque';
      grant select on citizen to rail_oversight`);
    const before = await readState();
    const error = await migrate(database.url).catch((reason: unknown) => String(reason));
    for (const difference of [
      "column mda.of_theirs is not the rail's",
      `column mda.region is "text default 'x'::text", and must be "text"`,
      'constraint mda.mda_cash_limits is missing',
      'index assessment_shift_idx is missing',
      'trigger append_only on payment_event is "CREATE TRIGGER append_only',
      'trigger append_only on citizen_access is missing',
      'function refuse_rewriting() is "CREATE OR REPLACE FUNCTION public.refuse_rewriting()',
      'view oversight.stream is "SELECT "position", kind, at FROM oversight_stream WHERE "position" > 0;", and must be',
      'type channel is "mtn_momo, airtel_money, card, cash, cheque", and must be "mtn_momo, airtel_money, card, cash"',
      "grant on citizen to rail_oversight is not the rail's",
    ])
      expect(error).toContain(difference);
    expect(await readState()).toEqual(before);
  });

  it('is refused for a table whose triggers alone are defined differently by now', { tags: 'long' }, async () => {
    await becomeFormer();
    await database.client.query(`
      alter table mda add column of_theirs text;
      create trigger of_theirs before delete on mda for each statement execute function refuse_rewriting()`);
    const definitions = DEFINITIONS.map((one) => (one.name === 'triggers/mda' ? { ...one, hash: 'another' } : one));
    const error = await migrate(database.url, { migrations: listMigrations(), definitions }).catch(String);
    expect(error).toContain("column mda.of_theirs is not the rail's");
    // Triggers of the table are made again from its file.
    expect(error).not.toContain('trigger of_theirs');
  });

  it('is refused where it is not at the last of the former migrations', { tags: 'long' }, async () => {
    await becomeFormer(105, '0237_people_by_joins');
    await expect(migrate(database.url)).rejects.toThrow(
      'The database has 105 migrations up to 0237_people_by_joins, and this version takes over only what has all 106 up to 0238_statements_and_counters: first start',
    );
  });
});

describe("a rail whose user is not the database's administrator", () => {
  const user = `u_${randomBytes(6).toString('hex')}`;
  const ownUrl = () => Object.assign(new URL(database.url), { username: user, password: 'a-password' }).href;
  beforeAll(async () => {
    const maintenance = await connect(database.url.replace(/\/[^/]*$/, '/postgres'));
    await maintenance.query(`create role ${user} login password 'a-password'`);
    await maintenance.end();
  });
  afterAll(async () => {
    const maintenance = await connect(database.url.replace(/\/[^/]*$/, '/postgres'));
    await maintenance.query(`drop role ${user}`);
    await maintenance.end();
  });

  it('says what an administrator has to run for oversight, and works once that was done', async () => {
    await database.client.query(`alter database ${database.name} owner to ${user}`);
    await expect(migrate(ownUrl())).rejects.toThrow(
      `an administrator of the database has to run once: create role rail_oversight nologin; grant rail_oversight to ${user}`,
    );
    await database.maintenance.query(`grant rail_oversight to ${user}`);
    // Definitions come with the last migration that is a transaction; what was before that is booked.
    const last = listMigrations().findLast((migration) => listStatements(migration) === null)!;
    const left = LATER.filter((name) => name >= last.name);
    // A contract that is booked has ended what was there until it.
    const defined = DEFINITIONS.filter(({ until }) => until === null || left.includes(until));
    expect(await migrate(ownUrl())).toEqual([...left, ...defined.map(({ name }) => name)]);
    const { oversight, close } = openDatabase({ url: ownUrl(), replicaUrl: null }, 2, () => {});
    expect(await oversight.rows(sql`select * from oversight.fact_payment`)).toEqual([]);
    await expect(oversight.rows(sql`select * from citizen`)).rejects.toMatchObject({ code: '42501' });
    await close();
    await becomeFormer(FORMER.count, FORMER.last, ownUrl());
    expect(await migrate(ownUrl())).toEqual(['0001_baseline', ...LATER, ...CHANGED_SINCE]);
  });
});
