import { describe, expect, it } from 'vitest';
import { relay } from '../../../src/accounts/webhooks/relay.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';
import { sendForm } from '../forms/sending.ts';

const rail = testRail({ WEBHOOK_ALLOW_PRIVATE: '1' });

const PAGE = '/console/webhooks';
const SECRET = /whsec_[\w+/]{43}=/;

describe('the default endpoint', () => {
  it('is set with a secret that is shown once, gets another, and is taken away', async () => {
    const { cookie, ask } = await makeStaff(rail, 'admin');
    const send = (path: string, fields: Record<string, string> = {}) =>
      sendForm(rail, PAGE + path, cookie, { _page: PAGE + path, ...fields });
    const set = await (await send('/endpoint', { url: 'http://127.0.0.1:9/rail', _mark: 'set' })).text();
    expect(set).toMatch(SECRET);
    const rotated = await (await send('/secret', { _mark: 'rotate' })).text();
    expect(rotated).toMatch(SECRET);
    expect(SECRET.exec(rotated)![0]).not.toBe(SECRET.exec(set)![0]);
    const { text } = await ask(PAGE);
    expect(text).toContain('http://127.0.0.1:9/rail');
    expect(text).not.toMatch(SECRET);
    expect((await send('/endpoint/test')).headers.get('location')).toBe(`${PAGE}?done=webhookTested`);
    expect(await (await send('/endpoint', { url: 'no address' })).text()).toContain('value="no address"');
    expect((await send('/endpoint/remove')).headers.get('location')).toBe(`${PAGE}?done=endpointRemoved`);
    expect((await ask(PAGE)).text).toContain('Not set');
  });

  it('has its failed messages sent again together', async () => {
    const { cookie, post, ask } = await makeStaff(rail, 'system_manager');
    await sendForm(rail, `${PAGE}/endpoint`, cookie, { url: 'http://127.0.0.1:9/rail' });
    for (const _ of [1, 2, 3]) await post('/v1/ops/default-endpoint:test');
    await relay(rail.rail);
    await rail.rows(
      sql`
        with failed as (update webhook_delivery set status = 'dead' where integrator = 'COUNTERS-OFFICE' returning name)
        delete from webhook_queue where delivery in (select name from failed)`,
    );
    await rail.rows(sql`
      update webhook_delivery set created_at = '2020-01-05T10:00:00Z'
      where status = 'dead' and name <> (select max(name) from webhook_delivery where status = 'dead')`);
    const dead = await rail.count(sql`select 1 from webhook_delivery where status = 'dead'`);
    expect(dead).toBeGreaterThan(2);
    const { text } = await ask(PAGE);
    expect(text).toContain(`${dead} messages failed`);
    expect(text).toContain(`<td class="amount"><bdi>${dead}</bdi></td>`);
    expect(text).toContain('since=2020-01-05');
    expect((await ask(`${PAGE}/redeliver?integrator=COUNTERS-OFFICE`)).text).toContain('value="2020-01-05"');
    const send = async (since: string) => {
      const fields = { integrator: 'COUNTERS-OFFICE', since, reason: 'It is back' };
      return (await sendForm(rail, `${PAGE}/redeliver`, cookie, { _page: `${PAGE}/redeliver`, ...fields })).text();
    };
    const late = await send('2026-01-01');
    expect(late).toContain('1 message is being sent again');
    expect(late).toContain(`${dead - 1} failed messages were not included`);
    const all = await send('2020-01-05');
    expect(all).toContain(`${dead - 1} messages are being sent again`);
    expect(all).not.toContain('not included');
    expect(await rail.count(sql`select 1 from webhook_delivery where status = 'dead'`)).toBe(0);
  });
});

describe('a notice', () => {
  it('is scheduled by the clock of the place, and amended to all that its form says', async () => {
    const { cookie, ask } = await makeStaff(rail, 'admin');
    const published = await sendForm(rail, '/console/notices/new', cookie, {
      _timeZone: 'Africa/Kampala',
      title: 'Works on the line',
      body: 'Cards cannot be used.',
      severity: 'warning',
      startsAt: '2090-01-01T06:00',
      endsAt: '2090-01-01T09:30',
      channels: 'card',
    });
    const path = published.headers.get('location')!.replace(/\?.*/, '');
    expect((await ask(path)).text).toContain('value="2090-01-01T09:30"');
    const amended = await sendForm(rail, path, cookie, { _page: path, title: 'Works', _timeZone: 'Africa/Kampala' });
    expect(amended.headers.get('location')).toBe(`${path}?done=noticeAmended`);
    const [notice] = await rail.rows<object>(
      sql`select title, body, starts_at as "startsAt", ends_at as "endsAt", channels from service_notice`,
    );
    expect(notice).toMatchObject({ title: 'Works', body: 'Cards cannot be used.', endsAt: null, channels: [] });
    expect(notice).toMatchObject({ startsAt: new Date('2090-01-01T03:00:00Z') });
  });
});
