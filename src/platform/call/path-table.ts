/** What is found under a path, with the values of its parameters. */
export interface Found<Target> {
  readonly target: Target;
  readonly params: Record<string, string>;
}

/** A part of paths: what may follow it. */
interface Part<Target> {
  readonly words: Map<string, Part<Target>>;
  /** A name, by the action behind it with its colon; '' where there is none. */
  readonly names: Map<string, Part<Target>>;
  /** What ends here, by its method. */
  readonly ends: Map<string, { readonly target: Target; readonly names: readonly string[] }>;
}

const NAME = /^\{(\w+)\}(:\S+)?$/;

/**
 * Paths by their parts, so that a request finds its own in as many steps as that has parts, and not by trying one after
 * another. It takes the plain ones alone: what is encoded, has an empty part or a colon that belongs to no action is
 * left to whoever matches it with more care, and so is what is not found.
 */
export class PathTable<Target> {
  readonly #root: Part<Target> = makePart();

  /** Adds a path with its parameters in braces: `/v1/assessments/{name}:assess`. */
  add(method: string, path: string, target: Target): void {
    let part = this.#root;
    const names: string[] = [];
    for (const text of path.slice(1).split('/')) {
      const [, name, action = ''] = NAME.exec(text) ?? [];
      if (name !== undefined) names.push(name);
      part = name === undefined ? follow(part.words, text) : follow(part.names, action);
    }
    part.ends.set(method, { target, names });
  }

  /** Finds what a request asks for by its address; null where that is not plain, or not there. */
  find(method: string, url: string): Found<Target> | null {
    const query = url.indexOf('?');
    const path = query < 0 ? url : url.slice(0, query);
    if (path[0] !== '/' || path.includes('%')) return null;
    let part = this.#root;
    const values: string[] = [];
    for (const text of path.slice(1).split('/')) {
      const word = part.words.get(text);
      if (word) {
        part = word;
        continue;
      }
      const colon = text.indexOf(':');
      const value = colon < 0 ? text : text.slice(0, colon);
      const name = part.names.get(colon < 0 ? '' : text.slice(colon));
      if (!name || value === '') return null;
      values.push(value);
      part = name;
    }
    const end = part.ends.get(method);
    if (!end) return null;
    return { target: end.target, params: Object.fromEntries(end.names.map((name, index) => [name, values[index]!])) };
  }
}

function makePart<Target>(): Part<Target> {
  return { words: new Map(), names: new Map(), ends: new Map() };
}

function follow<Target>(parts: Map<string, Part<Target>>, text: string): Part<Target> {
  const part = parts.get(text) ?? makePart<Target>();
  parts.set(text, part);
  return part;
}
