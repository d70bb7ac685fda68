import type { Need } from '../../../platform/access/needs.ts';
import { DIMENSION_NAMES, dimensionOf } from '../../../oversight/figures/query/dimensions.ts';
import { GROUP_OF_MEASURE } from '../../../oversight/figures/query/groups.ts';
import { SLICE_NAMES, type SliceName } from '../../../oversight/figures/query/slice.ts';
import type { Choice } from '../../languages/choices.ts';
import type { Texts } from '../../languages/texts.ts';
import { nameCountry, nameDimension, nameMeasure, nameValue } from './names.ts';
import { PRESET_NAMES, readQuestion } from './question.ts';

interface Nodes<T> {
  readonly nodes: readonly T[];
}

/** What there is to choose from. */
interface Catalogue {
  readonly agencies: Nodes<{
    readonly id: string;
    readonly name: string;
    readonly country: string;
    readonly region: string | null;
    readonly district: string | null;
    readonly currency: string | null;
  }>;
  readonly services: Nodes<{
    readonly id: string;
    readonly code: string;
    readonly serviceName: string;
    readonly sector: string | null;
    readonly family: string | null;
  }>;
}

/** A part of the form that a question is put together in. */
interface Control {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  /** What it may be; of a field that takes any text, what it may be among others. */
  readonly options?: readonly Choice[];
  readonly suggestions?: readonly Choice[];
  readonly type?: string;
  /** What its blank value means. */
  readonly usual?: string;
}

/** The form of a question, as the question fills it in. */
export function listControls(
  { agencies, services }: Catalogue,
  {
    query,
    texts,
    may,
    choices,
  }: {
    readonly query: URLSearchParams;
    readonly texts: Texts;
    readonly may: (need: Need) => boolean;
    /** The values of an enum of the schema, by the messages of one family. */
    readonly choices: (type: string, family: string) => readonly Choice[];
  },
) {
  const { t, language } = texts;
  const question = readQuestion(query);
  const said = (name: string) => question.query.get(name)?.trim() ?? '';
  const dimensions = DIMENSION_NAMES.filter((name) => {
    const { need } = dimensionOf(name);
    return need === undefined || may(need);
  }).map((value) => ({ value, text: nameDimension(value, texts) }));
  const measures = [...GROUP_OF_MEASURE.keys()].map((value) => ({ value, text: nameMeasure(value, texts) }));
  const among = (values: readonly (string | null)[], nameOf = (value: string) => value): Choice[] =>
    [...new Set(values)]
      .filter((value) => value !== null)
      .map((value) => ({ value, text: nameOf(value) }))
      .toSorted((a, b) => a.text.localeCompare(b.text, language));
  const filter = (name: SliceName, options: readonly Choice[]): Control => {
    const [value = ''] = question.slice[name] ?? [];
    // What is asked for stays chosen, whether or not it is among them.
    const all =
      value === '' || options.some((one) => one.value === value) ? options : [{ value, text: value }, ...options];
    return { name, label: nameDimension(name, texts), value, options: all, usual: t('filters.all') };
  };
  const filters: Control[] = [
    filter(
      'agency',
      agencies.nodes.map(({ id, name }) => ({ value: id, text: name })),
    ),
    filter('channel', choices('Channel', 'channel')),
    filter(
      'country',
      among(
        agencies.nodes.map(({ country }) => country),
        (code) => nameCountry(code, language),
      ),
    ),
    filter('region', among(agencies.nodes.map(({ region }) => region))),
    filter('district', among(agencies.nodes.map(({ district }) => district))),
    filter('station', choices('RevenueStation', 'oversight.station')),
    filter(
      'sector',
      among(
        services.nodes.map(({ sector }) => sector),
        (value) => nameValue('sector', value, texts),
      ),
    ),
    filter(
      'family',
      among(
        services.nodes.map(({ family }) => family),
        (value) => nameValue('family', value, texts),
      ),
    ),
    {
      name: 'service',
      label: t('explore.dimension.service'),
      value: question.slice.service?.[0] ?? '',
      suggestions: services.nodes.map(({ id, code, serviceName }) => ({ value: id, text: `${code} ${serviceName}` })),
    },
    filter('currency', among(agencies.nodes.map(({ currency }) => currency))),
    filter('anomaly', choices('AnomalyKind', 'anomaly')),
    filter('severity', choices('AnomalySeverity', 'severity')),
    filter('status', choices('AnomalyStatus', 'anomalyStatus')),
  ];
  const offered = new Set(filters.map(({ name }) => name));
  const orders = [...dimensions, ...measures].filter(({ value }) =>
    [...question.by, ...question.measures].includes(value),
  );
  return {
    by: { options: dimensions, chosen: question.by },
    measures: { options: measures, chosen: question.measures },
    fields: [
      {
        name: 'columns',
        label: t('explore.columns'),
        value: said('columns'),
        options: dimensions,
        usual: t('explore.measures'),
      },
      {
        name: 'preset',
        label: t('explore.span'),
        value: said('preset'),
        options: PRESET_NAMES.map((value) => ({ value, text: t(`explore.preset.${value}`) })),
        usual: t('explore.usualSpan'),
      },
      { name: 'fromDate', label: t('controls.from'), value: said('fromDate'), type: 'date' },
      { name: 'toDate', label: t('controls.to'), value: said('toDate'), type: 'date' },
      {
        name: 'timeZone',
        label: t('explore.timeZone'),
        value: question.timeZone,
        options: ['country', 'UTC'].map((value) => ({ value, text: t(`explore.timeZones.${value}`) })),
      },
      {
        name: 'order',
        label: t('explore.order'),
        value: said('order'),
        options: orders,
        usual: t('explore.usualOrder'),
      },
    ] satisfies Control[] as readonly Control[],
    filters,
    /** What the address says that no control does: further values of a filter, and filters without a control. */
    kept: [
      ...SLICE_NAMES.flatMap((name) =>
        (question.slice[name] ?? []).slice(offered.has(name) ? 1 : 0).map((value) => ({ name, value })),
      ),
      ...(said('order') !== '' && said('direction') !== '' ? [{ name: 'direction', value: said('direction') }] : []),
    ],
    isFiltered: Object.keys(question.slice).length > 0,
  };
}
