import { randomUUID } from 'node:crypto';
import { type Calling, type Named, ask, printCalls, runAdmin } from './calling.ts';

interface Shift extends Named {
  readonly mda: string;
  readonly clerk: string;
  readonly counter_label: string;
  readonly currency: string;
  readonly opened_at: string;
  readonly closed_at: string;
  readonly opening_float: number;
  readonly cash_collected: number;
  readonly non_cash_collected: number;
  readonly collection_count: number;
  readonly expected_cash: number;
  readonly cash_counted: number;
  readonly variance: number;
  readonly variance_reason: string;
  readonly variance_status: string;
  readonly variance_decided_by: string;
  readonly variance_note: string;
}

const COLLECTIONS = 30;
const FLOAT = 100_000;
const SHORT = 2_000;

/** A day at a counter: from the float, over 30 collections and a cancellation, to the count and its review. */
export async function walkCounterDay(base: string): Promise<void> {
  const clerk = await logInAs(base, 'clerk');
  const supervisor = await logInAs(base, 'supervisor');
  const callAs = (cookie: string) => printCalls(base, { cookie });
  const atCounter = callAs(clerk.cookie);
  await atCounter('GET', '/v1/work/whoami');
  const { name: shift } = await atCounter<Shift>('POST', '/v1/counter-shifts', {
    mda: 'URA',
    counter_label: 'Window 1',
    opening_float: FLOAT,
  });
  const nin = `CF${randomUUID().replace(/\W/g, '').slice(0, 11).toUpperCase()}A`;
  const { citizen } = await atCounter<{ citizen: Named }>('POST', '/v1/work/citizens', { nin });
  const [service] = await atCounter<Named[]>('GET', '/v1/services?code=URA-TCC');

  process.stdout.write(`${COLLECTIONS} collections, two in cash for one by mobile money\n`);
  const callQuietly: Calling = async <Data>(method: 'GET' | 'POST', path: string, body?: object): Promise<Data> =>
    (await ask(base, { cookie: clerk.cookie }, method, path, body)).data as Data;
  const assessments: string[] = [];
  for (let i = 0; i < COLLECTIONS; i++) {
    assessments.push(
      await collect(
        callQuietly,
        { citizen: citizen.name, service: service!.name, shift },
        i % 3 === 2 ? 'mtn_momo' : 'cash',
      ),
    );
    process.stdout.write('.');
  }
  process.stdout.write('\n\n');

  const atDesk = callAs(supervisor.cookie);
  await atDesk('POST', `/v1/assessments/${assessments[0]}:cancel`, { reason: 'Taken for the wrong person' });
  const refreshed = await atCounter<Shift>('POST', `/v1/counter-shifts/${shift}:refresh`);
  const cash_counted = refreshed.expected_cash - SHORT;
  await atCounter('POST', `/v1/counter-shifts/${shift}:close`, {
    cash_counted,
    variance_reason: 'Wrong change given',
    closing_notes: 'Quiet afternoon',
  });
  await atDesk('GET', `/v1/work/shifts?variance_status=Pending&clerk=${encodeURIComponent(clerk.email)}`);
  const sheet = await atDesk<Shift>('POST', `/v1/work/shifts/${shift}:approve`, { note: 'Within what happens' });
  process.stdout.write(formatClosingSheet(sheet));
}

/** Makes a member of staff of a role, and logs in as them. */
async function logInAs(base: string, role: string): Promise<{ email: string; cookie: string }> {
  const email = `${role}-${randomUUID().slice(0, 8)}@agency.example`;
  const { password } = await runAdmin<{ password: string }>(
    'staff:add',
    '--email',
    email,
    '--name',
    `Demo ${role}`,
    '--role',
    role,
  );
  process.stdout.write(`POST /v1/work/login {"email":"${email}", …}\n\n`);
  const { cookie } = await ask(base, {}, 'POST', '/v1/work/login', { email, password });
  return { email, cookie: cookie! };
}

/** Takes one assessment from nothing to Paid. */
async function collect(
  call: Calling,
  who: { citizen: string; service: string; shift: string },
  channel: 'cash' | 'mtn_momo',
): Promise<string> {
  const { citizen, service, shift } = who;
  const { name: assessment } = await call<Named>('POST', '/v1/assessments', { citizen, lines: [{ service }], shift });
  await call('POST', `/v1/assessments/${assessment}:assess`);
  const { name: intent } = await call<Named>('POST', '/v1/payment-intents', { assessment, channel });
  await call(
    'POST',
    `/v1/payment-intents/${intent}:initiate`,
    channel === 'cash' ? {} : { payer_msisdn: '+256700123456' },
  );
  await call('POST', `/v1/payment-intents/${intent}:confirm`);
  return assessment;
}

function formatClosingSheet(shift: Shift): string {
  const amount = (value: number) => `${value.toLocaleString('en')} ${shift.currency}`.padStart(18);
  return `CLOSING SHEET  ${shift.name}
${shift.mda}, ${shift.counter_label}, ${shift.clerk}
${shift.opened_at} to ${shift.closed_at}

  Opening float        ${amount(shift.opening_float)}
  Cash collected       ${amount(shift.cash_collected)}
  Expected cash        ${amount(shift.expected_cash)}
  Cash counted         ${amount(shift.cash_counted)}
  Variance             ${amount(shift.variance)}
  Other collections    ${amount(shift.non_cash_collected)}
  Collections          ${String(shift.collection_count).padStart(14)}

  Reason    ${shift.variance_reason}
  Review    ${shift.variance_status} by ${shift.variance_decided_by}: ${shift.variance_note}
`;
}
