import { beforeAll, describe, expect, it } from 'vitest';
import { type StaffActor, makeStaff, makeStaffOf } from '../../harness/people/staff.ts';
import { type Answer, testRail } from '../../harness/rail.ts';

const rail = testRail();
let analyst: StaffActor;
let colleague: StaffActor;
const QUESTION = '/oversight/explore?by=agency&measures=net&fromDate=2026-01-01&toDate=2026-01-31';

beforeAll(async () => {
  analyst = await makeStaff(rail, 'oversight');
  colleague = await makeStaffOf(rail, ['URA'], 'finance_officer');
});

const run = (who: StaffActor, query: string) => who.post('/graphql', { query });
const save = async (more = '', address = QUESTION) =>
  run(analyst, `mutation { saveView(name: "January", address: "${address}"${more}) { id address days owner } }`);
const idOf = ({ data }: Answer) => (data as { saveView: { id: string } }).saveView.id;
const detailsOf = ({ json }: Answer) =>
  (json as { errors: { extensions: { code: string; details?: { path: string }[] } }[] }).errors[0]!.extensions;

describe('a saved view', () => {
  it('keeps the days that its address names, or lets them move with the calendar', async () => {
    expect((await save()).data).toMatchObject({ saveView: { address: QUESTION, days: 'fixed', owner: analyst.email } });
    expect((await save(', days: relative')).data).toMatchObject({
      saveView: { address: '/oversight/explore?by=agency&measures=net', days: 'relative' },
    });
    const refused = detailsOf(await save(', days: fixed', '/oversight'));
    expect(refused).toMatchObject({ code: 'validation_failed', details: [{ path: 'days' }] });
  });

  it.each([
    '/counter',
    '/oversightful',
    '/console/payments',
    '//elsewhere.example',
    '/oversight/../console/audit',
    '/oversight/%2e%2e/console?fromDate=2026-01-01',
    '/agency/..\\\\console/staff',
    '/agency/./\t./console/staff',
  ])('is of a page of figures, and not of %s', async (address) => {
    expect(detailsOf(await save('', address))).toMatchObject({ details: [{ path: 'address' }] });
  });

  it('is of its owner: nobody else sees or changes it, and who gets it sees it alone', async () => {
    const id = idOf(await save());
    const mutations = [
      `renameView(id: "${id}", name: "Mine") { id }`,
      `mailView(id: "${id}", recipients: ["${colleague.email}"]) { id }`,
      `deleteView(id: "${id}")`,
    ];
    for (const mutation of [...mutations, `stopViewMail(id: "${id}")`])
      expect(detailsOf(await run(colleague, `mutation { ${mutation} }`))).toMatchObject({ code: 'not_found' });
    const seen = () => run(colleague, `{ savedView(id: "${id}") { name recipients } }`);
    expect((await seen()).data).toEqual({ savedView: null });

    await run(analyst, `mutation { mailView(id: "${id}", recipients: ["${colleague.email.toUpperCase()}"]) { id } }`);
    expect((await seen()).data).toEqual({ savedView: { name: 'January', recipients: [colleague.email] } });
    for (const mutation of mutations)
      expect(detailsOf(await run(colleague, `mutation { ${mutation} }`))).toMatchObject({ code: 'not_found' });
    expect((await seen()).data).toEqual({ savedView: { name: 'January', recipients: [colleague.email] } });
    await run(colleague, `mutation { stopViewMail(id: "${id}") }`);
    expect((await seen()).data).toEqual({ savedView: null });
  });

  it('is sent to active staff alone', async () => {
    const id = idOf(await save());
    const mail = (recipients: readonly string[]) =>
      run(analyst, `mutation { mailView(id: "${id}", recipients: ${JSON.stringify(recipients)}) { id } }`);
    const refused = detailsOf(await mail([analyst.email, 'nobody@agency.example']));
    expect(refused.details).toEqual([{ path: 'recipients', message: 'no active staff has nobody@agency.example' }]);
    const { data } = await run(analyst, `{ savedView(id: "${id}") { every recipients } }`);
    expect(data).toEqual({ savedView: { every: null, recipients: [] } });
  });

  it('is one of 50 at most', async () => {
    const owner = await makeStaff(rail, 'oversight');
    const many = Array.from(
      { length: 50 },
      (_one, index) => `v${index}: saveView(name: "${index}", address: "/oversight") { id }`,
    );
    for (let from = 0; from < 50; from += 10) await run(owner, `mutation { ${many.slice(from, from + 10).join(' ')} }`);
    const { data } = await run(owner, '{ savedViews { id } }');
    expect((data as { savedViews: unknown[] }).savedViews).toHaveLength(50);
    const refused = await run(owner, 'mutation { saveView(name: "One more", address: "/oversight") { id } }');
    expect(detailsOf(refused)).toMatchObject({ details: [{ path: 'name' }] });
  });
});
