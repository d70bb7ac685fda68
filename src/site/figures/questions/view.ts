import { type GraphQLSchema, isEnumType } from 'graphql';
import type { Chart } from '../../charts/chart.ts';
import { pivot } from '../../charts/pivot.ts';
import type { Texts } from '../../languages/texts.ts';
import type { Asked } from './ask.ts';
import { type Question, getQuestion } from './questions.ts';
import type { Column, Row, Table } from './tables.ts';

/** What a question and its answer are shown as; without an answer, its form. */
export function viewQuestion(
  name: unknown,
  asked: Asked | null,
  { schema, texts, origin, query }: { schema: GraphQLSchema; texts: Texts; origin: string; query: URLSearchParams },
) {
  const question = getQuestion(schema, name);
  const tables = asked?.tables ?? [];
  const [first] = tables;
  return {
    name: question.name,
    theme: question.theme,
    about: question.about,
    text: question.text,
    inputs: inputsOf(question, schema, query),
    variables: JSON.stringify(asked?.variables ?? {}, null, 2),
    chart: first ? chartOf(first, texts) : null,
    tables: tables.map((table) => viewTable(table, texts, query)),
    /** How programs get the same: by what they are. */
    ways: asked ? waysOf(question, asked, origin) : [],
  };
}

/** The value of a variable as a field has it. */
const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);

function inputsOf({ variables, operation }: Question, schema: GraphQLSchema, query: URLSearchParams) {
  return variables
    .filter(({ name, type }) => name !== 'after' && !/Input\b/.test(type))
    .map(({ name, type, default: usual, description }) => {
      const plain = type.replaceAll(/[[\]!]/g, '');
      const found = schema.getType(plain);
      const isOne = isEnumType(found) && !type.startsWith('[');
      return {
        name,
        about: description,
        type: plain === 'Date' ? 'date' : plain === 'Int' ? 'number' : 'text',
        options: isOne ? found.getValues().map((value) => ({ value: value.name, text: value.name })) : null,
        value: query.get(name) ?? (Array.isArray(usual) ? usual.join(',') : textOf(usual)),
      };
    })
    .filter(({ name }) => operation.fields.some((field) => field.name === name));
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

/** What a column is called: as Explore calls it, or by the name that the graph has. */
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
  const step = keys.find(({ path }) => STEPS.test(path));
  if (!figure || keys.length === 0 || rows.length < 2) return null;
  const currencyOf = (row: Row) => (row['key.currency'] ?? row['currency'] ?? null) as string | null;
  const currency = currencyOf(rows[0]!);
  const charted = rows.filter((row) => currencyOf(row) === currency);
  const others = keys.filter((column) => column !== step);
  const nameOf = (row: Row) => others.map((column) => cellOf(row[column.path], column, texts)).join(', ');
  const valueOf = (row: Row) => (row[figure.path] === null ? null : Number(row[figure.path]));
  const title = headOf(figure, texts);
  const shared = {
    name: 'answer',
    title: currency === null ? title : `${title}, ${currency}`,
    unit: SHARES.test(leafOf(figure)) ? 'percent' : figure.type === 'Decimal' && currency ? { currency } : 'count',
  } as const;
  if (!step) {
    const shown = charted.slice(0, MOST_BARS);
    const by = others.map((column) => headOf(column, texts)).join(', ');
    return {
      ...shared,
      kind: 'bars',
      description: texts.t('explore.barsAbout', { by }),
      head: by,
      labels: shown.map(nameOf),
      series: [{ name: title, values: shown.map(valueOf) }],
    };
  }
  const labelOf = (row: Row) => row[step.path] as string;
  const { labels, series } = pivot(charted, labelOf, nameOf, valueOf);
  return {
    ...shared,
    kind: 'lines',
    description: texts.t('explore.linesAbout', { by: headOf(step, texts) }),
    head: headOf(step, texts),
    labels,
    series: series.slice(0, MOST_LINES).map(({ key, values }) => ({ name: key === '' ? title : key, values })),
  };
}

/** How dashboards, spreadsheets and notebooks ask the same. */
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
