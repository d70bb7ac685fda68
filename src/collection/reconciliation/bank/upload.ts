import { createHash } from 'node:crypto';
import { redact } from '../../../adapters/http/members.ts';
import { BY_AGENCY, requireWithin, whereWithin } from '../../../platform/access/owned.ts';
import type { Call } from '../../../platform/call/call.ts';
import { type Committing, commit } from '../../../platform/change/commit.ts';
import { guard } from '../../../platform/change/step.ts';
import { type Database, type Sql, json, sql } from '../../../platform/database/sql.ts';
import { takeTurns } from '../../../kernel/event-loop.ts';
import type { Reason } from '../../../kernel/reasons.ts';
import { refuseValue } from '../../../kernel/refusal.ts';
import { say } from '../../../kernel/text/said.ts';
import { DAY_MS, formatDay } from '../../../kernel/time.ts';
import { getAgency } from '../../catalogue/find.ts';
import { classifyLines } from '../payouts/classify.ts';
import { type BankFile, readBankFile } from './read.ts';
import { type BankLine, type BankStatement, refuseFile } from './statement.ts';

/** What became of a statement of a file. */
export interface UploadedStatement {
  /** Where it begins in the file, from 1. */
  readonly line: number;
  readonly outcome: 'taken' | 'already' | 'refused';
  /** The end of its account; null where the agency has none yet. */
  readonly accountLast4: string | null;
  /** Its docname; null of a refused one. */
  readonly statement: string | null;
  readonly reason: Reason | null;
}

/** Lines of one statement of SQL: so few that neither this process nor the database is held up. */
const BATCH = 2_000;
/** Bytes that are hashed in one turn. */
const CHUNK = 1024 * 1024;

/**
 * Takes what a bank's file says of accounts of the caller's agencies, whole or not at all; the same file again is what
 * it was the first time. Accounts of others are refused, and what does not name one is about the agency's own.
 */
export async function uploadBankStatements(
  call: Call,
  { agency, body, format }: { readonly agency: string; readonly body: Buffer; readonly format: string },
): Promise<UploadedStatement[]> {
  requireWithin(call.viewer, agency);
  const { name: mda } = await getAgency(call, agency);
  const file = await readBankFile(body, format, call.config.connections.banks);
  refuseComing(file, call.now());
  const sourceHash = await hashOf(body);
  const names = await call.docnames.take('bankStatement', file.statements.length, call.now());
  const uploaded = await call.rail.transaction(async (db) => {
    const results: UploadedStatement[] = [];
    for (const [index, statement] of file.statements.entries()) {
      const accounts = sql`select r.account from account_holder r where ${whereNamed(call, mda, statement)}`;
      const of: Source = { name: names[index]!, mda, accounts, format: file.format, sourceHash };
      results.push(await take(call, db, statement, of));
    }
    return results;
  });
  if (uploaded.every(({ outcome }) => outcome === 'refused'))
    throw refuseValue('body', say`the account is none of an agency that is yours`, 'not_your_account');
  for (const { outcome, statement } of uploaded) if (outcome === 'taken') await classifyLines(call, statement!);
  return uploaded;
}

interface Source {
  readonly name: string;
  readonly mda: string;
  /** Query for the account as the agency has it; none where it is not the caller's. */
  readonly accounts: Sql;
  readonly format: BankFile['format'];
  readonly sourceHash: string;
}

/** Accounts are compared in the database, which they do not leave; agencies write theirs with blanks, or without. */
function whereNamed({ viewer }: Call, mda: string, { account }: BankStatement): Sql {
  return account === null
    ? sql`r.mda = ${mda} and r.account = (select m.collection_account from mda m where m.name = ${mda})`
    : sql`regexp_replace(r.account, '\\s', '', 'g') = ${account} and ${whereWithin(viewer, BY_AGENCY)}`;
}

async function take(call: Call, db: Database, statement: BankStatement, of: Source): Promise<UploadedStatement> {
  const { line, currency, lines, from, to } = statement;
  const { name, accounts, sourceHash } = of;
  const changed = guard`
    insert into bank_statement (name, account, currency, format, source_hash, from_on, to_on, opening, closing, lines,
      created_by, created_at)
    select ${name}, a.account, ${currency}, ${of.format}, ${sourceHash}, ${formatDay(from)}::date, ${formatDay(to)}::date,
      ${statement.opening}::numeric, ${statement.closing}::numeric, ${lines.length}, ${call.viewer.actor}, ${call.now()}
    from (${accounts} limit 1) a
    -- The same file was taken before, and is answered.
    on conflict (account, currency, source_hash) do nothing returning name`;
  const days = { from: formatDay(from), to: formatDay(to) };
  const after = { agency: of.mda, currency, ...days, lines: lines.length };
  const operated = { action: 'bank_statement.upload', subject: name, before: null, after, reason: null };
  // Several are taken for one request, which is told apart from a repetition by its file.
  const committing: Committing = { ...call, db, once: null };
  const isNew = await commit(committing, { subject: name, guard: changed, operated });
  if (isNew) await insertLines(call, db, name, lines);
  const found = await db.row<{ name: string; last4: string }>(sql`
    select s.name, right(s.account, 4) as last4 from bank_statement s
    where s.account in (${accounts}) and s.currency = ${currency} and s.source_hash = ${sourceHash}`);
  if (found)
    return {
      line,
      outcome: isNew ? 'taken' : 'already',
      accountLast4: found.last4,
      statement: found.name,
      reason: null,
    };
  const accountLast4 = statement.account?.slice(-4) ?? null;
  return { line, outcome: 'refused', accountLast4, statement: null, reason: 'not_your_account' };
}

