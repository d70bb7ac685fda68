import { createHash, createHmac, hkdfSync, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { namePrincipal } from '../../../src/platform/change/idempotency.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { Vault } from '../../../src/platform/access/vault.ts';
import { viewAgency, viewKey, viewSession, viewStaff } from '../../../src/platform/access/viewer.ts';
import { NO_GRANTS } from '../../../src/platform/access/grants.ts';
import { type Actor, TWO_LINES_TOTAL, createSent, makeActor, someCitizen, twoLines } from '../../harness/flow.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();
const input = async () => JSON.stringify({ citizen: await someCitizen(rail), lines: await twoLines(rail) });
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

interface Stored {
  readonly key: string;
  /** The body of the request. */
  readonly sent: string;
  /** The answer; null if the process died before it. */
  readonly answer: string | null;
  readonly subject?: string;
}

async function store(actor: Actor, { key, sent, answer, subject }: Stored): Promise<void> {
  const { vault } = rail.rail;
  const principal = `key:${await lineageOf(actor)}`;
  const [fingerprint] = vault.hashes('request', sha256(`POST /v1/assessments\n${sent}`));
  const body = answer === null ? null : vault.seal('answer', `${principal}\n${key}`, answer);
  await rail.rows(sql`
    insert into idempotency (principal, key, version, fingerprint, request_id, subject, http_status, body, created_at)
    values (${principal}, ${key}, 1, ${fingerprint!.toString('hex')}, 'of before', ${subject ?? null}, ${answer && 200},
      ${body}, now() - interval '1 minute')`);
}

const lineageOf = async ({ integrator }: Actor) =>
  (await rail.rows<{ lineage: string }>(sql`select lineage from api_key where integrator = ${integrator}`))[0]!.lineage;
const owned = ({ integrator }: Actor) => rail.count(sql`select 1 from assessment where integrator = ${integrator}`);

describe('a stored answer', () => {
  it('is completed where its process died between its commit and its answer', async () => {
    const actor = await makeActor(rail);
    const [key, body] = [randomUUID(), await input()];
    const { name } = (await actor.post('/v1/assessments', body)).data;
    await store(actor, { key, sent: body, answer: null, subject: name });
    for (let i = 0; i < 2; i++)
      expect((await actor.post('/v1/assessments', body, { 'idempotency-key': key })).data.name).toBe(name);
    expect(await owned(actor)).toBe(1);
  });

  it('is nobody else’s, and forgotten after 24 hours', async () => {
    const [actor, other] = [await makeActor(rail), await makeActor(rail)];
    const [key, body] = [randomUUID(), await input()];
    await store(actor, { key, sent: body, answer: '{"data":{"name":"it"}}' });
    expect((await actor.post('/v1/assessments', body, { 'idempotency-key': key })).data.name).toBe('it');
    expect((await other.post('/v1/assessments', body, { 'idempotency-key': key })).data.name).not.toBe('it');
    await rail.rows(sql`update idempotency set created_at = created_at - interval '24 hours' where key = ${key}`);
    expect((await actor.post('/v1/assessments', body, { 'idempotency-key': key })).data.name).not.toBe('it');
  });

  it('is read in the form that it was written in, and written packed', async () => {
    const actor = await makeActor(rail);
    const [key, sent] = [randomUUID(), await input()];
    await store(actor, { key, sent, answer: '{"data":{"name":"it"}}' });
    const post = (under: string) => actor.post('/v1/assessments', sent, { 'idempotency-key': under });
    expect((await post(key)).data.name).toBe('it');
    const other = randomUUID();
    const { text } = await post(other);
    expect((await post(other)).text).toBe(text);
    const [row] = await rail.rows<{ version: number; size: number }>(
      sql`select version, length(body) as size from idempotency where key = ${other}`,
    );
    expect(row!.version).toBe(2);
    expect(row!.size).toBeLessThan(text.length * 0.7);
  });

  it('is the decision on a callback that its sender signed, also for those who repeat it unsigned', async () => {
    const { intent } = await createSent(rail, await makeActor(rail));
    const event = { event_id: randomUUID(), intent, status: 'SUCCESSFUL', amount: TWO_LINES_TOTAL, currency: 'UGX' };
    await rail.rows(sql`
      insert into inbound_callback (provider, event_id, body_hash, intent, decision, received_at)
      values ('mtn_momo', ${event.event_id}, ${Buffer.from(sha256(JSON.stringify(event)), 'hex')}, ${intent}, 'failed',
        now() - interval '1 minute')`);
    for (const body of [event, { ...event, status: 'PENDING' }, { ...event, event_id: event.event_id }])
      expect((await rail.ask('/v1/webhooks/mtn_momo', { body })).data).toEqual({ decision: 'failed', intent });
  });
});

/**
 * The stored forms by version. Processes of two versions run at the same time during an upgrade: one that wrote another
 * form with the same number would repeat requests that the other has answered. A change takes the next number, adds a
 * line here, and still reads the earlier forms.
 */
describe('what is stored of a request says the version of its form', () => {
  it('2: whose it is', () => {
    const key = { ...NO_GRANTS, name: 'KEY-2', lineage: 'KEY-1', integrator: 'INT-1', scopes: [], issuedBy: null };
    const staff = { id: 'S-1', email: 'a@example.org', roles: [] };
    expect([
      viewKey(key).credential,
      viewSession({ id: 'S-1', integrator: 'INT-1' }).credential,
      viewStaff({ ...staff, agencies: [] }).credential,
      viewStaff({ ...staff, agencies: ['URA', 'URSB'] }).credential,
      viewAgency({ mda: 'URA', key: 'AGK-1', scopes: [] }).credential,
      namePrincipal(new Vault(['a secret']), ' Somebody@example.org '),
    ]).toEqual([
      'key:KEY-1',
      'session:S-1',
      'staff:a@example.org',
      'staff:a@example.org:URA:URSB',
      'agency:URA',
      'named:O_NtkAlUd0tz-choihA7Ml0_pe7CzFRujpo346Wq0IU',
    ]);
  });

  it.each(['/v1/assessments', '/graphql'])('2: which request it answers, of %s', async (path) => {
    const actor = await makeActor(rail);
    const key = randomUUID();
    const query = 'mutation { assessAssessment(id: "ASMT-2020-01-000001") { id } }';
    const body = path === '/graphql' ? JSON.stringify({ query }) : await input();
    await actor.post(path, body, { 'idempotency-key': key });
    const [row] = await rail.rows(sql`select principal, version, fingerprint from idempotency where key = ${key}`);
    const [{ secret }] = (await rail.rows(sql`select secret from sandbox_secret`)) as [{ secret: string }];
    const hashKey = Buffer.from(hkdfSync('sha256', secret, 'revenue-rail', 'hash:request', 32));
    expect(row).toEqual({
      principal: `key:${await lineageOf(actor)}`,
      version: 2,
      fingerprint: createHmac('sha256', hashKey)
        .update(sha256(`POST ${path}\n${body}`))
        .digest('hex'),
    });
  });

  it('1: which callback was decided on', async () => {
    const { intent } = await createSent(rail, await makeActor(rail));
    const event = { event_id: randomUUID(), intent, status: 'FAILED' };
    await rail.ask('/v1/webhooks/mtn_momo', { body: event });
    const stored = await rail.rows(
      sql`select provider, event_id as id, encode(body_hash, 'hex') as hash from inbound_callback where intent = ${intent}`,
    );
    expect(stored).toEqual([
      { provider: 'unsigned:mtn_momo', id: event.event_id, hash: sha256(JSON.stringify(event)) },
    ]);
  });
});
