import type { ObjectRef } from '@pothos/core';
import { addMessageObject } from '../../../accounts/webhooks/delivery-schema.ts';
import { agencyField } from '../../../collection/catalogue/edges.ts';
import { addAnomalySubject } from '../../../collection/anomalies/subject.ts';
import { DocumentType } from '../../../collection/receipts/schema.ts';
import { builder, needs } from '../../../graphql/builder.ts';
import { connection, defineConnection } from '../../../graphql/graph/connection.ts';
import { NodeType, defineNode } from '../../../graphql/graph/node.ts';
import { agencyCode, currencyCode, freeText } from '../../../graphql/input/forms.ts';
import { LanguageEnum } from '../../../graphql/input/languages.ts';
import { shape } from '../../../graphql/input/shapes.ts';
import { listReasons } from '../../../kernel/reasons.ts';
import { LONGEST_REASON } from '../../../kernel/text/free-text.ts';
import { formatDay } from '../../../kernel/time.ts';
import { money } from '../../common/stations.ts';
import { confirmDay } from './confirm.ts';
import {
  type DayInCurrency,
  type DayOfProvider,
  type SealRange,
  type Takings,
  type UnknownLines,
  readContents,
} from './contents.ts';
import { FORMS, type Form, drawDay } from './document.ts';
import { DAY_NAME, dayLoader, getDay, listDays, listDaysOf } from './find.ts';

const READERS =
  'For supervisors, finance officers, auditors, admins, system managers and oversight, and for agency tokens with `payments.read`.';

const dayName = shape({ pattern: DAY_NAME.source, examples: ['URA.2026-11-28'] });

function addTakings<Row extends Takings>(type: ObjectRef<typeof builder.$inferSchemaTypes, Row>): void {
  builder.objectFields(type, (t) => ({
    collected: t.field({ ...money('The amount collected on the day.'), resolve: ({ collected }) => collected }),
    reversed: t.field({
      ...money('The amount reversed, as a positive number.'),
      resolve: ({ reversed }) => reversed,
    }),
    payments: t.int({ description: 'The number of payments.', resolve: ({ payments }) => payments }),
    reversals: t.int({ description: 'The number of reversals.', resolve: ({ reversals }) => reversals }),
  }));
}

const currency = { description: 'The currency of the amounts (ISO 4217).', ...currencyCode };

const ChannelType = builder.objectRef<DayInCurrency['channels'][number]>('AgencyDayChannel').implement({
  description: 'Amounts of a closed day that came through one payment channel.',
  fields: (t) => ({ channel: t.exposeString('channel', { description: 'The payment channel, as of an intent.' }) }),
});
addTakings(ChannelType);

const ServiceType = builder.objectRef<DayInCurrency['services'][number]>('AgencyDayService').implement({
  description: 'Amounts of a closed day for one service. A payment counts once for each service that it pays.',
  fields: (t) => ({
    serviceId: t.exposeID('service', {
      nullable: true,
      description: 'The docname of the service; null for what no line of an assessment explains.',
    }),
    code: t.exposeString('code', { nullable: true, description: 'The code of the service, as it was on closing.' }),
  }),
});
addTakings(ServiceType);

const CurrencyType = builder.objectRef<DayInCurrency>('AgencyDayCurrency').implement({
  description: 'A closed day in one currency: its closing is the opening of the next.',
  fields: (t) => ({
    currency: t.exposeString('currency', currency),
    opening: t.expose('opening', money('All net revenue of the agency before the day.')),
    closing: t.expose('closing', money('The opening, and what was collected, less what was reversed.')),
    channels: t.field({
      type: [ChannelType],
      description: 'The amounts by payment channel.',
      resolve: ({ channels }) => [...channels],
    }),
    services: t.field({
      type: [ServiceType],
      description: 'The amounts by service.',
      resolve: ({ services }) => [...services],
    }),
  }),
});
addTakings(CurrencyType);

