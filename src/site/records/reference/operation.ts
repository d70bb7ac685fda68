import { Refusal } from '../../../kernel/refusal.ts';
import { say } from '../../../kernel/text/said.ts';
import { type Description, type Operation, type Schema, follow } from './description.ts';
import { type Field, fieldsOf, rowOf } from './fields.ts';
import { type Sample, samplesOf } from './samples.ts';
import { type Linked, showText } from './text.ts';

/** An operation, as a line of the reference. */
export interface Listed {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly task: string;
}

/** An operation of the API, as its page shows it; texts are HTML. */
export interface OperationView extends Listed {
  readonly about: string;
  /** The scope of a key, or the roles of staff, that it takes. */
  readonly scope: string | null;
  readonly roles: readonly string[];
  readonly people: string | null;
  readonly parameters: readonly Field[];
  readonly body: readonly Field[];
  readonly answer: readonly Field[];
  readonly errors: readonly { readonly status: string; readonly about: string }[];
  readonly reasons: readonly { readonly code: string; readonly about: string }[];
  readonly events: readonly string[];
  /** Fields to fill in, and their values. */
  readonly inputs: readonly {
    readonly name: string;
    readonly in: string;
    readonly value: string;
    readonly required: boolean;
  }[];
  /** True if the address of the page filled in a request that changes something: anybody may have made that address. */
  readonly filledIn: boolean;
  /** The body of its request as text; null where it has none. */
  readonly sent: string | null;
  /** Its answer to the example; null if that is no JSON. */
  readonly answered: string | null;
  readonly samples: readonly Sample[];
  /** The type of its body. */
  readonly media: string;
  /** True if it is sent with a key of an integrator. */
  readonly keyed: boolean;
  /** True if anybody may ask it. */
  readonly open: boolean;
  /** True if it takes an `Idempotency-Key`. */
  readonly repeatable: boolean;
}

/** The tasks of the reference, in their order: those of integrators before those of staff. */
export const TASKS = ['pay', 'lookUp', 'listen', 'account', 'counter', 'operate', 'oversee'] as const;

/** All operations, in the order of their addresses. */
export function listOperations({ paths }: Description): Listed[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId, summary, 'x-task': task }]) =>
      task === undefined ? [] : [{ id: operationId, method: method.toUpperCase(), path, summary, task }],
    ),
  );
}

/** Finds the page of an operation, or of a message, by its name in a text. */
export function linkedIn(description: Description): Linked {
  const places = new Map(listOperations(description).map(({ method, path, id }) => [`${method} ${path}`, id]));
  return (named) => {
    if (Object.hasOwn(description.webhooks, named)) return `/docs/events/${named}`;
    const id = places.get(named.split('?')[0]!) ?? places.get(`POST ${named}`);
    return id === undefined ? null : `/docs/api/${id}`;
  };
}

/** An operation by its ID, with what a reader filled in for its example: `try.limit`. */
export function viewOperation(
  description: Description,
  id: unknown,
  origin: string,
  filled: URLSearchParams,
): OperationView {
  const listed = listOperations(description).find((one) => one.id === id);
  if (!listed) throw new Refusal('not_found', say`There is no page at this address`);
  const linked = linkedIn(description);
  const operation = description.paths[listed.path]![listed.method.toLowerCase()]!;
  const parameters = (operation.parameters ?? []).map((parameter) => follow(description, 'parameters', parameter));
  const inputs = parameters
    .filter(({ in: place }) => place !== 'header')
    .map(({ name, in: place, required, example, schema }) => ({
      name,
      in: place,
      required,
      value: filled.get(`try.${name}`) ?? textOf(example ?? (required ? schema.examples?.[0] : undefined)),
    }));
  const [media = '', asked] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const sent = asked ? (filled.get('try.body') ?? sentAs(media, asked.example ?? {})) : null;
  const answer = answerOf(operation);
  const keyed = operation.security.some((way) => 'bearerKey' in way);
  const repeatable = parameters.some(({ name }) => name === 'Idempotency-Key');
  return {
    ...listed,
    about: showText((operation.description ?? '').replace(SAID_BELOW, ''), linked),
    scope: operation['x-scope'] ?? null,
    roles: operation['x-roles'] ?? [],
    people: operation['x-people'] ?? null,
    parameters: parameters.map(({ name, schema, required, description: about }) =>
      rowOf(description, schema, name, required, linked, about),
    ),
    body: asked ? fieldsOf(description, asked.schema, linked) : [],
    answer: answer ? fieldsOf(description, answer.schema, linked) : [],
    errors: errorsOf(description, operation, linked),
    reasons: reasonsOf(description, operation, linked),
    events: operation['x-events'] ?? [],
    inputs,
    filledIn: listed.method !== 'GET' && [...filled.keys()].some((name) => name.startsWith('try.')),
    sent,
    answered: answer?.example === undefined ? null : asText(answer.example),
    samples: samplesOf({
      method: listed.method,
      url: origin + addressOf(listed.path, inputs),
      ...(sent !== null && { body: readBody(sent) }),
      media,
      keyed,
      repeatable,
    }),
    media,
    keyed,
    open: operation.security.every((way) => Object.keys(way).length === 0),
    repeatable,
  };
}

const textOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.join(',');
  return value === undefined ? '' : asText(value);
};

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

/** A body as it is sent: the fields of a form, or JSON, or text as it is. */
const sentAs = (media: string, body: unknown): string =>
  media === 'application/x-www-form-urlencoded'
    ? `${new URLSearchParams(body as Record<string, string>)}`
    : asText(body);

/** Reads a filled-in body: JSON, or the text that it is. */
function readBody(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** The address of a request: what is filled in goes into its path and its query. */
function addressOf(path: string, inputs: OperationView['inputs']): string {
  const given = inputs.filter(({ value }) => value !== '');
  const at = given
    .filter((input) => input.in === 'path')
    .reduce((result, { name, value }) => result.replace(`{${name}}`, encodeURIComponent(value)), path);
  const query = new URLSearchParams(
    Object.fromEntries(given.filter((input) => input.in === 'query').map(({ name, value }) => [name, value] as const)),
  );
  return query.size === 0 ? at : `${at}?${String(query)}`;
}

/** Answer of an operation in JSON when it succeeds. */
function answerOf({ responses }: Operation): { readonly schema: Schema; readonly example?: unknown } | undefined {
  const success = responses['200'];
  return success && 'content' in success ? success.content?.['application/json'] : undefined;
}

/** With which status it refuses, and why. */
function errorsOf(description: Description, { responses }: Operation, linked: Linked): OperationView['errors'] {
  return Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .map(([status, response]) => ({
      status,
      about: showText(follow(description, 'responses', response).description, linked),
    }));
}

/** Parts of a description that a page shows below: the scope, and the reasons of refusals. */
const SAID_BELOW = / Scope `[\w.]+`\.| If refused, `details\[0\]\.code` is one of [^.]*\./g;

/** The reasons for which it says that it is refused, each with what it means. */
function reasonsOf(
  { 'x-reasons': meanings }: Description,
  { description = '' }: Operation,
  linked: Linked,
): OperationView['reasons'] {
  const [, named = ''] = /`details\[0\]\.code` is one of ([^.]*)\./.exec(description) ?? [];
  return [...named.matchAll(/`(\w+)`/g)].map(([, code]) => ({
    code: code!,
    about: showText(meanings[code!] ?? '', linked),
  }));
}
