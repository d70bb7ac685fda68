import { agencyLoader, serviceLoader } from '../../../collection/catalogue/find.ts';
import { builder } from '../../../graphql/builder.ts';
import { dataset } from '../../../graphql/files/rows.ts';
import { connection, defineConnection } from '../../../graphql/graph/connection.ts';
import { languageArg } from '../../../graphql/input/languages.ts';
import { nameIn } from '../../../collection/catalogue/names.ts';
import type { Agency, Service } from '../../../generated/prisma/client.ts';
import { shape } from '../../../graphql/input/shapes.ts';
import { eachInTurn } from '../../../kernel/event-loop.ts';
import type { Call } from '../../../platform/call/call.ts';
import type { RecordLoader } from '../../../platform/reading/batch.ts';
import type { Page } from '../../../platform/reading/page.ts';
import { refuseValue } from '../../../kernel/refusal.ts';
import { MOST_GROUPS, figuresSpan, groupsPaging, zoneArg } from '../../common/arguments.ts';
import { Oversight } from '../oversight.ts';
import { type FigurePage, ask } from './ask.ts';
import { DIMENSION_NAMES, type DimensionName } from './dimensions.ts';
import { GROUPS, GROUP_NAMES, GROUP_OF_MEASURE } from './groups.ts';
import { DimensionEnum, MeasureEnum, PresetEnum, SliceInput } from './inputs.ts';
import { nullable, text } from './key-schema.ts';
import type { Measure } from './measure-group.ts';
import { orderArg } from './row-schema.ts';
import { checkLength } from './span.ts';
import { say } from '../../../kernel/text/said.ts';

/**
 * A row with its names, and its dimensions and measures as members, as tables and files have them. A page has a hundred
 * thousand fields, most of them null: those without a resolver are read without a path and an `info` of their own.
 */
interface FigureRecord {
  readonly named: { readonly agency: Agency | null; readonly service: Service | null };
  readonly [field: string]: unknown;
}

/** Dimensions whose values are texts as they are. */
const TEXTS = {
  agency: 'The code of the agency.',
  service: 'The docname of the service.',
  service_code: 'The code of the service.',
  sector: 'The sector of the services.',
  family: 'The family of the services.',
  channel: 'The payment channel of the group.',
  country: 'The country of the agency (ISO 3166-1).',
  region: 'The region of the agency.',
  district: 'The district of the agency.',
  station: 'Place of collection: `counter`, `integrator` or `other`.',
  counter: 'The counter: the code of its agency, a space, and its label.',
  currency: 'The currency of the amounts (ISO 4217).',
  kind: 'The kind of event, `payment` or `reversal`.',
  proof: 'Proof by which the payments were confirmed, such as `enquiry`.',
  provider: 'The payment provider whose statements they are.',
  anomaly: 'The kind of the anomalies.',
  severity: 'The severity of the anomalies.',
  status: 'The status of the anomalies, `Open` or `Resolved`.',
  age: 'Time since the anomalies were detected or the unpaid assessments were made, or until the refunds were paid, such as `days_8_30`.',
  cause: 'Reason why attempts failed or expired, such as `insufficient_funds`.',
  source: 'Source of the records of people: `identity_authority` or `by_hand`.',
  refund_reason: 'The reason for the refunds, such as `duplicate`.',
  ground: 'The ground of the exemptions, such as `disability`.',
  refund_method: 'The way in which the refunds were paid, such as `transfer`.',
  year: 'The calendar year, `YYYY`.',
  fiscal_year: 'The fiscal year, `YYYY/YY`; `YYYY` where fiscal years are calendar years.',
  quarter: 'The quarter of the calendar, `YYYY-Qn`.',
  month: 'The month of the calendar, `YYYY-MM`.',
  week: 'The ISO week, `YYYY-Www`.',
  day: 'The day of the calendar, `YYYY-MM-DD`.',
} as const satisfies Partial<Record<DimensionName | 'service_code', string>>;

const camelCase = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Fields that are read as they are. */
const MEMBERS: readonly (readonly [name: string, type: Measure['type'] | 'ID' | 'String', description: string])[] = [
  ...Object.entries(TEXTS).map(([name, description]) => [camelCase(name), 'String', description] as const),
  ['integrator', 'ID', 'The code of the integrator; null for what no integrator collected.'],
  ['size', 'Float', 'The smallest amount of this order of magnitude: a power of ten, or 0 for amounts below 10.'],
  ['weekday', 'Int', 'The day of the week, 1 (Monday) to 7 (Sunday).'],
  ['hour', 'Int', 'The hour of the day, 0 to 23.'],
  ...GROUP_NAMES.flatMap((group) => Object.entries<Measure>(GROUPS[group].measures)).map(
    ([name, { type, description }]) => [name, type, description] as const,
  ),
  ['hidden', 'String', 'Figures that are null, with the reason, such as `payers: few_people`.'],
];

/** Fields that rows can have with any dimensions. */
const ALWAYS = ['agencyName', 'serviceName', 'serviceCode', 'currency', 'hidden'];

