import { type GraphQLObjectType, TypeInfo, getNamedType, isObjectType, visit, visitWithTypeInfo } from 'graphql';
import { describe, expect, it } from 'vitest';
import { schema } from '../../src/app/schema.ts';
import { getDatamodel } from '../../src/generated/pothos.ts';
import { type Model, columnOf } from '../../src/platform/database/record.ts';
import { documents } from '../harness/schema/documents.ts';

const { models } = getDatamodel().datamodel;

/** Types of the schema that show a record, where Pothos does not know it. */
const SHOWN_BY: Readonly<Record<string, Model>> = {
  AccountChange: 'AccountChange',
  AdminGrant: 'Approval',
  Approval: 'Approval',
  AgencyEndpoint: 'AgencyEndpoint',
  ApiKey: 'ApiKey',
  BankLine: 'BankLine',
  BankStatement: 'BankStatement',
  AuditLogEntry: 'AuditEntry',
  CitizenAccess: 'CitizenAccess',
  CounterShift: 'CounterShift',
  Integrator: 'Integrator',
  LiveRequest: 'LiveRequest',
  OperatorAuditEntry: 'OperatorAudit',
  PaymentLink: 'PaymentLink',
  PaymentReference: 'PaymentReference',
  Receipt: 'Receipt',
  Staff: 'Staff',
  TimelineRow: 'TraceRow',
  WebhookAttempt: 'WebhookAttempt',
  WebhookDelivery: 'WebhookDelivery',
};

interface Difference {
  /** Fields of the record that its type does not have. */
  readonly hidden?: readonly string[];
  /** Fields of the type that its record does not have: other records, or what is computed when it is read. */
  readonly added?: readonly string[];
  /** Names of a field in REST, if they are more than its name in snake case; empty if no endpoint returns it. */
  readonly called?: Readonly<Record<string, readonly string[]>>;
}

/** The owner, which is always the caller. */
const OWNER = ['integrator'];
/** Secrets, what was sent when, and how often somebody tried. */
const OF_SIGN_UP = models['Integrator']!.fields.map(({ name }) => name).filter((name) =>
  /^otp|^tos|^network$/.test(name),
);
const COUNTS = ['activeKeyCount', 'totalKeyCount'];
/** Copies in lower case that searches look at. */
const SEARCHED = ['searchText'];

