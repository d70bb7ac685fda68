import type { Database } from '../../../src/platform/database/sql.ts';
import { VERIFIED } from '../../../src/app/development/inventory/verified.ts';
import { type Sql, raw, sql } from '../../../src/platform/database/sql.ts';

/** Numbers that are the same for the same seed, so that what failed can be tried again. */
export function seedRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Something that only whoever holds the database itself can do. It answers what was hit, for the message of a test. */
export interface Tampering {
  readonly name: string;
  run(db: Database, random: () => number): Promise<string | null>;
}

/** One row of a query, taken at random; null where it has none. */
async function one<Row extends Record<string, unknown>>(
  db: Database,
  random: () => number,
  query: Sql,
): Promise<Row | null> {
  const row = await db.row<{ picked: Row }>(
    sql`select to_jsonb(q) as picked from (select * from (${query}) a order by 1) q offset floor(${random()}::float8 * (select count(*) from (${query}) b)) limit 1`,
  );
  return row?.picked ?? null;
}

const everyEvent = sql`select name, intent, mda, amount, kind from payment_event`;
const sealedEvents = sql`select e.name from payment_event e join event_seal s on s.event = e.name`;

/** Changes a member of a payment event. */
const edit = (member: string, change: Sql, among: Sql = everyEvent): Tampering => ({
  name: `an event's ${member} is edited`,
  async run(db, random) {
    const row = await one<{ name: string }>(db, random, among);
    if (!row) return null;
    await db.rows(sql`update payment_event e set ${raw(member)} = ${change} where name = ${row.name}`);
    return row.name;
  },
});

/** Changes or removes a row of another table. */
const spoil = (name: string, pick: Sql, change: (row: Record<string, string>) => Sql): Tampering => ({
  name,
  async run(db, random) {
    const row = await one<Record<string, string>>(db, random, pick);
    if (!row) return null;
    await db.rows(change(row));
    return JSON.stringify(row);
  },
});

/**
 * Takes an event out of all that is stored of it but its intent: chain and stream look as if it had never been.
 */
async function erase(db: Database, name: string): Promise<void> {
  await db.rows(sql`delete from event_seal where event = ${name}`);
  await db.rows(sql`delete from seal_salt where event = ${name}`);
  await db.rows(sql`delete from unsealed_event where event = ${name}`);
  await db.rows(sql`delete from oversight_tail where kind = 'payment_event' and subject = ${name}`);
  await db.rows(sql`delete from oversight_stream where kind = 'payment_event' and subject = ${name}`);
  await db.rows(sql`delete from payment_event where name = ${name}`);
}

