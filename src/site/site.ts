import { type ErrorRequestHandler, type Request, type RequestHandler, Router } from 'express';
import type { GraphQLSchema } from 'graphql';
import { explain } from '../graphql/errors.ts';
import type { FileFormat } from '../graphql/files/encode.ts';
import type { Answer, Passing } from '../platform/call/answers.ts';
import { findRefusal } from '../platform/access/viewer.ts';
import { LOG_IN_COOKIE, SIGN_ON_COOKIE, cookieOf } from '../platform/access/cookies.ts';
import type { Requests } from '../platform/call/requests.ts';
import type { Config } from '../platform/config/config.ts';
import { Refusal, statusOf } from '../kernel/refusal.ts';
import { act, checkRepetition, whereTo } from './answers/act.ts';
import { type Answering, answerBy, html, leaveFor, redirect } from './answers/answering.ts';
import { isOwnPath } from '../kernel/text/own-path.ts';
import { HOME, findPage, signInFor } from './addresses.ts';
import { routeAssets } from './assets.ts';
import {
  type ActionDocument,
  type ArrivalDocument,
  type DownloadDocument,
  type FileDocument,
  type PageDocument,
  readDocuments,
} from './operations/documents.ts';
import { type Filled, readFields, refuseUnknown } from './operations/fields.ts';
import { without } from './operations/filled.ts';
import { largestFileOf } from './operations/form.ts';
import { isLanguage, keepLanguage } from './languages/language.ts';
import { FORMATS, writeFile } from './answers/files.ts';
import { renderPage } from './answers/frame.ts';
import type { Done, Own, Refused } from './answers/handed.ts';
import { mistakesOf } from './answers/mistakes.ts';
import { keepDismissed } from './answers/notices.ts';
import { secure, secureAlone, secureEmbedded } from './answers/policy.ts';
import { answerEmbedded, answerSeen, readSeen } from './answers/seen.ts';
import { findOnward, showPage } from './show.ts';
import { type Problem, type PageContext, isFor } from './page-context.ts';
import { say } from '../kernel/text/said.ts';

/** A page that shows nobody anything of their own. */
const FOR_EVERYBODY: Passing = { kept: true, compressed: true };
/** Headers that such a page depends on, besides those of all answers: the preferred language. */
const DEPENDS_ON = 'Accept-Language';

interface Site {
  readonly router: Router;
  /** Says to browsers that a page is not there, with a way on; all others are answered as the API answers. */
  readonly missing: RequestHandler;
  /** Says so of an address that cannot be read. */
  readonly unreadable: ErrorRequestHandler;
}

/** The pages of people who work with the rail: documents of operations, and templates over what they answer. */
export function openSite(
  schema: GraphQLSchema,
  requests: Requests,
  mode: Config['mode'],
  describe: PageContext['describe'],
): Site {
  const { pages: all, actions, arrivals, downloads, files, layout } = readDocuments(schema);
  const pages = all.filter(({ sandbox }) => mode === 'sandbox' || !sandbox);
  const answering = answerBy(requests, layout, { schema, pages, describe });
  const router = Router({ caseSensitive: true, strict: true });
  router.use(routeAssets());
  for (const page of pages)
    router.get(expressPath(page.path), page.alone ? secureAlone : secure, answerPage(answering, page));
  for (const action of actions) router.post(expressPath(action.path), secure, answerAction(answering, action, pages));
  for (const arrival of arrivals) router.get(expressPath(arrival.path), secure, answerArrival(answering, arrival));
  for (const download of downloads) router.get(expressPath(download.path), secure, answerDownload(answering, download));
  for (const file of files)
    for (const { format, ending } of FORMATS)
      router.get(`${file.path}.${ending}`, secure, answerFile(answering, file, format));
  router.get('/embed/:token.svg', secureEmbedded, answerEmbed(answering));
  router.post('/language', secure, answerLanguage(answering));
  router.post('/redraw', secure, answerRedrawing(answering, pages));
  router.post('/notices/dismiss', secure, answerDismissal(answering));
  const asked = new Set([...pages, ...arrivals].map(({ path }) => path));
  const sent = new Set(actions.map(({ path }) => path));
  for (const path of asked.union(sent)) {
    const methods = [...(asked.has(path) ? ['GET'] : []), ...(sent.has(path) ? ['POST'] : [])];
    router.all(expressPath(path), secure, answerMethod(answering, path, methods));
  }
  return { router, missing: answerMissing(answering), unreadable: answerUnreadable(answering) };
}

/** Addresses of programs, with any `Accept` header. */
const OF_PROGRAMS = /^\/(v1|graphql|assets|\.well-known)(\/|$)/;

/** True if somebody opens a page, existing or not. */
function asksForPage(req: Request): boolean {
  const isPage = req.method === 'GET' && !OF_PROGRAMS.test(req.path);
  return isPage && req.accepts(['application/json', 'text/html']) === 'text/html';
}