/** Differences between a type and its record, with their reasons. */
const DIFFERENCES: Readonly<Record<string, Difference>> = {
  AlertRule: { hidden: ['revision'], called: { agencyIds: ['agencies'] } },
  // The hidden fields decide who may see and approve it. An admin grant's subject is a member of staff.
  Approval: { hidden: ['about', 'mdas', 'askedKeyIssuedBy'] },
  AdminGrant: {
    hidden: ['about', 'mdas', 'askedKeyIssuedBy', 'kind', 'proposal', 'expiresAt', 'subject'],
    added: ['staffId'],
    called: { staffId: ['staff'] },
  },
  // The numbers of accounts are shown by their ends alone.
  AccountChange: { hidden: ['collectionAccount', 'formerAccount'], added: ['accountLast4', 'formerAccountLast4'] },
  AgencyEndpoint: {
    // The contract's names for what the last probe found; where it is reached, and whether, is configuration. Which
    // process has it in hand is nobody's matter.
    hidden: ['probedAt', 'probeStatus', 'probeMs', 'probeClaimedAt'],
    added: [
      'availability',
      'baseUrl',
      'lastProbeAt',
      'lastProbeMs',
      'lastProbeStatus',
      'probeDays',
      'probeIntervalSeconds',
    ],
    called: { availability: [], id: ['id', 'name'], probeDays: [], probeIntervalSeconds: [] },
  },
  // A record that changes once, when it is resolved. The contract's lists begin with when a row was made.
  Anomaly: { called: { raisedAt: ['raised_at', 'created_at'] } },
  // The owner of a key is the caller; what a key was rotated from is told by the rotation.
  ApiKey: { hidden: ['hash', 'replaces', 'lineage'], added: ['pendingApproval'] },
  // Of its refunds endpoints answer each.
  Assessment: {
    hidden: [...OWNER, 'duePassedAt', 'revision', 'sourceMda', 'sourceKey'],
    added: ['lines', 'pendingApproval', 'refundDue', 'refunded', 'replacedBy'],
    called: { refundDue: [], refunded: [] },
  },
  AssessmentLine: { hidden: ['assessment'], added: ['law'] },
  // Its name is made of its time and number.
  AuditLogEntry: { hidden: [...OWNER, 'actor'], called: { id: [], object: [], refusal: [] } },
  // Of an account four characters are shown. Of its lines it says how many they are.
  BankLine: { hidden: ['account', 'idx'], added: ['accountLast4'] },
  BankStatement: {
    hidden: ['account', 'lines'],
    added: ['accountLast4', 'gap', 'gapClosedById', 'lineCount'],
    called: { createdAt: ['created_at', 'updated_at'], gapClosedById: ['gap_closed_by'] },
  },
  Citizen: { hidden: SEARCHED },
  // Its name is made of its time and ID; the account is its actor.
  CitizenAccess: { hidden: OWNER, called: { id: ['name'] } },
  // Endpoints answer its docname alone.
  ConsentEvent: { called: { id: [], citizenId: [], agencyId: [], purpose: [], createdAt: [] } },
  // Whose key opened it, endpoints say by the clerk alone.
  CounterShift: { hidden: ['revision', 'varianceKeyIssuedBy', 'varianceDecidedAt'], called: { integratorId: [] } },
  EventSeal: { hidden: ['mda', 'event', 'sealedAt'] },
  FiscalDocument: { hidden: OWNER, added: ['updatedAt'] },
  MoneyReceived: {
    added: ['open', 'outcomes', 'paymentReference', 'pendingApproval', 'suggestions', 'updatedAt'],
    called: { paymentReference: [], pendingApproval: [], suggestions: [] },
  },
  PaymentLink: { hidden: [...OWNER, 'revision', 'tokenHash'] },
  // The hidden fields are internals of sending.
  PayerMessage: { hidden: ['claimedAt', 'dueAt', 'gatewayId'] },
  // It is called by its number, and its times are null for who may not see its assessment.
  PaymentReference: {
    hidden: [...OWNER, 'createdAt', 'number', 'revision', 'updatedAt'],
    added: ['agencies', 'changedAt', 'issuedAt', 'name'],
    called: { id: ['number'], issuedAt: ['created_at'], changedAt: ['updated_at'] },
  },
  Integrator: {
    hidden: [...OF_SIGN_UP, 'code'],
    // Those of its default endpoint.
    added: [
      ...COUNTS,
      'name',
      'pendingApproval',
      'requestsByDay',
      'requestsLast7Days',
      'webhookDisabledAt',
      'webhookDisabledReason',
      'webhookEndpoint',
      'webhookSecret',
      'webhookStatus',
    ],
    called: { id: ['code', 'name'], requestsLast7Days: ['requests_last_7_days'], requestsByDay: [] },
  },
  Agency: {
    // The number of an account is shown by its end alone, as far as it is shown.
    // The columns of its name and type are called as endpoints call them. A name is answered in the language asked for.
    hidden: ['collectionAccount', 'mdaName', 'mdaType', 'names'],
    added: [
      'collectionAccountLast4',
      'countryCashLimit',
      'countryShiftCashLimit',
      'currency',
      'figures',
      'fiscalYearMonth',
      'recordedSince',
      'seal',
      'statements',
      'timeZone',
      'type',
    ],
    // Endpoints of oversight have figures; pages alone offer the days of a fiscal year, and the room of an agency.
    called: {
      figures: [],
      fiscalYearMonth: [],
      recordedSince: [],
      seal: [],
      statements: [],
      name: ['mda_name'],
      type: ['mda_type'],
    },
  },
  // Its name is made of its month and number.
  OperatorAuditEntry: { added: ['effectiveFrom'], called: { id: ['name'] } },
  PaymentEvent: { hidden: OWNER, added: ['payout', 'seal', 'updatedAt'], called: { payout: [] } },
  // Its signed text is shown by its parts too.
  AgencyDay: {
    hidden: ['previous'],
    added: ['currencies', 'document', 'from', 'payouts', 'seals', 'to', 'unknown'],
    called: { document: ['data'] },
  },
  // Requests are decided where all approvals are.
  Refund: {
    hidden: [...OWNER, 'revision', 'reference', 'askedAt', 'enquireAt', 'enquiries'],
    added: ['shares', 'pendingApproval'],
    called: { pendingApproval: [] },
  },
  // Endpoints have a path of its own for its history.
  PaymentIntent: {
    // The return address is for the aggregator, and may let the payer in where it leads.
    hidden: [...OWNER, 'splitOverride', 'revision', 'claimedBy', 'claimedAt', 'link', 'returnUrl'],
    added: [
      'splits',
      'change',
      'timeline',
      'adapterResponse',
      'paymentLink',
      'paymentReference',
      'receipt',
      'refundable',
      'refunded',
    ],
    called: { timeline: [], paymentLink: [], paymentReference: [], receipt: [], refundable: [], refunded: [] },
  },
  Propagation: { hidden: ['claimedUntil'] },
  // Endpoints answer a document as it is.
  Receipt: { hidden: OWNER, added: ['contents', 'document', 'proof', 'url'], called: { document: ['data'] } },
  ReconciliationItem: { hidden: ['idx'], called: { runId: [] } },
  ReconciliationRun: {
    hidden: ['fromAt', 'toAt'],
    added: ['from', 'to', 'mismatches'],
    called: { createdAt: ['created_at', 'updated_at'] },
  },
  Service: { hidden: [...SEARCHED, 'names'], added: ['pendingApproval', 'tariffs'], called: { tariffs: ['history'] } },
  // The operators' audit names the member of staff who published it.
  ServiceNotice: {
    hidden: ['createdBy', 'revision', 'messages'],
    added: ['status'],
    called: { agencyIds: ['agencies'] },
  },
  Split: { hidden: ['intent'] },
  // The address is the ID, which endpoints call `email` alone.
  LiveRequest: { added: ['pendingApproval'] },
  Staff: {
    hidden: ['passwordHash', 'generation'],
    added: ['adminPending', 'fullName', 'hasAuthenticatorApp', 'hasSecondFactor', 'pendingApproval', 'status'],
    called: { id: [] },
  },
  // Endpoints answer the summary as a sentence.
  TimelineRow: {
    hidden: ['id', 'assessment', 'intent'],
    added: ['summaryForm', 'summaryValues'],
    called: { summaryForm: [], summaryValues: [] },
  },
  WebhookAttempt: { hidden: ['id', 'delivery'] },
  // Endpoints leave out what a message says, which its receiver has.
  WebhookDelivery: {
    hidden: ['agency'],
    added: ['attemptCount', 'body', 'nextAttemptAt', 'onHold'],
    called: { body: [] },
  },
};