async function insertLines(call: Call, db: Database, name: string, lines: readonly BankLine[]): Promise<void> {
  let before = 0;
  for await (const batch of takeTurns(lines, BATCH)) {
    const rows = batch.map(({ bookedOn, valueOn, amount, reference, text }, index) => ({
      idx: before + index + 1,
      booked_on: formatDay(bookedOn),
      value_on: formatDay(valueOn),
      amount,
      reference,
      text: withoutNumbers(String(redact(text))),
    }));
    // What a bank writes about a line may say the account itself.
    const hide = (column: Sql) => sql`replace(${column}, s.account, '*' || right(s.account, 4))`;
    await db.rows(sql`
      insert into bank_line (name, statement, idx, account, booked_on, value_on, amount, currency, reference, text, updated_at)
      select s.name || '.' || l.idx, s.name, l.idx, s.account, l.booked_on, l.value_on, l.amount, s.currency,
        ${hide(sql`l.reference`)}, ${hide(sql`l.text`)}, s.created_at
      from bank_statement s, jsonb_to_recordset(${json(rows)}::jsonb) as l (idx int, booked_on date, value_on date,
        amount numeric, reference text, text text)
      where s.name = ${name}`);
    before += batch.length;
  }
  await refuseKnown(db, name, lines);
}

/** Refuses a line that another statement has too: its money would count twice. What has no number may be another one. */
async function refuseKnown(db: Database, name: string, lines: readonly BankLine[]): Promise<void> {
  // As sets, which are compared in the time that it takes to read them.
  const facts = sql`select l.value_on, l.booked_on, l.amount, l.reference, l.text from bank_line l`;
  const known = await db.row<{ idx: number; other: string }>(sql`
    with own as (
      select account, currency, min(value_on) as first, max(value_on) as last from bank_line
      where statement = ${name} and reference is not null group by account, currency
    ), same as (
      ${facts} where l.statement = ${name} and l.reference is not null
      intersect
      ${facts} join own on l.account = own.account and l.currency = own.currency and l.value_on between own.first and own.last
        where l.statement <> ${name}
      limit 1
    )
    select l.idx, o.statement as other from same s
    join bank_line l on l.statement = ${name} and (l.value_on, l.booked_on, l.amount, l.reference, l.text) = (s.value_on, s.booked_on, s.amount, s.reference, s.text)
    join bank_line o on o.account = l.account and o.currency = l.currency and o.value_on = l.value_on and o.reference = l.reference
      and o.booked_on = l.booked_on and o.amount = l.amount and o.text = l.text and o.statement <> l.statement
    limit 1`);
  if (known) throw refuseFile(say`line ${lines[known.idx - 1]!.line} is in the statement ${known.other} already`);
}

/** A phone number, with the code of its country or the zero in its place. */
const PHONE = /(?<![\w+-])(?:\+[1-9]\d{8,13}|25\d{10}|0[1-9]\d{8})(?![\w-])/g;

/** A text without what may be the number of a person, except its end. */
const withoutNumbers = (text: string) => text.replaceAll(PHONE, (number) => `*${number.slice(-3)}`);

/** Refuses what is yet to be booked; somewhere it may be a day later than by UTC. */
function refuseComing({ statements }: BankFile, now: Date): void {
  const last = new Date(now.getTime() + DAY_MS);
  for (const { lines, to, line } of statements) {
    const coming = lines.find(({ bookedOn }) => bookedOn > last);
    if (coming || to > last) throw refuseFile(say`line ${coming?.line ?? line} is of a day to come`);
  }
}

async function hashOf(body: Buffer): Promise<string> {
  const hash = createHash('sha256');
  const starts = Array.from({ length: Math.ceil(body.length / CHUNK) }, (_, index) => index * CHUNK);
  for await (const [start] of takeTurns(starts, 1)) hash.update(body.subarray(start, start! + CHUNK));
  return hash.digest('hex');
}
