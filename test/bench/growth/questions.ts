import type { Facts } from './facts.ts';

/** The caller: the integrator that owns most, an auditor, or staff who may see everything. */
export type Asker = 'integrator' | 'auditor' | 'staff';

/** A question, and the path by which it is asked of a history; two of the same path are told apart by `note`. */
export interface Question {
  readonly asker: Asker;
  readonly what: string;
  readonly path: (facts: Facts) => string;
}

/** Templates of paths, in which `{name}` is what the history has of that name. */
const PATHS: Readonly<Record<Asker, readonly string[]>> = {
  integrator: [
    '/v1/assessments',
    '/v1/assessments/{assessment}',
    '/v1/assessments?after={assessment}',
    '/v1/assessments?start=2000',
    '/v1/assessments?status=Draft',
    '/v1/assessments?status=Assessed',
    '/v1/assessments?status=Paid',
    '/v1/assessments?citizen={citizen}',
    '/v1/assessments?shift={shift}',
    '/v1/assessments?from_date={day}&to_date={later}',
    '/v1/assessments?reference=INV-2026-0042',
    '/v1/assessments?metadata[branch]=Jinja',
    '/v1/payment-intents?metadata[device]=A',
    '/v1/events',
    '/v1/assessments?status=Draft&from_date={day}&to_date={later}',
    '/v1/payment-intents',
    '/v1/payment-intents/{intent}',
    '/v1/payment-intents/{intent}/trace',
    '/v1/payment-intents?after={intent}',
    '/v1/payment-intents?status=Sent',
    '/v1/payment-intents?status=Failed',
    '/v1/payment-intents?status=Confirmed',
    '/v1/payment-intents?channel=cash',
    '/v1/payment-intents?assessment={assessment}',
    '/v1/payment-intents?mda={mda}',
    '/v1/payment-intents?mda={rareAgency}',
    '/v1/payment-events',
    '/v1/payment-events?after={event}',
    '/v1/payment-events?intent={intent}',
    '/v1/payment-events?mda={mda}',
    '/v1/payment-events?mda={rareAgency}',
    '/v1/payment-events?from_date={day}&to_date={later}',
    '/v1/payment-events?from_date=2019-01-01&to_date=2019-02-01',
    '/v1/payment-events?mda={mda}&from_date={day}&to_date={later}',
    '/v1/citizens',
    '/v1/citizens/{citizen}',
    '/v1/citizens?after={citizen}',
    '/v1/citizens?nin={nin}',
    '/v1/citizens?phone={phone}',
    '/v1/citizens?q=grace',
    '/v1/citizens?q={few}',
    '/v1/citizens?q=zzqx',
    '/v1/citizens/search-by-nin?nin={nin}',
    '/v1/counter-shifts',
    '/v1/counter-shifts?mda={rareAgency}',
    '/v1/counter-shifts?status=Open',
    '/v1/me',
    '/v1/me/keys',
    '/v1/me/logs',
    '/v1/me/logs?endpoint=payment-intents',
    '/v1/me/logs?endpoint=nowhere',
    '/v1/me/logs?min_status=400',
    '/v1/me/logs?min_status=500',
    '/v1/me/logs?min_status=599',
    '/v1/me/logs?event=api.handler.error',
    '/v1/me/logs?event=api.auth.denied',
    '/v1/me/webhook-deliveries',
    '/v1/me/webhook-deliveries?object={object}',
    '/v1/me/webhook-deliveries?status=dead',
    '/v1/me/webhook-deliveries?status=pending',
    '/v1/me/webhook-deliveries?type=assessment.cancelled',
    '/v1/mdas',
    '/v1/services',
    '/v1/services?q=permit',
    '/v1/notices',
  ],
  staff: [
    '/v1/assessments',
    '/v1/assessments?status=Draft',
    '/v1/assessments?status=Cancelled',
    '/v1/assessments?citizen={citizen}',
    '/v1/assessments?from_date={day}&to_date={later}',
    '/v1/payment-intents',
    '/v1/payment-intents?status=Sent',
    '/v1/payment-intents?mda={rareAgency}',
    '/v1/payment-events',
    '/v1/payment-events?from_date={day}&to_date={later}',
    '/v1/work/shifts',
    '/v1/work/shifts?mda={rareAgency}',
    '/v1/work/shifts?clerk={clerk}',
    '/v1/work/shifts?variance_status=Pending',
    '/v1/work/shifts?variance_status=Escalated&mda={rareAgency}',
    '/v1/work/shifts?from_date={day}&to_date={later}',
    '/v1/work/shifts/{shift}',
    '/v1/supervisor/dashboard',
    '/v1/counter-shifts?mda={mda}',
    '/v1/counter-shifts?status=Open',
    '/v1/ops/propagations',
    '/v1/ops/propagations?status=dead',
    '/v1/ops/propagations?status=pending',
    '/v1/ops/propagations?mda={rareAgency}',
    '/v1/ops/propagations?assessment={assessment}',
    '/v1/ops/propagations?after={propagation}',
    '/v1/ops/webhook-deliveries',
    '/v1/ops/webhook-deliveries?after={delivery}',
    '/v1/ops/webhook-deliveries?object={object}',
    '/v1/ops/webhook-deliveries?status=dead',
    '/v1/ops/webhook-deliveries?status=pending',
    '/v1/ops/webhook-deliveries?type=assessment.cancelled',
    '/v1/ops/webhook-deliveries?integrator=HISTORY-AAAAA2',
    '/v1/ops/audit',
    '/v1/ops/audit?actor=operator7@history.example',
    '/v1/ops/audit?actor=nobody@history.example',
    '/v1/ops/audit?action=notice.publish',
    '/v1/ops/audit?subject=HISTORY-AAAAA2',
    '/v1/ops/anomalies',
    '/v1/ops/anomalies?status=Open',
    '/v1/ops/anomalies?kind=seal_gap',
    '/v1/ops/anomalies?kind=cash_variance',
    '/v1/ops/anomalies?mda={rareAgency}',
    '/v1/ops/anomalies?status=Open&kind=cash_variance',
    '/v1/ops/reconciliation/runs',
    '/v1/ops/reconciliation/runs?provider=card',
    '/v1/ops/reconciliation/runs/{run}',
    '/v1/ops/reconciliation/runs/{run}/items',
    '/v1/ops/reconciliation/runs/{run}/items?outcome=amount_differs',
    '/v1/ops/integrators',
    '/v1/ops/integrators?q=office7',
    '/v1/ops/keys',
    '/v1/ops/keys?status=revoked',
    '/v1/ops/staff',
    '/v1/ops/sessions',
    '/v1/ops/sessions?owner=clerk2@history.example',
    '/v1/ops/sessions?ended=false',
  ],
  auditor: [
    '/v1/oversight/payment-events',
    '/v1/oversight/payment-events?after={overseen}',
    '/v1/oversight/payment-events?mda={rareAgency}',
    '/v1/oversight/payment-events?mda={mda}&from_date={day}&to_date={later}',
    '/v1/oversight/payment-events?from_date={day}&to_date={later}',
    '/v1/oversight/payment-events?kind=reversal',
    '/v1/oversight/anomalies',
    '/v1/oversight/anomalies?mda={rareAgency}',
    '/v1/oversight/anomalies?kind=seal_gap',
    '/v1/oversight/anomalies?status=Open',
    '/v1/oversight/anomalies?from_date={day}&to_date={later}',
    '/v1/oversight/seals',
    '/v1/oversight/revenue?group_by=mda',
    '/v1/oversight/revenue?group_by=mda,month&from_date={day}',
    '/v1/oversight/revenue?group_by=channel,week&from_date={day}',
    '/v1/oversight/revenue?group_by=service&from_date={day}',
    '/v1/oversight/revenue-comparison?from_date={day}&to_date={later}',
    '/v1/oversight/statistics?from_date={day}',
    '/v1/oversight/collections?from_date={day}&to_date={later}',
    '/v1/oversight/collections?from_date={day}',
    '/v1/oversight/consents?from_date={day}',
    '/v1/oversight/shifts?from_date={day}',
    '/v1/oversight/fees?service={service}',
  ],
};