const RangeType = builder.objectRef<SealRange>('AgencyDaySeals').implement({
  description: 'Numbers of seals that follow each other, all of them of events of the day.',
  fields: (t) => ({
    first: t.int({ description: 'The first number of the range.', resolve: ([first]) => first }),
    last: t.int({ description: 'The last number of the range.', resolve: ([, last]) => last }),
  }),
});

const ProviderType = builder.objectRef<DayOfProvider>('AgencyDayPayout').implement({
  description: 'Amounts of a provider on a closed day, in one currency.',
  fields: (t) => ({
    provider: t.exposeString('provider', { description: 'The payment provider that collected.' }),
    currency: t.exposeString('currency', currency),
    expected: t.expose('expected', money('The amount that it collected for the agency on the day.')),
    arrived: t.expose('arrived', {
      ...money(
        'The payouts that were found at the bank on the day, whichever days they are of. Null without bank statements, or if another agency has the same account.',
      ),
      nullable: true,
    }),
    missing: t.expose('missing', {
      ...money('The amount due by the end of the day that had not arrived; null where `arrived` is.'),
      nullable: true,
    }),
  }),
});

const UnknownType = builder.objectRef<UnknownLines>('AgencyDayUnknown').implement({
  description: 'Lines of bank statements that nothing explained when the day ended, in one currency.',
  fields: (t) => ({
    currency: t.exposeString('currency', currency),
    lines: t.exposeInt('lines', { description: 'The number of these lines.' }),
    credits: t.expose('credits', money('The sum of what came to the account.')),
    debits: t.expose('debits', money('The sum of what left the account, as a positive number.')),
  }),
});

const FormEnum = builder.enumType('AgencyDayForm', {
  description: 'Format of a closed day.',
  values: {
    pdf: { value: 'application/pdf' satisfies Form, description: FORMS['application/pdf'] },
    csv: { value: 'text/csv' satisfies Form, description: FORMS['text/csv'] },
  },
});

