import { formatDay } from '../../../src/kernel/time.ts';
import { bankStatement } from '../../collection/reconciliation/payouts/world.ts';
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { Visitor } from '../../../src/site/operations/documents.ts';
import { makeStory } from '../../../src/sandbox/story.ts';
import { raw, sql } from '../../../src/platform/database/sql.ts';
import { addStaff } from '../../../src/identity/members/add.ts';
import { ROLES } from '../../../src/platform/access/needs.ts';
import { cookieOf, signIn } from '../../harness/people/accounts.ts';
import { makeAgency } from '../../harness/people/agency.ts';
import { makePoint } from '../../harness/people/biller.ts';
import { closeShift, closeWith, collectInShift, openShift, sendInShift } from '../../harness/people/counter.ts';
import { closeToday } from '../../harness/ledger.ts';
import type { Windows } from '../../harness/people/browser.ts';
import { PASSWORD, logIn } from '../../harness/people/staff.ts';
import type { TestRail } from '../../harness/rail.ts';
import { createAssessedFor, exempt, someCitizen } from '../../harness/flow.ts';
import { addCookie } from '../browsing.ts';
import { makeTrouble } from '../console/trouble.ts';
import { EVERYBODY, EXAMPLES, LINKED, SEALED } from './examples.ts';
import { giveEndpoint } from '../../harness/people/accounts.ts';

/** Somebody for each kind of visitor, signed in, by the cookie that they carry. */
export type Visitors = Readonly<Record<Visitor, string | null>>;

interface Filling {
  /** Days of work. */
  readonly days: number;
  /** Months before these days. */
  readonly months?: number;
  /** True to give everybody and everything the most dangerous name. */
  readonly hostile?: boolean;
}

/** Fills a rail with days of work, and more, so that no page is without something to show. */
export async function fillPages(rail: TestRail, { days, months, hostile = false }: Filling): Promise<Visitors> {
  if (hostile) await makeHostile(rail, CATALOGUE);
  await makeStory(rail.rail, { days, months });
  await makeAgency(rail);
  await addStaff(rail.rail, { email: EVERYBODY, name: 'A <b>colleague</b>', roles: [...ROLES], password: PASSWORD });
  const staff = cookieOf(await logIn(rail, EVERYBODY))!;
  const post = (path: string, body: unknown = {}) => rail.ask(path, { body, headers: { cookie: staff } });
  await closeWith(rail, -5_000);
  const first = await openShift({ post }, { opening_float: 20_000, counter_label: 'Window 2' });
  const { amount } = await collectInShift(rail, { post }, first);
  const counted = { cash_counted: 20_000 + amount, denominations: [{ value: 1_000, count: 20 + amount / 1_000 }] };
  await closeShift({ post }, first, counted);
  const shift = await openShift({ post }, { opening_float: 20_000, counter_label: 'Window 1' });
  await sendInShift(rail, { post }, shift, 'mtn_momo');
  const { intent } = await collectInShift(rail, { post }, shift);
  await post('/v1/refunds', { intent, amount: 500, reason_code: 'other', note: 'The <b>payer</b> asked' });
  await createAssessedFor(rail, { post }, 'URA-TCC', { shift });
  await makePoint(rail).pay({ reference: '1234567890123', amount: 7_000 });
  await fillCatalogue(rail, staff);
  await makeTrouble(rail);
  for (const linked of LINKED) await rail.rows(linked);
  await exempt(rail, await someCitizen(rail), { category: 'refugee', ground: 'refugee' });
  await rail.rows(sql`
    insert into staff_passkey (id, staff, label, credential_id, public_key, transports, counter, created_at)
    values (gen_random_uuid(), ${EVERYBODY}, 'Work <b>phone</b>', '\x01', '\x02', '{internal}', 0, now())`);
  await rail.rows(sql`
    insert into saved_view (id, owner, name, address, every, language, created_at, updated_at)
    values (gen_random_uuid(), ${EVERYBODY}, 'Work <b>days</b>', '/oversight?step=week', 'week', 'en', now(), now())`);
  const integrator = await signIn(rail, { email: await busiestOf(rail) });
  await rail.ask('/v1/me', { headers: { cookie: integrator } });
  await closeToday(rail, 'URA');
  const valueOn = formatDay(rail.rail.now());
  await bankStatement(rail, 'URA', [{ amount: 90_000, valueOn, text: 'By <b>hand</b>' }]);
  await rail.rail.audit.flush();
  if (hostile) await makeHostile(rail, NAMED);
  return { STAFF: staff, INTEGRATOR: integrator, EVERYBODY: null };
}