export const TAMPERINGS: readonly Tampering[] = [
  edit('amount', sql`e.amount + sign(e.amount)`),
  edit('aggregator_reference', sql`e.aggregator_reference || 'X'`),
  edit('txn_id', sql`coalesce(e.txn_id, '') || 'X'`, sealedEvents),
  edit('integrator', sql`case when e.integrator is null then (select code from integrator limit 1) end`),
  edit('created_at', sql`e.created_at + interval '1 millisecond'`),
  edit('occurred_at', sql`e.occurred_at + interval '40 days'`),
  edit('channel', sql`case when e.channel = 'card' then 'cash'::channel else 'card'::channel end`),
  edit('currency', sql`'KES'`),
  edit(
    'mda',
    sql`case when e.mda = 'KCCA' then 'URA' else 'KCCA' end`,
    sql`select name from payment_event p where not exists (select from payment_event o where o.intent = p.intent
      and o.kind = p.kind and o.mda = case when p.mda = 'KCCA' then 'URA' else 'KCCA' end)`,
  ),
  edit(
    'assessment',
    sql`(select name from assessment a where a.name <> e.assessment order by md5(a.name || e.name) limit 1)`,
  ),
  edit('intent', sql`'PI-1999-01-000001'`),
  spoil(
    'an event is removed, its seal left',
    sealedEvents,
    ({ name }) => sql`delete from payment_event where name = ${name}`,
  ),
  {
    name: 'the tail of an agency is removed with its seals',
    async run(db, random) {
      const agency = await one<{ mda: string }>(db, random, sql`select distinct mda from event_seal`);
      if (!agency) return null;
      const last = 1 + Math.floor(random() * 10);
      const gone = await db.rows<{ event: string }>(
        sql`select event from event_seal where mda = ${agency.mda} order by sequence desc limit ${last}::int`,
      );
      for (const { event } of gone) await erase(db, event);
      return `${agency.mda}, ${gone.length}`;
    },
  },
  {
    name: 'an agency is removed with its seals',
    async run(db, random) {
      const agency = await one<{ mda: string }>(db, random, sql`select distinct mda from payment_event`);
      if (!agency) return null;
      for (const { name } of await db.rows<{ name: string }>(
        sql`select name from payment_event where mda = ${agency.mda}`,
      ))
        await erase(db, name);
      return agency.mda;
    },
  },
  spoil(
    'an event is slipped in that no confirmation made',
    everyEvent,
    ({ name }) => sql`
      insert into payment_event select 'PEV-2026-11-999999', 'PI-2026-11-999999', assessment, integrator, mda,
        abs(amount), currency, channel, 'payment', 'R-X', txn_id,
        occurred_at, created_at from payment_event where name = ${name}`,
  ),
  spoil(
    'a reversal is slipped in that no cancellation made',
    sql`select name from payment_event p where kind = 'payment' and not exists (
      select from payment_event r where r.kind = 'reversal' and r.intent = p.intent and r.mda = p.mda)`,
    ({ name }) => sql`
      insert into payment_event select 'PEV-2026-11-999999', intent, assessment, integrator, mda, -amount, currency,
        channel, 'reversal', aggregator_reference, txn_id,
        occurred_at, created_at from payment_event where name = ${name}`,
  ),
  {
    name: 'a reversal is removed with all that tells of it',
    async run(db, random) {
      const row = await one<{ name: string }>(db, random, sql`select name from payment_event where kind = 'reversal'`);
      if (row) await erase(db, row.name);
      return row?.name ?? null;
    },
  },
  spoil(
    'a seal is removed',
    sql`select event from event_seal`,
    ({ event }) => sql`delete from event_seal where event = ${event}`,
  ),
  spoil(
    'the hash of a seal is edited',
    sql`select event from event_seal`,
    ({ event }) => sql`update event_seal set hash = md5(hash) || md5(event) where event = ${event}`,
  ),
  spoil(
    'a commitment is edited',
    sql`select event from event_seal`,
    ({ event }) => sql`update event_seal set commitment = md5(hash) || md5(event) where event = ${event}`,
  ),
  spoil(
    'a salt is removed',
    sql`select event from seal_salt`,
    ({ event }) => sql`delete from seal_salt where event = ${event}`,
  ),
  spoil(
    'a seal is given another number',
    sql`select event from event_seal`,
    ({ event }) => sql`update event_seal set sequence = sequence + 1000000 where event = ${event}`,
  ),
  spoil(
    'a seal is moved to another agency',
    sql`select event from event_seal`,
    ({ event }) => sql`update event_seal set mda = mda || '-X' where event = ${event}`,
  ),
  spoil(
    'an event does not wait to be sealed any more',
    sql`select event from unsealed_event`,
    ({ event }) => sql`delete from unsealed_event where event = ${event}`,
  ),
  spoil(
    'something waits to be sealed that is not there',
    sql`select event, mda from unsealed_event`,
    ({ mda }) => sql`insert into unsealed_event (mda, event) values (${mda}, 'PEV-2026-11-999998')`,
  ),
  spoil(
    'an event does not wait to be shown any more',
    sql`select subject from oversight_tail where kind = 'payment_event'`,
    ({ subject }) => sql`delete from oversight_tail where subject = ${subject}`,
  ),
  spoil(
    'an event is to be shown twice',
    sql`select subject from oversight_stream where kind = 'payment_event'`,
    ({ subject }) => sql`insert into oversight_tail (kind, subject) values ('payment_event', ${subject})`,
  ),
  spoil(
    'what oversight is shown is edited',
    sql`select subject from oversight_stream where kind = 'payment_event'`,
    ({ subject }) => sql`update oversight_stream set amount = amount / 2 where subject = ${subject}`,
  ),
  spoil(
    'what oversight is shown is removed',
    sql`select subject from oversight_stream where kind = 'payment_event' or position < (select max(position) from oversight_stream)`,
    ({ subject }) => sql`delete from oversight_stream where subject = ${subject}`,
  ),
  spoil(
    'a confirmation is taken back',
    sql`select name from payment_intent where status = 'Confirmed'`,
    ({ name }) => sql`update payment_intent set status = 'Failed', confirmed_at = null where name = ${name}`,
  ),
  spoil(
    'an intent is removed',
    sql`select name from payment_intent where status = 'Confirmed'`,
    ({ name }) => sql`delete from payment_intent where name = ${name}`,
  ),
  spoil(
    'an intent is confirmed that was not paid',
    sql`select name from payment_intent where status in ('Failed', 'Expired')`,
    ({ name }) => sql`update payment_intent set status = 'Confirmed', confirmed_at = now() where name = ${name}`,
  ),
  spoil(
    'a split is edited',
    sql`select s.intent, s.mda from split_rule s join payment_intent i on i.name = s.intent where i.status = 'Confirmed'`,
    ({ intent, mda }) => sql`update split_rule set amount = amount + 1 where intent = ${intent} and mda = ${mda}`,
  ),
  spoil(
    'a line of an assessment is raised',
    sql`select assessment, idx from assessment_line`,
    ({ assessment, idx }) => sql`
      update assessment_line set rate = rate + 1, amount = amount + quantity
      where assessment = ${assessment} and idx = ${idx}::int`,
  ),
  spoil(
    'a split is removed',
    sql`select s.intent, s.mda from split_rule s join payment_intent i on i.name = s.intent where i.status = 'Confirmed'`,
    ({ intent, mda }) => sql`delete from split_rule where intent = ${intent} and mda = ${mda}`,
  ),
  spoil(
    'a paid assessment is made unpaid',
    sql`select name from assessment where status = 'Paid'`,
    ({ name }) => sql`update assessment set status = 'Assessed', paid_at = null where name = ${name}`,
  ),
  spoil(
    'an unpaid assessment is made paid',
    sql`select name from assessment where status = 'Assessed'`,
    ({ name }) => sql`update assessment set status = 'Paid', paid_at = now() where name = ${name}`,
  ),
  spoil(
    'a cancelled assessment is made paid again',
    sql`select name from assessment where status = 'Cancelled' and paid_at is not null`,
    ({ name }) => sql`update assessment set status = 'Paid', cancelled_at = null where name = ${name}`,
  ),
  spoil(
    'the count of a till is edited',
    sql`select name from counter_shift where status = 'Open'`,
    ({ name }) => sql`update counter_shift set cash_collected = cash_collected - 1 where name = ${name}`,
  ),
];

