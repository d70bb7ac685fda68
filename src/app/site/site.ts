import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { GraphQLSchema } from 'graphql';
import helmet from 'helmet';
import { explain } from '../../graphql/errors.ts';
import type { Answer } from '../../platform/call/answers.ts';
import { retryHeadersOf } from '../../platform/call/limits.ts';
import { type Requests, inboundOf, toHandler } from '../../platform/call/requests.ts';
import { Refusal, statusOf } from '../../kernel/refusal.ts';
import { act, whereTo } from './act.ts';
import { HOME, findPage, isOwnPath, signInFor } from './addresses.ts';
import { routeAssets } from './assets.ts';
import {
  type ActionDocument,
  type Operation,
  type PageDocument,
  type Visitor,
  readDocuments,
} from './operations/documents.ts';
import type { Filled } from './operations/fields.ts';
import { readForm, takesFiles } from './operations/form.ts';
import { isLanguage, keepLanguage } from './languages/language.ts';
import { renderPage, showChart, showPage } from './show.ts';
import { type Around, COOKIES_OF, type Problem, type Visit, isFor, visitOf } from './visit.ts';

/** This host's own style sheet, script, pictures and forms, and nothing in the page itself. */
const policyOf = (connectSrc: "'self'" | "'none'") =>
  helmet({
    // Without a referrer, browsers hide the origin of a form from its own host too.
    referrerPolicy: { policy: 'same-origin' },
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        styleSrc: ["'self'"],
        scriptSrc: ["'self'"],
        connectSrc: [connectSrc],
        imgSrc: ["'self'", 'data:'],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
  });

const secure = policyOf("'self'");
/** The same for pages that ask nobody for anything once they are open. */
const secureAlone = policyOf("'none'");

const HTML = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' };

interface Site {
  readonly router: Router;
  /** Says to browsers that a page is not there, with a way on; whatever else asks is answered as the API answers. */
  readonly missing: RequestHandler;
}

/** The pages of people who work with the rail: documents of operations, and templates over what they answer. */
export function openSite(schema: GraphQLSchema, requests: Requests): Site {
  const { pages, actions, around } = readDocuments(schema);
  const answering = answerBy(requests, around);
  const router = Router({ caseSensitive: true, strict: true });
  router.use(routeAssets());
  for (const page of pages)
    router.get(expressPath(page.path), page.alone ? secureAlone : secure, answerPage(answering, page));
  for (const action of actions) router.post(expressPath(action.path), secure, answerAction(answering, action, pages));
  router.post('/language', secure, answerLanguage(answering));
  return { router, missing: answerMissing(answering) };
}

/** Addresses of programs, whatever they say that they take. */
const OF_PROGRAMS = /^\/(v1|graphql|assets|\.well-known)(\/|$)/;

function answerMissing(answering: Answering): RequestHandler {
  const answer = answering({ path: '(none)', who: 'EVERYBODY' }, async () => {
    throw new Refusal('not_found', 'There is no page at this address');
  });
  return (req, res, next) => {
    const isPage = req.method === 'GET' && !OF_PROGRAMS.test(req.path);
    if (!isPage || req.accepts(['application/json', 'text/html']) !== 'text/html') return next();
    secure(req, res, (error?: unknown) => (error ? next(error) : void answer(req, res, next)));
  };
}

const expressPath = (path: string) => path.replace(/\{(\w+)\}/g, ':$1');

function answerPage(answering: Answering, page: PageDocument) {
  return answering(page, async (visit, req) => {
    if (!isFor(page.who, visit.call)) return redirect(signInFor(page.who, visit.address));
    const chart = visit.query.get('svg');
    if (chart !== null) return picture(await showChart(page, req.params, visit, chart), chart);
    return html(await showPage(page, req.params, visit));
  });
}

