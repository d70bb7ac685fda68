/** How much of something a test makes: less in the run of all tests, and all of it in `npm run test:long`. */
export const sizeOf = ({ usual, long }: { readonly usual: number; readonly long: number }): number =>
  // The mode of the runner, which it hands to its processes.
  process.env['MODE'] === 'long' ? long : usual;
