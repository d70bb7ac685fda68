import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/platform/database/sql.ts';
import { consume, cookieOf, signUp, someEmail } from '../harness/people/accounts.ts';
import { type Mailbox, openMailbox } from '../harness/people/mailbox.ts';
import { TestRail } from '../harness/rail.ts';

let mailbox: Mailbox;
let rail: TestRail;

beforeAll(async () => {
  mailbox = await openMailbox();
  rail = new TestRail({ SMTP_URL: mailbox.url, JOBS: 'on', LOG_LEVEL: 'trace' });
  await rail.start();
});
afterAll(async () => {
  await rail.stop();
  await mailbox.close();
});

/** Every row of every table as text, by table. */
async function wholeDatabase(): Promise<Map<string, string>> {
  const tables = await rail.rows<{ schema: string; name: string }>(sql`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`);
  const text = new Map<string, string>();
  for (const { schema, name } of tables) {
    const rows = await rail.query<{ row: string }>(`select t::text as row from "${schema}"."${name}" t`);
    text.set(`${schema}.${name}`, rows.map(({ row }) => `${row} ${bytesOf(row)}`).join('\n'));
  }
  return text;
}

/** The text of a row's bytes, which PostgreSQL writes in hex. */
function bytesOf(row: string): string {
  return [...row.matchAll(/\\x([0-9a-f]+)/g)].map(([, hex]) => Buffer.from(hex!, 'hex').toString('latin1')).join(' ');
}

describe('codes, links, sessions, keys and phone numbers', () => {
  it('are nowhere in the log or the database, but for the phone number in its own column', async () => {
    const email = someEmail();
    const phone = '+256799123987';
    const { integrator_id } = (await signUp(rail, email)).data;
    const wrong = '314159';
    await rail.ask('/v1/signup/verify', { body: { integrator_id, otp: wrong } });
    const otp = await mailbox.codeFor(email);
    const { plaintext: key } = (await rail.ask('/v1/signup/verify', { body: { integrator_id, otp } })).data;
    await rail.ask('/v1/login/request', { body: { email } });
    const token = new URL(await mailbox.linkFor(email, 1)).searchParams.get('token')!;
    const cookie = cookieOf(await consume(rail, token))!;
    await rail.ask('/v1/me', {
      method: 'PATCH',
      headers: { cookie, 'idempotency-key': 'patch' },
      body: { contact_phone: phone },
    });
    await rail.ask('/v1/me', { headers: { cookie, 'idempotency-key': 'post' }, body: { contact_phone: phone } });
    const post = (path: string, body: object = {}) =>
      rail.ask(path, { key, body, headers: { 'idempotency-key': `once-${path}` } });
    const issued = (await post('/v1/me/keys', { label: 'Canary', scopes: ['citizens.read'] })).data;
    const rotated = (await post(`/v1/me/keys/${issued.key.name}:rotate`)).data;
    await post(`/v1/me/keys/${issued.key.name}:revoke`, { reason: 'Canary' });
    await rail.ask('/v1/assessments', { headers: { authorization: `Bearer ${key}x` } });
    await rail.ask(`/v1/me/logs?endpoint=${phone}`, { key });
    await rail.ask(`/v1/nowhere?token=${token}&key=${key}`, { headers: { cookie } });
    await rail.ask('/graphql', { key, body: { query: `{ myLogs(endpoint: "${key}") { nodes { ts } } }` } });
    await rail.ask('/v1/logout', { method: 'POST', headers: { cookie } });
    await rail.rail.audit.flush();

    const secrets = [
      otp,
      wrong,
      token,
      token.split('.')[1]!,
      cookie.split('=')[1]!,
      ...[key, issued.plaintext, rotated.plaintext].map((one: string) => one.slice(13)),
    ];
    const database = await wholeDatabase();
    expect(database.size).toBeGreaterThan(25);
    expect(database.get('public.session')).toContain(integrator_id);
    const log = rail.logged.join('');
    expect(log).toContain('POST /v1/signup/verify');
    for (const secret of secrets) {
      const pattern = new RegExp(`(?<![0-9A-Za-z])${secret}(?![0-9A-Za-z])`);
      expect(log).not.toMatch(pattern);
      for (const [table, text] of database) expect(text, `${table} holds ${secret}`).not.toMatch(pattern);
    }
    expect(log).not.toContain(phone.slice(1));
    expect(log).not.toContain(email);
    const homes = [...database].filter(([, text]) => text.includes(phone.slice(1))).map(([table]) => table);
    expect(homes).toEqual(['public.integrator']);
    const addressed = [...database].filter(([, text]) => text.includes(email)).map(([table]) => table);
    expect(addressed).toEqual(['public.integrator']);
  });
});

describe('the log of the embedded PostgreSQL', () => {
  it('names what was violated without the values that violated it', async () => {
    const [row] = await rail.rows<{ verbosity: string }>(
      sql`select current_setting('log_error_verbosity') as verbosity`,
    );
    expect(row!.verbosity).toBe('terse');
  });
});
