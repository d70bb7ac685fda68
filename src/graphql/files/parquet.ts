import { type GraphQLOutputType, getNamedType, isObjectType } from 'graphql';
import { ByteWriter, type SchemaElement, parquetWriteRows } from 'hyparquet-writer';
import { Decimal } from '../../kernel/money.ts';
import type { Column, Row } from './rows.ts';

/** Digits of amounts after the point: as many as the database keeps, and as any currency has. */
const SCALE = 4;
const WHOLE = 10n ** BigInt(SCALE);
/** As many digits as fit into the sixteen bytes that readers take for a decimal. */
const PRECISION = 38;
const DECIMAL_BYTES = 16;

/** How a column is written: its type in the file, and what a value of the answer becomes. */
interface Written {
  readonly element: Omit<SchemaElement, 'name'>;
  readonly value: (value: unknown) => unknown;
}

const same = (value: unknown): unknown => value;
const TEXT: Written = {
  element: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  value: same,
};
/** By the name of a scalar; whatever else there is is text. */
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
    value: (amount) => unscale(amount as number),
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
    value: (at) => new Date(at as string),
  },
  Date: {
    element: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
    value: (day) => new Date(`${day as string}T00:00:00Z`),
  },
  JSON: { element: { type: 'BYTE_ARRAY', converted_type: 'JSON', logical_type: { type: 'JSON' } }, value: same },
};

/**
 * An amount of an answer as a whole number of the smallest part that the file knows: exact, never by way of a product
 * of floats.
 */
export function unscale(amount: number): bigint {
  if (Number.isSafeInteger(amount)) return BigInt(amount) * WHOLE;
  return BigInt(new Decimal(String(amount)).times(10 ** SCALE).toFixed(0));
}

/** What is no scalar of these is text; what has members of its own, JSON. */
function writeAs(type: GraphQLOutputType): Written {
  const named = getNamedType(type);
  return WRITTEN[isObjectType(named) ? 'JSON' : named.name] ?? TEXT;
}

/** Enough for files that pack well, and few enough that neither memory nor the other requests feel one being packed. */
const ROW_GROUP = 5_000;

/**
 * Encodes rows as a Parquet file: money as DECIMAL, moments in UTC, days as DATE. A row group is in memory at a time.
 */
export async function* encodeParquet(
  columns: readonly Column[],
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<Uint8Array> {
  const sink = new ChunkWriter();
  const elements = columns.map(({ name, type }): SchemaElement => ({
    name,
    ...writeAs(type).element,
    repetition_type: 'OPTIONAL',
  }));
  const writing = Promise.resolve(
    parquetWriteRows({
      writer: sink,
      rows: rowsOf(columns, pages),
      columns: columns.map(({ name }) => ({ name })),
      schema: [{ name: 'root', num_children: elements.length }, ...elements],
      rowGroupSize: ROW_GROUP,
      createdBy: 'revenue-rail',
    }),
  ).then(
    () => sink.close(null),
    (error: unknown) => sink.close(error),
  );
  yield* sink.chunks();
  await writing;
}

async function* rowsOf(
  columns: readonly Column[],
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<Record<string, unknown>> {
  const values = columns.map(({ name, type }) => ({ name, value: writeAs(type).value }));
  for await (const page of pages) {
    for (const row of page)
      yield Object.fromEntries(values.map(({ name, value }) => [name, row[name] == null ? null : value(row[name])]));
  }
}

/** Hands on what is written after each row group, and has the writer wait until it was taken. */
class ChunkWriter extends ByteWriter {
  readonly #chunks: Uint8Array[] = [];
  #ended = false;
  #abandoned = false;
  #error: unknown = null;
  #wakeReader: () => void = () => {};
  #wakeWriter: () => void = () => {};

  flush(): Promise<void> {
    this.#take();
    if (this.#abandoned) return Promise.reject(new Error('Nobody reads any more'));
    return new Promise((done) => {
      this.#wakeWriter = done;
    });
  }

  override finish(): void {
    this.#take();
  }

  close(error: unknown): void {
    this.#error = error;
    this.#ended = true;
    this.#wakeReader();
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const chunk = this.#chunks.shift();
        if (chunk) {
          yield chunk;
          continue;
        }
        if (this.#error !== null) throw this.#error;
        if (this.#ended) return;
        this.#wakeWriter();
        await new Promise<void>((done) => {
          this.#wakeReader = done;
        });
      }
    } finally {
      this.#abandoned = true;
      this.#wakeWriter();
    }
  }

  #take(): void {
    if (this.index > 0) this.#chunks.push(new Uint8Array(this.buffer.slice(0, this.index)));
    this.index = 0;
    this.#wakeReader();
  }
}
