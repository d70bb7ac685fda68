import { afterAll, describe, expect, it } from 'vitest';
import { openAgencies } from '../../src/adapters/agencies/agencies.ts';
import type { AgencyOptions, PaymentNotice, RegisteredEndpoint } from '../../src/adapters/agencies/port.ts';
import { createApplication, serveApplication, createTrouble } from '../../src/sandbox/simulators/web.ts';

const REGISTRY: readonly RegisteredEndpoint[] = [
  { id: 'permits-apply', method: 'POST', path: '/v1/permits/apply', agencyKind: 'city authority', authMode: 'API Key' },
  { id: 'tax-payment', method: 'POST', path: '/v2/tax/payment', agencyKind: 'tax authority', authMode: 'API Key' },
];

/** A system of some agency, which writes down where it was told of what. */
async function agency() {
  const notices: string[] = [];
  const trouble = createTrouble();
  const app = createApplication(trouble);
  app.post('/{*path}', (req, res) => {
    notices.push(`${req.path} ${(req.body as { mda?: string }).mda} ${String(req.headers['x-api-key'])}`);
    res.status(201).json({ receipt_number: 'R-1' });
  });
  return { ...(await serveApplication(app)), notices, trouble };
}

const [cities, nairobi, kenyan] = await Promise.all([agency(), agency(), agency()]);
const options = ({ url }: { url: string }, more: Partial<AgencyOptions>): AgencyOptions => ({
  url,
  country: 'UG',
  timeoutMs: 1_000,
  concurrency: 5,
  breakerFailures: 2,
  breakerRestMs: 60_000,
  ...more,
});
const agencies = await openAgencies({
  mode: 'live',
  registry: REGISTRY,
  connected: {
    'city authority': options(cities, { apiKey: 'all', noticePath: '/notices' }),
    'KE-NCC': options(nairobi, { country: 'KE', apiKey: 'nairobi', noticePath: '/payments' }),
    'KE-KRA': options(kenyan, { country: 'KE', apiKey: 'kra' }),
  },
});

afterAll(async () => {
  await Promise.all([agencies, cities, nairobi, kenyan].map((one) => one.close()));
});

const notice = (mda: string): PaymentNotice => ({
  assessment: 'ASMT-1',
  mda,
  currency: 'KES',
  amount: 1,
  paid_at: null,
  lines: [],
});

describe('an agency with a connection of its own', () => {
  it('is told over it, and others of its kind over that of the kind, in its country alone', async () => {
    await agencies.notify('city authority', 'KE', notice('KE-NCC'));
    await agencies.notify('city authority', 'UG', notice('KCCA'));
    expect(nairobi.notices).toEqual(['/payments KE-NCC nairobi']);
    expect(cities.notices).toEqual(['/notices KCCA all']);
    await expect(agencies.notify('city authority', 'KE', notice('KE-MSA'))).rejects.toMatchObject({
      kind: 'unavailable',
    });
  });

  it('is told where its kind is told, unless it says where', async () => {
    await agencies.notify('tax authority', 'KE', notice('KE-KRA'));
    expect(kenyan.notices).toEqual(['/v2/tax/payment KE-KRA kra']);
  });

  it('counts for its country, and is unavailable by itself', async () => {
    expect(agencies.statusOf('tax authority', { country: 'KE', agencies: ['KE-KRA'] })).toBe('connected');
    expect(agencies.statusOf('tax authority', { country: 'UG', agencies: ['URA'] })).toBe('unconnected');
    kenyan.trouble.down = 'refusing';
    for (let i = 0; i < 2; i++)
      await expect(agencies.notify('tax authority', 'KE', notice('KE-KRA'))).rejects.toThrow('KE-KRA');
    expect(agencies.statusOf('tax authority', { country: 'KE', agencies: ['KE-KRA'] })).toBe('unavailable');
    expect([agencies.available('KE-KRA'), agencies.available('KE-NCC')]).toEqual([false, true]);
  });

  it('may know of what it refuses, if a try before that was not answered', async () => {
    let tries = 0;
    const app = createApplication(createTrouble());
    app.post('/{*path}', (_req, res) => void (tries++ === 0 ? res.destroy() : res.status(422).json({})));
    const cut = await serveApplication(app);
    const connected = { 'KE-NCC': options(cut, { country: 'KE', apiKey: 'key', noticePath: '/payments' }) };
    const opened = await openAgencies({ mode: 'live', registry: [], connected });
    const tell = () => opened.notify('city authority', 'KE', notice('KE-NCC'));
    await expect(tell()).rejects.toMatchObject({ kind: 'failed', mayHaveDone: true });
    expect(tries).toBe(2);
    await expect(tell()).rejects.toMatchObject({ kind: 'refused', mayHaveDone: false });
    await opened.close();
    await cut.close();
  });
});
