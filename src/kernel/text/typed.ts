const INVISIBLE = /[\p{Cf}\u{FE00}-\u{FE0F}]/gu;

/** Text as it was meant by who typed or pasted it: trimmed, without invisible characters such as marks of direction. */
export function readTyped(text: string): string {
  return text.replace(INVISIBLE, '').trim();
}

/** The same of a number: wide forms are plain ones (NFKC), and digits of any script are those of ASCII. */
export function readDigits(text: string): string {
  return readTyped(text.normalize('NFKC')).replaceAll(/\p{Nd}/gu, asciiDigit);
}

/** Digits of a script stand in a row of ten, sometimes after that of another. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0)!;
  let first = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first--;
  return String((code - first) % 10);
}

/** A number or code of the rail as people copy it: without blanks, and without dashes of any kind. */
export function readCopied(text: string): string {
  return readDigits(text).replaceAll(/[\s\p{Pd}\u2212]/gu, '');
}
