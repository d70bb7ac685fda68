/** The seed of a test's random choices: SEED, or a new one each time. It is printed. */
export function drawSeed(what: string): number {
  const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));
  process.stdout.write(`${what}: SEED=${seed}\n`);
  return seed;
}
