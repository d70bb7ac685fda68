import { randomUUID } from 'node:crypto';
import { listExampleNins } from '../../example-citizens.ts';
import { openAsAgency } from '../agency.ts';
import { type Caller, type Named, callAs, print, say } from '../caller.ts';
import { logInAs, makeNin } from '../cast.ts';
import { type DemoAccount, signUpAccount } from '../flow.ts';
import { reportFromBank } from '../steps.ts';

interface Assessed extends Named {
  readonly status: string;
  readonly total_amount: number;
  readonly currency: string;
}

const SCOPES = [
  'assessments.read',
  'assessments.write',
  'assessments.cancel',
  'assessments.import',
  'references.issue',
  'citizens.read',
];

/** What the law charges; of each, the demo makes a service of its own. */
const TARIFFS = {
  vat: {
    law: 'Value Added Tax Act, s. 31',
    due: { day_of_month: 15 },
    categories: { standard: { kind: 'stated', by: 'anyone', least: 0 } },
  },
  assessed: {
    law: 'Tax Procedures Code Act, s. 23',
    due: { days: 45 },
    categories: { standard: { kind: 'stated', by: 'agency' } },
  },
  birth: {
    law: 'Registration of Persons Act',
    categories: {
      standard: { kind: 'fixed', amount: 5_000 },
      foreigner: { kind: 'fixed', amount: 40, currency: 'USD' },
      refugee: { kind: 'fixed', amount: 0 },
    },
  },
  rates: {
    law: 'Local Governments (Rating) Act, s. 3',
    due: { days: 30 },
    categories: { standard: { kind: 'percent', percent: 6, base: 'rateable value', least: 2_000 } },
  },
};
type Services = Readonly<Record<keyof typeof TARIFFS, string>>;

/** Shows charges as the law has them: returns, the authority's own assessments, categories, rates, and bills of a file. */
export function walkCharges(base: string, mailFolder: string): Promise<void> {
  return signUpAccount(base, mailFolder, (account) => charge(base, account));
}

async function charge(base: string, { call: software }: DemoAccount): Promise<void> {
  const anybody = callAs(base);
  const operator = callAs(base, { cookie: (await logInAs(base, 'admin')).cookie });
  say('An operator sets what the law charges for four services');
  const services = {
    vat: await setTariff(operator, 'URA', 'VAT', 'Value added tax', 'vat'),
    assessed: await setTariff(operator, 'URA', 'ASSESSED', 'Income tax, as assessed', 'assessed'),
    birth: await setTariff(operator, 'NIRA', 'BIRTH', 'Birth certificate', 'birth'),
    rates: await setTariff(operator, 'KCCA', 'RATES', 'Property rates', 'rates'),
  };
  await anybody.get(`/v1/services/${services.rates}/tariff`);
  const authority = await openSystem(base, operator, 'URA');
  const city = await openSystem(base, operator, 'KCCA');
  const tin = String(Math.floor(1e9 + Math.random() * 9e9));
  const { name: company } = await authority.call.post<Named>('/v1/organisations', { tin, name: 'Kasubi Traders Ltd' });

  await returnVat(base, software, services, company);
  await assessByAuthority(authority.call, services, company);
  const clerk = callAs(base, { cookie: (await logInAs(base, 'clerk')).cookie });
  await certify(clerk, services);
  await payRates(city.call, services, company);
  await sendNotices(base, city.token, services);
}

async function setTariff(
  operator: Caller,
  mda: string,
  code: string,
  service_name: string,
  tariff: keyof typeof TARIFFS,
): Promise<string> {
  const asked = { mda, code: `${code}-${randomUUID().slice(0, 8).toUpperCase()}`, service_name };
  const { name } = await operator.post<Named>('/v1/ops/services', {
    ...asked,
    sector: 'tax',
    family: 'tax',
    tariff: TARIFFS[tariff],
  });
  return name;
}

async function openSystem(base: string, operator: Caller, mda: string): Promise<{ token: string; call: Caller }> {
  const { value: token } = await openAsAgency(callAs(base), operator, { mda, scopes: SCOPES, audience: base });
  return { token, call: callAs(base, { authorization: `Bearer ${token}` }) };
}

