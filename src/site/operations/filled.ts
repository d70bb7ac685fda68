import type { Filled } from './fields.ts';

/** The parts of a field's name: `lines`, `0` and `quantity` of `lines[0][quantity]`. */
const partsOf = (name: string) => name.split(/[[\]]+/).filter((part) => part !== '');

const isPlace = (part: string | undefined) => part !== undefined && /^\d+$/.test(part);

/** A member of what a form said, by its name as the form has it: `lines[0][quantity]`. */
export function memberOf(filled: unknown, name: string): unknown {
  return partsOf(name).reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, part)
        ? (value as Record<string, unknown>)[part]
        : undefined,
    filled,
  );
}

/** The fields of what a form said, by their names: another form sends them on unseen. */
export function listFields(value: unknown, name: string): (readonly [name: string, text: string])[] {
  if (typeof value === 'string') return [[name, value]];
  return Object.entries(value ?? {}).flatMap(([part, one]) => listFields(one, name ? `${name}[${part}]` : part));
}

/** What a form said without the member of a name; members of a list move up. */
export function without(filled: Filled, name: unknown): Filled {
  const drop = (value: unknown, [part, ...inner]: readonly string[]): unknown => {
    if (part === undefined || typeof value !== 'object' || value === null) return value;
    if (inner.length > 0) return { ...value, [part]: drop((value as Filled)[part], inner) };
    const left = Object.entries(value).filter(([key]) => key !== part);
    let place = 0;
    return Object.fromEntries(left.map(([key, one]) => [isPlace(key) ? place++ : key, one]));
  };
  return typeof name === 'string' ? (drop(filled, partsOf(name)) as Filled) : filled;
}

/** A field that a refusal is about, by its path in what was asked: `lines[0].quantity`. */
export interface NamedField {
  /** Its name in the form: `lines[0][quantity]`. */
  readonly name: string;
  /** Its own name, and which of several it is: the place in a list, or the name of the member that has it. */
  readonly own: string;
  readonly within: string | null;
}

/** The field of a form at a path below one of its fields; null where the form has nothing there. */
export function fieldAt(filled: Filled, path: string): NamedField | null {
  const name = path.replaceAll(/\.(\w+)/g, '[$1]');
  const [own, of, ...outer] = partsOf(name).toReversed();
  const parent = name.slice(0, name.lastIndexOf('['));
  if (own === undefined || of === undefined || typeof memberOf(filled, parent) !== 'object') return null;
  return { name, own, within: outer.length === 0 ? null : isPlace(of) ? String(Number(of) + 1) : of };
}
