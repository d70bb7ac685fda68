import { beforeAll, describe, expect, it } from 'vitest';
import { readShippedProfiles } from '../../../src/collection/catalogue/loading/profile.ts';
import { createConfirmed, makeActor, serviceNamed, someCitizen } from '../../harness/flow.ts';
import { openShift } from '../../harness/people/counter.ts';
import { type StaffActor, makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();

/** The names of one service in all languages. */
const PAYE = readShippedProfiles()
  .flatMap(({ agencies }) => agencies.flatMap(({ services }) => services))
  .filter(({ code }) => code === 'URA-PAYE')
  .flatMap(({ name, names }) => [name, ...Object.values(names)])
  .filter((name) => name !== undefined);

let staff: StaffActor;
let service: string;
let paid: { assessment: string; intent: string };
let basket: string;

beforeAll(async () => {
  staff = await makeStaff(rail, 'admin', 'clerk', 'oversight');
  service = await serviceNamed(rail, 'URA-PAYE');
  paid = await createConfirmed(rail, await makeActor(rail));
  basket = `/counter/shifts/${await openShift(staff)}/basket/${await someCitizen(rail)}`;
});

async function read(address: string, language: string): Promise<string> {
  const headers = { cookie: `${staff.cookie}; language=${language}`, accept: 'text/html' };
  const page = await fetch(rail.origin + address, { headers });
  expect(page.status, address).toBe(200);
  return (await page.text()).replaceAll('&#39;', "'");
}

describe('the catalogue', () => {
  it.each([
    ['en', 'Uganda Revenue Authority', 'Pay As You Earn return payment', 'tax'],
    ['fr', 'Office des recettes de l’Ouganda', 'Impôt retenu à la source sur les salaires', 'fiscalité'],
    ['sw', 'Mamlaka ya Mapato ya Uganda', 'Malipo ya kodi ya mshahara (PAYE)', 'kodi'],
    ['lg', 'Ekitongole ky’Emisolo mu Uganda', 'Omusolo gw’omusaala (PAYE)', 'emisolo'],
  ])('has its names on pages in %s', async (language, agency, name, sector) => {
    const pages: Record<string, readonly string[]> = {
      '/console/services?agency=URA': [agency, name],
      [`/console/services/${service}`]: [agency, name, `<bdi>${sector}</bdi>`],
      '/console/agencies': [agency],
      [basket]: [name],
      [`/console/assessments/${paid.assessment}`]: [name],
      [`/counter/slips/${paid.intent}`]: [agency, name],
      '/oversight?by=service': [agency, name],
      '/oversight?by=sector': [`>${sector}<`],
      '/oversight?sector=tax': [sector],
      '/oversight/explore?by=agency&by=sector&by=service&measures=net': [agency, name, `>${sector}<`],
    };
    for (const [address, words] of Object.entries(pages)) {
      const html = await read(address, language);
      for (const word of words) expect(html, `${address} in ${language}`).toContain(word);
    }
  });

  it('is searched at the counter in any language', async () => {
    for (const language of ['en', 'fr']) {
      const row = /data-words="([^"]*)">\s*<th[^>]*>([^<]*)<span class="quiet">URA-PAYE</.exec(
        await read(basket, language),
      )!;
      const words = row.slice(1).join(' ').toLowerCase();
      // People type the whole of a name, small words too.
      for (const word of PAYE.flatMap((name) => name.toLowerCase().split(/[ ,()]+/))) expect(words).toContain(word);
    }
    expect(await read('/console/services?q=mshahara', 'en')).toContain('Pay As You Earn return payment');
    expect(await read('/work/find?q=Office%20des%20recettes', 'en')).toContain('Uganda Revenue Authority');
  });

  it('is edited in English, and its files are in English', async () => {
    expect(await read(`/console/services/${service}/edit`, 'fr')).toContain('value="Pay As You Earn return payment"');
    expect(await read('/console/agencies/URA/edit', 'fr')).toContain('value="Uganda Revenue Authority"');
    expect(await read('/console/services.csv?agency=URA', 'fr')).toContain('Pay As You Earn return payment');
  });
});
