import { Agent, fetch } from 'undici';

export interface Visit {
  readonly url: URL;
  readonly status: number;
  readonly text: string;
  /** The target of the redirect; null if there is none. */
  readonly next: URL | null;
}

/** A browser as far as signing in needs one: it has cookies by origin, and follows where it is sent. */
export class Visitor {
  readonly #jar = new Map<string, Map<string, string>>();
  readonly #agent: Agent;
  readonly #served: ReadonlyMap<string, string>;

  /** `served`: where an address is really listened at; `ca`: whom to trust. */
  constructor(served: Readonly<Record<string, string>> = {}, ca?: string) {
    this.#served = new Map(Object.entries(served));
    this.#agent = new Agent({ connect: { ...(ca && { ca }) } });
  }

  cookie(origin: string, name: string): string | undefined {
    return this.#jar.get(origin)?.get(name);
  }

  setCookie(origin: string, name: string, value: string): void {
    this.#cookiesOf(origin).set(name, value);
  }

  /** Goes to an address, and no further. */
  async visit(where: string | URL, method = 'GET'): Promise<Visit> {
    const url = new URL(where);
    const cookies = this.#cookiesOf(url.origin);
    const answer = await fetch((this.#served.get(url.origin) ?? url.origin) + url.pathname + url.search, {
      method,
      redirect: 'manual',
      dispatcher: this.#agent,
      headers: {
        accept: 'text/html',
        'sec-fetch-site': 'cross-site',
        'sec-fetch-mode': 'navigate',
        'sec-fetch-dest': 'document',
        ...(cookies.size > 0 && { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }),
      },
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/expires=Thu, 01 Jan 1970|max-age=0/i.test(line)) cookies.delete(name!);
      else cookies.set(name!, value!);
    }
    const location = answer.headers.get('location');
    return { url, status: answer.status, text: await answer.text(), next: location ? new URL(location, url) : null };
  }

  /** Goes on from one address to the next, up to where a condition holds of an address, which is not asked any more. */
  async follow(from: string | URL, until: (url: URL) => boolean = () => false): Promise<Visit> {
    let visit = await this.visit(from);
    for (let steps = 0; visit.next !== null && !until(visit.next) && steps < 20; steps++)
      visit = await this.visit(visit.next);
    return visit;
  }

  #cookiesOf(origin: string): Map<string, string> {
    const cookies = this.#jar.get(origin) ?? new Map<string, string>();
    this.#jar.set(origin, cookies);
    return cookies;
  }
}
