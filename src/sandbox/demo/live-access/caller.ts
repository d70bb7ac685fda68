/** A caller that shows what it asks and what it is answered. */
export interface Caller {
  /** Asks for something that it is to get, and answers its data. */
  get<Data>(path: string): Promise<Data>;
  post<Data>(path: string, body?: object): Promise<Data>;
  patch<Data>(path: string, body: object): Promise<Data>;
  /** Asks for something that it is not to get, and answers why it does not: the reason's code, or the error's. */
  refused(status: number, method: 'GET' | 'POST', path: string, body?: object): Promise<string>;
}

interface Answer {
  readonly data?: unknown;
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly details?: readonly { readonly code?: string }[];
  };
}

/** Says what comes next. */
export function say(text: string): void {
  process.stdout.write(`\n── ${text}\n\n`);
}

/** Somebody who shows a credential with each request; nobody without one. */
export function callAs(base: string, credential: Readonly<Record<string, string>> = {}): Caller {
  const ask = async (method: string, path: string, body?: object) => {
    process.stdout.write(`${method} ${path}${body ? ` ${JSON.stringify(concealed(body))}` : ''}\n`);
    const response = await fetch(base + path, {
      method,
      headers: { ...credential, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Answer;
    process.stdout.write(
      `  ${response.status} ${shorten(JSON.stringify(concealed(answer.error ?? answer.data ?? null)))}\n`,
    );
    return { status: response.status, answer };
  };
  const get = async <Data>(method: string, path: string, body?: object): Promise<Data> => {
    const { status, answer } = await ask(method, path, body);
    if (status !== 200) throw new Error(`${method} ${path} was to be answered, and was not: ${JSON.stringify(answer)}`);
    return answer.data as Data;
  };
  return {
    get: (path) => get('GET', path),
    post: (path, body = {}) => get('POST', path, body),
    patch: (path, body) => get('PATCH', path, body),
    async refused(expected, method, path, body) {
      const { status, answer } = await ask(method, path, body);
      if (status !== expected)
        throw new Error(`${method} ${path} was to be answered with ${expected}, and was with ${status}`);
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
