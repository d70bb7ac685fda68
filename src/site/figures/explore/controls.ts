import type { Need } from '../../../platform/access/needs.ts';
import { DIMENSION_NAMES, dimensionOf } from '../../../oversight/figures/query/dimensions.ts';
import { GROUP_OF_MEASURE } from '../../../oversight/figures/query/groups.ts';
import { SLICE_NAMES, type SliceName } from '../../../oversight/figures/query/slice.ts';
import type { Choice } from '../../languages/choices.ts';
import type { Texts } from '../../languages/texts.ts';
import type { Nodes } from '../panel.ts';
import { nameDimension, nameMeasure, nameValue } from './names.ts';
import { PRESET_NAMES, readQuestion } from './question.ts';

type Row<Fields extends string> = { readonly id: string } & Readonly<Record<Fields, string | null>>;

/** What there is to choose from. */
interface Catalogue {
  readonly agencies: Nodes<Row<'name' | 'country' | 'region' | 'district' | 'currency'>>;
  readonly services: Nodes<Row<'code' | 'serviceName' | 'sector' | 'family'>>;
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

interface Filling {
  readonly query: URLSearchParams;
  readonly texts: Texts;
  readonly may: (need: Need) => boolean;
  /** The values of an enum of the schema, by the messages of one family. */
  readonly choices: (type: string, family: string) => readonly Choice[];
}

/** The form of a question, as the question fills it in. */
export function listControls({ agencies, services }: Catalogue, { query, texts, may, choices }: Filling) {
  const { t, language } = texts;
  const question = readQuestion(query);
  const said = (name: string) => question.query.get(name)?.trim() ?? '';
  const dimensions = DIMENSION_NAMES.filter((name) => {
    const { need } = dimensionOf(name);
    return need === undefined || may(need);
  }).map((value) => ({ value, text: nameDimension(value, texts) }));
  const measures = [...GROUP_OF_MEASURE.keys()].map((value) => ({ value, text: nameMeasure(value, texts) }));
  const filter = (name: SliceName, options: readonly Choice[]): Control => {
    const [value = ''] = question.slice[name] ?? [];
    // What is asked for stays chosen, whether or not it is among them.
    const all =
      value === '' || options.some((one) => one.value === value) ? options : [{ value, text: value }, ...options];
    return { name, label: nameDimension(name, texts), value, options: all, usual: t('filters.all') };
  };
  /** A filter by one of the values that agencies or services have. */
  const among = <Name extends SliceName>(name: Name, rows: readonly Readonly<Record<Name, string | null>>[]) =>
    filter(
      name,
      [...new Set(rows.map((row) => row[name]))]
        .filter((value) => value !== null)
        .map((value) => ({ value, text: nameValue(name, value, texts) }))
        .toSorted((a, b) => a.text.localeCompare(b.text, language)),
    );
  const filters: Control[] = [
    filter(
      'agency',
      agencies.nodes.map(({ id, name }) => ({ value: id, text: name ?? id })),
    ),
    filter('channel', choices('Channel', 'channel')),
    among('country', agencies.nodes),
    among('region', agencies.nodes),
    among('district', agencies.nodes),
    filter('station', choices('RevenueStation', 'oversight.station')),
    among('sector', services.nodes),
    among('family', services.nodes),
    {
      name: 'service',
      label: t('explore.dimension.service'),
      value: question.slice.service?.[0] ?? '',
      suggestions: services.nodes.map(({ id, code, serviceName }) => ({ value: id, text: `${code} ${serviceName}` })),
    },
    among('currency', agencies.nodes),
    filter('anomaly', choices('AnomalyKind', 'anomaly')),
    filter('severity', choices('AnomalySeverity', 'severity')),
    filter('status', choices('AnomalyStatus', 'anomalyStatus')),
  ];
  const offered = new Set(filters.map(({ name }) => name));
  const orders = [...dimensions, ...measures].filter(({ value }) =>
    [...question.by, ...question.measures].includes(value),
  );
  const field = (name: string, label: string, more: Partial<Control>): Control => ({
    name,
    label: t(label),
    value: said(name),
    ...more,
  });
  const named = (values: readonly string[], family: string) =>
    values.map((value) => ({ value, text: t(`${family}.${value}`) }));
  return {
    by: { options: dimensions, chosen: question.by },
    measures: { options: measures, chosen: question.measures },
    fields: [
      field('columns', 'explore.columns', { options: dimensions, usual: t('explore.measures') }),
      field('preset', 'explore.span', {
        options: named(PRESET_NAMES, 'explore.preset'),
        usual: t('explore.usualSpan'),
      }),
      field('fromDate', 'controls.from', { type: 'date' }),
      field('toDate', 'controls.to', { type: 'date' }),
      field('timeZone', 'explore.timeZone', {
        value: question.timeZone,
        options: named(['country', 'UTC'], 'explore.timeZones'),
      }),
      field('order', 'explore.order', { options: orders, usual: t('explore.usualOrder') }),
    ],
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
