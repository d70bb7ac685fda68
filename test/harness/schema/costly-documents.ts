const times = (count: number, field: (nth: number) => string): string =>
  `{ ${Array.from({ length: count }, (_, nth) => `a${nth}: ${field(nth)}`).join(' ')} }`;

/** Turns round between assessments and their intents, each time so many rows. */
const cycle = (turns: number, rows: number): string =>
  turns === 0
    ? 'id totalAmount'
    : `intents(first: ${rows}) { nodes { amount assessment { ${cycle(turns - 1, rows)} } } }`;

/** Figures of oversight that are read over spans: what is asked beside the span, and what is selected. */
const FIGURES: Readonly<Record<string, readonly [field: string, args: string, selection: string]>> = {
  collections: ['collections', '', '__typename'],
  statistics: ['statistics', '', '__typename'],
  'assessed by service': ['assessed', 'groupBy: [service], first: 1', 'nodes { __typename }'],
  'payment times by agency': ['paymentTimes', 'groupBy: [agency], first: 1', 'nodes { __typename }'],
  'payment times by service': ['paymentTimes', 'groupBy: [service], first: 1', 'nodes { __typename }'],
  'attempts by channel': ['attempts', 'groupBy: [channel], first: 1', 'nodes { __typename }'],
  payers: ['payers', 'first: 1', 'nodes { __typename }'],
  'sizes of payments': ['paymentSizes', 'groupBy: [agency], first: 1', 'nodes { __typename }'],
  'pieces sold': ['piecesSold', 'groupBy: [service], first: 1', 'nodes { __typename }'],
  'pieces sold by day': ['piecesSold', 'groupBy: [day, service], first: 1', 'nodes { __typename }'],
  'assessed by agency and month': ['assessed', 'groupBy: [agency, month], first: 1', 'nodes { __typename }'],
  cancellations: ['cancellationTally', '', '__typename'],
  'revenue by day and service': ['revenue', 'groupBy: [day, service], first: 1', 'nodes { __typename }'],
  'revenue by hour': ['revenue', 'groupBy: [hour], first: 1', 'nodes { __typename }'],
  'revenue by service and station': ['revenue', 'groupBy: [service, station], first: 1', 'nodes { __typename }'],
  'revenue compared': ['revenueComparison', 'groupBy: [service], first: 1', 'nodes { __typename }'],
  concentration: ['concentration', '', '__typename'],
};
/** In days; the longest of them exceeds the bounds with figures that no sums are kept of. */
export const LONGEST_SPAN = 1_095;
const SPANS = [30, 300, 700, LONGEST_SPAN];

/** The same figures of so many spans of one length, each of other days. */
const figuresOf = ([field, args, selection]: (typeof FIGURES)[string], days: number, size: number): string =>
  `{ oversight ${times(size, (nth) => {
    const until = Date.now() - (nth + 1) * DAY_MS;
    return `${field}(fromDate: "${dayOf(until - (days - 1) * DAY_MS)}", toDate: "${dayOf(until)}" ${args}) { ${selection} }`;
  })} }`;

const DAY_MS = 86_400_000;
const dayOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10);

/** Documents that are made to cost much, the more the larger their number. `rare` is an agency with a share in few payments. */
export const costlyDocuments = (rare: string): Readonly<Record<string, (size: number) => string>> => ({
  'wide and deep': (size) =>
    `{ citizens(first: ${size}) { nodes { fullName assessments(first: 10) { nodes { totalAmount lines { amount service {
      serviceName agency { mdaName } } } intents(first: 2) { nodes { amount splits { amount } events(first: 2) { nodes {
      amount } } } } } } } } }`,
  'round in circles': (size) => `{ assessments(first: ${size}) { nodes { ${cycle(6, 1)} } } }`,
  'round in wide circles': (size) => `{ assessments(first: ${size}) { nodes { ${cycle(2, 5)} } } }`,
  'counts of whole lists': (size) => times(size, () => 'assessments { totalCount }'),
  'counts below records': (size) =>
    `{ citizens(first: ${size}) { nodes { assessments { totalCount totalCountIsLowerBound } } } }`,
  'filters that find little, counted': (size) =>
    times(
      size,
      (nth) => `assessments(status: Cancelled, fromDate: "2020-01-0${1 + (nth % 9)}", first: 1) { totalCount }`,
    ),
  'a status that nothing has': (size) =>
    times(size, (nth) => `assessments(status: Draft, first: ${1 + nth}) { nodes { id } }`),
  'a status that nothing has any more': (size) =>
    times(size, (nth) => `paymentIntents(status: Pending, first: ${1 + nth}) { nodes { id } }`),
  'an agency with few shares': (size) =>
    times(
      size,
      (nth) => `paymentIntents(mda: "${rare}", status: Failed, first: ${1 + nth}) { totalCount nodes { id } }`,
    ),
  'filters that find nothing': (size) =>
    times(size, (nth) => `paymentIntents(status: Failed, channel: cash, minAmount: 99999999${nth}) { nodes { id } }`),
  'agencies that have no share': (size) => times(size, () => 'paymentIntents(mda: "NOBODY") { nodes { id } }'),
  'far from the start': (size) =>
    times(size, (nth) => `assessments(offset: ${9_000 + nth}, first: 1) { nodes { id } }`),
  'far from the start, by amount': (size) =>
    times(size, (nth) => `paymentIntents(offset: ${9_000 + nth}, orderBy: amount_asc, first: 1) { nodes { id } }`),
  searches: (size) => times(size, (nth) => `citizens(q: "q${nth}z") { totalCount nodes { id } }`),
  'long pages': (size) =>
    times(size, () => 'paymentEvents(first: 200) { nodes { id amount intent { amount } agency { mdaName } } }'),
  ...Object.fromEntries(
    Object.entries(FIGURES).flatMap(([name, figures]) =>
      SPANS.map((days) => [`${name} of ${days} days`, (size: number) => figuresOf(figures, days, size)]),
    ),
  ),
});
