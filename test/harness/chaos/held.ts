/**
 * For how long the event loop is held at most while something runs, in milliseconds of CPU time: what others would wait
 * on a machine of their own, however busy this one is.
 */
export async function measureLongestTurn(run: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let since = process.cpuUsage();
  let over = false;
  const watch = (): void => {
    const { user, system } = process.cpuUsage(since);
    longest = Math.max(longest, (user + system) / 1_000);
    since = process.cpuUsage();
    if (!over) setImmediate(watch);
  };
  setImmediate(watch);
  try {
    await run();
  } finally {
    over = true;
  }
  return longest;
}
