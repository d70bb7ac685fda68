interface Sizes<T> {
  /** In the run of all tests. */
  readonly usual: T;
  /** In `npm run test:long`. */
  readonly long: T;
}

/** How much of something a test makes, or which cases it tries. */
export const sizeOf = <T = number>({ usual, long }: Sizes<T>): T =>
  // The mode of the runner, which it hands to its processes.
  process.env['MODE'] === 'long' ? long : usual;
