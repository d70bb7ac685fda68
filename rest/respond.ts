import type { Request, Response } from 'express';
import { COOKIES, type CookieName, clearCookie } from '../src/platform/access/cookies.ts';
import type { Answer } from '../src/platform/call/answers.ts';
import { type Requests, inboundOf } from '../src/platform/call/requests.ts';
import { isAccountNeed } from '../src/platform/access/needs.ts';
import type { Call } from '../src/platform/call/call.ts';
import { isAnyDocname } from '../src/platform/database/docnames.ts';
import { accessOf } from '../src/graphql/plugins/access.ts';
import { explain } from '../src/graphql/errors.ts';
import { type Outcome, answerRefusal, represent } from './outcomes.ts';
import { sayDeprecated } from './openapi/deprecations.ts';
import type { Endpoint } from './load.ts';

/** Finds out who calls, runs what is asked, and responds with the result. */
export async function respond(
  requests: Requests,
  req: Request,
  res: Response,
  endpoint: Endpoint | null,
  run: (call: Call) => Promise<Outcome>,
): Promise<void> {
  const inbound = inboundOf(req);
  if (endpoint) inbound.endpoint = `${endpoint.method} ${endpoint.path}`;
  inbound.changes = endpoint?.changes ?? false;
  inbound.begins = endpoint?.begins ?? false;
  let call = requests.openAnonymously(req);
  let outcome: Outcome;
  try {
    // With every other result too; but a page of another origin cannot sign anybody out.
    if (endpoint?.handler.signsOut && !call.transport.source.foreign) clearCookies(call, res, cookiesOf(endpoint));
    call = await requests.open(req, endpoint ? cookiesOf(endpoint) : undefined);
    const { addressLimit, provenByItself } = accessOf(endpoint?.field);
    await requests.admit(call, res, { countsItself: addressLimit !== undefined || provenByItself });
    outcome = await run(call);
  } catch (error) {
    inbound.refusal = explain(error, call);
    outcome = answerRefusal(inbound.refusal);
  }
  if (endpoint?.deprecation) outcome = { ...outcome, headers: sayDeprecated(outcome.headers, endpoint, call.origin) };
  inbound.object = objectOf(req, outcome);
  await finish(requests, req, res, call, outcome);
}

/** The docname that a request names in its address, or that of what it made. */
function objectOf(req: Request, { body }: Outcome): string | null {
  const named = Object.values(req.params).find((value) => typeof value === 'string' && isAnyDocname(value));
  if (typeof named === 'string' || req.method === 'GET') return (named as string | undefined) ?? null;
  return /^\{"data":\{"name":"([A-Z]+-[\d-]+)"/.exec(typeof body === 'string' ? body : '')?.[1] ?? null;
}

/** The cookies that count at an endpoint: an account has its own, staff have theirs. */
function cookiesOf({ field }: Endpoint): readonly CookieName[] | undefined {
  const { need, welcomes } = accessOf(field);
  if ((need && isAccountNeed(need)) || welcomes === 'integrators') return [COOKIES.integrator];
  return welcomes === 'staff' ? [COOKIES.staff] : undefined;
}

function clearCookies(call: Call, res: Response, names: readonly CookieName[] = []): void {
  for (const name of names) res.append('Set-Cookie', clearCookie(call, name));
}

/** Answers with an outcome. */
export async function finish(
  requests: Requests,
  req: Request,
  res: Response,
  call: Call,
  outcome: Outcome,
): Promise<void> {
  if (outcome.stream)
    return requests.stream(req, res, call, {
      status: outcome.status,
      headers: { ...outcome.headers },
      body: outcome.stream,
      ...(outcome.passing && { passing: outcome.passing }),
    });
  return requests.close(req, res, call, writeAnswer(outcome, req, call), (error) =>
    writeAnswer(answerRefusal(explain(error, call)), req, call),
  );
}

/** True if a client prefers problem details (RFC 9457) to the error envelope, by the weights of its `Accept`. */
function prefersProblem(req: Request): boolean {
  return req.accepts(['application/json', 'application/problem+json']) === 'application/problem+json';
}

/** An outcome in the form that the client asked for. */
function writeAnswer(outcome: Outcome, req: Request, call: Call): Answer {
  const { type, body } = represent(outcome, prefersProblem(req), call.requestId);
  return {
    status: outcome.status,
    headers: { ...outcome.headers, 'Content-Type': type, 'Cache-Control': 'no-store' },
    body,
    ...(outcome.passing && { passing: outcome.passing }),
  };
}
