import { whereWithin } from '../../platform/access/owned.ts';
import { type Viewer, ownerOf } from '../../platform/access/viewer.ts';
import type { Call } from '../../platform/call/call.ts';
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
import type { MoneyKind } from './receive.ts';

const columns = columnsOf('MoneyReceived');

export interface MoneyFilter {
  readonly kind?: readonly MoneyKind[] | null | undefined;
  readonly provider?: string | null | undefined;
  readonly assessment?: string | null | undefined;
  readonly fromDate?: Date | null | undefined;
  readonly toDate?: Date | null | undefined;
}

/** An aggregator may have said another amount of the transaction since, which was confirmed: events have it then. */
const paidNothing = sql`not exists (select from payment_event e where e.intent = r.intent and e.txn_id = r.txn_id)`;

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
