import express, { type Request, type Response, Router } from 'express';
import type { GraphQLSchema } from 'graphql';
import helmet from 'helmet';
import { readFileSync } from 'node:fs';
import { readBody } from '../../platform/call/body.ts';
import { COOKIES } from '../../platform/access/cookies.ts';
import { retryHeadersOf } from '../../platform/call/limits.ts';
import type { Answer, Passing } from '../../platform/call/answers.ts';
import { serveFixed } from '../../platform/call/fixed.ts';
import { type Requests, toHandler, inboundOf } from '../../platform/call/requests.ts';
import type { Call } from '../../platform/call/call.ts';
import { explain } from '../../graphql/errors.ts';
import { type Refusal, refuseValue, statusOf } from '../../kernel/refusal.ts';
import { isLinkToken } from '../../accounts/sessions/tokens.ts';
import { findBadText } from '../../kernel/text/free-text.ts';
import { type Run, prepareOperations } from './page-operations.ts';
import { render } from './templates.ts';

/** What a page answers: a document, or where to go instead. */
type Page =
  | {
      readonly html: string;
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly passing?: Passing;
    }
  | { readonly location: string };

type Show = (call: Call, req: Request) => Promise<Page>;

const CSS = readFileSync(new URL('pages.css', import.meta.url), 'utf8');
/** A page that shows nobody anything of their own. */
const FOR_EVERYBODY: Passing = { kept: true, compressed: true };
const MOST_FORM_BYTES = 16 * 1024;
const form = express.urlencoded({ extended: false, limit: MOST_FORM_BYTES });

