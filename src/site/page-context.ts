import type { GraphQLSchema } from 'graphql';
import type { Request } from 'express';
import { randomUUID } from 'node:crypto';
import { COOKIES, type CookieName, LOG_IN_COOKIE, cookieOf } from '../platform/access/cookies.ts';
import { type Need, rolesWith } from '../platform/access/needs.ts';
import { findRefusal } from '../platform/access/viewer.ts';
import type { Call } from '../platform/call/call.ts';
import type { Refusal } from '../kernel/refusal.ts';
import { boundQuery, findPage } from './addresses.ts';
import { type Notice, noticesFor } from './answers/notices.ts';
import type { PageDocument, Visitor } from './operations/documents.ts';
import type { Filled } from './operations/fields.ts';
import { languageOf } from './languages/language.ts';
import type { Description } from './records/reference/description.ts';
import { type Term, type Texts, textsOf, withTerms } from './languages/texts.ts';

/** Content of a form that is shown again, and the reason for which it was refused; null where it only has other fields. */
export interface Problem {
  readonly refusal: Refusal | null;
  readonly filled: Filled;
  /** The mark of the form, where sending it again goes on where it was; null if it starts again. */
  readonly mark: string | null;
}

/** The cookies by which those are known who may open a page. */
export const COOKIES_OF: Readonly<Record<Visitor, readonly CookieName[]>> = {
  EVERYBODY: [COOKIES.staff, COOKIES.integrator],
  STAFF: [COOKIES.staff],
  INTEGRATOR: [COOKIES.integrator],
};

/** True if a page is for a caller. */
export function isFor(who: Visitor, { viewer }: Call): boolean {
  if (who === 'EVERYBODY') return true;
  return viewer.kind === (who === 'STAFF' ? 'staff' : 'session');
}

/** True if the reader is signed in once they have the answer. */
export function isSignedIn({ viewer, transport: { cookies } }: Call): boolean {
  const given = Object.values(COOKIES).map((name) => `${name}=`);
  return (
    !['anonymous', 'payer'].includes(viewer.kind) ||
    cookies.some((cookie) => given.some((start) => cookie.startsWith(start)))
  );
}

/** An area of the site; one within another is shown on its own to those who may not open the other. */
interface Area {
  readonly path: string;
  readonly name: string;
  readonly within?: string;
}

const AREAS: readonly Area[] = [
  { path: '/counter', name: 'counter' },
  { path: '/supervision', name: 'supervision' },
  { path: '/agency', name: 'agency' },
  { path: '/agency/days', name: 'days', within: '/agency' },
  { path: '/console', name: 'console' },
  { path: '/console/payments', name: 'payments', within: '/console' },
  { path: '/console/propagations', name: 'propagations', within: '/console' },
  { path: '/console/reconciliation', name: 'reconciliation', within: '/console' },
  { path: '/console/audit', name: 'audit', within: '/console' },
  { path: '/oversight', name: 'oversight' },
];

/** Need that the reader lacks for the page of an address; null if none, or if there is no such page. */
export function lackFor({ call, pages }: Pick<PageContext, 'call' | 'pages'>, address: string): Need | null {
  const page = findPage(pages, address.split('?')[0]!)?.page;
  const needs = page ? [...(page.need === null ? [] : [page.need]), ...page.operation.needs] : [];
  return needs.find((need) => findRefusal(call.viewer, need) !== null) ?? null;
}

/** Visitors who may open the page of an address that the reader may not; null if they may. */
export function whoOpens(context: Pick<PageContext, 'call' | 'pages' | 'texts'>, address: string) {
  const need = lackFor(context, address);
  if (need === null) return null;
  const { texts, call } = context;
  const roles = rolesWith(need);
  const named = roles.map((role) => texts.t(`role.${role}`));
  return {
    roles: new Intl.ListFormat(texts.language, { type: 'disjunction' }).format(named),
    /** True if the reader has such a role, and is bound to agencies. */
    bound: roles.some((role) => call.viewer.roles.has(role)),
  };
}

/** The areas whose first page the reader may see. */
export function areasOf(context: Pick<PageContext, 'call' | 'pages'>): readonly Area[] {
  if (context.call.viewer.kind !== 'staff') return [];
  const isOpen = (path: string) => lackFor(context, path) === null;
  return AREAS.filter(({ path, within }) => isOpen(path) && (within === undefined || !isOpen(within)));
}

/** The context in which a page is rendered, besides the answer of its query. */
export interface PageContext {
  readonly call: Call;
  readonly texts: Texts;
  readonly schema: GraphQLSchema;
  /** All pages, of which links lead to those alone that the reader may see. */
  readonly pages: readonly PageDocument[];
  /** Says what the REST API is. */
  readonly describe: () => Description;
  /** Content of the cookie of a login that waits for its second step. */
  readonly attempt: string | null;
  /** The path and query that was asked for. */
  readonly address: string;
  readonly query: URLSearchParams;
  /** Notices of operators to the readers of such a page at present. */
  readonly notices: readonly Notice[];
  /** Time zone of the rail, for records that belong to no agency. */
  readonly timeZone: string;
  /** With which month fiscal years begin there, 1 to 12. */
  readonly fiscalYearMonth: number;
}

/** The data of the layout of every page: the answer of `frame/layout.graphql`. */
export interface LayoutData {
  readonly notices: { readonly nodes: readonly Notice[] };
  readonly agencies: { readonly nodes: readonly Pick<PageContext, 'timeZone' | 'fiscalYearMonth'>[] };
  readonly catalogueTerms: readonly Term[];
}

const NO_LAYOUT_DATA: LayoutData = { notices: { nodes: [] }, agencies: { nodes: [] }, catalogueTerms: [] };

export function pageContextOf(
  req: Request,
  call: Call,
  { schema, pages, describe }: Pick<PageContext, 'schema' | 'pages' | 'describe'>,
  asked: LayoutData | null = null,
): PageContext {
  const { searchParams } = new URL(req.originalUrl, call.origin);
  const { notices, agencies, catalogueTerms } = asked ?? NO_LAYOUT_DATA;
  return {
    call,
    schema,
    pages,
    describe,
    texts: withTerms(textsOf(languageOf(call, req)), catalogueTerms),
    attempt: cookieOf(call, req.headers, LOG_IN_COOKIE),
    address: req.originalUrl,
    // A page that says what went wrong reads nothing of it: that may be what was wrong.
    query: asked ? boundQuery(searchParams) : new URLSearchParams(),
    notices: noticesFor(notices.nodes, call, req, req.originalUrl),
    timeZone: agencies.nodes[0]?.timeZone ?? 'UTC',
    fiscalYearMonth: agencies.nodes[0]?.fiscalYearMonth ?? 1,
  };
}

/** Marks a form, so that what it does happens once however often it is sent. */
export const markForm = (): string => randomUUID();

/** True if the caller meets a need. */
export const mayOf =
  ({ call }: Pick<PageContext, 'call'>) =>
  (need: Need) =>
    findRefusal(call.viewer, need) === null;
