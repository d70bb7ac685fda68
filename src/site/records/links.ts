import type { Need } from '../../platform/access/needs.ts';
import type { Answer } from '../operations/prepare.ts';
import { docnamePatternOf, isAnyDocname } from '../../platform/database/docnames.ts';
import { DAY_NAME } from '../../oversight/closes/days/find.ts';
import { INTEGRATOR_CODE } from '../../kernel/text/identifiers.ts';

interface RecordPage {
  readonly matches: Pick<RegExp, 'test'>;
  /** Path of the page; the ID follows. */
  readonly path: string;
  readonly needs: Need;
}

/** Some docnames look like codes of integrators too. */
const integratorCode = { test: (id: string) => INTEGRATOR_CODE.test(id) && !isAnyDocname(id) };

/** The pages of records in the console, by what their IDs look like. */
const PAGES: readonly RecordPage[] = [
  { matches: docnamePatternOf('assessment'), path: '/console/assessments/', needs: 'assessments.read' },
  { matches: docnamePatternOf('intent'), path: '/console/payments/', needs: 'payments.read' },
  { matches: docnamePatternOf('refund'), path: '/console/refunds/', needs: 'payments.read' },
  { matches: docnamePatternOf('exemption'), path: '/agency/exemptions/', needs: 'exemptions.read' },
  { matches: DAY_NAME, path: '/agency/days/', needs: 'books.read' },
  { matches: docnamePatternOf('money'), path: '/console/money/', needs: 'money.read' },
  { matches: docnamePatternOf('anomaly'), path: '/console/anomalies/', needs: 'operations.read' },
  { matches: docnamePatternOf('delivery'), path: '/console/deliveries/', needs: 'operations.read' },
  { matches: docnamePatternOf('key'), path: '/console/keys/', needs: 'operations.read' },
  { matches: docnamePatternOf('agencyKey'), path: '/console/agency-keys/', needs: 'operations.read' },
  { matches: docnamePatternOf('liveRequest'), path: '/console/live-requests/', needs: 'operations.read' },
  { matches: /^[^@\s]+@[^@\s]+$/, path: '/console/staff/', needs: 'operations.read' },
  { matches: integratorCode, path: '/console/integrators/', needs: 'operations.read' },
  { matches: docnamePatternOf('shift'), path: '/supervision/shifts/', needs: 'reviews' },
  { matches: docnamePatternOf('service'), path: '/console/services/', needs: 'operations.read' },
  { matches: docnamePatternOf('reconciliation'), path: '/console/reconciliation/runs/', needs: 'operations.read' },
  { matches: /^ASMT-[\d-]+\.[A-Z]/, path: '/console/propagations/', needs: 'propagation.read' },
];

/** The pages of records at the account of an integrator. */
const PAGES_OF_ACCOUNT: readonly RecordPage[] = [
  { matches: docnamePatternOf('assessment'), path: '/dashboard/assessments/', needs: 'account' },
  { matches: docnamePatternOf('intent'), path: '/dashboard/payments/', needs: 'account' },
  { matches: docnamePatternOf('delivery'), path: '/dashboard/webhooks/deliveries/', needs: 'account' },
];

/** Link to the record of an ID; null if there is no page of it, or none for the reader. */
export function linkToRecord(id: unknown, may: (need: Need) => boolean): string | null {
  if (typeof id !== 'string') return null;
  const pages = may('account') && !may('staff') ? PAGES_OF_ACCOUNT : PAGES;
  const page = pages.find(({ matches, needs }) => matches.test(id) && may(needs));
  return page ? page.path + encodeURIComponent(id) : null;
}

/** The pages of records whose IDs are codes, by what was found. */
const PAGES_OF_CODES: Readonly<Record<string, string>> = {
  account: '/console/integrators/',
  agency: '/console/agencies/',
};

/** A record that was found. */
interface Found {
  readonly kind: string;
  readonly subjectId: string;
}

/** Link to a record that was found; null if there is no page of it, or none for the reader. */
export function linkToFound({ kind, subjectId }: Found, may: (need: Need) => boolean): string | null {
  const code = PAGES_OF_CODES[kind];
  if (code === undefined) return linkToRecord(subjectId, may);
  return may('operations.read') ? code + encodeURIComponent(subjectId) : null;
}

/** Kinds that a part of a name finds: who looks for a payer called Nakato may find a clerk of that name. */
const NAMED: readonly string[] = ['account', 'agency', 'service', 'staff'];

/** Link of a search that found one record alone; null for one that a part of a name may have found. */
export function findOnlyLink({ find }: Answer, may: (need: Need) => boolean): string | null {
  const found = find as readonly Found[];
  const [only] = found;
  return found.length === 1 && !NAMED.includes(only!.kind) ? linkToFound(only!, may) : null;
}
