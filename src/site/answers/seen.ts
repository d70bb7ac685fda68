import type { GraphQLSchema } from 'graphql';
import { CSV, fileHeaders } from '../../graphql/files/encode.ts';
import { writeCsv } from '../../graphql/files/csv.ts';
import { Refusal, refuseValue } from '../../kernel/refusal.ts';
import { say } from '../../kernel/text/said.ts';
import type { Answer } from '../../platform/call/answers.ts';
import type { Call } from '../../platform/call/call.ts';
import { findEmbedded, refuseEmbedded } from '../../oversight/views/embed.ts';
import { callAs } from '../../oversight/views/reader.ts';
import { recordsOf } from '../charts/records.ts';
import { findTable } from '../figures/questions/questions.ts';
import type { PageDocument } from '../operations/documents.ts';
import type { Filled } from '../operations/fields.ts';
import type { PageContext } from '../page-context.ts';
import { writePage } from '../show.ts';
import { readPageFor } from './read-for.ts';

/** The forms of what a page shows: a picture, or its figures. */
const FORMATS = ['svg', 'csv', 'json'] as const;
export type SeenFormat = (typeof FORMATS)[number];

const SVG = { 'Content-Type': 'image/svg+xml; charset=utf-8' };
/** Time for which a picture in another page may be kept: each reader of that page would have it drawn otherwise. */
const KEPT_SECONDS = 300;

/** Figures under the names of their columns. */
interface Records {
  readonly name: string;
  readonly names: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** Chart or table of a page, and its form: `?format=` and `part=` of its address; null without these. */
export function readSeen(query: URLSearchParams): { readonly format: SeenFormat; readonly part: string | null } | null {
  const format = query.get('format');
  if (format === null) return null;
  const known = FORMATS.find((one) => one === format);
  if (!known) throw refuseValue('format', say`must be svg, csv or json`);
  return { format: known, part: query.get('part') };
}

/** A chart or a table of a page as a file: the one that is named, or its first. */
export async function answerSeen(
  page: PageDocument,
  path: Filled,
  context: PageContext,
  { format, part }: NonNullable<ReturnType<typeof readSeen>>,
): Promise<Answer> {
  if (page.asksNamed && format !== 'svg') return writeRecords(await findTable(context, path['question'], part), format);
  const { charts } = await writePage(page, path, context, null);
  const chart = charts.find(part);
  if (!chart) throw new Refusal('not_found', 'There is no such chart on this page');
  if (format !== 'svg') return writeRecords({ name: chart.name, ...recordsOf(chart) }, format);
  return fileOf(await charts.draw(chart), {
    ...SVG,
    'Content-Disposition': `attachment; filename="${chart.name}.svg"`,
  });
}

/** The chart of a token as a picture, as its owner sees it now. */
export async function answerEmbedded(
  schema: GraphQLSchema,
  call: Call,
  token: string,
  language: string,
): Promise<Answer> {
  const embedded = await findEmbedded(call, token);
  if (!embedded) throw refuseEmbedded();
  const { charts } = await readPageFor(schema, callAs(call, embedded), embedded.page, language);
  const chart = charts.find(embedded.chart);
  if (!chart) throw refuseEmbedded();
  const kept = { 'Cache-Control': `public, max-age=${KEPT_SECONDS}`, Vary: 'Accept-Language' };
  return { status: 200, headers: { ...SVG, ...kept }, body: await charts.draw(chart) };
}

function writeRecords({ name, names, rows }: Records, format: 'csv' | 'json'): Answer {
  if (format === 'csv') return fileOf(writeCsv(names, rows), fileHeaders(name, CSV));
  const records = rows.map((row) => Object.fromEntries(names.map((column, index) => [column, row[index] ?? null])));
  return fileOf(JSON.stringify(records), { 'Content-Type': 'application/json; charset=utf-8' });
}

const fileOf = (body: string, headers: Answer['headers']): Answer => ({
  status: 200,
  headers: { ...headers, 'Cache-Control': 'no-store' },
  body,
});
