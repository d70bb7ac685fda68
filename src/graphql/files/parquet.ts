import { constants, zstdCompressSync } from 'node:zlib';
import { type GraphQLOutputType, getNamedType, isObjectType } from 'graphql';
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import { Decimal } from '../../kernel/money.ts';
import { readMoment } from '../../kernel/time.ts';
import type { Column, Row } from './rows.ts';

/** Digits of amounts after the point: as many as the database keeps, and as any currency has. */
const SCALE = 4;
const WHOLE = 10n ** BigInt(SCALE);
/** Digits that fit into the sixteen bytes that readers take for a decimal. */
const PRECISION = 38;
const DECIMAL_BYTES = 16;

/** Form of a column: its type in the file, and its conversion of a value of the answer. */
interface Written {
  readonly element: Omit<SchemaElement, 'name'>;
  readonly value: (value: unknown) => unknown;
}

const same = (value: unknown): unknown => value;
const TEXT: Written = {
  element: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  value: same,
};
/** By the name of a scalar; all others are text. */
const WRITTEN: Readonly<Record<string, Written>> = {
  Decimal: {
    element: {
      type: 'FIXED_LEN_BYTE_ARRAY',
      type_length: DECIMAL_BYTES,
      converted_type: 'DECIMAL',
      logical_type: { type: 'DECIMAL', scale: SCALE, precision: PRECISION },
      scale: SCALE,
      precision: PRECISION,
    },
    value: (amount) => unscale(amount as number | string),
  },
  Float: { element: { type: 'DOUBLE' }, value: same },
  Int: { element: { type: 'INT32' }, value: same },
  Boolean: { element: { type: 'BOOLEAN' }, value: same },
  DateTime: {
    element: {
      type: 'INT64',
      converted_type: 'TIMESTAMP_MILLIS',
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
    },
    value: (at) => readMoment(at as string),
  },
  Date: {
    element: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
    value: (day) => new Date(`${day as string}T00:00:00Z`),
  },
  JSON: { element: { type: 'BYTE_ARRAY', converted_type: 'JSON', logical_type: { type: 'JSON' } }, value: same },
};

/**
 * An amount of an answer, or the digits of one, as a whole number of the smallest part that the file knows: exact, never
 * by way of a product of floats.
 */
export function unscale(amount: number | string): bigint {
  if (typeof amount === 'number' && Number.isSafeInteger(amount)) return BigInt(amount) * WHOLE;
  return BigInt(new Decimal(String(amount)).times(10 ** SCALE).toFixed(0));
}

/** Form for a type: scalars of these, otherwise text; JSON for objects. */
function writeAs(type: GraphQLOutputType): Written {
  const named = getNamedType(type);
  return WRITTEN[isObjectType(named) ? 'JSON' : named.name] ?? TEXT;
}

/**
 * Zstandard, which readers of Parquet know: half as large as by Snappy, and, made by the system's library, by less work
 * than that takes in JavaScript. At its first level: the next ones take more and give nothing where most are hashes.
 */
const CODEC = 'ZSTD';
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const compressors = { [CODEC]: (bytes: Uint8Array): Uint8Array => zstdCompressSync(bytes, LEVEL) };

/** Enough for files that pack well, and few enough that neither memory nor the other requests feel one being packed. */
const ROW_GROUP = 5_000;

/**
 * Encodes rows as a Parquet file: money as DECIMAL, moments in UTC, days as DATE. A row group is in memory at a time.
 */
export async function* encodeParquet(
  columns: readonly Column[],
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<Uint8Array> {
  const file = new File(columns);
  for await (const page of pages) {
    for (const row of page) {
      file.add(row);
      if (file.rowsOfGroup === ROW_GROUP) yield file.endGroup();
    }
  }
  yield file.end();
}

/** A file in the making: the values of a row group by their columns, and what was written and not taken yet. */
class File {
  rowsOfGroup = 0;
  readonly #columns: readonly { readonly name: string; readonly value: Written['value'] }[];
  readonly #sink = new ByteWriter();
  readonly #writer: ParquetWriter;
  #values: unknown[][];
  #isEmpty = true;

  constructor(columns: readonly Column[]) {
    this.#columns = columns.map(({ name, type }) => ({ name, value: writeAs(type).value }));
    this.#values = columns.map(() => []);
    const elements = columns.map(({ name, type }): SchemaElement => ({
      name,
      ...writeAs(type).element,
      repetition_type: 'OPTIONAL',
    }));
    this.#writer = new ParquetWriter({
      writer: this.#sink,
      schema: [{ name: 'root', num_children: elements.length }, ...elements],
      createdBy: 'revenue-rail',
      codec: CODEC,
      compressors,
    });
  }

  add(row: Row): void {
    for (let at = 0; at < this.#columns.length; at++) {
      const { name, value } = this.#columns[at]!;
      const given = row[name];
      this.#values[at]!.push(given === null || given === undefined ? null : value(given));
    }
    this.rowsOfGroup++;
  }

  /** Writes the rows that were added as a row group; the bytes of it. */
  endGroup(): Uint8Array {
    const columnData = this.#columns.map(({ name }, at) => ({ name, data: this.#values[at]! }));
    // The writer is synchronous, as its sink is.
    void this.#writer.write({ columnData, rowGroupSize: ROW_GROUP });
    this.#values = this.#columns.map(() => []);
    this.rowsOfGroup = 0;
    this.#isEmpty = false;
    return this.#take();
  }

  /** Writes what is left, and the end of the file; the bytes of both. A file without rows has its columns all the same. */
  end(): Uint8Array {
    const rest = this.rowsOfGroup > 0 || this.#isEmpty ? this.endGroup() : new Uint8Array();
    void this.#writer.finish();
    return Buffer.concat([rest, this.#take()]);
  }

  #take(): Uint8Array {
    const bytes = new Uint8Array(this.#sink.getBuffer());
    this.#sink.index = 0;
    return bytes;
  }
}
