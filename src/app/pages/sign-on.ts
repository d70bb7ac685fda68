import type { Request } from 'express';
import { SIGN_ON_COOKIE, cookieOf } from '../../platform/access/cookies.ts';
import type { Call } from '../../platform/call/call.ts';
import { retryHeadersOf } from '../../platform/call/limits.ts';
import { explain } from '../../graphql/errors.ts';
import { statusOf } from '../../kernel/refusal.ts';
import type { Run } from './page-operations.ts';
import { type Page, view } from './answer.ts';

/** Sends a browser to the identity provider. */
export function beginSignOn(run: Run, call: Call, req: Request): Promise<Page> {
  const returnTo = new URL(req.originalUrl, call.origin).searchParams.get('return_to');
  return show(call, req, async () => {
    const { beginSingleSignOn: step } = await run('beginSignOn', call, { returnTo });
    return step as { location: string };
  });
}

/** Takes a browser back from the identity provider. */
export function completeSignOn(run: Run, call: Call, req: Request): Promise<Page> {
  const { search } = new URL(req.originalUrl, call.origin);
  return show(call, req, async () => {
    const attempt = cookieOf(req.headers, SIGN_ON_COOKIE) ?? '';
    const { completeSingleSignOn: step } = await run('completeSignOn', call, { attempt, query: search.slice(1) });
    return step as { location: string };
  });
}

/** Whoever only asks for the head of a page neither begins nor ends anything. */
async function show(call: Call, req: Request, go: () => Promise<Page>): Promise<Page> {
  if (req.method === 'HEAD') return { view: view('message', { title: 'Sign in', paragraphs: [] }) };
  try {
    return await go();
  } catch (error) {
    const refusal = explain(error, call);
    const paragraphs = [refusal.message, `Request id: ${call.requestId}`];
    const link = { href: '/signin/sso', text: 'Try again' };
    const shown = view('message', { title: 'You are not signed in', paragraphs, link });
    return { status: statusOf[refusal.code], headers: retryHeadersOf(refusal), view: shown };
  }
}
