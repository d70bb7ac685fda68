import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { ifGiven, isAnyOf } from '../../platform/reading/conditions.ts';
import { type Page, type PageArgs, readPage } from '../../platform/reading/page.ts';
import type { Decimal } from '../../kernel/money.ts';

/** A fee of a service, and from when to when it held. */
export interface HeldFee {
  readonly name: string;
  readonly service: string;
  readonly code: string;
  readonly serviceName: string;
  readonly mda: string;
  readonly feeAmount: Decimal;
  readonly currency: string;
  readonly from: Date;
  readonly to: Date | null;
}

export interface FeeFilter {
  readonly service?: readonly string[] | null | undefined;
  readonly agency?: readonly string[] | null | undefined;
}

/** The fees that services have and had, the latest first; not those that were set for a day to come. */
export function listFees(call: Call, filter: FeeFilter, page: PageArgs): Promise<Page<HeldFee>> {
  const at = call.now();
  return readPage(
    call,
    {
      select: sql`
        select r.name, r.service, r.code, r.service_name as "serviceName", r.mda, r.fee_amount as "feeAmount",
          r.currency, r.held_from as "from", case when r.held_to <= ${at} then r.held_to end as "to"
        from oversight.fee r`,
      table: 'oversight.fee',
      order: ['held_from', 'position'],
      direction: 'desc',
      where: [sql`r.held_from <= ${at}`],
      filters: [
        ifGiven(filter.service, (services) => isAnyOf(sql`r.service`, services)),
        ifGiven(filter.agency, (agencies) => isAnyOf(sql`r.mda`, agencies)),
      ],
      db: call.oversight,
    },
    page,
  );
}
