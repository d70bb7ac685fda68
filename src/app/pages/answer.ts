import express, { type Request, type Response } from 'express';
import type { Answer, Passing } from '../../platform/call/answers.ts';
import { readBody } from '../../platform/call/body.ts';
import type { Call } from '../../platform/call/call.ts';
import { retryHeadersOf } from '../../platform/call/limits.ts';
import { type Requests, inboundOf, toHandler } from '../../platform/call/requests.ts';
import { COOKIES, type CookieName } from '../../platform/access/cookies.ts';
import { explain } from '../../graphql/errors.ts';
import { type Refusal, statusOf } from '../../kernel/refusal.ts';
import type { Run } from './page-operations.ts';
import { type Template, render } from './templates.ts';

/** What a page answers: a document, or where to go instead. */
export type Page =
  | {
      readonly view: View;
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly passing?: Passing;
    }
  | { readonly location: string };

/** What a page is made of. */
interface View {
  readonly template: Template;
  readonly data: object;
}

/** What all pages have. */
interface Frame {
  readonly mode: string;
  readonly notices: readonly unknown[];
}

export const view = (template: Template, data: object): View => ({ template, data });

export type Show = (call: Call, req: Request) => Promise<Page>;

/** Whose cookie counts on a page, and whether it changes something even where it is only asked for. */
interface Kind {
  readonly cookie: CookieName;
  readonly changes: boolean;
}

const ACCOUNT_PAGE: Kind = { cookie: COOKIES.integrator, changes: false };
/** Browsers are sent there by GET, from the identity provider too. */
export const STAFF_SIGN_IN: Kind = { cookie: COOKIES.staff, changes: true };

const MOST_FORM_BYTES = 16 * 1024;
const form = express.urlencoded({ extended: false, limit: MOST_FORM_BYTES });

/** Finds out who calls, makes the page, books the request, and answers. */
export function answerPage(run: Run, requests: Requests, path: string, show: Show, kind = ACCOUNT_PAGE) {
  return toHandler(async (req: Request, res: Response) => {
    const inbound = inboundOf(req);
    inbound.endpoint = `${req.method} ${path.replace(/:(\w+)/, '{$1}')}`;
    inbound.changes = kind.changes || req.method === 'POST';
    let call = requests.openAnonymously(req);
    let notices: Promise<readonly unknown[]> = Promise.resolve([]);
    let page: Page;
    try {
      call = await requests.open(req, [kind.cookie]);
      await requests.admit(call, res);
      if (req.method === 'POST') await requests.reading(req, () => readBody(req, res, form, MOST_FORM_BYTES));
      notices = readNotices(run, call);
      page = await show(call, req);
    } catch (error) {
      page = showFailure(call, explain(error, call));
    }
    const frame = { mode: call.config.mode, notices: await notices };
    await requests.close(req, res, call, answerOf(page, frame), (error) =>
      answerOf(showFailure(call, explain(error, call)), frame),
    );
  });
}

/** A page with what all of them have: the mode of the rail, and the notices that are in effect. */
function answerOf(page: Page, frame: Frame): Answer {
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' };
  if ('location' in page) return { status: 303, headers: { ...headers, Location: page.location }, body: '' };
  const { status = 200, view: shown, passing } = page;
  const body = render(shown.template, { ...frame, ...shown.data });
  return { status, headers: { ...headers, ...page.headers }, body, ...(passing && { passing }) };
}

/** The notices in effect. A page is shown without them rather than not at all. */
async function readNotices(run: Run, call: Call): Promise<readonly unknown[]> {
  try {
    return nodesOf((await run('notices', call))['notices']);
  } catch (error) {
    explain(error, call);
    return [];
  }
}

/** What a list of an operation has. */
export function nodesOf(connection: unknown): readonly unknown[] {
  return (connection as { readonly nodes: readonly unknown[] }).nodes;
}

function showFailure({ requestId }: Call, refusal: Refusal): Page {
  const { code, message } = refusal;
  const paragraphs = [message, `Request id: ${requestId}`];
  const link = { href: '/dashboard', text: 'Back to the dashboard' };
  const shown = view('message', { title: 'Something went wrong', paragraphs, link });
  return { status: statusOf[code], headers: retryHeadersOf(refusal), view: shown };
}
