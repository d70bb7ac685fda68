import { beforeAll, expect, it } from 'vitest';
import { Said } from '../../src/kernel/text/said.ts';
import { seedHistory } from '../../src/sandbox/history.ts';
import { verifyLedger } from '../../src/oversight/seals/verify.ts';
import { raw, sql } from '../../src/platform/database/sql.ts';
import { textsOf } from '../../src/site/languages/texts.ts';
import { translate } from '../../src/site/languages/said.ts';
import { testRail } from '../harness/rail.ts';

const rail = testRail();

interface Reference {
  readonly table: string;
  readonly column: string;
  readonly parent: string;
  readonly key: string;
}

beforeAll(async () => {
  await Array.fromAsync(seedHistory(rail.rail, { events: 2_000, years: 1, agencies: 24, seed: 1, whole: true }));
});

it('a made-up history holds every foreign key, which its bulk writes do not check, so that a backup of it can be restored', async () => {
  const references = await rail.rows<Reference>(sql`
    select c.conrelid::regclass::text as table, a.attname as column, c.confrelid::regclass::text as parent,
      k.attname as key
    from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    join pg_attribute k on k.attrelid = c.confrelid and k.attnum = c.confkey[1]
    where c.contype = 'f' and cardinality(c.conkey) = 1`);
  expect(references.length).toBeGreaterThan(20);
  for (const { table, column, parent, key } of references) {
    const orphans = await rail.count(
      raw(
        `select 1 from ${table} r where r.${column} is not null and not exists (select from ${parent} p where p.${key} = r.${column})`,
      ),
    );
    expect(orphans, `${table}.${column}`).toBe(0);
  }
});

it('is known to PostgreSQL by its size, so that questions are planned for it at once', async () => {
  const [known] = await rail.rows<{ events: number }>(
    sql`select reltuples::int as events from pg_class where oid = 'payment_event'::regclass`,
  );
  expect(known!.events).toBe(await rail.count(sql`select 1 from payment_event`));
});

it('its intents, events, seals, sums and shifts fit one another, as those of a real one do', async () => {
  const { right, findings, chains } = await verifyLedger(rail.rail, [], () => {});
  expect({ right, findings }).toEqual({ right: true, findings: [] });
  expect(chains.reduce((sum, { seals }) => sum + seals, 0)).toBeGreaterThan(1_800);
});

it('it fills every table that grows with payments, and leaves nothing to be done', async () => {
  const rows = (table: string) => rail.count(raw(`select from ${table}`));
  const grown = ['trace_row', 'audit_log', 'counter_shift', 'anomaly', 'propagation', 'webhook_delivery'];
  for (const table of [...grown, 'operator_audit', 'reconciliation_item', 'consent_event', 'seal_salt'])
    expect(await rows(table), table).toBeGreaterThan(20);
  for (const queue of ['oversight_tail', 'unsealed_event', 'outbox_queue']) expect(await rows(queue), queue).toBe(0);
});

it('its traces say what a real one does, which pages translate', async () => {
  const rows = await rail.rows<{ summary: [string, ...string[]] }>(sql`select distinct summary from trace_row`);
  expect(rows.length).toBeGreaterThan(5);
  for (const { summary } of rows) {
    const [form, ...values] = summary;
    expect(translate(new Said(form, values), textsOf('fr')).lang, form).toBeNull();
  }
});