/** Columns of the catalogue's names, which assessments repeat; and columns with names and texts of other people. */
const CATALOGUE = [
  ['mda', 'mda_name'],
  ['service', 'service_name'],
] as const;
const NAMED = [
  ['agency_key', 'label'],
  ['api_key', 'label'],
  ['citizen', 'full_name'],
  ['counter_shift', 'counter_label'],
  ['counter_shift', 'variance_reason'],
  ['integrator', 'contact_name'],
  ['integrator', 'display_name'],
  ['integrator', 'organisation'],
  ['service_notice', 'body'],
  ['service_notice', 'title'],
  ['staff', 'name'],
] as const;

/** Gives names of markup that asks another host, from right to left, and without a blank, in 300 characters. */
async function makeHostile(rail: TestRail, named: typeof CATALOGUE | typeof NAMED): Promise<void> {
  for (const [table, column] of named) {
    const [at, name] = [raw(`"${table}"`), raw(`"${column}"`)];
    await rail.rows(sql`
      update ${at} set ${name} =
        left(concat('<img src=https://elsewhere.example/', ctid, ' onerror=alert(1)>عبد الرحمن', repeat('W', 300)), 300)
      where ${name} is not null`);
  }
}

/** The address of the integrator that was sent most messages, which has an endpoint. */
async function busiestOf(rail: TestRail): Promise<string> {
  const [row] = await rail.rows<{ email: string }>(sql`
    select i.contact_email as email from integrator i join webhook_delivery d on d.integrator = i.code
    group by 1 order by count(*) desc limit 1`);
  await giveEndpoint(rail, sql`contact_email = ${row!.email}`, 'https://example.com/hooks');
  return row!.email;
}

/** Changes the catalogue: a fee for a coming day, an account, and a statement with an unknown payment. */
async function fillCatalogue(rail: TestRail, cookie: string): Promise<void> {
  const ask = (path: string, body: unknown, method = 'POST', type = 'application/json') =>
    rail.ask(path, { method, body, headers: { cookie, 'content-type': type } });
  const { data: services } = await rail.ask('/v1/services?code=URA-TCC');
  const fee = { fee_amount: 12_500, effective_from: '2030-01-01', reason: 'The <i>budget</i>' };
  await ask(`/v1/ops/services/${services[0].name}`, fee, 'PATCH');
  const tiers = [
    { up_to: 10, percent: 0.5 },
    { percent: 1, amount: 5 },
  ];
  const categories = {
    standard: { kind: 'percent', percent: 6, base: 'the <i>value</i>', least: 2_000 },
    diplomat: { kind: 'tiers', base: 'income', slices: true, tiers },
    refugee: { kind: 'stated', by: 'anyone', most: 5 },
  };
  const rates = { mda: 'URA', code: 'RATES', service_name: 'Rates', sector: 'tax', family: 'tax' };
  await ask('/v1/ops/services', { ...rates, tariff: { law: 'The <i>Act</i>', due: { days: 30 }, categories } });
  await ask('/v1/ops/mdas/URA:change-account', { collection_account: '0110 4477 9999', reason: 'The <i>bank</i>' });
  await ask('/v1/ops/notices', {
    title: 'Works on the <i>line</i>',
    body: 'Cards <i>cannot</i> be used.',
    severity: 'warning',
  });
  const statement =
    'External Transaction Id,Amount,Currency,Status,Id,Date\n<b>X</b>,9000,UGX,SUCCESSFUL,T,2026-11-21T09:00Z';
  await ask('/v1/ops/reconciliation/statements?provider=mtn_momo', new Blob([statement]), 'POST', 'text/csv');
}

/** An address of a page. Fails if the page has parameters and no example. */
export async function exampleOf(rail: TestRail, path: string, wanted = EXAMPLES[path]): Promise<string> {
  if (!path.includes('{')) return path;
  const sealed = SEALED[path];
  if (sealed) return sealed(rail);
  if (!wanted) throw new Error(`examples.ts has no example of ${path}`);
  const [row] = await rail.rows<Record<string, string>>(wanted);
  if (!row) throw new Error(`There is no example of ${path} in the database`);
  return path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(row[name]!));
}

/** A page of a browser for each kind of visitor. */
export async function openPages(
  browser: Windows,
  rail: TestRail,
  visitors: Visitors,
  options: BrowserContextOptions = {},
): Promise<Readonly<Record<Visitor, Page>>> {
  const open = async (cookie: string | null) => {
    const context = await browser.newContext({ baseURL: rail.origin, ...options });
    if (cookie !== null) await addCookie(context, rail, cookie);
    return context.newPage();
  };
  return {
    STAFF: await open(visitors.STAFF),
    INTEGRATOR: await open(visitors.INTEGRATOR),
    EVERYBODY: await open(visitors.EVERYBODY),
  };
}