const DayType = builder.prismaObject('AgencyDay', {
  description:
    'A day of an agency by its clock, closed at 02:00 once its payment events are sealed. Its contents are signed and never change: a correction is in a later day. All its figures are read from the signed text.',
  interfaces: [NodeType],
  fields: (t) => ({
    id: t.exposeID('name', {
      description: 'The unique identifier: the code of the agency, a dot, and the day.',
      ...dayName,
    }),
    agencyId: t.exposeID('mda', { description: 'The code of the agency.', ...agencyCode }),
    agency: t.field(agencyField('The agency whose day it is.')),
    day: t.expose('day', { type: 'Date', description: 'The day, by the clock of the agency.' }),
    from: t.field({
      type: 'DateTime',
      description: 'The first moment of the day.',
      resolve: ({ payload }) => new Date(readContents(payload).from),
    }),
    to: t.field({
      type: 'DateTime',
      description: 'The first moment of the day after it.',
      resolve: ({ payload }) => new Date(readContents(payload).to),
    }),
    currencies: t.field({
      type: [CurrencyType],
      description: 'The amounts of each currency that the agency ever had.',
      resolve: ({ payload }) => [...readContents(payload).currencies],
    }),
    seals: t.field({
      type: [RangeType],
      description: 'The numbers of the seals of its events. Over all days of the agency, each number is in one range.',
      resolve: ({ payload }) => [...readContents(payload).seals],
    }),
    payouts: t.field({
      type: [ProviderType],
      description: 'The amounts of each provider, and what the bank has of them.',
      resolve: ({ payload }) => [...readContents(payload).payouts],
    }),
    unknown: t.field({
      type: [UnknownType],
      description: 'The bank lines that nothing explained when the day ended.',
      resolve: ({ payload }) => [...readContents(payload).unknown],
    }),
    payload: t.exposeString('payload', {
      description: 'The text that was signed: the bytes of its UTF-8. It is JSON, and amounts in it are text.',
    }),
    signature: t.exposeString('signature', {
      description: 'The signature (Ed25519) of the payload, in base64url.',
    }),
    kid: t.exposeString('kid', { description: 'The key that signed it, one of `receiptKeys`.' }),
    head: t.exposeString('head', {
      nullable: true,
      description: "The hash of the day's last seal; null of a day without payment events.",
    }),
    confirmedById: t.exposeID('confirmedBy', {
      nullable: true,
      description: 'The e-mail address of who confirmed it; null while nobody has.',
    }),
    confirmedAt: t.expose('confirmedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which it was confirmed; null while nobody has.',
    }),
    note: t.exposeString('note', { nullable: true, description: 'The note of who confirmed it; null without one.' }),
    document: t.field({
      type: DocumentType,
      complexity: 100,
      description: 'The day in a form for people, drawn from what was signed.',
      args: {
        form: t.arg({ type: FormEnum, required: true, description: 'The form that is asked for.' }),
        language: t.arg({ type: LanguageEnum, description: 'The language of its words. Default: English.' }),
      },
      resolve: (day, { form, language }, call) => drawDay(call, day, { form, language: language ?? 'en' }),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time at which it was closed.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time at which it was closed or confirmed.' }),
  }),
});

addAnomalySubject(DayType);
addMessageObject(DayType);

defineNode({
  typename: 'AgencyDay',
  needs: ['books.read'],
  matches: (id) => DAY_NAME.test(id),
  loader: dayLoader,
});

const DayConnection = defineConnection('AgencyDay', DayType, 'closed days');

const filters = builder.args((t) => ({
  fromDate: t.field({ type: 'Date', description: 'From this day on.' }),
  toDate: t.field({ type: 'Date', description: 'Up to and including this day.' }),
  confirmed: t.boolean({ description: 'True for days that somebody confirmed, false for the others.' }),
}));

builder.prismaObjectField('Agency', 'days', (t) =>
  t.field({
    description: `Its closed days, the last one first. ${READERS}`,
    ...needs('books.read', { alone: true }),
    ...connection(DayConnection, { most: 200, args: filters }),
    resolve: ({ name }, args, call) => listDaysOf(call, name, args, args),
  }),
);

const ofAgency = builder.args((t) => ({
  agency: t.id({ required: true, description: 'The code of the agency.', ...agencyCode }),
  day: t.field({ type: 'Date', required: true, description: 'The day, by the clock of the agency.' }),
}));

builder.queryFields((t) => ({
  agencyDays: t.field({
    description: `Closed days of agencies, the last one first. ${READERS}`,
    ...needs('books.read'),
    ...connection(DayConnection, {
      most: 200,
      args: { agency: t.arg.id({ description: 'Only days of this agency.', ...agencyCode }), ...filters },
    }),
    resolve: (_root, args, call) => listDays(call, args, args),
  }),
  closedDay: t.field({
    type: DayType,
    description: `Returns the closed day of an agency, by its date. ${READERS} \`not_found\` before it is closed.`,
    ...needs('books.read'),
    args: ofAgency,
    resolve: (_root, { agency, day }, call) => getDay(call, `${agency}.${formatDay(day)}`),
  }),
  agencyDay: t.field({
    type: DayType,
    description: `Returns a closed day of an agency. ${READERS} \`not_found\` before it is closed.`,
    ...needs('books.read'),
    args: {
      id: t.arg.id({ required: true, description: 'The code of the agency, a dot, and the day.', ...dayName }),
    },
    resolve: (_root, { id }, call) => getDay(call, id),
  }),
}));

builder.mutationFields((t) => ({
  confirmAgencyDay: t.field({
    type: DayType,
    description:
      'Confirms a closed day for good: the oldest of the agency that is open. Days before the first statement of its bank may stay open. Missing and short payouts up to the day need an owner or an outcome first. On a live rail, nobody confirms a day whose bank lines they classified by hand. For finance officers of the agency.' +
      listReasons('day_not_over', 'day_before_unsigned', 'exceptions_open', 'not_independent'),
    ...needs('books.sign', { people: 'alone' }),
    args: {
      ...ofAgency,
      note: t.arg.string({
        description: `A note, at most ${LONGEST_REASON} characters.`,
        ...freeText(LONGEST_REASON),
      }),
    },
    resolve: (_root, args, call) => confirmDay(call, args),
    answerAgain: getDay,
  }),
}));
