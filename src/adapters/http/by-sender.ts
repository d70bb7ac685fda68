import type { IBreaker } from 'cockatiel';
import { AsyncLocalStorage } from 'node:async_hooks';

/** For whom a call is made that may fail for a reason of theirs; null where that is not known. */
export interface CalledFor {
  readonly sender: string | null;
  /** The phone that is asked to pay. */
  readonly number: string | null;
}

/** A call that is under way. */
interface Calling {
  readonly calledFor: CalledFor | undefined;
  /** True if it reached the other side. */
  reached: boolean;
}

/** Context that tells a breaker of its call, since it has no arguments. */
export const calling = new AsyncLocalStorage<Calling>();

/** The number of senders whose calls have to fail: one alone may send what fails. */
const SEVERAL = 3;

/**
 * Opens after so many failures without a success in between, of several senders: what one sends, or what is sent for
 * one number, may fail again and again, and then the other side is not unwell. What was never reached, or nobody sent,
 * counts each time.
 */
export class BySender implements IBreaker {
  readonly #most: number;
  state: { readonly sender: string | symbol; readonly number: string | symbol }[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  success(): void {
    this.state = [];
  }

  failure(): boolean {
    const { calledFor, reached } = calling.getStore()!;
    const known = reached ? calledFor : null;
    const failed = { sender: known?.sender ?? Symbol('nobody'), number: known?.number ?? Symbol('none') };
    const ofSender = this.state.filter(({ sender }) => sender === failed.sender).length;
    if (ofSender < this.#most && !this.state.some(({ number }) => number === failed.number)) this.state.push(failed);
    const senders = new Set(this.state.map(({ sender }) => sender));
    return this.state.length >= this.#most && senders.size >= Math.min(this.#most, SEVERAL);
  }
}
