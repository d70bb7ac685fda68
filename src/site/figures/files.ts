import type { Column } from '../../graphql/files/rows.ts';
import type { Texts } from '../languages/texts.ts';
import { nameDimension } from './explore/names.ts';

type Asked = Readonly<Record<string, unknown>>;

/** Most measures that the name of a file names. */
const MOST_NAMED = 3;

/** A table of figures on a page that is had as a file. */
interface Table {
  /** The subject of the file's name, without the dimensions. */
  readonly subject: (asked: Asked) => string;
  readonly dimensions: (asked: Asked) => readonly string[];
  /** The columns of figures, each with the key of its head. */
  readonly figures: (asked: Asked) => Readonly<Record<string, string>>;
}

const listOf = (value: unknown, preset: readonly string[]): readonly string[] =>
  value === undefined ? preset : [value].flat().map(String);
const measuresOf = ({ measures }: Asked) => listOf(measures, ['net']);
const headsOf = (measures: readonly string[]) =>
  Object.fromEntries(measures.map((name) => [name, `explore.measure.${name}`]));

/** The tables by the names of their files. */
const TABLES: Readonly<Record<string, Table>> = {
  explore: {
    subject: (asked) => (measuresOf(asked).length > MOST_NAMED ? 'figures' : measuresOf(asked).join('-and-')),
    dimensions: ({ by }) => listOf(by, []),
    figures: (asked) => headsOf(measuresOf(asked)),
  },
  comparison: {
    subject: () => 'revenue-compared',
    dimensions: ({ by }) => listOf(by, ['agency']),
    figures: () => ({
      current: 'oversight.current',
      before: 'oversight.before',
      difference: 'oversight.difference',
      change_on_before: 'oversight.change',
      year_ago: 'oversight.yearAgo',
    }),
  },
  revenue: {
    subject: () => 'revenue',
    dimensions: ({ step }) => listOf(step, ['day']),
    figures: () => ({ ...headsOf(['collected', 'reversed', 'net']), count: 'explore.measure.events' }),
  },
};

/** Columns that name the values of a dimension, where the dimension itself is a code. */
const NAMING: Readonly<Record<string, string>> = { agency: 'agency_name', service: 'service_name' };

/**
 * The table that a reader sees, as a file: its name says what and when, and its columns are those of the table, in their
 * order and with their heads. Null for a list, which is had as it is, and where all columns are asked for.
 */
export function seenTable(name: string, asked: Asked, columns: readonly Column[], { t }: Pick<Texts, 't'>) {
  const table = TABLES[name];
  if (!table || asked['columns'] === 'all') return null;
  const dimensions = table.dimensions(asked);
  const keys = dimensions.map((one) => [NAMING[one] ?? one, nameDimension(one, { t })] as const);
  const currency = dimensions.includes('currency') ? [] : [['currency', nameDimension('currency', { t })] as const];
  const figures = Object.entries(table.figures(asked)).map(([column, key]) => [column, t(key)] as const);
  const all = new Map(columns.map((column) => [column.name, column]));
  const by = dimensions.length === 0 ? '' : `-by-${dimensions.join('-and-')}`;
  const days = [asked['preset'], asked['fromDate'], asked['toDate']].filter(Boolean).join('_');
  return {
    name: [table.subject(asked) + by, days].filter(Boolean).join('_'),
    columns: [...keys, ...currency, ...figures].flatMap(([column, head]) => {
      const found = all.get(column);
      return found ? [{ ...found, head }] : [];
    }),
  };
}
