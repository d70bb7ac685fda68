import type { Answer } from '../../rail.ts';

type Json = Readonly<Record<string, unknown>>;

/** One operation of the description of the API. */
export interface Target {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: Json }[];
  /** The schema of a JSON body; null where it has none, or none in JSON. */
  readonly body: Json | null;
  readonly statuses: readonly number[];
}

export interface Shot {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Numbers that follow from a seed alone (a multiplicative congruential generator: Park and Miller, 1988). */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed % 2_147_483_646) + 1;
  }

  below(limit: number): number {
    this.#state = (this.#state * 48_271) % 2_147_483_647;
    return Math.floor((this.#state / 2_147_483_647) * limit);
  }

  is(probability: number): boolean {
    return this.below(1_000_000) < probability * 1_000_000;
  }

  of<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }
}

/** All that an OpenAPI description offers, with its references resolved. */
export function targetsOf(description: Json): Target[] {
  const resolved = (value: unknown): Json => {
    const reference = (value as Json | undefined)?.['$ref'];
    if (typeof reference !== 'string') return (value ?? {}) as Json;
    const [, ...steps] = reference.split('/');
    return resolved(steps.reduce<unknown>((at, step) => (at as Json)[step], description));
  };
  const whole = (schema: unknown, depth = 0): Json => {
    const { properties, items, ...rest } = resolved(schema);
    if (depth > 6) return rest;
    return {
      ...rest,
      ...(properties !== undefined && {
        properties: Object.fromEntries(
          Object.entries(properties as Json).map(([name, one]) => [name, whole(one, depth + 1)]),
        ),
      }),
      ...(items !== undefined && { items: whole(items, depth + 1) }),
    };
  };
  return Object.entries(description['paths'] as Readonly<Record<string, Json>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, given]) => {
      const operation = given as Json;
      const content = resolved(operation['requestBody'])['content'] as Json | undefined;
      const json = content?.['application/json'] as Json | undefined;
      const parameters = ((operation['parameters'] ?? []) as unknown[]).map(resolved).map((one) => ({
        name: String(one['name']),
        in: String(one['in']),
        schema: whole(one['schema']),
      }));
      const statuses = Object.keys(operation['responses'] as Json).map(Number);
      return { method: method.toUpperCase(), path, parameters, body: json ? whole(json['schema']) : null, statuses };
    }),
  );
}

/** Values that nobody should send, and somebody will. */
export const STRANGE: readonly unknown[] = [
  null,
  true,
  '',
  ' ',
  0,
  -1,
  0.5,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53 + 2,
  1e300,
  1e-9,
  [],
  {},
  [[]],
  [null],
  { length: 9 },
  '\0',
  '\ud800',
  '\u202e',
  '%',
  '_',
  '\\',
  "'",
  '"',
  ';--',
  '../..',
  '%00',
  'x'.repeat(300),
  'x'.repeat(5_000),
  '😀'.repeat(300),
  'NaN',
  'null',
  '0x1f',
  '1e3',
  '00',
  '99999999999999999999',
  '__proto__',
  'constructor',
  '1969-12-31',
  '1970-01-01',
  '9998-12-31',
  '9999-12-31',
  '0000-01-01',
  '2026-02-30',
  '-000001-01-01T00:00:00Z',
  '+275760-09-13T00:00:00Z',
  '2026-11-21T00:00:00+23:59',
  '2026-11-21',
  '2026-11-21T00:00:00.000Z_00000000-0000-0000-0000-000000000000',
];

const HEADERS: readonly (readonly [string, readonly string[]])[] = [
  ['accept', ['*/*', 'text/csv', 'application/problem+json', 'application/json;q=0', ',;q', 'x'.repeat(400)]],
  ['content-encoding', ['gzip', 'br', 'deflate', 'none']],
  ['idempotency-key', ['', 'a', 'b', 'x'.repeat(256), 'two words']],
  ['x-request-id', ['a', '<i>', 'x'.repeat(200)]],
  ['origin', ['https://elsewhere.example', 'null']],
  ['if-none-match', ['"x"', '*']],
];

const BODIES = [
  '',
  '{',
  '[]',
  'null',
  '"x"',
  '\ufeff{}',
  '{"a":1e999}',
  '['.repeat(2_000),
  `{"a":${'['.repeat(900)}${']'.repeat(900)}}`,
];

