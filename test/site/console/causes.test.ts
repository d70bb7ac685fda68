import { beforeAll, describe, expect, it } from 'vitest';
import { ANOMALY_KINDS } from '../../../src/collection/anomalies/kinds.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { startOutsideRail } from '../../harness/outside.ts';
import { createConfirmed, makeActor } from '../../harness/flow.ts';
import { runInBrowser, testBrowser } from '../../harness/people/browser.ts';
import { type StaffActor, makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';
import { expectAccessible } from '../accessible.ts';
import { addCookie, openWindow } from '../browsing.ts';
import { giveEndpoint } from '../../harness/people/accounts.ts';

const browser = testBrowser();
const rail = testRail();
/** Left alone after two calls that failed. */
const held = startOutsideRail({}, { breaker_failures: 2, breaker_rest_ms: 600_000 });

let operator: StaffActor;

/** Seven messages that an integrator did not get, three notices that an agency did not get, and an evening of reversals. */
beforeAll(async () => {
  operator = await makeStaff(rail, 'admin');
  const actor = await makeActor(rail);
  const paid = [];
  for (let nth = 0; nth < 3; nth++) paid.push(await createConfirmed(rail, actor));
  const { assessment, intent } = paid[0]!;
  await rail.rows(sql`
    update propagation set status = 'dead', attempts = 8, last_error = 'HTTP 503', next_attempt_at = null
    where mda = 'URSB'`);
  expect((await actor.post(`/v1/assessments/${assessment}:cancel`, { reason: 'Twice' })).status).toBe(200);
  await rail.rows(sql`update integrator set organisation = 'City Parking' where code = ${actor.integrator}`);
  await giveEndpoint(rail, sql`code = ${actor.integrator}`, 'https://hooks.example/rail');
  await rail.rows(sql`
    with message as (
      insert into outbox (id, type, object, sequence, integrator, payload, created_at, relayed_at)
      select gen_random_uuid(), 'payment_intent.confirmed', ${intent}, 100 + n, ${actor.integrator}, '{}', now(), now()
      from generate_series(1, 7) n returning id, sequence
    )
    insert into webhook_delivery (name, message, integrator, type, object, sequence, status, attempts, last_http_status,
      created_at, updated_at)
    select 'WHD-2026-01-' || lpad(sequence::text, 6, '0'), id, ${actor.integrator}, 'payment_intent.confirmed', ${intent},
      sequence, 'dead', 8, 502, now() - interval '3 days', now() + interval '1 minute'
    from message`);
  await rail.rows(sql`
    insert into anomaly (name, kind, mda, mdas, severity, status, subject, evidence, raised_at)
    select 'ANOM-2020-01-' || lpad(n::text, 6, '0'), 'reversal', 'KCCA', array['KCCA'], 'medium', 'Open',
      'ASMT-2020-01-' || lpad(n::text, 6, '0'), '{}',
      '2026-11-20T17:30:00Z'::timestamptz + n * interval '4 minutes' + case when n > 8 then interval '1 day' else interval '0' end
    from generate_series(1, 9) n`);
});

const ask = (query: string) =>
  rail
    .ask('/graphql', { body: { query }, headers: { cookie: operator.cookie } })
    .then(({ text }) => JSON.parse(text).data);

describe('what failed', () => {
  it('is told by its cause, the most severe and of these the latest first: an evening of reversals is one', async () => {
    const { openCauses } = await ask(
      '{ openCauses { kind severity count httpStatus error agencyId anomalyKind onlyId integrator { organisation } } }',
    );
    expect(openCauses[0]).toMatchObject({
      kind: 'integrator', count: 7, httpStatus: 502, onlyId: null, integrator: { organisation: 'City Parking' },
    }); // prettier-ignore
    expect(openCauses.find(({ kind }: { kind: string }) => kind === 'agency')).toMatchObject({
      kind: 'agency',
      agencyId: 'URSB',
      error: 'HTTP 503',
    });
    const ranks = openCauses.map(({ severity }: { severity: string | null }) =>
      ['high', 'medium', 'low'].indexOf(severity ?? 'high'),
    );
    expect(ranks).toEqual(ranks.toSorted());
    expect(new Set(ranks).size).toBeGreaterThan(1);
    const reversals = openCauses.filter(
      ({ agencyId, anomalyKind }: { agencyId: string; anomalyKind: string }) =>
        anomalyKind === 'reversal' && agencyId === 'KCCA',
    );
    expect(reversals.map(({ count, onlyId }: { count: number; onlyId: string | null }) => [count, onlyId])).toEqual([
      [1, 'ANOM-2020-01-000009'],
      [8, null],
    ]);
  });
});

describe('a connection that fails now', () => {
  const outside = held.rail;
  const console = async (staff: StaffActor, language = 'en') => {
    const headers = { cookie: `${staff.cookie}; language=${language}`, accept: 'text/html' };
    return (await (await fetch(`${outside.origin}/console`, { headers })).text())
      .replaceAll(/<[^>]+>|\s+/g, ' ')
      .replaceAll(/ +/g, ' ');
  };
  const connections = async (staff: StaffActor) => {
    const query = '{ openCauses { kind connection country count since latest error agencyId onlyId } }';
    const { openCauses } = (await staff.post('/graphql', { query })).json.data;
    return openCauses.filter(({ kind }: { kind: string }) => kind === 'connection');
  };

  it('is a cause, by its last probe and by the calls that fail, until it answers', async () => {
    const admin = await makeStaff(outside, 'admin');
    const probe = () => admin.post('/v1/ops/agency-endpoints/facilities-search:probe');
    await probe();
    expect(await connections(admin)).toEqual([]);
    held.outside.agencies['health ministry']!.trouble.down = 'refusing';
    await probe();
    expect(await connections(admin)).toMatchObject([{ connection: 'health ministry', error: 'failed (503)' }]);
    await probe();
    const none = { since: null, agencyId: null, onlyId: null };
    expect(await connections(admin)).toEqual([
      {
        ...none,
        kind: 'connection',
        connection: 'health ministry',
        country: null,
        count: 1,
        latest: expect.any(String),
        error: 'unavailable',
      },
    ]);
    held.outside.agencies['national identity authority']!.trouble.down = 'refusing';
    for (const nin of ['CM900000000001', 'CM900000000002', 'CM900000000003'])
      expect((await admin.post('/v1/work/citizens', { nin })).status).toBeGreaterThanOrEqual(502);
    expect(await connections(admin)).toContainEqual({
      ...none,
      kind: 'connection',
      connection: 'identity',
      country: 'UG',
      count: 1,
      latest: null,
      error: null,
    });
    const page = await console(admin);
    expect(page).toMatch(
      /Not available Ministry of health 1 endpoint failed its last probe Paused after failures Last probe \d/,
    );
    // Once: as a cause, and not also among what is not connected.
    expect(page.match(/UG, Identity authority/g)).toHaveLength(1);
    expect(page).toContain('UG, Identity authority Paused after failures');
    for (const language of ['fr', 'sw', 'lg']) expect(await console(admin, language)).not.toMatch(/⟦|undefined|null/);
    await outside.rows(sql`update agency_endpoint set probe_status = 'ok' where agency_kind = 'health ministry'`);
    expect((await connections(admin)).map(({ connection }: { connection: string }) => connection)).not.toContain(
      'health ministry',
    );
  });
});

describe.skipIf(!browser.found)(runInBrowser('an operator who mends a cause'), () => {
  it('sends all notices again but those that would say nothing, and reports each', async () => {
    const { page, wrong, close } = await openWindow(browser, rail, { javaScriptEnabled: false });
    await addCookie(page.context(), rail, operator.cookie);
    await page.goto('/console');
    const messages = page.getByRole('row').filter({ hasText: 'City Parking' });
    await messages.getByText('7 messages were not delivered').waitFor();
    await messages.getByText('Response 502').waitFor();
    const letter = (await messages.getByRole('link', { name: 'Write to them' }).getAttribute('href'))!;
    expect(decodeURIComponent(letter)).toMatch(/^mailto:.+@.+\?subject=Your webhook endpoint&body=7 messages .*502/);
    await page.getByRole('row').filter({ hasText: 'A payment was reversed' }).getByText('9 ×').waitFor();
    const dead = await rail.count(sql`select 1 from propagation where mda = 'URSB' and status = 'dead'`);
    expect(dead).toBe(3);
    await page.getByRole('link', { name: 'Send all again URSB' }).click();
    await page.getByText('3 notices were not delivered').waitFor();
    await page.getByLabel('Reason').fill('Their system is back');
    await page.getByRole('button', { name: 'Send all again' }).click();
    await page.getByText('2 notices are being sent again.').waitFor();
    await page.getByText('1 was left: its assessment was cancelled.').waitFor();
    expect(await rail.count(sql`select 1 from propagation where mda = 'URSB' and status = 'dead'`)).toBe(1);
    const [audited] = await rail.rows(sql`
      select subject, after, reason from operator_audit where action = 'propagation.retry_all'`);
    expect(audited).toEqual({
      subject: 'URSB', after: { retried: 2, cancelled: 1, remaining: 0 }, reason: 'Their system is back',
    }); // prettier-ignore
    expect(wrong).toEqual([]);
    await close();
  });

  it('sees ten causes, and then all', async () => {
    await rail.rows(sql`
      insert into anomaly (name, kind, mda, mdas, severity, status, subject, evidence, raised_at)
      select 'ANOM-2020-02-' || lpad(n::text, 6, '0'), kind, 'KCCA', array['KCCA'], 'low', 'Open', kind, '{}', now()
      from unnest(${ANOMALY_KINDS.slice(0, 12)}::text[]) with ordinality as made (kind, n)`);
    const { page, wrong, close } = await openWindow(browser, rail, { javaScriptEnabled: false });
    await addCookie(page.context(), rail, operator.cookie);
    await page.goto('/console');
    const rows = page.getByRole('group', { name: 'Needs attention, by cause' }).locator('tbody tr');
    expect(await rows.count()).toBe(10);
    const all = page.getByRole('link', { name: /^Show all \d+$/ });
    const count = Number((await all.textContent())!.match(/\d+/)![0]);
    await all.click();
    await page.waitForURL('**/console?all=yes');
    expect(count).toBeGreaterThan(12);
    expect(await rows.count()).toBe(count);
    expect(wrong).toEqual([]);
    await close();
  });

  it('finds its pages in four groups', async () => {
    const { page, wrong, close } = await openWindow(browser, rail);
    await addCookie(page.context(), rail, operator.cookie);
    await page.goto('/console');
    for (const [group, link] of [
      ['Work', 'Anomalies'],
      ['Money', 'Payments'],
      ['Catalogue', 'Services'],
      ['Access', 'Staff'],
    ] as const)
      await page
        .getByRole('navigation', { name: `Console: ${group}` })
        .getByRole('link', { name: link, exact: true })
        .waitFor();
    await expectAccessible(page);
    expect(wrong).toEqual([]);
    await close();
  });
});

describe('retryPropagations', () => {
  it('is done once under one idempotency key, and answered again as it was', async () => {
    await rail.rows(sql`update propagation set status = 'dead', next_attempt_at = null where mda = 'URSB'`);
    const retry = async (key: string, reason = 'Their system is back') => {
      const query = `mutation { retryPropagations(agency: "URSB", reason: "${reason}") { retried cancelled remaining } }`;
      const headers = { cookie: operator.cookie, 'idempotency-key': key };
      return (await rail.ask('/graphql', { body: { query }, headers })).json;
    };
    const audited = () =>
      rail.count(sql`select 1 from operator_audit where action = 'propagation.retry_all' and subject = 'URSB'`);
    const before = await audited();
    const first = (await retry('one')).data.retryPropagations;
    expect(first).toEqual({ retried: 2, cancelled: 1, remaining: 0 });
    // Those that fail meanwhile are left to a request of its own.
    await rail.rows(sql`update propagation set status = 'dead', next_attempt_at = null where mda = 'URSB'`);
    expect((await retry('one')).data.retryPropagations).toEqual(first);
    expect(await rail.count(sql`select 1 from propagation where mda = 'URSB' and status = 'dead'`)).toBe(3);
    expect(await audited()).toBe(before + 1);
    expect((await retry('one', 'Another')).errors[0].extensions.code).toBe('idempotency_mismatch');
    expect((await retry('two')).data.retryPropagations).toEqual(first);
    expect(await audited()).toBe(before + 2);
  });
});
