import type { Logger } from 'pino';
import type { Heard } from '../../kernel/loop.ts';
import type { Listener } from '../database/listener.ts';

/** On which a process that runs no jobs tells those that do that something has changed. */
export const WORK_CHANNEL = 'rail_work';
/** Time within which changes are sent as one notification. */
const NOTIFY_EVERY_MS = 100;

/**
 * Tells background work that something has changed, and so may wait for it. Within the process directly; a process
 * without background work tells the others through the database, apart from the changes themselves, which would
 * have to wait for one another as they told. What is lost on the way is found by those who look now and then.
 */
export class WorkSignal {
  readonly #listeners = new Set<() => void>();
  readonly #listener: Listener;
  readonly #log: Logger;
  #timer: NodeJS.Timeout | null = null;
  #again = false;

  constructor(listener: Listener, log: Logger) {
    this.#listener = listener;
    this.#log = log;
  }

  /** Says that something has changed. */
  readonly note = (): void => {
    if (this.#listeners.size === 0) return this.#notifyOthers();
    for (const heard of this.#listeners) heard();
  };

  /** Has a listener get signals of changes, in this process and in those that tell. */
  readonly hear: Heard = (listener) => {
    this.#listeners.add(listener);
    const unhear = this.#listener.hear(listener);
    return () => {
      unhear();
      this.#listeners.delete(listener);
    };
  };

  #notifyOthers(): void {
    if (this.#timer) {
      this.#again = true;
      return;
    }
    this.#timer = setTimeout(() => {
      this.#timer = null;
      if (this.#again) this.#notifyOthers();
    }, NOTIFY_EVERY_MS).unref();
    this.#again = false;
    this.#listener
      .notify()
      .catch((error: unknown) => this.#log.debug({ err: error }, 'that something has changed could not be told'));
  }
}
