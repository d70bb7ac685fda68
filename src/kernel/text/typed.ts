const INVISIBLE = /[\p{Cf}\u{FE00}-\u{FE0F}]/gu;

/** Text as it was meant by who typed or pasted it: trimmed, without invisible characters such as marks of direction. */
export function readTyped(text: string): string {
  return text.replace(INVISIBLE, '').trim();
}

/** The same of a number: wide forms are plain ones (NFKC), and digits of any script are those of ASCII. */
export function readDigits(text: string): string {
  return readTyped(text.normalize('NFKC')).replaceAll(/\p{Nd}/gu, asciiDigit);
}

/** Digits of a script stand in a row, from a code point that ends in 0 or in 6 (hexadecimal). */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0)!;
  const row = code & ~0xf;
  const value = code - (/\p{Nd}/u.test(String.fromCodePoint(row)) ? row : row + 6);
  return value >= 0 && value <= 9 ? String(value) : digit;
}

/** A number or code of the rail as people copy it: without blanks, and without dashes of any kind. */
export function readCopied(text: string): string {
  return readDigits(text).replaceAll(/[\s\p{Pd}\u2212]/gu, '');
}