/** The types that show a record, with it. */
const shown = Object.values(schema.getTypeMap())
  .filter(isObjectType)
  .map((type) => ({ type, model: (type.extensions['pothosPrismaModel'] as Model | undefined) ?? SHOWN_BY[type.name] }))
  .filter((entry) => entry.model !== undefined);

/** Names of each field in REST: `type.field: name`. */
const answered = new Set<string>();
const types = new TypeInfo(schema);
visit(
  documents,
  visitWithTypeInfo(types, {
    Field: ({ name, alias }) =>
      // Lists of a record are on the way to what is answered.
      void (
        getNamedType(types.getType()!).name.endsWith('Connection') ||
        answered.add(`${types.getParentType()!.name}.${name.value}: ${(alias ?? name).value}`)
      ),
  }),
);

describe('a record', () => {
  it('is shown by its type with all its fields, and nothing else, except as agreed', () => {
    expect(shown.length).toBeGreaterThan(20);
    const found = shown.map(({ type, model }) => {
      const stored = models[model!]!.fields.filter(({ kind }) => kind !== 'object').map(({ name }) => name);
      const fields = fieldsOf(type).map((name) => storedAs(name, stored));
      return {
        type: type.name,
        hidden: stored.filter((name) => !fields.includes(name)),
        added: fields.filter((name) => !stored.includes(name)),
      };
    });
    const expected = shown.map(({ type: { name } }) => ({
      type: name,
      hidden: DIFFERENCES[name]?.hidden ?? [],
      added: DIFFERENCES[name]?.added ?? [],
    }));
    expect(found.map(sorted)).toEqual(expected.map(sorted));
    expect(Object.keys(DIFFERENCES).filter((name) => !shown.some(({ type }) => type.name === name))).toEqual([]);
  });

  it('is answered by endpoints with all fields of its type, in snake case, except as agreed', () => {
    const expected = shown.flatMap(({ type, model }) => {
      const called = DIFFERENCES[type.name]?.called ?? {};
      const stored = models[model!]!.fields.map(({ name }) => name);
      return fieldsOf(type).flatMap((field) =>
        (called[field] ?? [columnOf(storedAs(field, stored))]).map((name) => `${type.name}.${field}: ${name}`),
      );
    });
    const found = [...answered].filter((line) => shown.some(({ type }) => line.startsWith(`${type.name}.`)));
    expect(found.toSorted()).toEqual(expected.toSorted());
  });
});

/** The fields of a type that show what its record holds: without the objects that references and lists lead to. */
function fieldsOf(type: GraphQLObjectType): string[] {
  const fields = Object.values(type.getFields());
  const isReference = (name: string) =>
    fields.some((field) => field.name === `${name}Id` || field.name === `${name.replace(/ies$/, 'y')}Ids`);
  return fields
    .filter(({ name, type: named }) => !isReference(name) && !getNamedType(named).name.endsWith('Connection'))
    .map(({ name }) => name);
}

/** The record's name for a field: its docname is the `id`, and its reference `assessment` is `assessmentId`. */
function storedAs(field: string, stored: readonly string[]): string {
  if (field === 'id' && !stored.includes('id')) return 'name';
  if (field === 'agencyId') return 'mda';
  if (field === 'agencyIds') return stored.includes('agencies') ? 'agencies' : 'mdas';
  const reference = field.replace(/Id$/, '');
  return stored.includes(field) || !stored.includes(reference) ? field : reference;
}

function sorted({ type, hidden, added }: { type: string; hidden: readonly string[]; added: readonly string[] }) {
  return { type, hidden: hidden.toSorted(), added: added.toSorted() };
}
