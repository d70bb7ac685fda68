import fc from 'fast-check';
import { GraphQLString } from 'graphql';
import { stringify } from 'csv-stringify/sync';
import { expect, it } from 'vitest';
import { encodeCsv } from '../../src/graphql/files/csv.ts';

const names = ['name', '=a,"column"', 'more'];
const columns = names.map((name) => ({ name, type: GraphQLString }));
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(fc.constantFrom('"', ',', '\r', '\n', '\t', '=', '+', '-', '@', '＝', '＋', '－', '＠', "'", ' ', 'é', '1'))
    .map((characters) => characters.join('')),
);
const cell = fc.oneof(
  text,
  fc.constantFrom(null, undefined, true, false, 0, -0, -1.5, 1e21, 1e-7, 123456789012345),
  fc.double(),
  fc.record({ text, list: fc.array(text) }),
);
const page = fc.array(fc.tuple(cell, cell, cell));

/** The same rows by another writer. */
function stringifyWhole(pages: readonly (readonly (readonly unknown[])[])[], bom: boolean): Buffer {
  const rows = pages.flat().map((cells) => cells.map((one) => (isObject(one) ? JSON.stringify(one) : one)));
  const options = {
    header: true,
    columns: names,
    escape_formulas: true,
    record_delimiter: 'windows',
    quote_record_delimiter: true,
    bom,
  } as const;
  return Buffer.from(stringify(rows, options));
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null;

it('writes what another writer of CSV does, whatever is in the cells', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(page, { minLength: 1, maxLength: 3 }), fc.boolean(), async (pages, bom) => {
      const read = async function* () {
        for (const rows of pages)
          yield rows.map((cells) => Object.fromEntries(cells.map((one, at) => [names[at], one])));
      };
      const written = Buffer.concat(await Array.fromAsync(encodeCsv(columns, read(), bom)));
      expect(written).toEqual(stringifyWhole(pages, bom));
    }),
  );
});
