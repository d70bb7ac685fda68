import { type Request, Router } from 'express';
import type { GraphQLSchema } from 'graphql';
import helmet from 'helmet';
import { readFileSync } from 'node:fs';
import type { Passing } from '../../platform/call/answers.ts';
import type { Call } from '../../platform/call/call.ts';
import { serveFixed } from '../../platform/call/fixed.ts';
import type { Requests } from '../../platform/call/requests.ts';
import { explain } from '../../graphql/errors.ts';
import { refuseValue, statusOf } from '../../kernel/refusal.ts';
import { isLinkToken } from '../../accounts/sessions/tokens.ts';
import { findBadText } from '../../kernel/text/free-text.ts';
import { type Page, STAFF_SIGN_IN, type Show, answerPage, view } from './answer.ts';
import { LINK_PAGES, showLink, useLink } from './mailed-links.ts';
import { type Run, prepareOperations } from './page-operations.ts';
import { beginSignOn, completeSignOn } from './sign-on.ts';

const CSS = readFileSync(new URL('pages.css', import.meta.url), 'utf8');
/** What has pages made elsewhere show the notices in effect. */
const NOTICES = readFileSync(new URL('notices.js', import.meta.url), 'utf8');
/** A page that shows nobody anything of their own. */
const FOR_EVERYBODY: Passing = { kept: true, compressed: true };

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
  const get = (path: string, show: Show) => router.get(path, secure, answerPage(run, requests, path, show));
  const post = (path: string, show: Show) => router.post(path, secure, answerPage(run, requests, path, show));

  router.get(
    '/assets/pages.css',
    serveFixed('text/css; charset=utf-8', () => CSS),
  );
  router.get(
    '/assets/notices.js',
    serveFixed('text/javascript; charset=utf-8', () => NOTICES),
  );
  get('/terms', async (call) => ({
    view: view('terms', await run('terms', call)),
    passing: FOR_EVERYBODY,
  }));
  get('/docs/anomalies', async (call) => ({
    view: view('anomalies', await run('anomalies', call)),
    passing: FOR_EVERYBODY,
  }));
  get('/signin', async () => showSignIn('Sign in'));
  get('/signin/expired', async () => showExpired());
  get('/signin/confirm', async (call, req) =>
    askToConfirm(new URL(req.originalUrl, call.origin).searchParams.get('token') ?? ''),
  );
  post('/signin/confirm', async (call, req) => consumeLink(run, call, readField(req, 'token')));
  post('/signin', async (call, req) => requestLink(run, call, readField(req, 'email')));
  const sign = (path: string, show: Show) =>
    router.get(path, secure, answerPage(run, requests, path, show, STAFF_SIGN_IN));
  sign('/signin/sso', (call, req) => beginSignOn(run, call, req));
  sign('/signin/sso/callback', (call, req) => completeSignOn(run, call, req));
  for (const page of LINK_PAGES) {
    get(page.path, async (call, req) => showLink(page, call, req));
    post(page.path, (call, req) =>
      useLink(run, call, page, {
        token: readField(req, 'token'),
        password: readField(req, 'password'),
        repeated: readField(req, 'repeated'),
      }),
    );
  }
  return router;
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
  title: string,
  more: { explanation?: string; error?: string; email?: string; status?: number } = {},
): Page {
  const { status = 200, email = '', ...rest } = more;
  return { status, view: view('sign-in', { title, email, ...rest }) };
}

function showExpired(): Page {
  const explanation =
    'It has expired, has already been used, or is incomplete. Links work once, within 15 minutes. Request a new one.';
  return showSignIn('This link does not work', { explanation });
}

/** Asks whoever followed a link whether they mean to use it. */
function askToConfirm(token: string): Page {
  return isLinkToken(token) ? { view: view('confirm', { title: 'Sign in', token }) } : { location: '/signin/expired' };
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
    return { view: view('message', { title: 'Check your e-mail', paragraphs: [message], link }) };
  } catch (error) {
    const refusal = explain(error, call);
    if (statusOf[refusal.code] >= 500) throw error;
    return showSignIn('Sign in', { error: refusal.message, email, status: statusOf[refusal.code] });
  }
}
