import { beforeAll, describe, expect, it } from 'vitest';
import { type StaffActor, makeStaff, makeStaffOf } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';
import { sendForm } from '../forms/sending.ts';

const rail = testRail();
let admin: StaffActor;

beforeAll(async () => {
  admin = await makeStaff(rail, 'admin');
});

let number = 0;
/** Publishes a notice under a title of its own. */
async function publish(body: object) {
  const title = `Notice number ${++number}.`;
  const { status, data } = await admin.post('/v1/ops/notices', { title, body: 'Today.', severity: 'warning', ...body });
  expect(status).toBe(200);
  return { title, name: data.name as string };
}

async function open(address: string, cookie: string): Promise<string> {
  return (await fetch(rail.origin + address, { headers: { cookie, accept: 'text/html' } })).text();
}

describe('a service notice on pages', () => {
  it('is on those of its rooms alone, and on the public status only where it is for everybody', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    const { title } = await publish({ rooms: ['counter', 'oversight'] });
    const everywhere = await publish({});
    expect(await open('/counter', clerk.cookie)).toContain(title);
    for (const [address, cookie] of [
      ['/console', admin.cookie],
      ['/status', clerk.cookie],
      ['/', ''],
    ] as const) {
      const page = await open(address, cookie);
      expect([page.includes(title), page.includes(everywhere.title)], address).toEqual([false, true]);
    }
  });

  it('is not shown to staff of other agencies than it names', async () => {
    const { title } = await publish({ agencies: ['URA'] });
    for (const [agencies, isShown] of [
      [['URA', 'KCCA'], true],
      [['URSB'], false],
      [[], true],
    ] as const) {
      const clerk = await makeStaffOf(rail, agencies, 'clerk');
      expect((await open('/counter', clerk.cookie)).includes(title), agencies.join()).toBe(isShown);
    }
  });

  it('is dismissed where it is for information, until it changes', async () => {
    const info = await publish({ severity: 'info' });
    const warning = await publish({});
    const page = await open('/console', admin.cookie);
    const dismissable = [...page.matchAll(/name="notice" value="([^"]+)"/g)].map(([, version]) => version!);
    expect(dismissable.map((version) => version.split('.')[0])).toEqual([info.name]);
    const form = { notice: dismissable[0]!, back: '/console/notices' };
    const answer = await sendForm(rail, '/notices/dismiss', admin.cookie, form);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/console/notices']);
    const kept = answer.headers.get('set-cookie')!.split(';')[0]!;
    const banner = async () => /<aside[\s\S]*?<\/aside>/.exec(await open('/console', `${admin.cookie}; ${kept}`))![0];
    const after = await banner();
    expect([after.includes(info.title), after.includes(warning.title)]).toEqual([false, true]);
    await admin.ask(`/v1/ops/notices/${info.name}`, { method: 'PATCH', body: { body: 'Tomorrow.' } });
    expect(await banner()).toContain(info.title);
  });

  it('keeps nothing of what is no notice', async () => {
    for (const notice of ['x', 'NOTICE-2026-001.1 NOTICE-2026-002.1', ''])
      expect(
        (await sendForm(rail, '/notices/dismiss', admin.cookie, { notice, back: '/' })).headers.get('set-cookie'),
      ).toBeNull();
  });

  it('says on its page whom it is for', async () => {
    const send = { title: 'Of the form', body: 'Today.', severity: 'info', rooms: 'dashboard' };
    const answer = await sendForm(rail, '/console/notices/new', admin.cookie, send);
    expect(answer.status).toBe(303);
    const page = await open(answer.headers.get('location')!, admin.cookie);
    expect(page).toMatch(/<dt>Parts of the site<\/dt>\s*<dd><bdi>Integrators’ dashboard<\/bdi><\/dd>/);
  });
});
