import { amendService } from '../../collection/catalogue/services/amend.ts';
import { Decimal } from '../../kernel/money.ts';
import { DAY_MS, dayOf } from '../../kernel/time.ts';
import { sealAll } from '../../oversight/seals/seal.ts';
import type { Rail } from '../../platform/call/call.ts';
import { type Database, sql } from '../../platform/database/sql.ts';
import { analyzeHistory, listMonths, monthsBefore, writeMonth } from '../history.ts';
import { makeClerks } from '../history/accounts.ts';
import { type Cast as HistoryCast, makeAgencies, makeCitizens } from '../history/cast.ts';
import type { Cast } from './cast.ts';
import { callAt } from './stage.ts';

/** With those of nine more districts, which are twelve then. */
const AGENCIES_IN_ALL = 29;
const CITIZENS = 2_000;
const CLERKS = 9;
/** Services of an agency that is not the story's. */
const OTHER_SERVICES = 2;
/** Payments of a day when the story's days begin; and of these, those of agencies that are not the story's. */
const PAYMENTS_A_DAY = 40;
const OTHERS = 0.4;
/** Part of that at the beginning. */
const AT_FIRST = 0.4;
const SEED = 20_262;

/** Services that cost more, or less, since so many months before the story, by their place. */
const FEE_CHANGES = [
  { months: 14, service: 0, factor: 1.2 },
  { months: 9, service: 1, factor: 1.05 },
  { months: 5, service: 2, factor: 0.8 },
  { months: 2, service: 3, factor: 1.1 },
] as const;

interface Past {
  readonly months: number;
  /** The first day of the story. */
  readonly first: Date;
  readonly report: (progress: string) => void;
}

/**
 * Makes up what was before the days of a story, in bulk: years of payments to agencies of all regions, fees that changed
 * meanwhile; and what other agencies than the story's took in its days.
 */
export async function makePast(rail: Rail, cast: Cast, { months: count, first, report }: Past): Promise<void> {
  const begin = monthsBefore(first, count);
  const today = dayOf(rail.now());
  await makeAgencies(rail.db, AGENCIES_IN_ALL, begin);
  await rail.transaction((db) => dateFees(db, begin));
  const own = cast.services.map(({ id }) => id);
  const others = await listOtherServices(rail.db, own);
  const history: HistoryCast = {
    citizens: CITIZENS,
    integrators: cast.integrators.map(({ code }) => code),
    clerks: CLERKS,
    services: [...own, ...others],
    lean: 2,
    slowest: 200,
    oddOneOf: 100,
    messages: false,
    now: rail.now(),
  };
  await makeCitizens(rail.db, history, rail.now());
  await makeClerks(rail.db, history, rail.now());
  const since = first.getTime() - begin.getTime();
  const write = async (month: { from: Date; to: Date }, who: HistoryCast, part: number) => {
    const days = (month.to.getTime() - month.from.getTime()) / DAY_MS;
    const grown = AT_FIRST + (1 - AT_FIRST) * Math.min(1, (month.from.getTime() - begin.getTime()) / since);
    const payments = Math.max(1, Math.round(days * PAYMENTS_A_DAY * grown * part));
    await writeMonth(rail, who, { month, payments, seed: SEED + Math.round(month.from.getTime() / DAY_MS) });
  };
  const months = listMonths(begin, first);
  for (const [index, month] of months.entries()) {
    await changeFees(rail, cast, month.from, months.length - 1 - index);
    // In the last month many could not pay: enough of an agency for why to be told.
    await write(month, index === months.length - 1 ? { ...history, unpaid: 0.45 } : history, 1);
    if (index % 6 === 5) report(`${index + 1} of ${months.length} months`);
  }
  for (const month of listMonths(first, today)) await write(month, { ...history, services: others, lean: 1 }, OTHERS);
  await analyzeHistory(rail);
  while ((await sealAll(rail)) > 0);
}

/** Has the fees of the catalogue hold from a moment on: rows of their history are never written again but here. */
async function dateFees(db: Database, since: Date): Promise<void> {
  await db.rows(sql`alter table service_fee disable trigger append_only`);
  await db.rows(sql`update service_fee set since = ${since}`);
  await db.rows(sql`alter table service_fee enable trigger append_only`);
}

/** The services of other agencies of the country that are to be paid for, those of each agency in turn. */
async function listOtherServices(db: Database, own: readonly string[]): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    select name as id from (
      select s.name, s.mda, row_number() over (partition by s.mda order by s.name) as place
      from service s join mda m on m.name = s.mda
      where m.status = 'Active' and s.status = 'Active' and s.currency = 'UGX' and s.fee_amount between 5000 and 500000
        and s.mda not in (select mda from service where name = any(${own}))
    ) ranked
    where place <= ${OTHER_SERVICES} order by place, md5(mda)`);
  return rows.map(({ id }) => id);
}

/** Changes the fees that change so many months before the story. */
async function changeFees(rail: Rail, { operator, services }: Cast, at: Date, months: number): Promise<void> {
  for (const change of FEE_CHANGES.filter((one) => one.months === months)) {
    const { id } = services[change.service]!;
    const row = await rail.db.row<{ fee: Decimal }>(sql`select fee_amount as fee from service where name = ${id}`);
    const feeAmount = new Decimal(row!.fee).times(change.factor).toDecimalPlaces(0);
    await amendService(callAt(rail, operator, at), { id, feeAmount, reason: 'By the budget of the year' });
  }
}
