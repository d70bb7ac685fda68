import { beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../../src/app/schema.ts';
import { ROLES, type Role } from '../../../src/platform/access/needs.ts';
import { findPage } from '../../../src/site/addresses.ts';
import { readDocuments } from '../../../src/site/operations/documents.ts';
import { sizeOf } from '../../harness/chaos/size.ts';
import { createAssessedFor } from '../../harness/flow.ts';
import { closeShift, collectInShift, openShift, sendInShift } from '../../harness/people/counter.ts';
import { type StaffActor, makeStaffOf } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';
import { weighPage } from '../browsing.ts';
import { type Visitors, exampleOf, fillPages } from '../pages/every-page.ts';

const rail = testRail({ DEV_REVEAL: 'on' });
const { pages } = readDocuments(schema);
const STAFF_PAGES = pages.filter(({ who }) => who === 'STAFF');
/** Addresses opened for each page. Those of other records look the same. */
const MOST_OF_ONE = 4;
/** Roles that take payments, and so have a shift of their own. */
const AT_COUNTERS: readonly Role[] = ['clerk', 'supervisor', 'admin'];

/** Pages that follow a form, or have a link only where a record is in one state. */
const AFTER_A_FORM = [
  '/counter/shifts/{id}/closed',
  '/counter/shifts/{id}/basket/{citizen}',
  '/console/webhooks/secret',
  '/figures/views/{id}',
  '/oversight/why',
  '/work/account/second-factor',
  '/work/account/second-factor/confirm',
  '/work/assessments/{id}/replace',
];

/** A day at a counter: a payment, one that waits, one that nobody paid, and a shift that is over. */
async function work(clerk: StaffActor): Promise<void> {
  await closeShift(clerk, await openShift(clerk), { cash_counted: 0 });
  const shift = await openShift(clerk);
  await collectInShift(rail, clerk, shift);
  await sendInShift(rail, clerk, shift, 'mtn_momo');
  await createAssessedFor(rail, clerk, 'URA-TCC', { shift });
}

const open = ({ ask }: StaffActor, address: string) => ask(address, { headers: { accept: 'text/html' } });

/** Targets of a page's links and search forms on this site. */
const leadsOf = (html: string) =>
  [...html.matchAll(/<a [^>]*href="(\/[^"]*)"|<form method="get" action="(\/[^"]*)"/g)].map(
    ([, link, form]) => (link ?? form)!.replaceAll('&amp;', '&').split('#')[0]!,
  );

/** Opens what links lead to, from home on: the pages that were seen, and the links that lead to no answer. */
async function crawl(who: StaffActor): Promise<{ seen: Set<string>; broken: string[] }> {
  const opened = new Map<string, number>();
  const asked = new Set<string>();
  const broken: string[] = [];
  const isNew = (address: string): boolean => {
    const path = address.split('?')[0]!;
    const page = findPage(pages, address)?.page.path;
    const often = opened.get(page ?? '') ?? 0;
    if (page === undefined || asked.has(path) || often >= MOST_OF_ONE) return false;
    asked.add(path);
    opened.set(page, often + 1);
    return true;
  };
  const visit = async (address: string): Promise<string[]> => {
    const { status, text } = await open(who, address);
    // A search that found one record goes on to it.
    if (![200, 303].includes(status)) broken.push(`${status} ${address}`);
    return leadsOf(text);
  };
  // As many clicks from home at a time: pages wait more than they work.
  for (let found = ['/work']; found.length > 0;) found = (await Promise.all(found.filter(isNew).map(visit))).flat();
  return { seen: new Set(opened.keys()), broken };
}

describe('each kind of staff', () => {
  let visitors: Visitors;
  beforeAll(async () => {
    visitors = await fillPages(rail, { days: 2 });
  });

  it('waits for less than 60 KB on each page that they open for the first time, without what draws charts', async () => {
    const heavy: string[] = [];
    // The heaviest that there is, and some of the others.
    const few = pages.filter(({ path }, index) => path.endsWith('/basket/{citizen}') || index % 4 === 0);
    for (const { path, who } of sizeOf({ fast: few, long: pages })) {
      const { status, bytes, ofCharts } = await weighPage(rail, await exampleOf(rail, path), visitors[who]);
      expect([path, status]).toEqual([path, 200]);
      if (bytes - ofCharts >= 60_000) heavy.push(`${path}: ${bytes - ofCharts}`);
    }
    expect(heavy).toEqual([]);
  });

  const all = ROLES.flatMap((role) => ([[], ['URA']] as const).map((agencies) => [role, agencies] as const));
  const few = all.filter(([role, { length }]) => (length === 0 ? role !== 'admin' : role === 'supervisor'));

  it.each(sizeOf({ fast: few, long: all }))(
    '%s of %j finds by links each page that answers, and no link that does not',
    async (role, agencies) => {
      const who = await makeStaffOf(rail, agencies, role);
      if (AT_COUNTERS.includes(role)) await work(who);
      const { seen, broken } = await crawl(who);
      expect(broken).toEqual([]);
      const hidden: string[] = [];
      const unseen = STAFF_PAGES.filter(({ path: one }) => !seen.has(one) && !AFTER_A_FORM.includes(one));
      const opening = unseen.map(async ({ path }) => {
        if ((await open(who, await exampleOf(rail, path))).status === 200) hidden.push(path);
      });
      await Promise.all(opening);
      expect(hidden).toEqual([]);
    },
    180_000,
  );
});
