import { LRUCache } from 'lru-cache';
import { accessOf } from '../../src/graphql/plugins/access.ts';
import type { Variables } from '../../src/graphql/prepared.ts';
import type { Call } from '../../src/platform/call/call.ts';
import type { Endpoint } from '../load.ts';

/** The body of an answer, and the cursor of the page after it. */
export interface Page {
  readonly body: string;
  readonly next: string | null;
}

interface Remembered {
  readonly version: string;
  readonly page: Page;
}

const MOST_BYTES = 16 * 1_024 * 1_024;

/**
 * Answers that everybody gets alike and that have a version: while that stays, they are not made again. The version is
 * read again each time, before the answer is, so that a change holds from the next request on every process.
 */
export class RememberedAnswers {
  readonly #pages = new LRUCache<string, Remembered>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ page }, key) => 2 * (page.body.length + key.length),
  });

  /** The answer of an endpoint to some variables, made where it is not remembered. */
  async find({ name, field }: Endpoint, call: Call, variables: Variables, make: () => Promise<Page>): Promise<Page> {
    const { readVersion } = accessOf(field);
    if (!readVersion) return make();
    const version = await readVersion(call);
    const key = `${name} ${JSON.stringify(variables)}`;
    const known = this.#pages.get(key);
    if (known?.version === version) return known.page;
    const page = await make();
    this.#pages.set(key, { version, page });
    return page;
  }
}