async function returnVat(base: string, software: Caller, { vat }: Services, company: string): Promise<void> {
  say("A company's software states the tax of a return, which is paid at a bank");
  const lines = [{ service: vat, stated_amount: 1_840_000, period: '2026-10' }];
  await callAs(base).post('/v1/assessments:quote', { lines });
  const { name } = await software.post<Assessed>('/v1/assessments', { citizen: company, lines, assess: true });
  const { number, amount } = await software.post<{ number: string; amount: number }>(
    `/v1/assessments/${name}:issue-reference`,
  );
  await reportFromBank(callAs(base), number, amount, 'UGX');
  await showStatus(software, name);
}

async function assessByAuthority(authority: Caller, { assessed }: Services, citizen: string): Promise<void> {
  say('The authority itself states what the company owes for last year, by when, and sends a notice');
  const lines = [{ service: assessed, stated_amount: 12_500_000, period: '2025' }];
  const { name } = await authority.post<Assessed>('/v1/assessments', { citizen, lines, assess: true });
  await authority.post(`/v1/assessments/${name}:issue-reference`);
  await authority.get(`/v1/assessments/${name}/notice`);
}

/** One certificate for a national, a foreigner and a refugee. */
async function certify(clerk: Caller, { birth: service }: Services): Promise<void> {
  say('A birth certificate: 5,000 UGX for nationals, 40 USD for foreigners, and free for refugees');
  const { citizen } = await clerk.post<{ citizen: Named }>('/v1/work/citizens', { nin: makeNin() });
  for (const category of ['standard', 'foreigner', 'refugee']) {
    const lines = [{ service, category }];
    const { name } = await clerk.post<Named>('/v1/assessments', { citizen: citizen.name, lines, assess: true });
    if (category === 'refugee') await clerk.post(`/v1/assessments/${name}:settle-zero`);
    await showStatus(clerk, name);
  }
}

async function payRates(city: Caller, { rates }: Services, citizen: string): Promise<void> {
  say('Property rates are 6 % of the rateable value, and at least 2,000; these are agreed to be paid in three parts');
  for (const base_amount of [20_000, 1_750_000]) {
    const lines = [{ service: rates, base_amount, period: '2026' }];
    const { name } = await city.post<Assessed>('/v1/assessments', { citizen, lines, assess: true });
    if (base_amount < 1e6) continue;
    const [first_due_on] = new Date(Date.now() + 30 * 86_400_000).toISOString().split('T');
    const instalments = { count: 3, first_due_on, every: 'month' };
    await city.post(`/v1/assessments/${name}:replace`, { reason: 'Agreed with the owner', instalments });
  }
}

async function showStatus(caller: Caller, assessment: string): Promise<void> {
  const { status, total_amount, currency } = await caller.get<Assessed>(`/v1/assessments/${assessment}`);
  process.stdout.write(`${assessment} is ${status}: ${total_amount} ${currency}\n`);
}

const ROWS = 1_000;

/** A file of so many bills, of which one names nobody, sent twice. */
async function sendNotices(base: string, token: string, { rates }: Services): Promise<void> {
  say(`The city sends ${ROWS} bills in a file, of which one names nobody, and then the same file again`);
  const numbers = listExampleNins();
  const batch = randomUUID().slice(0, 8);
  const rows = Array.from({ length: ROWS }, (_, index) => [
    `${batch}-${index + 1}`,
    index === 499 ? 'CM999999999999' : numbers[index % numbers.length],
    rates,
    50_000 + index,
  ]);
  const file = [['key', 'number', 'service', 'base_amount'], ...rows].map((row) => `${row.join(',')}\r\n`).join('');
  for (const again of [false, true]) {
    const response = await fetch(`${base}/v1/agency/KCCA/assessments:import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
      body: file,
    });
    const { data, error } = (await response.json()) as { data?: { outcome: string }[]; error?: object };
    if (!data) throw new Error(`The file was answered with ${response.status} ${JSON.stringify(error)}`);
    const counts = Object.entries(Object.groupBy(data, ({ outcome }) => outcome)).map(
      ([outcome, of]) => `${of!.length} ${outcome}`,
    );
    process.stdout.write(`${again ? 'Sent again' : 'Sent'}: ${counts.join(', ')}\n`);
    if (!again) print(data.find(({ outcome }) => outcome === 'refused'));
  }
}
