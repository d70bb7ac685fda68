import { stringify } from 'csv-stringify/sync';
import { type GraphQLOutputType, type GraphQLSchema, Kind, getNamedType, isObjectType } from 'graphql';
import { type BasicType, ByteWriter, parquetWriteRows } from 'hyparquet-writer';
import type { Call } from '../src/call.ts';
import type { Endpoint } from './load.ts';
import { type Variables, answerOf, resultOf } from './run.ts';

export const CSV = 'text/csv';
export const PARQUET = 'application/vnd.apache.parquet';
export type ExportFormat = typeof CSV | typeof PARQUET;

type Row = Readonly<Record<string, unknown>>;

/** What a client wants a list as; null: as JSON. */
export function exportFormat(accept: string | undefined): ExportFormat | null {
  const wanted = (accept ?? '').split(',').map((one) => one.split(';')[0]!.trim().toLowerCase());
  if (wanted.includes(PARQUET)) return PARQUET;
  return wanted.includes(CSV) ? CSV : null;
}

interface Column {
  readonly name: string;
  readonly type: BasicType;
}

/** The members of a row, with the types that the schema gives them. */
function columnsOf({ leaf, selection }: Endpoint): Column[] {
  const type = getNamedType(leaf.type);
  return (selection.selectionSet?.selections ?? []).flatMap((node) => {
    if (node.kind !== Kind.FIELD || !isObjectType(type)) return [];
    return [{ name: (node.alias ?? node.name).value, type: basicType(type.getFields()[node.name.value]!.type) }];
  });
}

function basicType(type: GraphQLOutputType): BasicType {
  switch (getNamedType(type).name) {
    case 'Decimal':
    case 'Float':
      return 'DOUBLE';
    case 'Int':
      return 'INT32';
    case 'DateTime':
      return 'TIMESTAMP';
    case 'JSON':
      return 'JSON';
    default:
      return 'STRING';
  }
}

/** All pages of a list, one after another; the first of them is read before anything is answered, so that a refusal can be. */
export async function pagesOf(schema: GraphQLSchema, endpoint: Endpoint, call: Call, variables: Variables): Promise<AsyncIterable<readonly Row[]>> {
  const limit = endpoint.exports!;
  const page = async (after: unknown): Promise<readonly Row[]> => {
    call.nextAfter = null;
    return answerOf(await resultOf(schema, endpoint, call, { ...variables, limit, ...(after != null && { after }) }), endpoint) as readonly Row[];
  };
  const first = await page(variables['after']);
  return (async function* () {
    yield first;
    while (call.nextAfter !== null) yield await page(call.nextAfter);
  })();
}

/** Rows as the bytes of a file, page by page: as much is in memory as a page, or a row group, takes. */
export function exported(endpoint: Endpoint, format: ExportFormat, pages: AsyncIterable<readonly Row[]>): AsyncIterable<Uint8Array> {
  const columns = columnsOf(endpoint);
  return format === CSV ? csv(columns, pages) : parquet(columns, pages);
}

async function* csv(columns: readonly Column[], pages: AsyncIterable<readonly Row[]>): AsyncGenerator<Uint8Array> {
  const names = columns.map(({ name }) => name);
  let header = true;
  for await (const page of pages) {
    const rows = page.map((row) => names.map((name) => cellOf(row[name])));
    // What a spreadsheet would take for a formula is marked as text.
    yield Buffer.from(stringify(rows, { header, columns: names, escape_formulas: true, record_delimiter: 'windows' }));
    header = false;
  }
}

function cellOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

const ROW_GROUP = 50_000;

async function* parquet(columns: readonly Column[], pages: AsyncIterable<readonly Row[]>): AsyncGenerator<Uint8Array> {
  const sink = new ChunkWriter();
  const writing = Promise.resolve(
    parquetWriteRows({
      writer: sink,
      rows: rowsOf(columns, pages),
      columns: columns.map(({ name, type }) => ({ name, type, nullable: true })),
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

async function* rowsOf(columns: readonly Column[], pages: AsyncIterable<readonly Row[]>): AsyncGenerator<Record<string, unknown>> {
  const moments = columns.filter(({ type }) => type === 'TIMESTAMP').map(({ name }) => name);
  for await (const page of pages) {
    for (const row of page) {
      yield moments.length === 0
        ? row
        : { ...row, ...Object.fromEntries(moments.map((name) => [name, row[name] == null ? null : new Date(row[name] as string)])) };
    }
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
