/**
 * An English sentence, with the values that fill it in as data, so that pages can translate it. It converts to its text
 * as a string and in JSON.
 */
export class Said {
  /** The sentence with numbered placeholders, which translations are found by: `must be at least {0}`. */
  readonly form: string;
  readonly values: readonly string[];

  constructor(form: string, values: readonly string[]) {
    this.form = form;
    this.values = values;
  }

  toString(): string {
    return this.form.replaceAll(/\{(\d+)\}/g, (hole, index: string) => this.values[Number(index)] ?? hole);
  }

  toJSON(): string {
    return this.toString();
  }
}

/** A text for callers: a sentence that pages translate, or text from elsewhere. */
export type Words = string | Said;

/** A sentence that pages translate: say`must be at least ${least}`. */
export function say({ 0: first = '', ...rest }: TemplateStringsArray, ...values: readonly unknown[]): Said {
  const form = values.reduce<string>((all, _value, index) => `${all}{${index}}${rest[index + 1]}`, first);
  return new Said(form, values.map(String));
}
