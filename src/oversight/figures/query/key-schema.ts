import { agencyLoader, serviceLoader } from '../../../collection/catalogue/find.ts';
import type { Ground } from '../../../collection/assessments/exemptions/lifecycle.ts';
import { GroundEnum } from '../../../collection/assessments/exemptions/schema.ts';
import type { ReasonCode } from '../../../collection/payments/refunds/reason-codes.ts';
import { RefundMethodEnum, RefundReasonEnum } from '../../../collection/payments/refunds/schema.ts';
import { EventKindEnum } from '../../../collection/payments/schema/event-schema.ts';
import { ChannelEnum, PaymentProofEnum } from '../../../collection/payments/schema/intent-schema.ts';
import { builder } from '../../../graphql/builder.ts';
import { followIfAny } from '../../../graphql/graph/edge.ts';
import { agencyCode, currencyCode, docname } from '../../../graphql/input/forms.ts';
import { AnomalyKindEnum, AnomalyStatusEnum, SeverityEnum } from '../../../collection/anomalies/schema.ts';
import type { AnomalyKind, Severity } from '../../../collection/anomalies/kinds.ts';
import { defineEnum } from '../../../graphql/enums.ts';
import type {
  AnomalyStatus,
  Channel,
  PaymentEventKind,
  PaymentProof,
  RefundMethod,
} from '../../../generated/prisma/enums.ts';
import { type AgeBand, AgeBandEnum } from '../../common/ages.ts';
import { type Station, StationEnum } from '../../common/stations.ts';
import type { Row } from './answer.ts';
import { EVERY, type KeyValue } from './dimensions.ts';

/** Source of the record of a person. */
type RegistrationSource = 'identity_authority' | 'by_hand';
export const SourceEnum = defineEnum<RegistrationSource>('RegistrationSource', 'Source of the record of a person.', {
  identity_authority: 'The identity authority, with consent.',
  by_hand: 'Entered by hand, unverified.',
});

/** Cause of failure of an attempt, as `failure_cause` of the database derives it from a provider's words. */
const FAILURE_CAUSES = {
  insufficient_funds: 'The payer had not enough money.',
  limit_reached: "A limit of the payer's account was reached.",
  wrong_pin: 'The PIN or password was wrong.',
  declined: "The payer, or the payer's bank, declined.",
  timed_out: 'The payer did not answer in time.',
  unknown_account: 'The provider does not know the account or card, or it is no longer valid.',
  not_permitted: 'The provider does not let the account make this payment.',
  provider_error: 'The provider reported a failure of its own.',
  other: 'Another reason, or none given.',
  expired: 'Neither confirmed nor refused before the payment intent expired.',
};
type FailureCause = keyof typeof FAILURE_CAUSES;
export const FailureCauseEnum = defineEnum<FailureCause>(
  'FailureCause',
  "Reason why an attempt to pay came to nothing, from the payment provider's words.",
  FAILURE_CAUSES,
);

export const text = (value: KeyValue | undefined) => (value ?? null) as string | null;
export const nullable = { nullable: true } as const;

const CounterType = builder.objectRef<string>('FigureCounter').implement({
  description: 'A counter at which money is taken and shifts are kept.',
  fields: (t) => ({
    id: t.id({
      description: 'The code of its agency, a space, and its label, as slices name it.',
      resolve: (id) => id,
    }),
    agencyId: t.id({
      description: 'The code of the agency of the counter.',
      ...agencyCode,
      resolve: (id) => id.split(' ')[0]!,
    }),
    agency: t.field({
      type: 'Agency',
      ...nullable,
      description: 'The agency of the counter.',
      resolve: (id, _args, call, info) => followIfAny(call, info, agencyLoader, id.split(' ')[0]!),
    }),
    label: t.string({
      ...nullable,
      description: 'The label of the counter; null where it has none.',
      resolve: (id) => id.slice(id.split(' ')[0]!.length + 1) || null,
    }),
  }),
});

