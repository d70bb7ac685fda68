import type { ResponsePath } from 'graphql';
import type { Complete, Place, Running, SelectedField } from './field.ts';

/** A part of an answer that is still to come. */
export class Later {
  readonly promise: PromiseLike<unknown>;
  readonly place: Place;
  readonly path: ResponsePath;
  readonly selected: SelectedField;
  /** What is made of what comes; null where it is a part of the answer already. */
  readonly complete: Complete | null;

  constructor(
    promise: PromiseLike<unknown>,
    place: Place,
    path: ResponsePath,
    selected: SelectedField,
    complete: Complete | null,
  ) {
    this.promise = promise;
    this.place = place;
    this.path = path;
    this.selected = selected;
    this.complete = complete;
  }
}

/**
 * Puts what comes later where it stands in an object or a list of the answer. Rows have several such parts, and lists
 * many rows: so there is one promise for a whole, and none in between.
 */
export class Waiting<Whole extends object> {
  readonly #run: Running;
  readonly #whole: Whole;
  #left = 0;
  // Until somebody waits for the whole, what fails is unheard: then something beside it has failed at once.
  #done: (whole: Whole) => void = () => {};
  #refuse: (error: unknown) => void = () => {};

  constructor(run: Running, whole: Whole) {
    this.#run = run;
    this.#whole = whole;
  }

  /** Has a part stand under a key, when it is there; nothing, where it fails and need not be there. */
  add(key: keyof Whole, later: Later): void {
    this.#left++;
    Promise.resolve(later.promise).then(
      (value) => this.#complete(key, later, value),
      (error: unknown) => this.#fail(key, later, error),
    );
  }

  /** The whole, once all parts of it are there. */
  whole(): Promise<Whole> {
    return new Promise((done, refuse) => {
      this.#done = done;
      this.#refuse = refuse;
    });
  }

  #complete(key: keyof Whole, later: Later, value: unknown): void {
    const { complete, path, selected } = later;
    try {
      const made = complete ? complete(this.#run, value, path, selected) : value;
      if (!(made instanceof Promise)) return this.#put(key, made);
      made.then(
        (completed) => this.#put(key, completed),
        (error: unknown) => this.#fail(key, later, error),
      );
    } catch (error) {
      this.#fail(key, later, error);
    }
  }

  #fail(key: keyof Whole, { place, path }: Later, error: unknown): void {
    try {
      this.#put(key, this.#run.fail(error, place, path));
    } catch (located) {
      this.#refuse(located);
    }
  }

  #put(key: keyof Whole, made: unknown): void {
    this.#whole[key] = made as Whole[keyof Whole];
    if (--this.#left === 0) this.#done(this.#whole);
  }
}

export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