const RecordType = builder.objectRef<FigureRecord>('FigureRecord').implement({
  description:
    'The figures of one group as a flat row, with names and codes. Dimensions and measures that were not asked for are null.',
  fields: (t) => ({
    agencyName: t.string({
      ...nullable,
      description: 'The name of the agency.',
      args: languageArg,
      resolve: ({ named: { agency } }, { language }) => agency && nameIn(language, agency.mdaName, agency),
    }),
    serviceName: t.string({
      ...nullable,
      description: 'The name of the service.',
      args: languageArg,
      resolve: ({ named: { service } }, { language }) => service && nameIn(language, service.serviceName, service),
    }),
    ...Object.fromEntries(
      // A member has what its field declares: dimensions and measures come with their types.
      MEMBERS.map(([name, type, description]) => [name, t.expose(name as never, { type, ...nullable, description })]),
    ),
  }),
});

const RecordConnection = defineConnection('FigureRecord', RecordType, 'figures', { inTurns: true });

/** The page with its measures computed, and its agencies and services named. */
async function writeRecords(
  call: Call,
  { answer, all, rows, cursors }: FigurePage,
  measures: readonly string[],
): Promise<Page<FigureRecord>> {
  const findNamed = async <Named>({ load }: RecordLoader<Named>, by: 'agency' | 'service') => {
    const names = [...new Set(rows.map(({ key }) => text(key[by])))].filter((name) => name !== null);
    const found = names.map(async (name): Promise<[string | null, Named | null]> => [name, await load(call, name)]);
    return new Map(await Promise.all(found));
  };
  const [hiddenOf, agencies, services, ...measuresOf] = await Promise.all([
    answer.hiddenOf(),
    findNamed(agencyLoader, 'agency'),
    findNamed(serviceLoader, 'service'),
    ...measures.map((measure) => answer.measureOf(measure)),
  ]);
  const dimensions = answer.keys.map((name) => [name, camelCase(name)] as const);
  const records: FigureRecord[] = [];
  for await (const row of eachInTurn(rows)) {
    const service = services.get(text(row.key.service)) ?? null;
    const why = hiddenOf(row).map(({ figures, reason }) => `${figures}: ${reason}`);
    const record: Record<string, unknown> = { serviceCode: service?.code ?? null, hidden: why.join('; ') || null };
    for (const [dimension, field] of dimensions) record[field] = row.key[dimension];
    for (const [place, measure] of measures.entries()) record[measure] = measuresOf[place]!(row);
    records.push({ ...record, named: { agency: agencies.get(text(row.key.agency)) ?? null, service } });
  }
  const begin = cursors.begin;
  return {
    rows: records,
    hasNext: begin + rows.length < all.length,
    hasPrevious: begin > 0,
    cursors: rows.map((_row, place) => cursors.of(begin + place + 1)),
    count: async () => all.length,
  };
}

builder.objectField(Oversight, 'figureRecords', (t) =>
  t.field({
    description:
      'Figures of groups as flat rows, with names and codes, in the order of the values of the groups by default: for tables and files.',
    ...connection(RecordConnection, {
      ...groupsPaging(1),
      args: {
        by: t.arg({
          type: [DimensionEnum],
          required: true,
          defaultValue: [],
          description: 'The dimensions to group by, at most 8. Default: none.',
          ...shape({ maxItems: 8 }),
        }),
        measures: t.arg({
          type: [MeasureEnum],
          required: true,
          defaultValue: ['net'],
          description: 'The measures. Default: net revenue.',
          ...shape({ minItems: 1, maxItems: 20 }),
        }),
        preset: t.arg({ type: PresetEnum, description: 'A span that is named. Not with `fromDate` or `toDate`.' }),
        ...figuresSpan,
        slice: t.arg({
          type: SliceInput,
          description: 'Slice that the figures are about, within that of `oversight`. Default: all of it.',
        }),
        ...zoneArg,
        orderBy: orderArg(),
      },
    }),
    ...dataset(MOST_GROUPS, ({ by, measures }) => [ALWAYS, by, measures].flat().map((one) => camelCase(String(one)))),
    resolve: async (held, { by, measures, preset, fromDate, toDate, slice, timeZone, orderBy, ...page }, call) => {
      checkLength(call, { fromDate, toDate });
      if (preset && (fromDate || toDate)) throw refuseValue('preset', say`cannot be combined with ${'days'}`);
      if (page.last != null || page.before != null || page.offset != null)
        throw refuseValue('last', 'these rows are paged forwards, by first and after');
      const groups = new Set(measures.map((measure) => GROUP_OF_MEASURE.get(measure)!));
      const asked = {
        by: DIMENSION_NAMES.filter((name) => by.includes(name)),
        span: preset ? { preset } : fromDate || toDate ? { days: { fromDate, toDate } } : null,
        slice,
        timeZone,
        having: [],
        orderBy,
        ...page,
      };
      return writeRecords(call, await ask(call, asked, held, (group) => groups.has(group)), measures);
    },
  }),
);
