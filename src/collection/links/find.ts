import { whereVisible } from '../../platform/access/owned.ts';
import type { Call } from '../../platform/call/call.ts';
import { isDocname } from '../../platform/database/docnames.ts';
import { type Stored, columnsOf } from '../../platform/database/record.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import { loadByName } from '../../platform/reading/batch.ts';
import { ifGiven } from '../../platform/reading/conditions.ts';
import {
  type Listing,
  type Page,
  type PageArgs,
  newestFirst,
  readPage,
  readPageOf,
} from '../../platform/reading/page.ts';
import type { Channel } from '../../generated/prisma/enums.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { say } from '../../kernel/text/said.ts';
import { OF_ITS_AGENCIES } from '../assessments/find.ts';
import type { LinkStatus } from './lifecycle.ts';

/** A payment link. Its `status` is as stored: `linkStatusOf` tells that of a moment. */
export type PaymentLink = Omit<Stored<'PaymentLink'>, 'channels'> & { readonly channels: readonly Channel[] };

export const linkColumns = columnsOf('PaymentLink');

/** The caller's payment links by docname. */
export const linkLoader = loadByName<PaymentLink>(({ db, viewer }, names) =>
  db.rows(
    sql`select ${linkColumns} from payment_link r where r.name = any(${names}) and ${whereVisible(viewer, OF_ITS_AGENCIES)}`,
  ),
);

/** One of the caller's payment links. */
export async function getLink(call: Call, name: string): Promise<PaymentLink> {
  const link = isDocname('link', name) ? await linkLoader.load(call, name) : null;
  if (!link) throw new Refusal('not_found', say`The payment link does not exist`);
  return link;
}

interface LinkFilter {
  readonly assessment?: string | null | undefined;
  readonly status?: LinkStatus | null | undefined;
}

function listing({ viewer, now }: Call, { assessment, status }: LinkFilter): Listing {
  return {
    select: sql`select ${linkColumns} from payment_link r`,
    table: 'payment_link',
    ...newestFirst,
    where: [whereVisible(viewer, OF_ITS_AGENCIES)],
    filters: [
      ifGiven(assessment, (name) => sql`r.assessment = ${name}`),
      ifGiven(status, (asked) => inState(asked, now())),
    ],
  };
}

/** The same as `linkStatusOf`, of rows. */
function inState(status: LinkStatus, now: Date): Sql {
  switch (status) {
    case 'Withdrawn':
      return sql`r.status = 'Withdrawn'`;
    case 'Open':
      return sql`r.status = 'Open' and r.expires_at >= ${now}`;
    case 'Expired':
      return sql`r.status = 'Open' and r.expires_at < ${now}`;
  }
}

/** The caller's payment links, newest first. */
export function listLinks(call: Call, filter: LinkFilter, page: PageArgs): Promise<Page<PaymentLink>> {
  return readPage(call, listing(call, filter), page);
}

/** The caller's payment links of one assessment, newest first. */
export function listLinksOf(call: Call, assessment: string, page: PageArgs): Promise<Page<PaymentLink>> {
  return readPageOf(call, () => listing(call, {}), sql`r.assessment`, assessment, page);
}
