import type { Peer, PeerAnswer, PeerRequest } from './peer.ts';
import { readMember, readTextMember } from './members.ts';

/** A token is replaced so long before it ends, or halfway through where it lives for less than twice that. */
const MARGIN_MS = 30_000;

interface Token {
  readonly value: string;
  readonly goodUntil: number;
}

/**
 * A bearer token of a system, kept until shortly before it ends; however many calls wait for one, it is fetched once.
 */
export class Tokens {
  readonly #peer: Peer;
  readonly #request: Omit<PeerRequest, 'safe'>;
  #token: Token | null = null;
  #fetching: Promise<Token> | null = null;

  /** `request` is what has to be asked for a token. */
  constructor(peer: Peer, request: Omit<PeerRequest, 'safe'>) {
    this.#peer = peer;
    this.#request = request;
  }

  /**
   * Makes a call with a token. If the token is refused, nothing was done: it calls again with a new one. Unless a try
   * before may have done it: then the caller decides.
   */
  async authorised(ask: (authorization: { authorization: string }) => Promise<PeerAnswer>): Promise<PeerAnswer> {
    const { value } = await this.#current();
    const answer = await ask({ authorization: `Bearer ${value}` });
    if (answer.status !== 401) return answer;
    if (this.#token?.value === value) this.#token = null;
    if (answer.repeated) return answer;
    return ask({ authorization: `Bearer ${(await this.#current()).value}` });
  }

  async #current(): Promise<Token> {
    if (this.#token && performance.now() < this.#token.goodUntil) return this.#token;
    this.#fetching ??= this.#fetch().finally(() => (this.#fetching = null));
    return this.#fetching;
  }

  async #fetch(): Promise<Token> {
    const { status, body } = await this.#peer.ask({ ...this.#request, safe: true });
    const value = readTextMember(body, 'access_token');
    if (status !== 200 || value === null) throw this.#peer.failure('unavailable', `gave no token: ${status}`);
    const lifeMs = Math.max(0, Number(readMember(body, 'expires_in') ?? 0)) * 1_000;
    this.#token = { value, goodUntil: performance.now() + lifeMs - Math.min(MARGIN_MS, lifeMs / 2) };
    return this.#token;
  }
}