/** A column of a table that a verification covers. */
interface Column {
  readonly table: string;
  readonly column: string;
  readonly type: string;
}

/** Other values, by type; `v` is the one that a row has. */
const OTHERS: Readonly<Record<string, string>> = {
  text: `coalesce(v, '') || 'X'`,
  numeric: 'coalesce(v, 0) + 1',
  int2: 'coalesce(v, 0) + 1000',
  int4: 'coalesce(v, 0) + 1000',
  int8: 'coalesce(v, 0) + 1000000',
  bool: 'v is not true',
  timestamptz: `coalesce(v, '2026-01-01') + interval '1 hour'`,
  date: `coalesce(v, '2026-01-01') + 40`,
  bytea: `coalesce(v, '') || '\\x00'::bytea`,
  uuid: 'gen_random_uuid()',
  jsonb: `coalesce((select jsonb_object_agg(key, 'other') from jsonb_each(case jsonb_typeof(v) when 'object' then v end)), '{"other": 1}')`,
  _numeric: 'array_prepend(999, v)',
  _text: `array_append(v, 'X')`,
  _timestamptz: `array_append(v, '2026-01-01')`,
};

function changeOf({ column, type }: Column): string {
  const other =
    OTHERS[type]?.replaceAll(/\bv\b/g, `"${column}"`) ??
    `(select e from unnest(enum_range(null::"${type}")) e where e is distinct from "${column}" order by e desc limit 1)`;
  return `"${column}" = ${other}`;
}

