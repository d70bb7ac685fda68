import type { Row } from './rows.ts';

/** Encodes rows as JSON, one a line. */
export async function* encodeNdjson(pages: AsyncIterable<readonly Row[]>): AsyncGenerator<Uint8Array> {
  for await (const page of pages) {
    const text = page.map((row) => `${JSON.stringify(row)}\n`).join('');
    if (text) yield Buffer.from(text);
  }
}
