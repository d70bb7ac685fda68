import type { GraphQLResolveInfo, ResponsePath } from 'graphql';
import { isPromiseLike } from 'graphql/jsutils/isPromise.js';
import type { Complete, Place, Running } from './field.ts';

/** A part of an answer that is still to come. */
export class Later {
  readonly promise: PromiseLike<unknown>;
  readonly place: Place;
  readonly path: ResponsePath;
  readonly info: GraphQLResolveInfo;
  /** Completion of the value; null if it is a part of the answer already. */
  readonly complete: Complete | null;

  constructor(
    promise: PromiseLike<unknown>,
    place: Place,
    path: ResponsePath,
    info: GraphQLResolveInfo,
    complete: Complete | null,
  ) {
    this.promise = promise;
    this.place = place;
    this.path = path;
    this.info = info;
    this.complete = complete;
  }
}

/** Makes a value a part of the answer, or a `Later`. Throws what is wrong with it. */
export function begin(
  run: Running,
  value: unknown,
  place: Place,
  path: ResponsePath,
  info: GraphQLResolveInfo,
  complete: Complete,
): unknown {
  if (isPromiseLike(value)) return new Later(value, place, path, info, complete);
  const made = complete(run, value, path, info);
  return made instanceof Promise ? new Later(made, place, path, info, null) : made;
}

/**
 * Puts what comes later where it stands in an object or a list of the answer. Rows have several such parts, and lists
 * many rows: so there is one promise for a whole, and none in between.
 */
export class Waiting<Whole extends object> {
  readonly #run: Running;
  readonly #whole: Whole;
  /** The parts that are still to come, and who adds them. */
  #left = 1;
  #failure: { readonly error: unknown } | null = null;
  // If another part of the whole has failed at once, nobody waits for it.
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

  /** The whole, once all parts of it are there; no more are added. */
  whole(): Promise<Whole> {
    return new Promise((done, refuse) => {
      this.#done = done;
      this.#refuse = refuse;
      if (this.#failure) refuse(this.#failure.error);
      this.#leave();
    });
  }

  #complete(key: keyof Whole, later: Later, value: unknown): void {
    if (this.#run.isOver) return;
    const { complete, path, info } = later;
    try {
      const made = complete ? complete(this.#run, value, path, info) : value;
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
      this.#failure ??= { error: located };
      this.#refuse(located);
    }
  }

  #put(key: keyof Whole, made: unknown): void {
    this.#whole[key] = made as Whole[keyof Whole];
    this.#leave();
  }

  #leave(): void {
    if (--this.#left === 0) this.#done(this.#whole);
  }
}
