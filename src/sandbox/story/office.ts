import { publishNotice } from '../../accounts/notices/publish.ts';
import { approveLiveRequest, refuseLiveRequest } from '../../accounts/integrators/going-live/decide.ts';
import { requestLive } from '../../accounts/integrators/going-live/request.ts';
import { probeAgencyEndpoint } from '../../collection/agencies/probes/probe.ts';
import { formatOf } from '../../collection/reconciliation/format.ts';
import { reconcileStatement } from '../../collection/reconciliation/run.ts';
import { loadTargets, readTargets } from '../../oversight/targets/load.ts';
import type { Rail } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { AdapterFailure } from '../../adapters/failure.ts';
import { DAY_MS, dayOf, formatDay } from '../../kernel/time.ts';
import { AGENCIES, type Cast } from './cast.ts';
import { callAt, hourOf, later } from './stage.ts';

/** Target of each agency in this fiscal year, in millions of shillings. */
const TARGETS: Readonly<Record<(typeof AGENCIES)[number], number>> = { URA: 1_800, URSB: 240, KCCA: 450 };
/** Part of that in the year before. */
const BEFORE = 0.5;
const FISCAL_YEAR_MONTH = 6;

export async function setTargets(rail: Rail, { operator }: Cast, at: Date): Promise<void> {
  const now = rail.now();
  const year = now.getUTCFullYear() - (now.getUTCMonth() < FISCAL_YEAR_MONTH ? 1 : 0);
  const years = [year - 1, year].map((first) => `${first}/${String((first + 1) % 100).padStart(2, '0')}`);
  const lines = years.flatMap((named, index) =>
    AGENCIES.map((agency) => `${agency},${named},UGX,${TARGETS[agency] * (index === 0 ? BEFORE : 1)}000000`),
  );
  const targets = readTargets(['agency,fiscal_year,currency,amount', ...lines].join('\n'));
  await rail.transaction((db) => loadTargets({ ...callAt(rail, operator, at), db }, targets));
}

/** A notice of what was, of what is, and of what is to come. */
export async function publishNotices(rail: Rail, { operator }: Cast, outage: Date, now: Date): Promise<void> {
  await publishNotice(callAt(rail, operator, hourOf(outage, 8.5)), {
    title: 'Airtel Money cannot be reached',
    body: 'Payments by Airtel Money are refused since this morning. Please use another way of paying.',
    severity: 'critical',
    channels: ['airtel_money'],
    endsAt: hourOf(outage, 13),
  });
  const past = dayOf(new Date(now.getTime() - 12 * DAY_MS));
  await publishNotice(callAt(rail, operator, hourOf(past, 16)), {
    title: 'Maintenance tonight',
    body: 'The rail is not available from 22:00 to 23:00. Payments that are under way are completed afterwards.',
    severity: 'info',
    startsAt: hourOf(past, 22),
    endsAt: hourOf(past, 23),
  });
  await publishNotice(callAt(rail, operator, later(now, -5_400)), {
    title: 'Receipts of KCCA are late',
    body: 'Receipts for trade licences may take up to an hour today. Payments are not affected.',
    severity: 'warning',
    agencies: ['KCCA'],
    endsAt: later(now, 8 * 3_600),
  });
  await publishNotice(callAt(rail, operator, later(now, -3_600)), {
    title: 'New fees of URSB',
    body: 'The fees of the Registration Services Bureau change on the first of the month.',
    severity: 'info',
    agencies: ['URSB'],
    startsAt: later(now, 2 * 86_400),
    endsAt: later(now, 9 * 86_400),
  });
}

/** Makes requests to go live: one may, one was refused, and one waits. */
export async function askToGoLive(rail: Rail, { operator, integrators }: Cast, now: Date): Promise<void> {
  const [first, second, third, last] = integrators;
  const ask = (who: typeof first, days: number, note: string) =>
    requestLive(callAt(rail, who.viewer, later(now, -days * 86_400)), {
      agencies: [...AGENCIES],
      channels: ['mtn_momo', 'airtel_money'],
      note,
    });
  const decideAt = (days: number) => callAt(rail, operator, later(now, -days * 86_400));
  const { name: approved } = await ask(first, 3, 'Contract 2026-114, signed');
  await approveLiveRequest(decideAt(2.5), { id: approved });
  const { name: refused } = await ask(last, 2, 'As soon as possible, please');
  await refuseLiveRequest(decideAt(1.5), { id: refused, reason: 'Your endpoint fails; ask again once it works' });
  await ask(second, 0.5, 'We begin with trade licences of KCCA');
  await ask(third, 0.2, 'Twelve kiosks in Jinja');
}

