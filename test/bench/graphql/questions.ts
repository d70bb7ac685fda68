/** The records that the questions are about. */
export interface Subject {
  readonly assessment: string;
  readonly integrator: string;
}

/** A question as one schema has it, and what an answer to it means, in a form that is the same for all schemas. */
export interface Form {
  readonly query: string;
  readonly variables: (subject: Subject) => Readonly<Record<string, string>>;
  readonly meaning: (data: unknown) => unknown;
}

export interface Question {
  readonly what: string;
  /** As the rail is asked, and Prisma's peer, whose schema has the same names. */
  readonly ours: Form;
  readonly postgraphile: Form;
  /** The least that the ratios of rates to the peers are to be. */
  readonly least: { readonly postgraphile: number; readonly prisma: number };
}

type Row = Readonly<Record<string, unknown>>;

/** An amount, however it is written. */
const amount = (value: unknown) => Number(value);

/** A moment, in whichever zone it is written. */
const moment = (value: unknown) => new Date(String(value)).toISOString();

/** Rows of a list, of a connection of either side, or of a relation. */
function rowsOf(value: unknown): readonly Row[] {
  return Array.isArray(value) ? (value as Row[]) : (value as { nodes: Row[] }).nodes;
}

/** A row by names of its own: of each, the column that holds it and how that is read. */
function renamed(
  row: Row,
  names: Readonly<Record<string, string>>,
  read: Readonly<Record<string, (value: unknown) => unknown>>,
): Row {
  return Object.fromEntries(
    Object.entries(names).map(([name, column]) => [name, read[name] ? read[name](row[column]) : row[column]]),
  );
}

const READ = { amount, rate: amount, total: amount, createdAt: moment };

/** An assessment with its lines, and its intents where they were asked for, by the names of one schema. */
function assessmentBy(names: {
  head: Record<string, string>;
  line: Record<string, string>;
  lines: string;
  intent: Record<string, string>;
  intents: string;
}) {
  return (row: Row) => ({
    ...renamed(row, names.head, READ),
    lines: rowsOf(row[names.lines]).map((line) => renamed(line, names.line, READ)),
    ...(row[names.intents] !== undefined && {
      intents: rowsOf(row[names.intents]).map((intent) => renamed(intent, names.intent, READ)),
    }),
  });
}

const oursOf = assessmentBy({
  head: {
    id: 'id',
    citizen: 'citizenId',
    status: 'status',
    currency: 'currency',
    total: 'totalAmount',
    createdAt: 'createdAt',
  },
  line: {
    idx: 'idx',
    service: 'serviceId',
    serviceName: 'serviceName',
    agency: 'agencyId',
    quantity: 'quantity',
    rate: 'rate',
    amount: 'amount',
  },
  lines: 'lines',
  intent: { id: 'id', channel: 'channel', status: 'status', amount: 'amount', createdAt: 'createdAt' },
  intents: 'intents',
});
const theirsOf = assessmentBy({
  head: {
    id: 'name',
    citizen: 'citizen',
    status: 'status',
    currency: 'currency',
    total: 'totalAmount',
    createdAt: 'createdAt',
  },
  line: {
    idx: 'idx',
    service: 'service',
    serviceName: 'serviceName',
    agency: 'mda',
    quantity: 'quantity',
    rate: 'rate',
    amount: 'amount',
  },
  lines: 'assessmentLinesByAssessment',
  intent: { id: 'name', channel: 'channel', status: 'status', amount: 'amount', createdAt: 'createdAt' },
  intents: 'paymentIntentsByAssessment',
});

const OURS = {
  head: 'id citizenId status currency totalAmount createdAt',
  lines: 'lines { idx serviceId serviceName agencyId quantity rate amount }',
  intents: 'intents(first: 5) { nodes { id channel status amount createdAt } }',
};
const THEIRS = {
  head: 'name citizen status currency totalAmount createdAt',
  lines: 'assessmentLinesByAssessment(orderBy: IDX_ASC) { nodes { idx service serviceName mda quantity rate amount } }',
  intents:
    'paymentIntentsByAssessment(first: 5, orderBy: [CREATED_AT_ASC, NAME_ASC]) { nodes { name channel status amount createdAt } }',
};

export const QUESTIONS: readonly Question[] = [
  {
    what: 'one assessment by key, with lines',
    least: { postgraphile: 1, prisma: 4 },
    ours: {
      query: `query ($id: ID!) { assessment(id: $id) { ${OURS.head} ${OURS.lines} } }`,
      variables: ({ assessment }) => ({ id: assessment }),
      meaning: (data) => oursOf((data as { assessment: Row }).assessment),
    },
    postgraphile: {
      query: `query ($id: String!) { assessmentByName(name: $id) { ${THEIRS.head} ${THEIRS.lines} } }`,
      variables: ({ assessment }) => ({ id: assessment }),
      meaning: (data) => theirsOf((data as { assessmentByName: Row }).assessmentByName),
    },
  },
  {
    what: '50 assessments with lines and intents',
    least: { postgraphile: 0.9, prisma: 2 },
    ours: {
      query: `{ assessments(first: 50) { nodes { ${OURS.head} ${OURS.lines} ${OURS.intents} } } }`,
      variables: () => ({}),
      meaning: (data) => rowsOf((data as { assessments: unknown }).assessments).map(oursOf),
    },
    postgraphile: {
      query: `query ($integrator: String!) {
        allAssessments(first: 50, orderBy: [CREATED_AT_DESC, NAME_DESC], condition: { integrator: $integrator }) {
          nodes { ${THEIRS.head} ${THEIRS.lines} ${THEIRS.intents} }
        }
      }`,
      variables: ({ integrator }) => ({ integrator }),
      meaning: (data) => rowsOf((data as { allAssessments: unknown }).allAssessments).map(theirsOf),
    },
  },
];

/** The question of figures: nobody beside the rail keeps an answer to it. */
export const REVENUE = `{ oversight { figures(by: [agency], span: { days: { fromDate: "1980-01-01" } }) {
  nodes { key { agencyId currency } revenue { collected reversed net events } }
} } }`;
