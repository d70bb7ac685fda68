import { type Wall, whereVisible } from '../../platform/access/owned.ts';
import type { Call } from '../../platform/call/call.ts';
import { loadByName } from '../../platform/reading/batch.ts';
import { type Listing, type Page, type PageArgs, newestFirst, readPageOf } from '../../platform/reading/page.ts';
import { columnsOf } from '../../platform/database/record.ts';
import { raw, sql } from '../../platform/database/sql.ts';
import type { FiscalDocument } from '../../generated/prisma/client.ts';

const columns = columnsOf('FiscalDocument');

/** The wall around documents of an agency's payment, or of an assessment with a line of it. */
const OF_ITS_PAYMENT: Wall = (agencies) => sql`(r.mda = any(${agencies}) or (r.mda is null and exists (
  select from assessment_line l where l.assessment = r.assessment and l.mda = any(${agencies}))))`;

function listing(call: Call): Listing {
  return {
    select: sql`select ${columns} from fiscal_document r`,
    table: 'fiscal_document',
    ...newestFirst,
    where: [whereVisible(call.viewer, OF_ITS_PAYMENT)],
  };
}

/** The fiscal documents of an assessment, or of a payment event, newest first. */
export function listFiscalDocumentsOf(
  call: Call,
  of: 'assessment' | 'payment_event',
  name: string,
  page: PageArgs,
): Promise<Page<FiscalDocument>> {
  return readPageOf(call, listing(call), raw(`r.${of}`), name, page);
}

/** Most documents that the history of a payment shows. */
const MOST_IN_HISTORY = 200;

/** The fiscal documents of an assessment for its history, the oldest first. */
export function fiscalDocumentsOf(call: Call, assessment: string): Promise<FiscalDocument[]> {
  return call.db.rows<FiscalDocument>(sql`
    select ${columns} from fiscal_document r where r.assessment = ${assessment} and ${whereVisible(call.viewer, OF_ITS_PAYMENT)}
    order by r.created_at, r.name limit ${MOST_IN_HISTORY}`);
}

/** The caller's fiscal documents by docname. */
export const fiscalDocumentLoader = loadByName<FiscalDocument>(({ db, viewer }, names) =>
  db.rows(
    sql`select ${columns} from fiscal_document r where r.name = any(${names}) and ${whereVisible(viewer, OF_ITS_PAYMENT)}`,
  ),
);

/** The document that an issuer gave a number. */
export function findIssued({ db }: Call, issuer: string, number: string): Promise<FiscalDocument | null> {
  return db.row<FiscalDocument>(
    sql`select ${columns} from fiscal_document r where r.issuer = ${issuer} and r.number = ${number}`,
  );
}