export const KeyType = builder.objectRef<Row['key']>('FigureKey').implement({
  description: 'Dimensions of a row. Dimensions that were not asked for are null.',
  fields: (t) => ({
    agencyId: t.id({
      ...nullable,
      description: 'The code of the agency.',
      ...agencyCode,
      resolve: (key) => text(key.agency),
    }),
    agency: t.field({
      type: 'Agency',
      ...nullable,
      description: 'The agency of the group.',
      resolve: (key, _args, call, info) => followIfAny(call, info, agencyLoader, text(key.agency)),
    }),
    serviceId: t.id({
      ...nullable,
      description: 'The docname of the service; also null for amounts that belong to no service.',
      ...docname('service'),
      resolve: (key) => text(key.service),
    }),
    service: t.field({
      type: 'Service',
      ...nullable,
      description: 'The service, as the catalogue has it now.',
      resolve: (key, _args, call, info) => followIfAny(call, info, serviceLoader, text(key.service)),
    }),
    sector: t.string({ ...nullable, description: 'The sector of the services.', resolve: (key) => text(key.sector) }),
    family: t.string({ ...nullable, description: 'The family of the services.', resolve: (key) => text(key.family) }),
    channel: t.field({
      type: ChannelEnum,
      ...nullable,
      description: 'The payment channel of the group.',
      resolve: (key) => text(key.channel) as Channel | null,
    }),
    station: t.field({
      type: StationEnum,
      ...nullable,
      description: 'Place of the collection.',
      resolve: (key) => text(key.station) as Station | null,
    }),
    counter: t.field({
      type: CounterType,
      ...nullable,
      description: 'The counter; null for what no counter took.',
      resolve: (key) => text(key.counter),
    }),
    country: t.string({
      ...nullable,
      description: 'The country of the agency (ISO 3166-1).',
      resolve: (key) => text(key.country),
    }),
    region: t.string({ ...nullable, description: 'The region of the agency.', resolve: (key) => text(key.region) }),
    district: t.string({
      ...nullable,
      description: 'The district of the agency.',
      resolve: (key) => text(key.district),
    }),
    integratorId: t.id({
      ...nullable,
      description: 'The code of the integrator; null for what no integrator collected.',
      resolve: (key) => text(key.integrator),
    }),
    currency: t.string({
      ...nullable,
      description: 'The currency (ISO 4217); null where no figure is given by currency.',
      ...currencyCode,
      resolve: (key) => text(key.currency),
    }),
    size: t.float({
      ...nullable,
      description: 'The smallest amount of this order of magnitude: a power of ten, or 0 for amounts below 10.',
      resolve: ({ size = null }) => size as number | null,
    }),
    kind: t.field({
      type: EventKindEnum,
      ...nullable,
      description: 'Kind of the events: payments or reversals.',
      resolve: (key) => text(key.kind) as PaymentEventKind | null,
    }),
    proof: t.field({
      type: PaymentProofEnum,
      ...nullable,
      description: 'Proof by which the payments were confirmed; null where nothing that was kept says it.',
      resolve: (key) => text(key.proof) as PaymentProof | null,
    }),
    provider: t.string({
      ...nullable,
      description: 'The payment provider that took the money, or whose statements they are.',
      resolve: (key) => text(key.provider),
    }),
    anomaly: t.field({
      type: AnomalyKindEnum,
      ...nullable,
      description: 'The kind of the anomalies.',
      resolve: (key) => text(key.anomaly) as AnomalyKind | null,
    }),
    severity: t.field({
      type: SeverityEnum,
      ...nullable,
      description: 'The severity of the anomalies.',
      resolve: (key) => text(key.severity) as Severity | null,
    }),
    status: t.field({
      type: AnomalyStatusEnum,
      ...nullable,
      description: 'The status of the anomalies.',
      resolve: (key) => text(key.status) as AnomalyStatus | null,
    }),
    age: t.field({
      type: AgeBandEnum,
      ...nullable,
      description:
        'Time since the anomalies were detected or the unpaid assessments were made, or until the refunds were paid.',
      resolve: (key) => text(key.age) as AgeBand | null,
    }),
    cause: t.field({
      type: FailureCauseEnum,
      ...nullable,
      description: 'Reason why the attempts failed or expired; null for others, and where that is not disclosed.',
      resolve: (key) => text(key.cause) as FailureCause | null,
    }),
    source: t.field({
      type: SourceEnum,
      ...nullable,
      description: 'Source of the records of people.',
      resolve: (key) => text(key.source) as RegistrationSource | null,
    }),
    refundReason: t.field({
      type: RefundReasonEnum,
      ...nullable,
      description: 'The reason for the refunds.',
      resolve: (key) => text(key.refund_reason) as ReasonCode | null,
    }),
    ground: t.field({
      type: GroundEnum,
      ...nullable,
      description: 'The ground of the exemptions.',
      resolve: (key) => text(key.ground) as Ground | null,
    }),
    refundMethod: t.field({
      type: RefundMethodEnum,
      ...nullable,
      description: 'The way in which the refunds were paid.',
      resolve: (key) => text(key.refund_method) as RefundMethod | null,
    }),
    period: t.string({
      ...nullable,
      description:
        'The period of the group, in the form of the dimension that it is grouped by; of several, the shortest.',
      resolve: (key) => text(EVERY.map((every) => key[every]).find((value) => value !== undefined)),
    }),
    year: t.string({ ...nullable, description: 'The calendar year, `YYYY`.', resolve: (key) => text(key.year) }),
    fiscalYear: t.string({
      ...nullable,
      description: 'The fiscal year, `YYYY/YY`; `YYYY` where fiscal years are calendar years.',
      resolve: (key) => text(key.fiscal_year),
    }),
    quarter: t.string({
      ...nullable,
      description: 'The quarter of the calendar, `YYYY-Qn`.',
      resolve: (key) => text(key.quarter),
    }),
    month: t.string({
      ...nullable,
      description: 'The month of the calendar, `YYYY-MM`.',
      resolve: (key) => text(key.month),
    }),
    week: t.string({ ...nullable, description: 'The ISO week, `YYYY-Www`.', resolve: (key) => text(key.week) }),
    day: t.field({
      type: 'Date',
      ...nullable,
      description: 'The day of the group.',
      resolve: ({ day = null }) => (day === null ? null : new Date(`${day}T00:00:00Z`)),
    }),
    weekday: t.int({
      ...nullable,
      description: 'The day of the week, 1 (Monday) to 7 (Sunday).',
      resolve: ({ weekday = null }) => weekday as number | null,
    }),
    hour: t.int({
      ...nullable,
      description: 'The hour of the day, 0 to 23.',
      resolve: ({ hour = null }) => hour as number | null,
    }),
  }),
});
