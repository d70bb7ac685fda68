import { whereWithin } from '../../platform/access/owned.ts';
import { type Viewer, ownerOf } from '../../platform/access/viewer.ts';
import type { Call } from '../../platform/call/call.ts';
import { isDocname } from '../../platform/database/docnames.ts';
import { loadByName } from '../../platform/reading/batch.ts';
import { ifGiven, whereNotAfter } from '../../platform/reading/conditions.ts';
import {
  type Listing,
  type Page,
  type PageArgs,
  newestFirst,
  readPage,
  readPageOf,
} from '../../platform/reading/page.ts';
import { columnsOf } from '../../platform/database/record.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import type { MoneyReceived } from '../../generated/prisma/client.ts';
import { OF_ITS_AGENCIES } from '../assessments/find.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { say } from '../../kernel/text/said.ts';
import type { MoneyKind } from './receive.ts';

const columns = columnsOf('MoneyReceived');

export interface MoneyFilter {
  readonly kind?: readonly MoneyKind[] | null | undefined;
  readonly provider?: string | null | undefined;
  readonly assessment?: string | null | undefined;
  /** True for money of which a part is open, false for money that is settled. */
  readonly open?: boolean | null | undefined;
  readonly fromDate?: Date | null | undefined;
  readonly toDate?: Date | null | undefined;
}

/** An aggregator may have said another amount of the transaction since, which was confirmed: events have it then. */
const paidNothing = sql`not exists (select from payment_event e where e.intent = r.intent and e.txn_id = r.txn_id)`;

/** The amount of money `r` that has no outcome, and that no refund is about to give back; 0 once it pays after all. */
export const OPEN_AMOUNT = sql`greatest(0, case when ${paidNothing} then r.amount else 0 end
  - coalesce((select sum(o.amount) from money_outcome o where o.money = r.name), 0)
  - coalesce((select sum(f.amount) from refund f where f.money = r.name and f.status in ('Requested', 'Approved')), 0))`;

/** Money belongs to the account and the agencies of its assessment; without one it is of the rail as a whole. */
function whereSeen(viewer: Viewer): Sql {
  const owner = ownerOf(viewer);
  const owned =
    owner === null
      ? sql`true`
      : sql`exists (select from assessment a where a.name = r.assessment and a.integrator = ${owner})`;
  return sql`${owned} and ${whereWithin(viewer, OF_ITS_AGENCIES)}`;
}

function listing({ viewer }: Call, filter: MoneyFilter): Listing {
  return {
    select: sql`select ${columns} from money_received r`,
    table: 'money_received',
    amount: 'amount',
    ...newestFirst,
    where: [whereSeen(viewer), paidNothing],
    filters: [
      ifGiven(filter.kind, (kinds) => sql`r.kind = any(${[...kinds]})`),
      ifGiven(filter.provider, (provider) => sql`r.provider = ${provider}`),
      ifGiven(filter.assessment, (assessment) => sql`r.assessment = ${assessment}`),
      ifGiven(filter.open, (open) => sql`(${OPEN_AMOUNT} > 0) = ${open}`),
      ifGiven(filter.fromDate, (from) => sql`r.created_at >= ${from}`),
      ifGiven(filter.toDate, (to) => whereNotAfter(sql`r.created_at`, to)),
    ],
  };
}

/** Money that arrived and paid nothing, newest first. */
export function listMoney(call: Call, filter: MoneyFilter, page: PageArgs): Promise<Page<MoneyReceived>> {
  return readPage(call, listing(call, filter), page);
}

/** Money that arrived for one assessment and did not pay it, newest first. */
export function listMoneyOf(call: Call, assessment: string, page: PageArgs): Promise<Page<MoneyReceived>> {
  return readPageOf(call, listing(call, {}), sql`r.assessment`, assessment, page);
}

/** Money that arrived and paid nothing, by docname. */
export const moneyLoader = loadByName<MoneyReceived>(({ db, viewer }, names) =>
  db.rows(sql`select ${columns} from money_received r where r.name = any(${names}) and ${whereSeen(viewer)}`),
);

/** Money that arrived and paid nothing, which the caller may see. */
export async function getMoney(call: Call, name: string): Promise<MoneyReceived> {
  const money = isDocname('money', name) ? await moneyLoader.load(call, name) : null;
  if (!money) throw new Refusal('not_found', say`The money does not exist`);
  return money;
}

/** The agencies of the assessment that money was to pay; none where that is not known. */
export async function readAgenciesOf({ db }: Pick<Call, 'db'>, { assessment }: MoneyReceived): Promise<string[]> {
  const rows = await db.rows<{ mda: string }>(sql`
    select distinct mda from assessment_line where assessment = ${assessment} order by mda`);
  return rows.map(({ mda }) => mda);
}
