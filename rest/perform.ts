import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import type { Request, Response } from 'express';
import { FORMS, type FileFormat, NDJSON, PARQUET, encodeFile, fileHeaders } from '../src/graphql/files/encode.ts';
import { narrow } from '../src/graphql/files/narrow.ts';
import { type Pages, type Row, columnsOfOperation, readPages } from '../src/graphql/files/rows.ts';
import { type Variables, runPrepared } from '../src/graphql/prepared.ts';
import { accessOf } from '../src/graphql/plugins/access.ts';
import { fingerprintOf, namePrincipal, requireKey } from '../src/platform/change/idempotency.ts';
import { quotaHeadersOf } from '../src/platform/call/limits/limits.ts';
import type { Requests } from '../src/platform/call/requests.ts';
import { type Viewer, findRefusal, refuseAllButStaff, showsBearer } from '../src/platform/access/viewer.ts';
import { type Call, sayAsOf } from '../src/platform/call/call.ts';
import { Refusal, rootOf } from '../src/kernel/refusal.ts';
import { parseMembers, readRawBody } from './input/body.ts';
import { BOM, negotiateFormat } from './exports.ts';
import type { Outcome } from './outcomes.ts';
import type { Endpoint } from './load.ts';
import { runOnce } from './repeated/once.ts';
import type { Page, RememberedAnswers } from './repeated/remembered.ts';
import { makeNextLink, readQuery } from './input/query.ts';
import { collectVariables } from './input/variables.ts';
import type { Wording } from './wording.ts';

/** A request for an endpoint, and what it takes to answer it. */
interface Asked {
  readonly endpoint: Endpoint;
  readonly wording: Wording;
  readonly requests: Requests;
  readonly remembered: RememberedAnswers;
  readonly call: Call;
  readonly req: Request;
  readonly res: Response;
}

/** Does what an endpoint is asked, once if the request carries an `Idempotency-Key`. */
export async function perform(asked: Asked): Promise<Outcome> {
  const { endpoint, wording, requests, call, req, res } = asked;
  // Before the input is looked at: who may not do this at all learns nothing of how it is done.
  const refusal = findRefusalAt(endpoint, call.viewer);
  if (refusal) throw wording.refusal(refusal, endpoint);
  const { addressLimit } = accessOf(endpoint.field);
  if (addressLimit) {
    res.set(quotaHeadersOf(await call.rail.limits.countAddress(call.transport.source.address, addressLimit)));
    call.transport.admitted = true;
  }
  const raw =
    endpoint.method === 'GET'
      ? Buffer.alloc(0)
      : await requests.reading(req, () => readRawBody(req, res, endpoint.handler.body));
  const key = req.headers['idempotency-key'];
  const operate = () => operateOn(asked, raw);
  // A file is not kept: its rows are known by keys of their own.
  if (!endpoint.changes || typeof key !== 'string' || formatOf(asked) !== null) return operate();
  const principal = principalOf(call, endpoint, req, raw);
  if (principal !== null)
    return runOnce(call, { principal, key, fingerprint: fingerprintOf(req.method, req.originalUrl, raw) }, operate);
  // A provider's request is identified by the provider's own ID.
  if (!endpoint.handler.body.raw) requireKey(key);
  return operate();
}

/** Reason why a viewer may not use an endpoint with any input; null if they may. */
export function findRefusalAt({ field, staffOnly }: Endpoint, viewer: Viewer): Refusal | null {
  const { need } = accessOf(field);
  if (staffOnly && showsBearer(viewer)) return refuseAllButStaff();
  return need === undefined ? null : findRefusal(hereAs(viewer), need);
}

/** Here the session of an integrator opens its account alone; what it reads beyond that, it reads over GraphQL. */
const hereAs = (viewer: Viewer): Viewer => (viewer.kind === 'session' ? { ...viewer, scopes: new Set() } : viewer);

/** Owner of a request's stored answer; null if neither a credential nor the body names one. */
function principalOf(
  { viewer, vault }: Call,
  { namedBy, handler }: Endpoint,
  req: Request,
  raw: Buffer,
): string | null {
  if (viewer.credential !== null || namedBy === null) return viewer.credential;
  const named = parseMembers(req, raw, handler.body)[namedBy];
  return typeof named === 'string' ? namePrincipal(vault, named) : null;
}

/** An operation that a request asks for, with what it is given. */
interface Operation extends Asked {
  readonly prepared: Endpoint['prepared'];
  readonly variables: Variables;
  readonly query: URLSearchParams;
}

/** Format in which the answer is asked for; null: JSON. */
function formatOf({ endpoint, req }: Asked): string | null {
  const { handler, method, changes, formats } = endpoint;
  const negotiates = method === 'GET' || (changes && formats.length > 0);
  return negotiates && handler.answers !== 'redirect' ? negotiateFormat(req, endpoint) : null;
}

async function operateOn(asked: Asked, raw: Buffer): Promise<Outcome> {
  const { endpoint, call, req } = asked;
  const { handler, method, drawn, strict } = endpoint;
  const query = readQuery(req, endpoint);
  const format = formatOf(asked);
  const draws = format !== null && drawn?.formats.includes(format) ? drawn : null;
  const { prepared, parameters } = draws ?? endpoint;
  const body = handler.body.raw || method === 'GET' ? {} : parseMembers(req, raw, handler.body);
  const { callbackHeaders } = call.config;
  const variables = collectVariables(
    parameters,
    { path: req.params, query, headers: req.headers, callbackHeaders, body, raw, accept: format },
    strict,
  );
  const operation = { ...asked, prepared, variables, query };
  if (draws) return ANSWERS.document(operation);
  if (format && handler.answers !== 'file') return writeFile(operation, format as FileFormat);
  return ANSWERS[handler.answers](operation);
}