/** Nothing but this host's own style sheet and forms; no script at all. */
const secure = helmet({
  // Without a referrer, browsers hide the origin of a form from its own host too.
  referrerPolicy: { policy: 'same-origin' },
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      styleSrc: ["'self'"],
      imgSrc: ['data:'],
      formAction: ["'self'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
});

/**
 * What a browser shows: the dashboard of whoever is signed in, and how to sign in. Plain documents and forms over the
 * same operations that the API has; a form of another origin comes without the session's cookie, and so changes
 * nothing.
 */
export function routePages(schema: GraphQLSchema, requests: Requests): Router {
  const run = prepareOperations(schema);
  const router = Router({ caseSensitive: true, strict: true });
  const get = (path: string, show: Show) => router.get(path, secure, answerPage(requests, path, show));
  const post = (path: string, show: Show) => router.post(path, secure, answerPage(requests, path, show));

  router.get(
    '/assets/pages.css',
    serveFixed('text/css; charset=utf-8', () => CSS),
  );
  get('/', async () => ({ location: '/dashboard' }));
  get('/terms', async (call) => ({
    html: render('terms', { mode: call.config.mode, ...(await run('terms', call)) }),
    passing: FOR_EVERYBODY,
  }));
  get('/docs/anomalies', async (call) => ({
    html: render('anomalies', { mode: call.config.mode, ...(await run('anomalies', call)) }),
    passing: FOR_EVERYBODY,
  }));
  get('/signin', async (call) => showSignIn(call, 'Sign in'));
  get('/signin/expired', async (call) => showExpired(call));
  get('/signin/confirm', async (call, req) =>
    askToConfirm(call, new URL(req.originalUrl, call.origin).searchParams.get('token') ?? ''),
  );
  post('/signin/confirm', async (call, req) => consumeLink(run, call, readField(req, 'token')));
  post('/signin', async (call, req) => requestLink(run, call, readField(req, 'email')));
  get('/dashboard', async (call) =>
    call.viewer.integrator === null ? { location: '/signin' } : showDashboard(run, call),
  );
  post('/dashboard/keys/:name/rotate', (call, req) =>
    changeAndShow(run, call, async () => {
      const graceHours = Math.trunc(Number(readField(req, 'grace_hours'))) || 0;
      const { rotateKey: rotation } = await run('rotate', call, { id: req.params['name'], graceHours });
      return { rotation };
    }),
  );
  post('/dashboard/keys/:name/revoke', (call, req) =>
    changeAndShow(run, call, async () => {
      const { revokeKey: revoked } = await run('revoke', call, {
        id: req.params['name'],
        reason: readField(req, 'reason'),
      });
      return { revoked };
    }),
  );
  post('/dashboard/sign-out', async (call) => {
    await run('signOut', call);
    return { location: '/signin' };
  });
  return router;
}

/** Finds out who calls, makes the page, books the request, and answers. */
function answerPage(requests: Requests, path: string, show: Show) {
  return toHandler(async (req: Request, res: Response) => {
    const inbound = inboundOf(req);
    inbound.endpoint = `${req.method} ${path.replace(/:(\w+)/, '{$1}')}`;
    inbound.changes = req.method === 'POST';
    let call = requests.openAnonymously(req);
    let page: Page;
    try {
      call = await requests.open(req, [COOKIES.integrator]);
      await requests.admit(call, res);
      if (req.method === 'POST') await requests.reading(req, () => readBody(req, res, form, MOST_FORM_BYTES));
      page = await show(call, req);
    } catch (error) {
      page = showFailure(call, explain(error, call));
    }
    await requests.close(req, res, call, answerOf(page), (error) => answerOf(showFailure(call, explain(error, call))));
  });
}

function answerOf(page: Page): Answer {
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' };
  if ('location' in page) return { status: 303, headers: { ...headers, Location: page.location }, body: '' };
  const { status = 200, html, passing } = page;
  return { status, headers: { ...headers, ...page.headers }, body: html, ...(passing && { passing }) };
}

function readField({ body }: Request, name: string): string {
  const value: unknown =
    typeof body === 'object' && body !== null && Object.hasOwn(body, name)
      ? (body as Record<string, unknown>)[name]
      : '';
  const text = typeof value === 'string' ? value : '';
  const mistake = findBadText(text);
  if (mistake) throw refuseValue(name, mistake);
  return text;
}

function showSignIn(
  { config: { mode } }: Call,
  title: string,
  more: { explanation?: string; error?: string; email?: string; status?: number } = {},
): Page {
  const { status = 200, email = '', ...rest } = more;
  return { status, html: render('sign-in', { mode, title, email, ...rest }) };
}

function showExpired(call: Call): Page {
  const explanation =
    'It has expired, has already been used, or is incomplete. Links work once, within 15 minutes. Request a new one.';
  return showSignIn(call, 'This link does not work', { explanation });
}

/** Asks whoever followed a link whether they mean to use it. */
function askToConfirm({ config: { mode } }: Call, token: string): Page {
  return isLinkToken(token)
    ? { html: render('confirm', { mode, title: 'Sign in', token }) }
    : { location: '/signin/expired' };
}

async function consumeLink(run: Run, call: Call, token: string): Promise<Page> {
  if (call.source.foreign) return { location: '/signin/expired' };
  const { consumeSignInLink } = await run('consume', call, { token });
  return consumeSignInLink as { location: string };
}

async function requestLink(run: Run, call: Call, email: string): Promise<Page> {
  try {
    const { requestSignIn } = await run('signIn', call, { email });
    const { message, devConsumeUrl } = requestSignIn as { message: string; devConsumeUrl: string | null };
    const link = devConsumeUrl && { href: devConsumeUrl, text: 'Sign in (this deployment reveals links)' };
    return {
      html: render('message', { mode: call.config.mode, title: 'Check your e-mail', paragraphs: [message], link }),
    };
  } catch (error) {
    const refusal = explain(error, call);
    if (statusOf[refusal.code] >= 500) throw error;
    return showSignIn(call, 'Sign in', { error: refusal.message, email, status: statusOf[refusal.code] });
  }
}

async function showDashboard(run: Run, call: Call, news: object = {}, status = 200): Promise<Page> {
  const { me, myKeys, myLogs } = await run('dashboard', call);
  return {
    status,
    html: render('dashboard', {
      mode: call.config.mode,
      signedIn: call.viewer.kind === 'session',
      me,
      keys: nodesOf(myKeys),
      logs: nodesOf(myLogs),
      ...news,
    }),
  };
}

function nodesOf(connection: unknown): readonly unknown[] {
  return (connection as { readonly nodes: readonly unknown[] }).nodes;
}

/** Makes a change, and shows the dashboard with what came of it. */
async function changeAndShow(run: Run, call: Call, change: () => Promise<object>): Promise<Page> {
  if (call.viewer.integrator === null) return { location: '/signin/expired' };
  try {
    return await showDashboard(run, call, await change());
  } catch (error) {
    const refusal = explain(error, call);
    if (statusOf[refusal.code] >= 500) throw error;
    return showDashboard(run, call, { error: refusal.message }, statusOf[refusal.code]);
  }
}

function showFailure({ config: { mode }, requestId }: Call, refusal: Refusal): Page {
  const { code, message } = refusal;
  const paragraphs = [message, `Request id: ${requestId}`];
  const link = { href: '/dashboard', text: 'Back to the dashboard' };
  const html = render('message', { mode, title: 'Something went wrong', paragraphs, link });
  return { status: statusOf[code], headers: retryHeadersOf(refusal), html };
}