const fill = (template: string) => (facts: Facts) =>
  template.replaceAll(/\{(\w+)\}/g, (_, name: keyof Facts) => encodeURIComponent(facts[name]));

/** Lists, searches and filters that are asked over REST. */
export const QUESTIONS: readonly Question[] = (['integrator', 'staff', 'auditor'] as const).flatMap((asker) =>
  PATHS[asker].map((template) => ({ asker, what: `${asker} ${template}`, path: fill(template) })),
);

/** A named operation of GraphQL, as `GET /graphql/operations` lists it. */
export interface Operation {
  readonly name: string;
  readonly variables: readonly { readonly name: string }[];
}

/** A named operation, asked of almost a year, and of what it cannot do without. */
export function questionOf({
  name,
  variables,
}: Operation): Omit<Question, 'path'> & { path(facts: Pick<Facts, 'day' | 'service'>): string } {
  const takes = (variable: string) => variables.some((one) => one.name === variable);
  return {
    asker: 'auditor',
    what: `auditor ${name}`,
    path: ({ day, service }) => {
      const given = {
        ...(takes('fromDate') && { fromDate: day }),
        ...(takes('service') && !takes('agency') && { service }),
        ...(name === 'fees-held' && { service }),
      };
      return `/graphql?operation=${name}&variables=${encodeURIComponent(JSON.stringify(given))}`;
    },
  };
}