const ANSWERS: Readonly<Record<Endpoint['handler']['answers'], (operation: Operation) => Promise<Outcome>>> = {
  json: answerJson,
  bare: answerJson,
  redirect: async (operation) => {
    const { location } = (await run(operation)).answer as { location: string };
    return { status: 302, body: '', headers: { Location: location } };
  },
  file: async (operation) => sendFile(operation.call, (await run(operation)).answer as { path: string }),
  document: async (operation) => {
    const { answer } = await run(operation);
    if (answer === null) throw new Refusal('forbidden', 'It names agencies beyond those that you are bound to');
    return answerDocument(answer as DrawnAnswer);
  },
};

async function answerJson(operation: Operation): Promise<Outcome> {
  const { endpoint, wording, remembered, call, prepared, variables } = operation;
  const answerAnew = async (): Promise<Page> => {
    const made = await runPrepared(narrow(prepared, variables), call, variables);
    const data = represented(made.answer, endpoint.marks, wording);
    return { body: JSON.stringify(endpoint.handler.answers === 'bare' ? data : { data }), next: made.next };
  };
  const { body, next } = await inRestNames(operation, () => remembered.find(endpoint, call, variables, answerAnew));
  return { status: 200, body, headers: pageHeaders(operation, next), passing: endpoint.passing.json };
}

const run = (operation: Operation) =>
  inRestNames(operation, () => runPrepared(operation.prepared, operation.call, operation.variables));

/** Headers with the next page, and the time of figures. */
function pageHeaders({ call, req, query }: Operation, next: Page['next']): Record<string, string> {
  return { ...makeNextLink(call, req, query, next), ...sayAsOf(call) };
}

/** Answers, with refusals in the names of REST, as those of the input are already. */
async function inRestNames<T>({ wording, endpoint }: Asked, answer: () => Promise<T>): Promise<T> {
  try {
    return await answer();
  } catch (error) {
    const cause = rootOf(error);
    throw cause instanceof Refusal ? wording.refusal(cause, endpoint) : error;
  }
}

/** Answers a whole list as a file: its pages one after another, the first of them before anything is answered. */
async function writeFile(operation: Operation, format: FileFormat): Promise<Outcome> {
  const { endpoint, wording, call, prepared, variables } = operation;
  const { pages, next } = await inRestNames(operation, async () => {
    call.rail.slots.exports.take(call);
    return readPages(prepared, call, variables);
  });
  // Its lines have the members that the rows of the list have as JSON; other files have all columns.
  const rows = format === NDJSON ? representedPages(pages, endpoint, wording) : pages;
  return {
    status: 200,
    body: '',
    headers: {
      ...fileHeaders(endpoint.path.split('/').at(-1)!.replace(':', '-'), format),
      ...pageHeaders(operation, next),
    },
    passing: FORMS[format].compresses ? endpoint.passing.file : {},
    stream: encodeFile(format, columnsOfOperation(prepared), rows, { bom: variables[BOM.name] === true }),
  };
}

/** The answer of a document in a form for people. */
interface DrawnAnswer {
  readonly mediaType: string;
  readonly body: string;
}

function answerDocument({ mediaType, body }: DrawnAnswer): Outcome {
  const bytes = Buffer.from(body, 'base64');
  const type = mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType;
  return {
    status: 200,
    body: '',
    headers: { 'Content-Type': type, 'Content-Length': String(bytes.length) },
    stream: Readable.from([bytes]),
  };
}

/** The bytes of a file, which is opened once somebody takes them. */
async function* readFile(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path) as AsyncIterable<Buffer>;
}

/** Answers a file that is published, as it is. */
async function sendFile(call: Call, { path }: { readonly path: string }): Promise<Outcome> {
  call.rail.slots.exports.take(call);
  const file = join(call.config.oversightFiles!, path);
  const { size } = await stat(file);
  const headers = { ...fileHeaders(basename(path, '.parquet'), PARQUET), 'Content-Length': String(size) };
  return { status: 200, body: '', headers, stream: readFile(file) };
}

async function* representedPages(
  pages: Pages['pages'],
  endpoint: Endpoint,
  wording: Wording,
): AsyncGenerator<readonly Row[]> {
  for await (const page of pages) yield represented(page, endpoint.marks, wording) as readonly Row[];
}

/**
 * The answer without those members that are left out when they are null, and with messages in the names of REST. It is
 * changed in place: a copy of each row takes a tenth of the time of a list.
 */
function represented(data: unknown, marks: Endpoint['marks'], wording: Wording): unknown {
  if (!marks || typeof data !== 'object' || data === null) return data;
  const members = data as Record<string, unknown>;
  for (const name of Object.keys(members)) {
    const value = members[name];
    // JSON has no undefined members.
    if (value === null && marks.optional.has(name)) members[name] = undefined;
    else if (typeof value === 'string' && marks.messages.has(name)) members[name] = wording.message(value);
    else represented(value, Array.isArray(data) ? marks : (marks.within.get(name) ?? null), wording);
  }
  return data;
}
