/** The initials of a name: all that strangers learn of a person. */
export function initialsOf(name: string): string {
  return [...name.matchAll(/(?<![\p{L}\p{M}'’])\p{L}\p{M}*/gu)].map(([letter]) => `${letter.toUpperCase()}.`).join(' ');
}