function answerMissing(answering: Answering): RequestHandler {
  const answer = answering({ path: '(none)', who: 'EVERYBODY' }, async () => {
    throw new Refusal('not_found', say`There is no page at this address`);
  });
  return (req, res, next) => {
    if (!asksForPage(req)) return next();
    secure(req, res, (error?: unknown) => (error ? next(error) : void answer(req, res, next)));
  };
}

function answerUnreadable(answering: Answering): ErrorRequestHandler {
  const answer = answering({ path: '(none)', who: 'EVERYBODY' }, async () => {
    throw new Refusal('malformed_request', 'The address is not properly percent-encoded');
  });
  return (thrown: unknown, req, res, next) => {
    if (!(thrown instanceof URIError) || res.headersSent || !asksForPage(req)) return next(thrown);
    secure(req, res, (error?: unknown) => (error ? next(error) : void answer(req, res, next)));
  };
}

const expressPath = (path: string) => path.replace(/\{(\w+)\}/g, ':$1');

function answerPage(answering: Answering, page: PageDocument) {
  return answering(page, async (context, req) => {
    if (!isFor(page.who, context.call)) return redirect(signInFor(page.who, context.address));
    const refusal = page.need && findRefusal(context.call.viewer, page.need);
    if (refusal) throw refusal;
    const seen = readSeen(context.query);
    if (seen) return answerSeen(page, req.params, context, seen);
    const onward = await findOnward(page, context);
    if (onward !== null) return redirect(onward);
    const asks = page.question || page.asksNamed;
    const shown = await (asks ? answerQuestion : answerAlone)(page, req.params, context);
    // Signed-in readers find their name above it.
    return page.kept && context.call.viewer.kind === 'anonymous'
      ? { ...shown, headers: { ...shown.headers, Vary: DEPENDS_ON }, passing: FOR_EVERYBODY }
      : { ...shown, passing: { compressed: page.compressed } };
  });
}

const answerAlone = async (page: PageDocument, path: Filled, context: PageContext): Promise<Answer> =>
  html(await showPage(page, path, context));

/** The answer to a question; where that is refused, its form with what is wrong. */
async function answerQuestion(page: PageDocument, path: Filled, context: PageContext): Promise<Answer> {
  try {
    return html(await showPage(page, path, context));
  } catch (error) {
    const refusal = explain(error, context.call);
    if (!['validation_failed', 'forbidden'].includes(refusal.code)) throw error;
    const problem: Problem = { refusal: nameFields(refusal), filled: {}, mark: null };
    return html(await showPage(page, path, context, problem), refusal);
  }
}

/** A refusal by the fields of a form: `slice.agency[0]` is a value of `agency`. */
function nameFields({ code, message, details }: Refusal): Refusal {
  const path = (given: string) => given.replace(/^slice\./, '').replace(/\[\d+\]$/, '');
  return new Refusal(
    code,
    message,
    details.map((detail) => ({ ...detail, path: path(detail.path) })),
  );
}

function answerFile(answering: Answering, file: FileDocument, format: FileFormat) {
  return answering(file, async (context) => {
    if (!isFor(file.who, context.call)) return redirect(signInFor(file.who, context.address));
    return writeFile(file, format, context);
  });
}

/** The endings of files by their media types. */
const ENDINGS: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'image/svg+xml': 'svg',
  'text/plain': 'txt',
};

function answerDownload(answering: Answering, { operation, ...place }: DownloadDocument) {
  return answering({ ...place, who: 'EVERYBODY' }, async ({ call, texts }, { params }): Promise<Answer> => {
    const variables = readFields(operation.fields, params);
    refuseUnknown(operation.fields, variables);
    const { id, mediaType, body } = await operation.run(call, variables, texts.language);
    if (typeof mediaType !== 'string' || typeof body !== 'string')
      throw new Refusal('not_found', say`There is no page at this address`);
    const disposition = `attachment; filename="${String(id)}.${ENDINGS[mediaType]}"`;
    const type = mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType;
    return {
      status: 200,
      headers: { 'Content-Type': type, 'Content-Disposition': disposition, 'Cache-Control': 'no-store' },
      body: Buffer.from(body, 'base64'),
    };
  });
}

