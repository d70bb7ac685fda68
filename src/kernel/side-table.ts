/**
 * Private data attached to an object: it lasts as long as the object, and a copy has none of it.
 *
 * A `WeakMap` means the same, but V8 holds what is in one until it has looked through all of its memory, and not only
 * through what is young: data that lasts as long as a request, and leads back to it from here, would be kept with all
 * that the request has read. So it is a member of the object itself, which nothing that lists its members sees.
 */
export class SideTable<Of extends object, Known> {
  readonly #key = Symbol('side table');

  get(of: Of): Known | undefined {
    return (of as { readonly [key: symbol]: Known | undefined })[this.#key];
  }

  set(of: Of, value: Known): void {
    Object.defineProperty(of, this.#key, { value, configurable: true, writable: true });
  }

  /** The entry of an object, made if it has none. */
  of(of: Of, make: () => Known): Known {
    let known = this.get(of);
    if (known === undefined) this.set(of, (known = make()));
    return known;
  }
}
