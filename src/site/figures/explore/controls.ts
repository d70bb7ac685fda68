import type { Need } from '../../../platform/access/needs.ts';
import { DIMENSION_NAMES, dimensionOf } from '../../../oversight/figures/query/dimensions.ts';
import { GROUP_OF_MEASURE } from '../../../oversight/figures/query/groups.ts';
import { SLICE_NAMES } from '../../../oversight/figures/query/slice.ts';
import type { Choice } from '../../languages/choices.ts';
import type { Texts } from '../../languages/texts.ts';
import type { Nodes } from '../panel.ts';
import { nameDimension, nameMeasure, nameValue } from './names.ts';
import { PRESET_NAMES, readQuestion } from './question.ts';

/** Agencies and services to choose from. */
type Catalogue = Readonly<Record<'agencies' | 'services', Nodes<Readonly<Record<string, string | null>>>>>;

/** A part of the form that a question is put together in. */
interface Control {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  /** Permitted values; suggestions, for a field that takes any text. */
  readonly options?: readonly Choice[];
  readonly suggestions?: readonly Choice[];
  readonly type?: string;
  /** The text of its blank value. */
  readonly blank?: string;
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
  /** The values that agencies or services have of a dimension. */
  const among = (name: string, { nodes }: Catalogue['agencies']): Choice[] =>
    [...new Set(nodes.map((row) => row[name] ?? null))]
      .filter((value) => value !== null)
      .map((value) => ({ value, text: nameValue(name, value, texts) }))
      .toSorted((a, b) => a.text.localeCompare(b.text, language));
  const filters: Readonly<Record<string, readonly Choice[]>> = {
    agency: agencies.nodes.map(({ id, name }) => ({ value: id!, text: name! })),
    channel: choices('Channel', 'channel'),
    country: among('country', agencies),
    region: among('region', agencies),
    district: among('district', agencies),
    station: choices('RevenueStation', 'oversight.station'),
    sector: among('sector', services),
    family: among('family', services),
    service: services.nodes.map(({ id, code, serviceName }) => ({ value: id!, text: `${code} ${serviceName}` })),
    currency: among('currency', agencies),
    anomaly: choices('AnomalyKind', 'anomaly'),
    severity: choices('AnomalySeverity', 'severity'),
    status: choices('AnomalyStatus', 'anomalyStatus'),
  };
  const filter = (name: string, options: readonly Choice[]): Control => {
    const [value = ''] = question.slice[name] ?? [];
    const control = { name, label: nameDimension(name, texts), value };
    // There are too many services to choose from.
    if (name === 'service') return { ...control, suggestions: options };
    // A chosen value stays, even if it is not among them.
    const isOffered = value === '' || options.some((one) => one.value === value);
    return { ...control, options: isOffered ? options : [{ value, text: value }, ...options], blank: t('filters.all') };
  };
  const field = (name: string, label: string, more: Partial<Control>): Control => ({
    name,
    label: t(label),
    value: said(name),
    ...more,
  });
  const named = (values: readonly string[], family: string) =>
    values.map((value) => ({ value, text: t(`${family}.${value}`) }));
  const asked = [...question.by, ...question.measures];
  return {
    by: { options: dimensions, chosen: question.by },
    measures: { options: measures, chosen: question.measures },
    fields: [
      field('columns', 'explore.columns', { options: dimensions, blank: t('explore.measures') }),
      field('preset', 'explore.span', {
        options: named(PRESET_NAMES, 'explore.preset'),
        blank: t('explore.usualSpan'),
      }),
      field('fromDate', 'controls.from', { type: 'date' }),
      field('toDate', 'controls.to', { type: 'date' }),
      field('timeZone', 'explore.timeZone', {
        value: question.timeZone,
        options: named(['country', 'UTC'], 'explore.timeZones'),
      }),
      field('order', 'explore.order', {
        options: [...dimensions, ...measures].filter(({ value }) => asked.includes(value)),
        blank: t('explore.usualOrder'),
      }),
    ],
    filters: Object.entries(filters).map(([name, options]) => filter(name, options)),
    /** Parameters of the address without a control: further values of a filter, and other filters. */
    kept: [
      ...SLICE_NAMES.flatMap((name) =>
        (question.slice[name] ?? []).slice(name in filters ? 1 : 0).map((value) => ({ name, value })),
      ),
      ...(said('order') !== '' && said('direction') !== '' ? [{ name: 'direction', value: said('direction') }] : []),
    ],
    isFiltered: Object.keys(question.slice).length > 0,
  };
}
