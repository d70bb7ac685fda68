import type { Call } from '../../../platform/call/call.ts';
import { commitEach } from '../../../platform/change/commit.ts';
import { guard } from '../../../platform/change/step.ts';
import { type Sql, json, sql } from '../../../platform/database/sql.ts';
import { takeTurns } from '../../../kernel/event-loop.ts';
import { DAY_MS, addDays, formatDay } from '../../../kernel/time.ts';
import { AT_BANK } from './bank-only.ts';
import type { Explained, UnknownLine } from './lines.ts';
import { findByName } from './names.ts';
import { indexSpans } from './spans.ts';

/** Lines that are looked at again, in case what explains them came later. */
const MOST_DAYS = 45;

/** Lines of one query or write. */
const BATCH = 1_000;

/** Explains the lines of a statement, and others of its account that nobody explained; how many it explained. */
export async function classifyLines(call: Call, statement: string): Promise<number> {
  const accounts = await call.db.rows<{ key: string }>(sql`
    select distinct a.key from agency_account a join bank_statement s on s.account = a.account where s.name = ${statement}`);
  let explained = 0;
  for (const { key } of accounts)
    explained += await classifyAccount(call, key, sql`(l.statement = ${statement} or ${isRecent(call)})`);
  return explained;
}

/** The same for all accounts with recent lines that nobody explained. */
export async function classifyAll(call: Call): Promise<number> {
  const accounts = await call.db.rows<{ key: string }>(sql`
    select distinct a.key from bank_line l join agency_account a on a.account = l.account where ${OPEN} and ${isRecent(call)}`);
  let explained = 0;
  for (const { key } of accounts) explained += await classifyAccount(call, key, isRecent(call));
  return explained;
}

/** What a person decided stays, and so does what was booked as money that is nobody's: a person settles that. */
const OPEN = sql`l.kind = 'unknown' and l.decided_by is null
  and not exists (select from money_received m where m.provider = ${AT_BANK} and m.txn_id = l.name)`;

const isRecent = ({ now }: Call) =>
  sql`l.value_on >= ${formatDay(new Date(now().getTime() - MOST_DAYS * DAY_MS))}::date`;

async function classifyAccount(call: Call, key: string, which: Sql): Promise<number> {
  const lines = await call.db.rows<UnknownLine>(sql`
    select l.name, l.currency, l.amount, l.value_on::text as "valueOn", upper(concat_ws(' ', l.reference, l.text)) as words
    from bank_line l join (select distinct account from agency_account where key = ${key}) a on a.account = l.account
    where ${OPEN} and ${which} order by l.value_on, l.name`);
  const [first, last] = [lines[0], lines.at(-1)];
  if (!first || !last) return 0;
  const agencies = (
    await call.db.rows<{ mda: string }>(sql`select distinct mda from agency_account where key = ${key} order by mda`)
  ).map(({ mda }) => mda);
  const days = { from: addDays(first.valueOn, -MOST_DAYS), to: last.valueOn };
  const named = await findByName(call, agencies, days, lines);
  const spans = await indexSpans(call, { key, agencies, ...days });
  const found = new Map<string, Explained>();
  const bySum = new Map<string, Explained>();
  for await (const batch of takeTurns(lines, BATCH)) {
    for (const line of batch) {
      const { explained, provider } = named.of(line);
      if (explained) found.set(line.name, explained);
      else if (explained === undefined) {
        const span = spans.fitting(line, provider);
        if (span) bySum.set(line.name, { ...span, kind: 'payout', how: provider ? 'reference' : 'sum' });
      }
    }
  }
  for (const name of overlapping(bySum)) bySum.delete(name);
  const all = [...found, ...bySum].map(([name, explained]) => ({ name, ...explained }));
  let written = 0;
  for await (const batch of takeTurns(all, BATCH)) written += (await commitEach(call, explain(call, batch), [])).size;
  return written;
}

/** The lines of which two are said to pay the same day: which of them does, nobody can tell. */
function overlapping(found: ReadonlyMap<string, Explained>): string[] {
  const byDay = Map.groupBy(
    [...found].flatMap(([name, { provider, from, to }]) => {
      const days = [];
      for (let day = from!; day <= to!; day = addDays(day, 1)) days.push({ name, place: `${provider} ${day}` });
      return days;
    }),
    ({ place }) => place,
  );
  return [...byDay.values()].flatMap((of) => (of.length > 1 ? of.map(({ name }) => name) : []));
}

function explain({ now }: Call, lines: readonly ({ readonly name: string } & Explained)[]) {
  return guard`
    update bank_line l set kind = c.kind, provider = c.provider, from_on = c."from", to_on = c."to", how = c.how, updated_at = ${now()}
    from jsonb_to_recordset(${json(lines)}::jsonb)
      as c (name text, kind text, provider text, "from" date, "to" date, how text)
    where l.name = c.name and ${OPEN} returning l.name`;
}
