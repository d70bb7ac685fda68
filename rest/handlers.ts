/** The part of a request that carries a variable. */
export type ParameterSource = 'path' | 'query' | 'body' | 'headers' | 'raw' | 'accept';

/** A way to read requests and answer them; documents name it: `@rest(as: UPLOAD)`. */
export interface Handler {
  readonly body: BodyKind;
  /** Variables that take something else than a parameter, or a member of a JSON body, of their name. */
  readonly takes: Readonly<Record<string, ParameterSource>>;
  /**
   * Form of the answer: `data` in the envelope, or bare; 302 to the `location` of its result, ignoring faults of the
   * query; the published file whose `path` the result has; or, for the endpoint of its path, a form for people, of
   * which `Accept` chooses one.
   */
  readonly answers: 'json' | 'bare' | 'redirect' | 'file' | 'document';
  /** True if its answer clears the cookie that counts there. */
  readonly signsOut: boolean;
}

/** Reading of a body. */
export interface BodyKind {
  /** True if its bytes are taken as they are; otherwise it is JSON, and its members are variables. */
  readonly raw: boolean;
  /** The media types that raw bytes may have, the usual one first; none: any. */
  readonly media: readonly string[];
  readonly largestKiB: number;
  /** True if its members may come as the fields of a form too. */
  readonly form: boolean;
}

const JSON_HANDLER: Handler = {
  body: { raw: false, media: [], largestKiB: 256, form: false },
  takes: {},
  answers: 'json',
  signsOut: false,
};

export const HANDLERS = {
  JSON: JSON_HANDLER,
  FORM: { ...JSON_HANDLER, body: { ...JSON_HANDLER.body, form: true } },
  BARE: { ...JSON_HANDLER, answers: 'bare' },
  UPLOAD: {
    ...JSON_HANDLER,
    body: { ...JSON_HANDLER.body, raw: true, media: ['text/csv'], largestKiB: 16_384 },
    takes: { body: 'raw' },
  },
  STATEMENT: {
    ...JSON_HANDLER,
    body: {
      ...JSON_HANDLER.body,
      raw: true,
      media: ['application/xml', 'text/xml', 'text/plain', 'text/csv'],
      largestKiB: 16_384,
    },
    takes: { body: 'raw' },
  },
  CALLBACK: {
    ...JSON_HANDLER,
    body: { ...JSON_HANDLER.body, raw: true },
    takes: { body: 'raw', headers: 'headers' },
  },
  POSTED: {
    ...JSON_HANDLER,
    body: { ...JSON_HANDLER.body, raw: true, media: ['application/x-www-form-urlencoded'] },
    takes: { body: 'raw' },
  },
  NATIVE: {
    ...JSON_HANDLER,
    body: { ...JSON_HANDLER.body, raw: true },
    takes: { body: 'raw' },
    answers: 'bare',
  },
  REDIRECT: { ...JSON_HANDLER, answers: 'redirect' },
  DOCUMENT: { ...JSON_HANDLER, takes: { form: 'accept' }, answers: 'document' },
  FILE: { ...JSON_HANDLER, answers: 'file' },
  SIGN_OUT: { ...JSON_HANDLER, signsOut: true },
} as const satisfies Readonly<Record<string, Handler>>;

export type HandlerName = keyof typeof HANDLERS;
