import { type Named, callAs } from './caller.ts';
import { logInAs, makeNin } from './cast.ts';
import { assess, collect } from './steps.ts';

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
const PAYER = '+256700123456';

/** A day at a counter: from the float, over 30 collections and a cancellation, to the count and its review. */
export async function walkCounterDay(base: string): Promise<void> {
  const clerk = await logInAs(base, 'clerk');
  const supervisor = await logInAs(base, 'supervisor');
  const { cookie } = clerk;
  const atCounter = callAs(base, { cookie });
  await atCounter.get('/v1/work/whoami');
  const { name: shift } = await atCounter.post<Shift>('/v1/counter-shifts', {
    mda: 'URA',
    counter_label: 'Window 1',
    opening_float: FLOAT,
  });
  const { citizen } = await atCounter.post<{ citizen: Named }>('/v1/work/citizens', { nin: makeNin() });

  process.stdout.write(`${COLLECTIONS} collections, two in cash for one by mobile money\n`);
  const quietly = callAs(base, { cookie }, 'nothing');
  const assessments: string[] = [];
  for (let i = 0; i < COLLECTIONS; i++) {
    const assessment = await assess(quietly, citizen.name, ['URA-TCC'], shift);
    await (i % 3 === 2 ? collect(quietly, assessment, 'mtn_momo', PAYER) : collect(quietly, assessment, 'cash'));
    assessments.push(assessment);
    process.stdout.write('.');
  }
  process.stdout.write('\n\n');

  const atDesk = callAs(base, { cookie: supervisor.cookie });
  await atDesk.post(`/v1/assessments/${assessments[0]}:cancel`, { reason: 'Taken for the wrong person' });
  const refreshed = await atCounter.post<Shift>(`/v1/counter-shifts/${shift}:refresh`);
  const cash_counted = refreshed.expected_cash - SHORT;
  await atCounter.post(`/v1/counter-shifts/${shift}:close`, {
    cash_counted,
    variance_reason: 'Wrong change given',
    closing_notes: 'Quiet afternoon',
  });
  await atDesk.get(`/v1/work/shifts?variance_status=Pending&clerk=${encodeURIComponent(clerk.email)}`);
  const sheet = await atDesk.post<Shift>(`/v1/work/shifts/${shift}:approve`, { note: 'Within what happens' });
  process.stdout.write(formatClosingSheet(sheet));
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
