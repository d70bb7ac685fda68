import { type GraphQLSchema, isEnumType } from 'graphql';
import type { Chart } from '../../charts/chart.ts';
import { pivot } from '../../charts/pivot.ts';
import type { Texts } from '../../languages/texts.ts';
import { drawPanel } from '../panel.ts';
import { type Asked, type Question, getQuestion } from './questions.ts';
import type { Column, Row, Table } from './tables.ts';

/** View of a question and its answer; without an answer, of its form. */
export function viewQuestion(
  name: unknown,
  asked: Asked | null,
  { schema, texts, origin, query }: { schema: GraphQLSchema; texts: Texts; origin: string; query: URLSearchParams },
) {
  const question = getQuestion(schema, name);
  const tables = asked?.tables ?? [];
  return {
    ...question,
    inputs: inputsOf(question, schema, query),
    variables: JSON.stringify(asked?.variables ?? {}, null, 2),
    chart: tables[0] ? chartOf(tables[0], texts) : null,
    tables: tables.map((table) => viewTable(table, texts, query)),
    /** Samples for programs that get the same, by their kind. */
    ways: asked ? waysOf(question, asked, origin) : [],
  };
}

/** The fields of its form: what has its own notation is left to programs. */
function inputsOf({ variables, operation }: Question, schema: GraphQLSchema, query: URLSearchParams) {
  const isField = ({ name, type }: Question['variables'][number]) =>
    name !== 'after' && !/Input\b/.test(type) && operation.fields.some((field) => field.name === name);
  return variables.filter(isField).map(({ name, type, default: preset, description }) => {
    const plain = type.replaceAll(/[[\]!]/g, '');
    const found = schema.getType(plain);
    const given = (preset ?? '') as string | number | boolean | readonly string[];
    return {
      name,
      about: description,
      type: plain === 'Date' ? 'date' : plain === 'Int' ? 'number' : 'text',
      /** Those of which it is one. */
      options: isEnumType(found) && !type.startsWith('[') ? found.getValues().map((value) => value.name) : null,
      value: query.get(name) ?? String(given),
    };
  });
}

const NUMBERS = new Set(['Decimal', 'Int', 'Float', 'BigInt']);
const isFigure = ({ type }: Column) => NUMBERS.has(type);
const leafOf = ({ path }: Column) => path.split('.').at(-1)!;
const SHARES = /share$|rate$|^change$/i;

function viewTable({ name, columns, rows }: Table, texts: Texts, query: URLSearchParams) {
  const link = new URLSearchParams(query);
  link.set('format', 'csv');
  link.set('part', name);
  return {
    name,
    heads: columns.map((column) => ({ text: headOf(column, texts), isFigure: isFigure(column) })),
    rows: rows.map((row) => columns.map((column) => cellOf(row[column.path], column, texts))),
    link: `?${String(link)}`,
  };
}

