import { describe, expect, it } from 'vitest';
import { sizeOf } from '../../harness/chaos/size.ts';
import { ROLES } from '../../../src/platform/access/needs.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { createConfirmed, makeActor } from '../../harness/flow.ts';
import { openShift } from '../../harness/people/counter.ts';
import { makeStaffOf } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();

/** Targets of the links in a part of a page. */
const linksIn = (html: string, part: RegExp) =>
  [...html.matchAll(part)].flatMap(([block]) => [...block.matchAll(/href="([^"#]+)"/g)].map(([, path]) => path!));
const HEADER = /<header[^]*?<\/header>/g;
const CARDS = /<ul class="cards">[^]*?<\/ul>/g;
const SECTIONS = /<nav class="sections"[^]*?<\/nav>/g;

const WALLS = [[], ['URA']] as const;
/** The first pages of the areas of each, with all agencies and bound to one. */
const AREAS: Readonly<Record<(typeof ROLES)[number], readonly [readonly string[], readonly string[]]>> = {
  clerk: [
    ['/counter', '/console/payments'],
    ['/counter', '/console/payments'],
  ],
  supervisor: [
    ['/counter', '/supervision', '/agency', '/console/payments'],
    ['/counter', '/supervision', '/agency', '/console/payments'],
  ],
  admin: [
    ['/counter', '/supervision', '/agency', '/console', '/oversight'],
    ['/counter', '/supervision', '/agency', '/console/payments', '/console/propagations', '/console/reconciliation'],
  ],
  system_manager: [
    ['/agency/days', '/console'],
    ['/agency/days', '/console/payments', '/console/propagations', '/console/reconciliation'],
  ],
  oversight: [
    ['/agency', '/console', '/oversight'],
    ['/agency', '/console/propagations', '/console/reconciliation'],
  ],
  finance_officer: [
    ['/agency', '/console/payments', '/console/propagations', '/console/reconciliation'],
    ['/agency', '/console/payments', '/console/propagations', '/console/reconciliation'],
  ],
  auditor: [['/agency/days', '/console/audit', '/oversight'], ['/agency/days']],
};

describe('the areas of staff', () => {
  // Each role within one of the walls, and within both in the long run.
  const all = ROLES.flatMap((role) => WALLS.map((agencies, bound) => [role, agencies, AREAS[role][bound]!] as const));
  it.each(sizeOf({ fast: all.filter((_, index) => index % 4 === 0 || index % 4 === 3), long: all }))(
    '%s of %j: each link from home on leads to a page that answers',
    async (role, agencies, areas) => {
      const { ask } = await makeStaffOf(rail, agencies, role);
      const open = async (path: string) => {
        const { status, text } = await ask(path, { headers: { accept: 'text/html' } });
        expect([path, status]).toEqual([path, 200]);
        return text;
      };
      const home = await open('/work');
      expect(linksIn(home, CARDS)).toEqual(areas);
      expect(home.includes('Your roles have no pages yet')).toBe(areas.length === 0);
      const seen = new Set<string>();
      for (const path of new Set(linksIn(home, HEADER)))
        for (const section of linksIn(await open(path), SECTIONS)) seen.add(section);
      for (const path of seen) await open(path);
    },
  );

  it('auditors: read what banks booked, and not the figures of an agency', async () => {
    const { ask } = await makeStaffOf(rail, [], 'auditor');
    const statusOf = async (path: string) => (await ask(path, { headers: { accept: 'text/html' } })).status;
    expect([await statusOf('/agency/bank'), await statusOf('/agency')]).toEqual([200, 403]);
  });

  it.each(['clerk', 'supervisor', 'finance_officer', 'admin'] as const)(
    '%s: opens a payment and its assessment from the list',
    async (role) => {
      const { assessment, intent } = await createConfirmed(rail, await makeActor(rail));
      const { ask } = await makeStaffOf(rail, [], role);
      const headers = { accept: 'text/html' };
      expect((await ask('/console/payments', { headers })).text).toContain(`/console/payments/${intent}`);
      for (const path of [`/console/payments/${intent}`, `/console/assessments/${assessment}`])
        expect([path, (await ask(path, { headers })).status]).toEqual([path, 200]);
    },
  );

  it('say what a payment was confirmed by with its receipt, to those who may see it whole', async () => {
    const { intent } = await createConfirmed(rail, await makeActor(rail));
    for (const [agencies, isWhole] of [
      [['URA', 'URSB'], true],
      [['URA'], false],
    ] as const) {
      const { ask } = await makeStaffOf(rail, agencies, 'clerk');
      const { status, text } = await ask(`/counter/slips/${intent}`, { headers: { accept: 'text/html' } });
      expect([status, text.includes('RCP-'), text.includes('Confirmed by: Simulation')]).toEqual([200, true, isWhole]);
    }
  });

  it('say in the language of the reader what happened to a payment, or mark what is in English', async () => {
    const { intent } = await createConfirmed(rail, await makeActor(rail));
    // As a later version writes it, whose words are not known here.
    await rail.rows(sql`
      insert into trace_row (assessment, intent, at, kind, actor, summary, doc, detail)
      select assessment, intent, at, kind, actor, '["Sent on to Confirmed"]', doc, detail from trace_row
      where intent = ${intent} and summary ->> 2 = 'Confirmed'`);
    const { ask } = await makeStaffOf(rail, [], 'admin');
    const headers = { accept: 'text/html', 'accept-language': 'fr' };
    const { text } = await ask(`/console/payments/${intent}`, { headers });
    expect(text).toContain('<bdi>En attente → Payé</bdi>');
    expect(text).toContain('<bdi lang="en">Sent on to Confirmed</bdi>');
    expect(text).toContain('<bdi>Paiement de 450\u202f000 UGX inscrit pour URA</bdi>');
  });

  it.each([
    ['clerk', [], '/oversight', 'Admin, Oversight, or Auditor'],
    ['clerk', [], '/console', 'Admin, System manager, or Oversight'],
    ['system_manager', [], '/supervision', 'Supervisor'],
    ['oversight', ['URA'], '/oversight', 'for staff of all agencies'],
  ] as const)('%s of %j at %s: is told who may open it', async (role, agencies, path, said) => {
    const { ask } = await makeStaffOf(rail, agencies, role);
    const { status, text } = await ask(path, { headers: { accept: 'text/html' } });
    expect(status).toBe(403);
    expect(text).toContain(said);
    expect(text).toContain('ask an administrator');
    expect(text.split('<main')[1]).not.toMatch(/scope|system_manager/);
  });

  it('says that there is no page where an address names something that is not there, whichever part of it', async () => {
    const clerk = await makeStaffOf(rail, [], 'clerk');
    const shift = await openShift(clerk);
    const headers = { accept: 'text/html' };
    const [known, unknown] = [`/counter/shifts/${shift}`, '/counter/shifts/SHF-2020-01-00001'];
    expect((await clerk.ask(`${known}/people?q=na`, { headers })).status).toBe(200);
    for (const path of [`${unknown}/people?q=na`, `${known}/basket/CIT-2020-00001`, `${unknown}/basket/CIT-2020-00001`])
      expect([path, (await clerk.ask(path, { headers })).status]).toEqual([path, 404]);
  });
});
