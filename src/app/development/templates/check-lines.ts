import { globSync, readFileSync } from 'node:fs';

/** Most characters of a line of a template: longer ones are no longer read. */
const LONGEST = 160;

/** Lines that are too long, by their numbers. */
export function findLongLines(text: string): number[] {
  return text.split('\n').flatMap((line, index) => (line.length > LONGEST ? [index + 1] : []));
}

if (import.meta.main) {
  const long = globSync('src/**/*.eta').flatMap((file) =>
    findLongLines(readFileSync(file, 'utf8')).map((line) => `${file}:${line}`),
  );
  process.stdout.write(long.map((place) => `${place} has more than ${LONGEST} characters\n`).join(''));
  process.exitCode = long.length > 0 ? 1 : 0;
}