/** Number of times a day that read-only endpoints would be probed, were they there to answer. */
const PROBES = 288;

/**
 * Has the operator call each agency's endpoint once a day, and makes up what the rail's own probes would have found of
 * connected ones; one does not answer for some hours on the day of an outage, and all are slower.
 */
export async function probeAll(rail: Rail, { operator }: Cast, at: Date, isOut: boolean): Promise<void> {
  const endpoints = await rail.db.rows<{ id: string }>(sql`select id from agency_endpoint order by method, id`);
  const [silent] = endpoints;
  const ask = async (): Promise<never> => {
    throw new AdapterFailure('agency', 'timeout', 'The agency did not answer in time');
  };
  const agencies: Rail['agencies'] = { ...rail.agencies, ask };
  for (const { id } of endpoints) {
    const stage = isOut && id === silent!.id ? { ...rail, agencies } : rail;
    await probeAgencyEndpoint(callAt(stage, operator, at), id);
  }
  // From 60 to 400 ms by endpoint, and a little more or less by day.
  await rail.db.rows(sql`
    update agency_endpoint_day d set probes = ${PROBES}, succeeded = case d.succeeded when 0 then ${(PROBES * 7) / 9}::int else ${PROBES} end, timed = ${PROBES},
      total_ms = ${PROBES} * ms, most_ms = ms * 3
    from (
      select id, ((60 + abs(hashtext(id) % 340)) * (1 + abs(hashtext(id || ${formatDay(at)}) % 30) / 100.0)
        * ${isOut ? 2 : 1}::int)::int as ms
      from agency_endpoint where method = 'GET'
    ) e
    where e.id = d.endpoint and d.day = ${formatDay(at)}::date`);
}

interface Settled {
  readonly reference: string;
  readonly amount: string;
  readonly currency: string;
  readonly txnId: string;
  readonly settledAt: Date;
}

const PROVIDER = 'mtn_momo';

/** Compares the provider's statement of a day; with `faults`, one that lacks a payment, has one more, and another amount. */
export async function reconcileDay(
  rail: Rail,
  { operator }: Cast,
  { day, at, faults }: { day: Date; at: Date; faults: boolean },
): Promise<void> {
  const settled = await rail.db.rows<Settled>(sql`
    select i.name as reference, i.amount::text as amount, i.currency, 'TXN-' || i.name as "txnId",
      i.confirmed_at as "settledAt"
    from payment_intent i where i.aggregator = ${PROVIDER} and i.status = 'Confirmed' and i.confirmed_at >= ${day}
      and i.confirmed_at < ${new Date(day.getTime() + DAY_MS)} order by i.confirmed_at`);
  if (settled.length < 3) return;
  const rows = faults ? spoil(settled) : settled;
  const call = callAt(rail, operator, at);
  const { delimiter, columns, paid } = formatOf(call, PROVIDER);
  const cells = rows.map(({ reference, amount, currency, txnId, settledAt }): [string | null, string][] => [
    [columns.reference, reference],
    [columns.amount, amount],
    [columns.currency, currency],
    [columns.status, paid[0] ?? ''],
    [columns.txnId, txnId],
    [columns.settledAt, settledAt.toISOString()],
  ]);
  const known = cells.map((row) => row.filter(([header]) => header !== null));
  const lines = [known[0]!.map(([header]) => header), ...known.map((row) => row.map(([, cell]) => cell))];
  const body = Buffer.from(lines.map((line) => line.join(delimiter)).join('\n'));
  await reconcileStatement(call, { provider: PROVIDER, body, fromDate: day, toDate: day });
}

function spoil([first, , ...rest]: readonly Settled[]): Settled[] {
  const settledAt = new Date(first!.settledAt.getTime() + 60_000);
  const unknown = { ...first!, reference: 'PI-2020-01-000001', txnId: 'TXN-7731', amount: '76000', settledAt };
  return [{ ...first!, amount: String(Number(first!.amount) + 5_000) }, ...rest, unknown];
}