/** Head of a column: as Explore names it, or the name that the graph has. */
function headOf(column: Column, { t, has }: Texts): string {
  const leaf = leafOf(column);
  const names = [`explore.measure.${leaf}`, `explore.dimension.${leaf.replace(/Id$/, '')}`, `questions.column.${leaf}`];
  const known = names.find(has);
  return known === undefined ? leaf.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`) : t(known);
}

/** The families of messages that have a word for what a cell holds. */
const FAMILIES = [
  'channel',
  'anomaly',
  'severity',
  'anomalyStatus',
  'paymentEventKind',
  'paymentProof',
  'failureCause',
  'ageBand',
];
const DAY = /^\d{4}-\d\d-\d\d$/;

function cellOf(value: unknown, column: Column, texts: Texts): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'boolean') return texts.t(value ? 'yes' : 'no');
  if (Array.isArray(value)) return value.map((one) => cellOf(one, column, texts)).join(', ');
  if (typeof value === 'object') return JSON.stringify(value);
  if (isFigure(column)) return SHARES.test(leafOf(column)) ? texts.percent(value) : texts.number(value);
  const text = value as string;
  if (DAY.test(text)) return texts.date(text);
  const known = [leafOf(column), ...FAMILIES].map((family) => `${family}.${text}`).find(texts.has);
  return known === undefined ? text : texts.t(known);
}

/** Beyond so many, bars and lines say nothing. */
const [MOST_BARS, MOST_LINES] = [20, 6];
const STEPS = /^(key\.)?(day|week|month|quarter|year|fiscalYear|hour)$/;

/** The first figure of a table by what its rows are told apart by: over time, as lines. */
function chartOf({ columns, rows }: Table, texts: Texts): Chart | null {
  const figure = columns.find(isFigure);
  const keys = columns.filter((column) => !isFigure(column) && leafOf(column) !== 'currency');
  if (!figure || keys.length === 0 || rows.length < 2) return null;
  const currencyOf = (row: Row) => (row['key.currency'] ?? row['currency'] ?? null) as string | null;
  const currency = currencyOf(rows[0]!);
  const charted = rows.filter((row) => currencyOf(row) === currency);
  const step = keys.find(({ path }) => STEPS.test(path));
  const others = keys.filter((column) => column !== step);
  const nameOf = (row: Row) => others.map((column) => cellOf(row[column.path], column, texts)).join(', ');
  const valueOf = (row: Row) => (row[figure.path] === null ? null : Number(row[figure.path]));
  const title = headOf(figure, texts);
  const head = (step ? [step] : others).map((column) => headOf(column, texts)).join(', ');
  const amount = figure.type === 'Decimal' && currency ? { currency } : 'count';
  const about = {
    name: 'answer',
    title: currency === null ? title : `${title}, ${currency}`,
    description: texts.t(step ? 'explore.linesAbout' : 'explore.barsAbout', { by: head }),
    head,
    unit: SHARES.test(leafOf(figure)) ? 'percent' : amount,
  } as const;
  if (!step) {
    const bars = charted.slice(0, MOST_BARS);
    return drawPanel({ ...about, kind: 'bars', rows: bars, label: nameOf, columns: [{ name: title, of: valueOf }] });
  }
  const { labels, series } = pivot(charted, (row) => row[step.path] as string, nameOf, valueOf);
  const lines = series.slice(0, MOST_LINES).map(({ key, values }) => ({ name: key === '' ? title : key, values }));
  return { ...about, kind: 'lines', labels, series: lines };
}

/** Samples for dashboards, spreadsheets and notebooks that ask the same. */
function waysOf({ name }: Question, { variables, tables }: Asked, origin: string) {
  const address = new URL('/graphql', origin);
  address.searchParams.set('operation', name);
  if (Object.keys(variables).length > 0) address.searchParams.set('variables', JSON.stringify(variables));
  const url = address.href;
  const place = tables.find((table) => table.place !== null)?.place ?? 'data.oversight';
  const steps = place.split('.');
  return [
    {
      name: 'Grafana',
      text: `Infinity data source\nType: JSON   Parser: Backend   Source: URL\nURL: ${url}\nHeader: Authorization: Bearer $RAIL_KEY\nRows/Root: ${place}`,
    },
    {
      name: 'Excel',
      text: `let
  Answer = Json.Document(Web.Contents("${url.replaceAll('"', '""')}", [Headers = [Authorization = "Bearer " & RAIL_KEY]])),
  Rows = Answer${steps.map((step) => `[${step}]`).join('')},
  Table = Table.FromRecords(Rows)
in
  Table`,
    },
    {
      name: 'Python',
      text: `import json
import os
import urllib.request

import pandas

request = urllib.request.Request(
    ${JSON.stringify(url)},
    headers={'Authorization': f"Bearer {os.environ['RAIL_KEY']}"},
)
with urllib.request.urlopen(request) as answer:
    rows = json.load(answer)${steps.map((step) => `['${step}']`).join('')}
pandas.json_normalize(rows)`,
    },
    { name: 'curl', text: `curl '${url}' \\\n  -H "Authorization: Bearer $RAIL_KEY"` },
  ];
}