/** Drops what stands in the way of changes, as somebody can who holds the database. */
export async function dropObstacles(db: Pick<Database, 'rows'>, tables: readonly string[]): Promise<void> {
  const obstacles = await db.rows<{ drop: string }>(sql`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop from pg_constraint
    where contype = 'c' and coninhcount = 0 and conrelid::regclass::text = any(${[...tables]})
    union all select format('drop index %s', indexrelid::regclass) from pg_index
    where indisunique and indrelid::regclass::text = any(${[...tables]})
      and not exists (select from pg_constraint where conindid = indexrelid)`);
  for (const { drop } of obstacles) await db.rows(raw(drop));
}

/** Another value in columns of a row, or no row; among those that a verification covers. */
function tamperWith(table: string, columns: readonly Column[] | null): Tampering {
  const among = VERIFIED[table]?.of?.[0] ?? 'true';
  const change = columns ? `update "${table}" set ${columns.map(changeOf).join(', ')}` : `delete from "${table}"`;
  return {
    name: columns
      ? `${columns.map(({ column }) => `${table}.${column}`).join(', ')} is changed`
      : `a row of ${table} is removed`,
    async run(db, random) {
      await dropObstacles(db, [table]);
      const [row] = await db.rows<{ row: string }>(
        raw(`
        ${change} where (tableoid, ctid) = (select tableoid, ctid from "${table}" where ${among} order by ctid
          offset floor(${random()} * (select count(*) from "${table}" where ${among})) limit 1) returning ctid::text as row`),
      );
      return row ? `${table} ${row.row}` : null;
    },
  };
}

/** The columns of the tables that a verification covers, as the database has them. */
async function readColumns(db: Pick<Database, 'rows'>): Promise<Map<string, Column[]>> {
  const columns = await db.rows<Column>(sql`
    select table_name as "table", column_name as "column", udt_name as type from information_schema.columns
    where table_schema = 'public' and table_name = any(${Object.keys(VERIFIED)}) and is_generated = 'NEVER'
      and is_identity = 'NO' order by ordinal_position`);
  return Map.groupBy(columns, ({ table }) => table);
}

/** A tampering for each column that a verification covers, and for the removal of a row; those that it must not find. */
export async function tamperingsOf(
  db: Pick<Database, 'rows'>,
): Promise<{ readonly found: Tampering[]; readonly unfound: Tampering[] }> {
  const columns = await readColumns(db);
  const [found, unfound]: [Tampering[], Tampering[]] = [[], []];
  for (const [table, { not = {} }] of Object.entries(VERIFIED)) {
    const named = new Set(Object.values(not).flat());
    const [covered, others] = [true, false].map((is) =>
      (columns.get(table) ?? []).filter(({ column }) => named.has(column) !== is),
    );
    found.push(...covered!.map((column) => tamperWith(table, [column])));
    if (others!.length > 0) unfound.push(tamperWith(table, others!));
    (named.has('row') ? unfound : found).push(tamperWith(table, null));
  }
  return { found, unfound };
}
