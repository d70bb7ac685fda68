const times = (count: number, field: (nth: number) => string): string =>
  `{ ${Array.from({ length: count }, (_, nth) => `a${nth}: ${field(nth)}`).join(' ')} }`;

/** Turns round between assessments and their intents, each time so many rows. */
const cycle = (turns: number, rows: number): string =>
  turns === 0
    ? 'id totalAmount'
    : `intents(first: ${rows}) { nodes { amount assessment { ${cycle(turns - 1, rows)} } } }`;

/** Figures of oversight that are read over spans: the dimensions that they are grouped by, and what is selected of a row. */
const FIGURES: Readonly<Record<string, readonly [by: string, selection: string]>> = {
  collections: ['agency', 'assessed { paid } toPayment { p50 }'],
  'assessed by service': ['service', 'assessed { paid }'],
  'assessed by agency and month': ['agency, month', 'assessed { paid }'],
  'times to payment by agency': ['agency', 'toPayment { p50 }'],
  'times to payment by service': ['service', 'toPayment { p50 }'],
  'unpaid by age': ['age', 'unpaid { unpaidAmount }'],
  'attempts by channel': ['channel', 'attempts { attempts }'],
  'causes of failures': ['channel, month', 'attempts { attempts } rows(by: [cause]) { attempts { failed } }'],
  payers: ['agency, month', 'payers { payers }'],
  'sizes of payments': ['agency', 'sizes { median }'],
  'pieces sold': ['service', 'pieces { pieces }'],
  'pieces sold by month': ['month, service', 'pieces { pieces }'],
  reversals: ['agency', 'reversals { largestReversal }'],
  cancellations: ['agency', 'cancellations { cancellations }'],
  'revenue by month and service': ['month, service', 'revenue { net }'],
  'revenue by hour': ['hour', 'revenue { net }'],
  'revenue by service and station': ['service, station', 'revenue { net }'],
  'revenue compared': ['service', 'revenue { net } compared(to: before) { change }'],
  concentration: ['agency', 'revenue { net } rows(by: [service]) { revenue { share } }'],
};
/** In days; the longest of them exceeds the bounds with figures that no sums are kept of. */
export const LONGEST_SPAN = 1_095;
const SPANS = [30, 300, 700, LONGEST_SPAN];

/** The same figures of so many spans of one length, each of other days. */
const figuresOf = ([by, selection]: (typeof FIGURES)[string], days: number, size: number): string =>
  `{ oversight ${times(size, (nth) => {
    const until = Date.now() - (nth + 1) * DAY_MS;
    const span = `{ days: { fromDate: "${dayOf(until - (days - 1) * DAY_MS)}", toDate: "${dayOf(until)}" } }`;
    return `figures(by: [${by}], span: ${span}, first: 1) { nodes { ${selection} } }`;
  })} }`;

const DAY_MS = 86_400_000;
const dayOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10);

/** Documents that are made to cost much, the more the larger their number. `rare` is an agency with a share in few payments. */
export const costlyDocuments = (rare: string): Readonly<Record<string, (size: number) => string>> => ({
  'wide and deep': (size) =>
    `{ citizens(first: ${size}) { nodes { fullName assessments(first: 10) { nodes { totalAmount lines { amount service {
      serviceName agency { name } } } intents(first: 2) { nodes { amount splits { amount } events(first: 2) { nodes {
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
      (nth) => `paymentIntents(agency: "${rare}", status: Failed, first: ${1 + nth}) { totalCount nodes { id } }`,
    ),
  'filters that find nothing': (size) =>
    times(size, (nth) => `paymentIntents(status: Failed, channel: cash, minAmount: 99999999${nth}) { nodes { id } }`),
  'agencies that have no share': (size) => times(size, () => 'paymentIntents(agency: "NOBODY") { nodes { id } }'),
  'far from the start': (size) =>
    times(size, (nth) => `assessments(offset: ${9_000 + nth}, first: 1) { nodes { id } }`),
  'far from the start, by amount': (size) =>
    times(size, (nth) => `paymentIntents(offset: ${9_000 + nth}, orderBy: amount_asc, first: 1) { nodes { id } }`),
  searches: (size) => times(size, (nth) => `citizens(q: "q${nth}z") { totalCount nodes { id } }`),
  'long pages': (size) =>
    times(size, () => 'paymentEvents(first: 200) { nodes { id amount intent { amount } agency { name } } }'),
  ...Object.fromEntries(
    Object.entries(FIGURES).flatMap(([name, figures]) =>
      SPANS.map((days) => [`${name} of ${days} days`, (size: number) => figuresOf(figures, days, size)]),
    ),
  ),
});