function answerAction(answering: Answering, action: ActionDocument, pages: readonly PageDocument[]) {
  return answering({ ...action, files: takesFiles(action) }, async (visit, req) => {
    const { _mark, _page, ...filled } = req.body as Filled;
    const [mark, from] = [_mark, _page].map((text) => (typeof text === 'string' ? text : null)) as [
      string | null,
      string | null,
    ];
    if (!isFor(action.who, visit.call)) return redirect(signInFor(action.who, from ?? action.to ?? HOME));
    try {
      const known = await act(action, visit.call, { ...filled, ...req.params }, mark);
      if (action.to !== null) return redirect(whereTo(action.to, action.done, known));
      return html(renderPage(`rooms/${action.name}`, action.title!, visit, { data: known, path: req.params }));
    } catch (error) {
      const refusal = explain(error, visit.call);
      const back = from === null ? null : findPage(pages, from);
      const status = statusOf[refusal.code];
      if (!back || status === 500) throw error;
      // What did not come to its end goes on where it was; what was refused is begun anew.
      const problem: Problem = { refusal, filled, mark: status > 500 ? mark : null };
      return html(
        await showPage(back.page, back.path, { ...visit, address: from!, query: back.query }, problem),
        refusal,
      );
    }
  });
}

function answerLanguage(answering: Answering) {
  return answering({ path: '/language', who: 'EVERYBODY' }, async ({ call }, req) => {
    const { language, back } = req.body as Filled;
    if (typeof language === 'string' && isLanguage(language)) call.cookies.push(keepLanguage(language));
    return redirect(isOwnPath(back) ? back : HOME);
  });
}

type Respond = (visit: Visit, req: Request) => Promise<Answer>;

interface Place {
  readonly path: string;
  readonly who: Visitor;
  /** Whether forms are sent there with files. */
  readonly files?: boolean;
}

type Answering = (place: Place, respond: Respond) => RequestHandler;

/** Finds out who calls, makes the answer, books the request, and answers. */
function answerBy(requests: Requests, around: Operation): Answering {
  return ({ path, who, files = false }, respond) =>
    toHandler(async (req: Request, res: Response) => {
      const inbound = inboundOf(req);
      inbound.endpoint = `${req.method} ${path}`;
      inbound.changes = req.method === 'POST';
      let call = requests.openAnonymously(req);
      let answer: Answer;
      try {
        call = await requests.open(req, COOKIES_OF[who]);
        await requests.admit(call, res);
        if (req.method === 'POST') {
          if (call.source.foreign) throw new Refusal('forbidden', 'This form was sent by a page of another site');
          // What takes much is read of those alone whom it is for.
          if (files && !isFor(who, call)) throw new Refusal('unauthenticated', 'Sign in to send this form');
          req.body = await requests.reading(req, () => readForm(req, res, files));
        }
        answer = await respond(visitOf(req, call, (await around.run(call, {})) as unknown as Around), req);
      } catch (error) {
        answer = failure(who, visitOf(req, call), error);
      }
      await requests.close(req, res, call, answer, (error) => failure(who, visitOf(req, call), error));
    });
}

/** A page that says what went wrong, with a way on. */
function failure(who: Visitor, visit: Visit, error: unknown): Answer {
  const refusal = explain(error, visit.call);
  const status = statusOf[refusal.code];
  if (status === 401) return redirect(signInFor(who, visit.address));
  const requestId = visit.call.requestId;
  const page = renderPage('frame/failure', 'failure.title', visit, { status, message: refusal.message, requestId });
  return { ...html(page, refusal), headers: { ...HTML, ...retryHeadersOf(refusal) } };
}

const html = (body: string, refusal?: Refusal): Answer => ({
  status: refusal ? statusOf[refusal.code] : 200,
  headers: HTML,
  body,
});

const picture = (body: string, name: string): Answer => ({
  status: 200,
  headers: {
    'Content-Type': 'image/svg+xml; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Disposition': `attachment; filename="${name}.svg"`,
  },
  body,
});

const redirect = (location: string): Answer => ({ status: 303, headers: { ...HTML, Location: location }, body: '' });
