import type { ActionDocument, PageDocument } from '../../../../src/site/operations/documents.ts';
import { largestFileOf } from '../../../../src/site/operations/form.ts';
import { Chance, type Shot, STRANGE } from './requests.ts';

const PLAIN = ['1', '1000', 'UGX', 'URA', 'mtn_momo', '2026-11-21', '2026-11-21T09:00', 'CM12345678ABCD', 'on', 'text'];
/** Fields of a form in addition to its mutation's variables. */
const BESIDE = ['_page', '_timeZone', '_idempotencyKey', 'to', 'repeated', '__proto__', 'constructor', ''];
const FILES = [
  'External Transaction Id,Amount\nX,1\n',
  '{"country":"UG"}',
  '{',
  '[[[[',
  '"',
  '\ufeff',
  '\0',
  ','.repeat(9_000),
];
/** Ways to break a name: lists, members, neither of both, and brackets that are never closed. */
const BENT: readonly ((name: string) => string)[] = [
  (name) => `${name}[]`,
  (name) => `${name}[0][x]`,
  (name) => `${name}[__proto__][x]`,
  (name) => `${name}[99999]`,
  (name) => `${name}[`,
  (name) => `${name}]`,
  (name) => name.repeat(90),
];
const TYPES = [
  'application/x-www-form-urlencoded; charset=utf-7',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary="',
  'text/plain',
  'application/json',
];
const BOUNDARY = 'x7Ma4YWxkTrZu0gW';

/** Fills in forms and asks for pages, by a seed, and spoils most of it. Names that pages told of are filled in later. */
export class FormFuzzer {
  readonly #chance: Chance;
  readonly #actions: readonly ActionDocument[];
  readonly #pages: readonly Pick<PageDocument, 'path' | 'operation'>[];
  readonly #names: string[] = [...PLAIN];

  constructor(
    seed: number,
    { actions, pages }: { readonly actions: readonly ActionDocument[]; readonly pages: readonly PageDocument[] },
  ) {
    this.#chance = new Chance(seed);
    this.#actions = actions;
    this.#pages = pages;
  }

  next(): Shot {
    return this.#chance.is(0.7) ? this.#form(this.#chance.of(this.#actions)) : this.#page(this.#chance.of(this.#pages));
  }

  /** Keeps names of records that a page has. */
  learn(text: string): void {
    for (const [name] of text.matchAll(/\b[A-Z]{3,}-[\w.-]{4,40}/g))
      if (this.#names.length < 300) this.#names.push(name);
      else this.#names[this.#chance.below(300)] = name;
  }

  /** Picks the caller that sends the next one. */
  caller<T>(callers: readonly T[]): T {
    return this.#chance.of(callers);
  }

  #page({ path, operation }: Pick<PageDocument, 'path' | 'operation'>): Shot {
    const query = this.#fields(operation.fields.map(({ name }) => name));
    return { method: 'GET', path: `${this.#filled(path)}?${encodeForm(query)}`, headers: {}, body: undefined };
  }

  #form(action: ActionDocument): Shot {
    const names = action.steps.flatMap(({ fields }) => fields.map(({ name }) => name));
    const fields = this.#fields(names);
    const parts = this.#chance.is(largestFileOf(action) === null ? 0.1 : 0.7);
    const type = parts ? `multipart/form-data; boundary=${BOUNDARY}` : 'application/x-www-form-urlencoded';
    const body = parts ? this.#parts(fields) : encodeForm(fields);
    return {
      method: 'POST',
      path: this.#filled(action.path),
      headers: { 'content-type': this.#chance.is(0.05) ? this.#chance.of(TYPES) : type },
      body: this.#chance.is(0.05) ? body.slice(0, this.#chance.below(body.length + 1)) : body,
    };
  }

  #filled(path: string): string {
    return path.replace(/\{\w+\}/g, () => encodeURIComponent(this.#value().toWellFormed()) || 'x');
  }

  #fields(names: readonly string[]): [string, string][] {
    const given = names.filter(() => this.#chance.is(0.9)).map((name) => [this.#bent(name), this.#value()] as const);
    const beside = BESIDE.filter(() => this.#chance.is(0.1)).map((name) => {
      const page = this.#chance.of(this.#pages).path;
      return [name, this.#chance.is(0.5) ? this.#filled(page) : this.#value()] as const;
    });
    return [...given, ...beside].map(([name, value]) => [name, value]);
  }

  #bent(name: string): string {
    return this.#chance.is(0.15) ? this.#chance.of(BENT)(name) : name;
  }

  #value(): string {
    if (this.#chance.is(0.7)) return this.#chance.of(this.#names);
    const strange = this.#chance.of(STRANGE);
    return typeof strange === 'string' ? strange : JSON.stringify(strange);
  }

  #parts(fields: readonly (readonly [string, string])[]): string {
    const parts = fields.map(([name, value]) => {
      const file = this.#chance.is(0.3);
      const head = `Content-Disposition: form-data; name="${name}"${file ? '; filename="a.csv"' : ''}`;
      return `--${BOUNDARY}\r\n${this.#chance.is(0.05) ? '' : head}\r\n\r\n${file ? this.#chance.of(FILES) : value}\r\n`;
    });
    return `${parts.join('')}--${BOUNDARY}--\r\n`;
  }
}

function encodeForm(fields: readonly (readonly [string, string])[]): string {
  return fields.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
}

function encode(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80';
}
