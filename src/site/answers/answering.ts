import type { Request, RequestHandler, Response } from 'express';
import { explain } from '../../graphql/errors.ts';
import type { Answer, StreamedAnswer } from '../../platform/call/answers.ts';
import type { Need } from '../../platform/access/needs.ts';
import { findRefusal } from '../../platform/access/viewer.ts';
import type { Call } from '../../platform/call/call.ts';
import { retryHeadersOf } from '../../platform/call/limits/limits.ts';
import { type Requests, inboundOf, toHandler } from '../../platform/call/requests.ts';
import { Refusal, statusOf } from '../../kernel/refusal.ts';
import { isOwnPath } from '../../kernel/text/own-path.ts';
import { signInFor } from '../addresses.ts';
import type { Visitor } from '../operations/documents.ts';
import { languageOf } from '../languages/language.ts';
import type { Filled } from '../operations/fields.ts';
import { readForm } from '../operations/form.ts';
import type { Operation } from '../operations/prepare.ts';
import { isStreamed } from './files.ts';
import { renderPage } from './frame.ts';
import { type Mistake, mistakesOf } from './mistakes.ts';
import { type LayoutData, COOKIES_OF, type PageContext, isFor, pageContextOf, whoOpens } from '../page-context.ts';
import { say } from '../../kernel/text/said.ts';

const HTML = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' };

/** An address of pages, and who may ask for it. */
export interface Place {
  readonly path: string;
  readonly who: Visitor;
  /** True if it changes something even when it is asked for by GET. */
  readonly changes?: boolean;
  /** Most bytes of a file in a form that is sent there; null if its forms have none. */
  readonly largestFile?: number | null;
  /** Need of those who send such a form. */
  readonly need?: Need | null;
  /** The name in its path that is the token of a payment link; null where none is. */
  readonly token?: string | null;
}

type Respond = (context: PageContext, req: Request) => Promise<Answer | StreamedAnswer>;
export type Answering = (place: Place, respond: Respond) => RequestHandler;

/** Finds out who calls, makes the answer, books the request, and answers. */
export function answerBy(
  requests: Requests,
  layout: Operation,
  site: Pick<PageContext, 'schema' | 'pages' | 'describe'>,
): Answering {
  return ({ path, who, changes = false, largestFile = null, need = null, token = null }, respond) =>
    toHandler(async (req: Request, res: Response) => {
      const inbound = inboundOf(req);
      inbound.endpoint = `${req.method} ${path}`;
      inbound.changes = changes || req.method === 'POST';
      let call = requests.openAnonymously(req);
      let answer: Answer | StreamedAnswer;
      try {
        call = await requests.open(req, COOKIES_OF[who], token === null ? null : String(req.params[token]));
        await requests.admit(call, res);
        if (req.method === 'POST') {
          if (call.transport.source.foreign)
            throw new Refusal('forbidden', say`This form was sent by a page of another site`);
          // Large forms are read only from those who may send them.
          if (largestFile !== null) admitSender(who, need, call);
          req.body = await requests.reading(req, () => readForm(req, res, largestFile));
        }
        answer = await respond(
          pageContextOf(req, call, site, (await layout.run(call, {}, languageOf(call, req))) as unknown as LayoutData),
          req,
        );
      } catch (error) {
        answer = failure(who, pageContextOf(req, call, site), error, req);
      }
      if (isStreamed(answer)) return requests.stream(req, res, call, answer);
      await requests.close(req, res, call, answer, (error) => failure(who, pageContextOf(req, call, site), error, req));
    });
}

function admitSender(who: Visitor, need: Need | null, call: Call): void {
  if (!isFor(who, call)) throw new Refusal('unauthenticated', 'Sign in to send this form');
  const refusal = need && findRefusal(call.viewer, need);
  if (refusal) throw refusal;
}

/** A page that says what went wrong, with a way on: back to the form that was sent, or home. */
function failure(who: Visitor, context: PageContext, error: unknown, { body }: Request): Answer {
  const refusal = explain(error, context.call);
  const status = statusOf[refusal.code];
  if (refusal.code === 'unauthenticated') return redirect(signInFor(who, context.address));
  const from = (body as Filled | undefined)?.['_page'];
  const page = renderPage('frame/failure', 'failure.title', context, {
    status,
    reasons: refusal.code === 'forbidden' ? sayWhoMay(context, refusal) : mistakesOf(refusal, context.texts),
    requestId: context.call.requestId,
    // It shows no times, and was not told whose they are.
    clock: null,
    back: isOwnPath(from) ? from : null,
  });
  return html(page, refusal);
}

/** Explains in plain words why somebody may not see a page: who may, and whom to ask. */
function sayWhoMay(context: PageContext, refusal: Refusal): Mistake[] {
  const who = context.call.viewer.kind === 'staff' ? whoOpens(context, context.address) : null;
  if (who === null) return mistakesOf(refusal, context.texts);
  const { t } = context.texts;
  return [{ field: null, text: who.bound ? t('failure.bound') : t('failure.roles', who), lang: null }];
}

/** A page; with the refusal that it shows, under its status. */
export const html = (body: string, refusal?: Refusal): Answer => ({
  status: refusal ? statusOf[refusal.code] : 200,
  headers: { ...HTML, ...(refusal && retryHeadersOf(refusal)) },
  body,
});

/** Sends the browser on. */
export const redirect = (location: string): Answer => ({
  status: 303,
  headers: { ...HTML, Location: location },
  body: '',
});

/**
 * Sends the browser on after a form. The policy of pages lets no form lead to another host, and browsers hold redirects
 * to it too: a page that redirects itself is allowed.
 */
export function leaveFor(location: string, context: PageContext): Answer {
  const stays: boolean = isOwnPath(location);
  if (stays) return redirect(location);
  const page = renderPage('frame/onward', 'onward.title', context, { host: new URL(location).host, location });
  return { ...html(page), headers: { ...HTML, Refresh: `0; url=${location}` } };
}
