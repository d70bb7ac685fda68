interface Sizes<T> {
  /** In `npm test`. */
  readonly fast: T;
  /** In `npm run test:long`. */
  readonly long: T;
}

/** The size of a test, or the cases that it tries, in the present mode. */
export const sizeOf = <T = number>({ fast, long }: Sizes<T>): T =>
  // The mode of the runner, which it hands to its processes.
  process.env['MODE'] === 'long' ? long : fast;
