/** Somebody who calls a rail, and shows what they ask and what they are answered. */
export interface Caller {
  /** Asks for something that it is to get, and answers its data. */
  get<Data>(path: string): Promise<Data>;
  post<Data>(path: string, body?: object): Promise<Data>;
  patch<Data>(path: string, body: object): Promise<Data>;
  /** Asks for something that it is not to get, and answers why it does not: the reason's code, or the error's. */
  refused(status: number, method: 'GET' | 'POST', path: string, body?: object): Promise<string>;
}

export interface Named {
  readonly name: string;
}

interface Answer {
  readonly data?: unknown;
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly details?: readonly { readonly code?: string }[];
  };
}

/** Part of a call that is shown: all of it; its beginning, without secrets; or nothing. */
type Shown = 'all' | 'some' | 'nothing';

/** Says what comes next. */
export function say(text: string): void {
  process.stdout.write(`\n── ${text}\n\n`);
}

/** Shows a value. */
export function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n\n`);
}

/** Somebody who shows a credential with each request; nobody without one. */
export function callAs(base: string, credential: Readonly<Record<string, string>> = {}, shown: Shown = 'all'): Caller {
  const ask = async (method: string, path: string, body?: object) => {
    const asked = body ? ` ${JSON.stringify(shown === 'some' ? concealed(body) : body)}` : '';
    if (shown !== 'nothing') process.stdout.write(`${method} ${path}${asked}\n`);
    const response = await fetch(base + path, {
      method,
      headers: { ...credential, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Answer;
    const said = answer.error ?? answer.data ?? null;
    if (shown === 'all') print(said);
    if (shown === 'some') process.stdout.write(`  ${response.status} ${shorten(JSON.stringify(concealed(said)))}\n`);
    return { response, answer };
  };
  const get = async <Data>(method: string, path: string, body?: object): Promise<Data> => {
    const { response, answer } = await ask(method, path, body);
    if (!response.ok)
      throw new Error(`${method} ${path} was answered with ${response.status} ${JSON.stringify(answer)}`);
    return answer.data as Data;
  };
  return {
    get: (path) => get('GET', path),
    post: (path, body) => get('POST', path, body),
    patch: (path, body) => get('PATCH', path, body),
    async refused(expected, method, path, body) {
      const { response, answer } = await ask(method, path, body);
      if (response.status !== expected)
        throw new Error(`${method} ${path} was to be answered with ${expected}, and was with ${response.status}`);
      return answer.error?.details?.[0]?.code ?? answer.error!.code;
    },
  };
}

const SECRET = /^(?:password|plaintext|secret|otpauth_url|recovery_codes|assertion|access_token|otp)$/;
const CODE = /^\d{6}$/;
const LONGEST = 400;

/** A value without what nobody should read over a shoulder. */
function concealed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(concealed);
  if (typeof value !== 'object' || value === null) return typeof value === 'string' && CODE.test(value) ? '…' : value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, SECRET.test(name) ? '…' : concealed(one)]),
  );
}

function shorten(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
