import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { type Actor, createAssessed, makeActor, serviceNamed, someCitizen, twoLines } from '../../harness/flow.ts';
import { makeAgency } from '../../harness/people/agency.ts';
import { openShift } from '../../harness/people/counter.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();

let integrator: Actor;
let agency: { ask: (path: string, body?: object) => ReturnType<typeof rail.ask> };
let citizen: string;
let own: { service: string };

beforeAll(async () => {
  integrator = await makeActor(rail);
  const client = await makeAgency(rail, 'URA', ['assessments.write', 'assessments.cancel', 'webhooks.manage']);
  const key = await client.token();
  agency = { ask: (path, body) => rail.ask(path, { key, ...(body && { body }) }) };
  citizen = await someCitizen(rail);
  own = { service: await serviceNamed(rail, 'URA-PAYE') };
});

describe('an agency with a token for assessments', () => {
  it('200: makes one of its own services, for no account, and its endpoints get its messages', async () => {
    const endpoint = { url: 'https://ura.example/rail', label: 'Billing' };
    expect((await agency.ask('/v1/agency/URA/webhook-endpoints', endpoint)).status).toBe(200);
    const made = await agency.ask('/v1/assessments', { citizen, lines: [own] });
    expect([made.status, made.data.status]).toEqual([200, 'Draft']);
    const { name } = made.data;
    expect((await agency.ask(`/v1/assessments/${name}:assess`, {})).data.status).toBe('Assessed');
    expect((await integrator.ask(`/v1/assessments/${name}`)).status).toBe(404);
    expect((await agency.ask(`/v1/assessments/${name}:cancel`, { reason: 'Objection' })).data.status).toBe('Cancelled');
    expect(
      await rail.rows(sql`
        select o.type, o.agency, o.integrator, a.source_mda from outbox o join assessment a on a.name = o.object
        where o.object = ${name} order by o.sequence`),
    ).toEqual([{ type: 'assessment.cancelled', agency: 'URA', integrator: null, source_mda: 'URA' }]);
  });

  it('200: states the day by which it is to be paid, which others may not', async () => {
    const stated = { citizen, lines: [own], due_on: '2027-02-28' };
    const { name, due_on } = (await agency.ask('/v1/assessments', stated)).data;
    expect(due_on).toBe('2027-02-28');
    expect((await agency.ask(`/v1/assessments/${name}:assess`, {})).data.due_on).toBe('2027-02-28');
    expect((await agency.ask('/v1/assessments', { ...stated, assess: true })).data.due_on).toBe('2027-02-28');
    for (const [actor, day] of [
      [integrator, '2027-02-28'],
      [integrator, '2027-02-30'],
    ] as const) {
      const refused = await actor.post('/v1/assessments', { ...stated, due_on: day });
      expect([refused.status, refused.json.error.details[0].path]).toEqual([422, 'due_on']);
    }
  });

  it('403: makes, assesses and cancels nothing of which other agencies have lines', async () => {
    expect((await agency.ask('/v1/assessments', { citizen, lines: await twoLines(rail) })).status).toBe(403);
    const shared = await integrator.post('/v1/assessments', { citizen, lines: await twoLines(rail) });
    expect((await agency.ask(`/v1/assessments/${shared.data.name}:assess`, {})).status).toBe(403);
    const assessed = await createAssessed(rail, integrator);
    expect((await agency.ask(`/v1/assessments/${assessed}:cancel`, { reason: 'No' })).status).toBe(403);
  });

  it('404: for an assessment that is of other agencies alone', async () => {
    const lines = [{ service: await serviceNamed(rail, 'URSB-COMPANY') }];
    const { data } = await integrator.post('/v1/assessments', { citizen, lines });
    for (const action of ['assess', 'cancel'])
      expect((await agency.ask(`/v1/assessments/${data.name}:${action}`, {})).status).toBe(404);
  });

  it('403: without the scopes, which no other implies', async () => {
    const reader = await (await makeAgency(rail, 'URA', ['assessments.read'])).token();
    const asked = (path: string, body: object) => rail.ask(path, { key: reader, body });
    expect((await asked('/v1/assessments', { citizen, lines: [own] })).status).toBe(403);
    expect((await agency.ask(`/v1/citizens/${citizen}`)).status).toBe(403);
  });

  it('403: opens no shift, and closes none of its clerks', async () => {
    expect((await agency.ask('/v1/counter-shifts', { mda: 'URA', opening_float: 0 })).status).toBe(403);
    const shift = await openShift(await makeStaff(rail, 'clerk'), { mda: 'URA' });
    for (const action of ['refresh', 'close'])
      expect((await agency.ask(`/v1/counter-shifts/${shift}:${action}`, { cash_counted: 0 })).status).toBe(403);
  });
});