/** Does what a browser was sent to an address for, and sends it on; a HEAD request does nothing. */
function answerArrival(answering: Answering, arrival: ArrivalDocument) {
  return answering({ ...arrival, changes: true }, async (context, req) => {
    if (req.method === 'HEAD') return html('');
    const { query, call } = context;
    // Blank values are left out of variables. These two are always looked at.
    const [asked, attempt] = [String(query) || 'none', cookieOf(call, req.headers, SIGN_ON_COOKIE) ?? 'none'];
    const said = { ...Object.fromEntries(query), query: asked, attempt };
    try {
      const { answered } = await act({ ...arrival, clears: [] }, call, said, null, context.texts.language);
      return redirect(String(answered[arrival.to]));
    } catch (error) {
      const refusal = explain(error, call);
      const reasons = mistakesOf(refusal, context.texts);
      const own: Own<Refused> = { refusal, reasons, requestId: call.requestId };
      return html(renderPage(`pages/${arrival.name}`, arrival.title, context, own), refusal);
    }
  });
}

/** Says of an address of pages that is asked in a way that it is not made for how to go on. */
function answerMethod(answering: Answering, path: string, methods: readonly string[]) {
  return answering({ path, who: 'EVERYBODY' }, async (_visit, { res }) => {
    res!.setHeader('Allow', methods.join(', '));
    throw new Refusal('method_not_allowed', 'This address only takes what a form of another page sends to it');
  });
}

function answerAction(answering: Answering, action: ActionDocument, pages: readonly PageDocument[]) {
  return answering(
    { ...action, largestFile: largestFileOf(action), need: action.steps[0]!.needs[0] ?? null },
    async (context, req) => {
      const { _mark, _page, ...filled } = req.body as Filled;
      const [mark, from] = [_mark, _page].map((text) => (typeof text === 'string' ? text : null)) as [
        string | null,
        string | null,
      ];
      if (!isFor(action.who, context.call)) return redirect(signInFor(action.who, from ?? action.to ?? HOME));
      try {
        checkRepetition(action, filled);
        const said = {
          ...filled,
          ...req.params,
          attempt: cookieOf(context.call, req.headers, LOG_IN_COOKIE) ?? 'none',
        };
        const { known, answered } = await act(action, context.call, said, mark, context.texts.language);
        // A value from the form must not redirect anywhere.
        const elsewhere = action.leave === null ? null : answered[action.leave];
        if (typeof elsewhere === 'string' && (isOwnPath(elsewhere) || URL.canParse(elsewhere)))
          return leaveFor(elsewhere, context);
        if (action.to !== null) return redirect(whereTo(action.to, { ...known, mark }));
        const own: Own<Done<unknown, Filled>> = { data: known, path: req.params };
        return html(renderPage(`pages/${action.name}`, action.title!, context, own));
      } catch (error) {
        const refusal = explain(error, context.call);
        const back = from === null ? null : findPage(pages, from);
        const status = statusOf[refusal.code];
        // A form can name any page, that of somebody else too.
        if (!back || !isFor(back.page.who, context.call) || status === 500) throw error;
        // An attempt that was interrupted continues with the same mark; one that was refused starts again.
        const problem: Problem = { refusal, filled, mark: status > 500 ? mark : null };
        return html(
          await showPage(back.page, back.path, { ...context, address: from!, query: back.query }, problem),
          refusal,
        );
      }
    },
  );
}

/** Shows a form again as it is filled in, with the field that its button adds, or without what that takes away. */
function answerRedrawing(answering: Answering, pages: readonly PageDocument[]) {
  return answering({ path: '/redraw', who: 'EVERYBODY' }, async (context, req) => {
    const { _mark, _page, _without, ...filled } = req.body as Filled;
    const back = typeof _page === 'string' ? findPage(pages, _page) : null;
    if (!back) throw new Refusal('not_found', say`There is no page at this address`);
    if (!isFor(back.page.who, context.call)) return redirect(signInFor(back.page.who, String(_page)));
    const refusal = back.page.need && findRefusal(context.call.viewer, back.page.need);
    if (refusal) throw refusal;
    const drawn: Problem = { refusal: null, filled: without(filled, _without), mark: null };
    return html(await showPage(back.page, back.path, { ...context, address: String(_page), query: back.query }, drawn));
  });
}

function answerEmbed(answering: Answering) {
  return answering({ path: '/embed/{token}.svg', who: 'EVERYBODY' }, async ({ schema, call, texts }, { params }) =>
    answerEmbedded(schema, call, String(params['token']), texts.language),
  );
}

function answerLanguage(answering: Answering) {
  return answering({ path: '/language', who: 'EVERYBODY' }, async ({ call }, req) => {
    const { language, back } = req.body as Filled;
    if (typeof language === 'string' && isLanguage(language)) call.transport.cookies.push(keepLanguage(call, language));
    return redirect(isOwnPath(back) ? back : HOME);
  });
}

function answerDismissal(answering: Answering) {
  return answering({ path: '/notices/dismiss', who: 'EVERYBODY' }, async ({ call }, req) => {
    const { notice, back } = req.body as Filled;
    const kept = keepDismissed(call, req, notice);
    if (kept !== null) call.transport.cookies.push(kept);
    return redirect(isOwnPath(back) ? back : HOME);
  });
}
