import { describe, expect, it } from 'vitest';
import { sql } from '../../src/platform/database/sql.ts';
import { createPending, makeActor } from '../harness/flow.ts';
import { makeStaff } from '../harness/people/staff.ts';
import { testRail } from '../harness/rail.ts';

const rail = testRail();

describe('enums of constants with dots', () => {
  it('are answered under their names over GraphQL, and as they are in the code over REST', async () => {
    const actor = await makeActor(rail);
    const { intent } = await createPending(rail, actor);
    const body = { query: `{ paymentTrace(id: "${intent}") { entries: timeline { kind } } }` };
    const kinds = (await actor.post('/graphql', body)).json.data.paymentTrace.entries.map(
      ({ kind }: { kind: string }) => kind,
    );
    expect(new Set(kinds)).toEqual(new Set(['assessment_update', 'payment_intent_update']));
    const { timeline } = (await rail.ask(`/v1/payment-intents/${intent}/trace`, { key: actor.key })).data;
    expect(timeline.map(({ kind }: { kind: string }) => kind)).toEqual(
      kinds.map((kind: string) => kind.replace(/_(?=[a-z]+$)/, '.')),
    );
  });

  it('are taken under their names over GraphQL, and as they are in the code over REST', async () => {
    const actor = await makeActor(rail);
    const query = 'mutation ($scopes: [Scope!]!) { issueKey(label: "x", scopes: $scopes) { key { scopes } } }';
    const issue = async (scopes: string[]) =>
      (await actor.post('/graphql', { query, variables: { scopes } })).json as {
        data: { issueKey: { key: { scopes: string[] } } };
        errors: [{ message: string }];
      };
    expect((await issue(['citizens_read'])).data.issueKey.key.scopes).toEqual(['citizens_read']);
    expect((await issue(['citizens.read'])).errors[0].message).toContain(
      'scopes[0]: must be one of assessments_cancel, assessments_import, assessments_read',
    );
    const rest = (scopes: unknown) => actor.post('/v1/me/keys', { label: 'x', scopes });
    expect((await rest(['citizens.read'])).data).toMatchObject({ key: { scopes: ['citizens.read'] } });
    expect((await rest(['citizens_read', 'x', 'citizens.read'])).json.error).toMatchObject({
      code: 'validation_failed',
      details: [{ path: 'scopes', message: 'there is no scope citizens_read, x' }],
    });
    expect((await rest(['citizens.read', 1])).json.error.details).toEqual([
      { path: 'scopes[1]', message: 'must be a string' },
    ]);
    const logs = (event: string) => rail.ask(`/v1/me/logs?event=${event}`, { key: actor.key });
    expect((await logs('api.auth.granted')).data.length).toBeGreaterThan(0);
    expect((await logs('api_auth_granted')).json.error.details).toEqual([
      { path: 'event', message: 'must be one of api.auth.granted, api.auth.denied, api.handler.error' },
    ]);
  });

  it('find nothing over REST where a filter names what there is not, and are refused over GraphQL', async () => {
    const admin = await makeStaff(rail, 'admin');
    for (const path of [
      '/v1/ops/anomalies?kind=',
      '/v1/oversight/anomalies?severity=',
      '/v1/ops/webhook-deliveries?type=',
    ]) {
      const found = await admin.ask(`${path}other`);
      expect([found.status, found.data], path).toEqual([200, []]);
    }
    expect((await admin.ask('/v1/ops/anomalies?kind=cash_variance,seal_gap')).data).toEqual([]);
    expect((await admin.ask(`/v1/ops/anomalies?kind=${'x'.repeat(200)}`)).json.error.details).toEqual([
      { path: 'kind', message: 'must be at most 100 characters' },
    ]);
    const { json } = await admin.post('/graphql', { query: '{ anomalies(kind: [other]) { nodes { id } } }' });
    expect(json.errors[0].message).toContain('"other" does not exist in "AnomalyKind"');
  });

  it('filter by any of several', async () => {
    const admin = await makeStaff(rail, 'admin');
    await rail.rows(sql`
      insert into anomaly (name, kind, mda, mdas, severity, status, subject, evidence, raised_at)
      select 'ANOM-2026-11-80000' || n, kind, 'URA', '{URA}', 'medium', 'Open', 'PI-X', '{}', now()
      from unnest(array['reversal', 'seal_gap', 'off_hours']) with ordinality k (kind, n)`);
    const count = async (kinds: string) => {
      const { json } = await admin.post('/graphql', { query: `{ anomalies(kind: ${kinds}) { nodes { kind } } }` });
      return json.data.anomalies.nodes.map(({ kind }: { kind: string }) => kind).toSorted();
    };
    expect(await count('[reversal, seal_gap]')).toEqual(['reversal', 'seal_gap']);
    expect(await count('off_hours')).toEqual(['off_hours']);
    expect(await count('[]')).toEqual([]);
  });
});
