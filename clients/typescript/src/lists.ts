/** The rows of a list, of all its pages: `for await (const row of list)`. */
export interface List<Row> extends AsyncIterable<Row> {
  /** Its pages, of as many rows as `limit` says. */
  pages(): AsyncIterable<Row[]>;
}

interface Page<Row> {
  readonly rows: Row[];
  /** Cursor of its next page; null at the end. */
  readonly next: string | null;
}

export function listOf<Row>(ask: (after?: string) => Promise<Page<Row>>): List<Row> {
  async function* pages(): AsyncGenerator<Row[]> {
    let { rows, next } = await ask();
    yield rows;
    while (next !== null) {
      ({ rows, next } = await ask(next));
      yield rows;
    }
  }
  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const rows of pages()) yield* rows;
    },
  };
}

/** Cursor of the next page: of the link the cursor alone, so that a credential goes nowhere else. */
export function nextOf({ headers }: Response): string | null {
  const link = /<([^>]*)>; *rel="next"/.exec(headers.get('link') ?? '')?.[1];
  return link === undefined ? null : new URL(link, 'http://rail').searchParams.get('after');
}
