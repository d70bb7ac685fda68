import { stringify } from 'csv-stringify/sync';
import type { Request } from 'express';
import {
  type DocumentNode,
  GraphQLBoolean,
  type GraphQLOutputType,
  type GraphQLSchema,
  Kind,
  type SelectionSetNode,
  getNamedType,
  isObjectType,
} from 'graphql';
import type { Call } from '../src/platform/call/call.ts';
import { Refusal } from '../src/kernel/refusal.ts';
import type { Endpoint } from './load.ts';
import { parquet } from './parquet.ts';
import { type Variables, answerOf, resultOf } from './run.ts';
import type { Parameter } from './variables.ts';

export const CSV = 'text/csv';
export const PARQUET = 'application/vnd.apache.parquet';
export type ExportFormat = typeof CSV | typeof PARQUET;

const JSON_TYPE = 'application/json';

export type Row = Readonly<Record<string, unknown>>;

/** What a client wants an answer as, by the weights of its `Accept`; null: as JSON. Refused where it takes nothing but a file that there is not. */
export function exportFormat(req: Request, { formats }: Pick<Endpoint, 'formats'>): ExportFormat | null {
  const wanted = req.accepts([JSON_TYPE, ...formats]);
  if (wanted === CSV || wanted === PARQUET) return wanted;
  if (wanted === false && req.accepts([CSV, PARQUET])) {
    throw new Refusal('not_acceptable', `This is answered as ${[JSON_TYPE, ...formats].join(' or ')}`);
  }
  return null;
}

/** What a list that is exported takes beside its own parameters. */
export const BOM: Parameter = {
  name: 'bom',
  source: 'query',
  type: GraphQLBoolean,
  defaultValue: undefined,
  argument: undefined,
  description: 'Whether a CSV file is to begin with a byte order mark, by which some spreadsheets know UTF-8. Of no meaning elsewhere.',
};

export interface Column {
  readonly name: string;
  readonly type: GraphQLOutputType;
}

/** The members of a row, with the types that the schema gives them. */
function columnsOf({ leaf, selection, document }: Endpoint): Column[] {
  const type = getNamedType(leaf.type);
  const columns = (selected: SelectionSetNode | undefined): Column[] =>
    (selected?.selections ?? []).flatMap((node) => {
      if (node.kind === Kind.FRAGMENT_SPREAD) return columns(fragmentOf(document, node.name.value));
      if (node.kind !== Kind.FIELD || !isObjectType(type)) return [];
      return [{ name: (node.alias ?? node.name).value, type: type.getFields()[node.name.value]!.type }];
    });
  return columns(selection.selectionSet);
}

function fragmentOf({ definitions }: DocumentNode, name: string): SelectionSetNode | undefined {
  return definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION).find(({ name: own }) => own.value === name)?.selectionSet;
}

/**
 * All pages of a list, one after another, or the one that is asked for by its `limit`; the first of them is read before anything is
 * answered, so that a refusal can be.
 */
export async function pagesOf(schema: GraphQLSchema, endpoint: Endpoint, call: Call, variables: Variables): Promise<AsyncIterable<readonly Row[]>> {
  const whole = variables['limit'] === undefined;
  const limit = variables['limit'] ?? endpoint.exports!;
  const page = async (after: unknown): Promise<readonly Row[]> => {
    call.nextAfter = null;
    const start = after === variables['after'] ? {} : { start: 0 };
    const asked = { ...variables, ...start, limit, ...(after != null && { after }) };
    return answerOf(await resultOf(schema, endpoint, call, asked), endpoint) as readonly Row[];
  };
  const first = await page(variables['after']);
  return (async function* () {
    yield first;
    if (!whole) return;
    while (call.nextAfter !== null) yield await page(call.nextAfter);
  })();
}

/** Rows as the bytes of a file, page by page: as much is in memory as a page, or a row group, takes. */
export function exported(
  endpoint: Endpoint,
  format: ExportFormat,
  pages: AsyncIterable<readonly Row[]>,
  { bom = false }: { readonly bom?: boolean } = {},
): AsyncIterable<Uint8Array> {
  const columns = columnsOf(endpoint);
  return format === CSV ? csv(columns, pages, bom) : parquet(columns, pages);
}

async function* csv(columns: readonly Column[], pages: AsyncIterable<readonly Row[]>, bom: boolean): AsyncGenerator<Uint8Array> {
  const names = columns.map(({ name }) => name);
  let header = true;
  for await (const page of pages) {
    const rows = page.map((row) => names.map((name) => cellOf(row[name])));
    // What a spreadsheet would take for a formula is marked as text.
    yield Buffer.from(stringify(rows, { header, columns: names, escape_formulas: true, record_delimiter: 'windows', bom: bom && header }));
    header = false;
  }
}

function cellOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}
