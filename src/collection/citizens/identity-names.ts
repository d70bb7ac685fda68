/** Marks of letters, such as accents, once they are separated from them. */
const MARKS = /\p{M}+/gu;
/** Characters between the words of a name; an apostrophe within one is none. */
const BETWEEN_WORDS = /[^\p{L}\p{N}]+/u;
const APOSTROPHES = /['’ʼ`]/g;

/**
 * The form in which names are compared: case, accents, apostrophes, punctuation, spaces and the order of names count
 * for nothing. So `NAKATO, Ruth` is `Ruth Nakato`; a name more or less, an initial or another spelling makes another.
 */
export function foldName(name: string): string {
  const plain = name.normalize('NFKD').replace(MARKS, '').replace(APOSTROPHES, '').toLowerCase();
  return plain.split(BETWEEN_WORDS).filter(Boolean).toSorted().join(' ');
}

/** True if two names are of one person, as far as names can tell. */
export function namesAgree(one: string, other: string): boolean {
  const folded = foldName(one);
  return folded !== '' && folded === foldName(other);
}
