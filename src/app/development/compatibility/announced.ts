import type { Change } from './compare.ts';

/** The changes that break, and that the changelog does not name under `### Breaking` of a version. */
export function unannounced(changes: readonly Change[], changelog: string, version: string): readonly Change[] {
  const announced = [...(partOf(partOf(changelog, `## ${version}`), '### Breaking').matchAll(/`([^`]+)`/g) ?? [])].map(
    ([, name]) => name!,
  );
  return changes.filter(({ coordinate, breaking }) => breaking && !announced.some((name) => covers(name, coordinate)));
}

/** A type or a field stands for all of it, and `*.name` for all fields and arguments of a name. */
function covers(name: string, coordinate: string): boolean {
  if (name.startsWith('*.')) return coordinate.endsWith(name.slice(1));
  return coordinate === name || coordinate.startsWith(`${name}.`);
}

/** Part of a text from a heading to the next that is as high; empty if there is no such heading. */
function partOf(text: string, heading: string): string {
  const lines = text.split('\n');
  const begin = lines.findIndex((line) => line.trim() === heading);
  if (begin < 0) return '';
  const [marks] = heading.split(' ');
  const length = lines
    .slice(begin + 1)
    .findIndex((line) => /^#+ /.test(line) && line.split(' ')[0]!.length <= marks!.length);
  return lines.slice(begin + 1, length < 0 ? undefined : begin + 1 + length).join('\n');
}