/** Makes requests that fit the description, and spoils some of them. Names that answers told of are asked for later. */
export class Fuzzer {
  readonly #chance: Chance;
  readonly #targets: readonly Target[];
  readonly #names: string[] = [];

  constructor(seed: number, targets: readonly Target[]) {
    this.#chance = new Chance(seed);
    this.#targets = targets;
  }

  next(): { readonly target: Target; readonly shot: Shot } {
    const target = this.#chance.of(this.#targets);
    const spoils = this.#chance.is(0.7);
    return { target, shot: this.#shotAt(target, spoils ? 0.25 : 0) };
  }

  /** Keeps names of documents that an answer has. */
  learn({ text }: Pick<Answer, 'text'>): void {
    for (const [, name] of text.matchAll(/"name":"([A-Z]+-[\w.-]{4,40}|[A-Z]{3,8})"/g)) {
      if (this.#names.length < 500) this.#names.push(name!);
      else this.#names[this.#chance.below(500)] = name!;
    }
  }

  #shotAt({ method, path, parameters, body }: Target, spoiling: number): Shot {
    const text = (schema: Json, name: string) => {
      const value = this.#chance.is(spoiling) ? this.#chance.of(STRANGE) : this.#value(schema, name);
      return encoded(
        Array.isArray(value) ? value.join(',') : typeof value === 'string' ? value : JSON.stringify(value),
      );
    };
    const filled = path.replace(/\{(\w+)\}/g, (_whole, name: string) => text({ type: 'string' }, name) || 'x');
    const query = parameters
      .filter((one) => one.in === 'query' && this.#chance.is(0.4))
      .map(({ name, schema }) => `${name}=${text(schema, name)}`);
    const headers = HEADERS.filter(() => this.#chance.is(spoiling / 4)).map(
      ([name, values]) => [name, this.#chance.of(values)] as const,
    );
    const sent = body === null || method === 'GET' ? undefined : this.#body(body, spoiling);
    return {
      method,
      path: query.length > 0 ? `${filled}?${query.join('&')}` : filled,
      headers: Object.fromEntries([
        ...(sent === undefined ? [] : [['content-type', 'application/json'] as const]),
        ...headers,
      ]),
      body: sent,
    };
  }

  #body(schema: Json, spoiling: number): string {
    if (this.#chance.is(spoiling / 5)) return this.#chance.of(BODIES);
    const value = this.#value(schema, '');
    return JSON.stringify(this.#chance.is(spoiling * 3) ? this.#spoiled(value) : value);
  }

  #spoiled(value: unknown): unknown {
    if (Array.isArray(value) && this.#chance.is(0.3))
      return Array.from({ length: this.#chance.below(400) }, () => value[0] ?? 1);
    if (typeof value !== 'object' || value === null || this.#chance.is(0.1)) return this.#chance.of(STRANGE);
    const keys = Object.keys(value);
    if (keys.length === 0) return this.#chance.of(STRANGE);
    const key = this.#chance.of(keys);
    const members = value as Json;
    const changed = { ...members, [key]: this.#spoiled(members[key]) };
    return Array.isArray(value) ? Object.values(changed) : changed;
  }

  #value(schema: Json, name: string): unknown {
    const { type, enum: words, examples, items, properties, required, minimum } = schema;
    if (Array.isArray(words)) return this.#chance.of(words);
    switch (Array.isArray(type) ? type[0] : type) {
      case 'integer':
      case 'number':
        return Math.max(Number(minimum ?? 0), this.#chance.of([0, 1, 2, 10, 50, 1_000]));
      case 'boolean':
        return this.#chance.is(0.5);
      case 'array':
        return Array.from({ length: 1 + this.#chance.below(3) }, () => this.#value(items as Json, name));
      case 'object': {
        const given = Object.entries((properties ?? {}) as Readonly<Record<string, Json>>);
        const needed = new Set((required ?? []) as string[]);
        return Object.fromEntries(
          given
            .filter(([key]) => needed.has(key) || this.#chance.is(0.5))
            .map(([key, one]) => [key, this.#value(one, key)]),
        );
      }
      default:
        if (this.#names.length > 0 && !examples && this.#chance.is(0.6)) return this.#chance.of(this.#names);
        return this.#chance.of([
          ...((examples as unknown[] | undefined) ?? []),
          'UGX',
          'URA',
          '2026-11-21',
          'CM12345678ABCD',
          'some text',
        ]);
    }
  }
}

function encoded(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80';
}
