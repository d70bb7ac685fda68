import { GROUPS, type Table, listTables } from './inventory.ts';
import { READINGS } from './oversight.ts';
import type { Category, Entry, Whose } from './entry.ts';
import { UNVERIFIED, VERIFIED, type Verified } from './verified.ts';

const OWNERS: Readonly<Record<Whose, string>> = {
  citizen: 'citizens',
  staff: 'staff',
  account: "integrators' contacts",
  anyone: 'anyone',
  nobody: '',
};

/** Categories that the page only lists: they say nothing of a person and open nothing. */
const LISTED = ['money', 'operational'] as const satisfies readonly Category[];

const isListed = ([category]: Entry) => LISTED.some((one) => one === category);

/** The data inventory, as the page that reviewers read. */
export function makePage(): string {
  const tables = new Map(listTables().map((table) => [table.name, table]));
  const groups = Object.entries(GROUPS).map(
    ([heading, names]) => `## ${heading}\n\n${names.map((name) => describeTable(tables.get(name)!)).join('\n\n')}`,
  );
  return `${introduce([...tables.values()])}\n\n${groups.join('\n\n')}\n`;
}

function introduce(tables: readonly Table[]): string {
  const columns = tables.flatMap((table) => table.columns);
  const kept = columns.filter(({ entry }) => !isListed(entry!)).length;
  return `# Data inventory

<!-- Written by \`npm run inventory:print\` from the schema and from \`src/app/development/inventory\`. -->

All that the database holds: ${columns.length} columns of ${tables.length} tables, of which ${kept} name a person, may do so, or are a secret. A test fails if a column has no entry here, or an entry has no column. Another fails if oversight reads a column that may name a person other than [as said below](#what-oversight-reads).

## How to read it

| word | what it means |
|---|---|
| identifier | tells one person, account or payment from others, also as a keyed hash |
| contact | an address or a number at which a person can be reached |
| personal | something else about a person |
| credential | a secret, its hash or its sealed form, or a salt; records are read without it |
| free text | what somebody wrote, or a foreign system said: it may name anyone |
| money, operational | amounts; states, times, numbers and references of records |

**Kept.** Without another word, rows stay as long as the rail. Nothing removes a citizen, an assessment or a payment: these are the books. The ministry's retention schedule decides when they leave, and its database administrator carries it out.

**Shown.** No column that names a person is in an answer of oversight, in a log line or in a metric. \`test/oversight/privacy.test.ts\` and \`test/rest/access.test.ts\` search answers, logs and tables for people whom they entered before.

**Append-only.** Triggers refuse to change or delete rows, and a live rail's database role may not do so either.

## Legal grounds

A default that the ministry's data protection officer confirms or replaces before a rail goes live. It is written for the Data Protection and Privacy Act, 2019 of Uganda (Act 9 of 2019), by the numbers of the text of 3 May 2019.

| whose data | ground | why |
|---|---|---|
| citizens | section 7(2): necessary for the proper performance of a public duty by a public body, or required by law | collecting public revenue, and proof of it |
| staff | the same, and the contract of employment | who took money and who decided has to be known |
| integrators' contacts | section 7(2): necessary for the performance of a contract, the terms that they accept | access, notices, security of the account |
| anyone | that of the record in which they are named | free text belongs to its record |

Four questions are for the data protection officer:

- whether amounts that somebody owes or paid are “financial information”, which section 9 calls special personal data;
- how long each table is kept (section 18);
- who notifies the authority of a breach, and how (section 23);
- what a person who asks for access or correction gets. An operator finds the person at \`/console\`, and auditors find who looked at them. The rail has no command that corrects or erases a citizen.

## What oversight reads

Oversight reads views, by a database role that may read nothing else. They read these columns, and show none of them:

| column | views | what they make of it |
|---|---|---|
${READINGS.map(([column, views, becomes]) => `| \`${column}\` | ${views.map((view) => `\`${view}\``).join(', ')} | ${becomes} |`).join('\n')}

## What a verification sees

\`npm run admin -- ledger:verify\` names each row of these tables that somebody changed, removed or added behind the rail, except as the last column says. \`test/oversight/audit/coverage.test.ts\` changes each column, and removes a row, and fails if this table is wrong.

| table | rows | not found |
|---|---|---|
${Object.entries(VERIFIED).map(describeVerified).join('\n')}

Nothing is found in the other tables:

${Object.entries(UNVERIFIED)
  .map(([word, reason]) => `- ${listUnverified(tables, word)}: ${reason}.`)
  .join('\n')}

Several changes that fit one another may not be found. Seals that are [kept outside](../analysts.md#prove-that-nothing-was-changed) limit them to what has happened since.

## What is not in these tables

| where | what | kept |
|---|---|---|
| \`DATA_DIR/archive\` | months of \`audit_log\`, as compressed files with checksums | 7 years |
| \`DATA_DIR/mail\` | mail of a sandbox without a mail server; a live rail has none | until somebody deletes it |
| \`DATA_DIR/analytics\` | the copy of facts for figures, in which people are numbers | until the process replaces it |
| the log (standard output) | routes, codes and IDs | as the collector of logs keeps it |
| \`graphile_worker\` | jobs that wait: IDs of mail, no content | until done |
| \`_prisma_migrations\`, \`_definitions\` | which migrations and definitions were applied | with the database |
| backups | all of the tables | as the ministry decides; they hold what was removed since |
| providers and agencies | phone numbers and amounts of collections, NINs that are looked up | by their own rules |`;
}

const listUnverified = (tables: readonly Table[], word: string) =>
  tables
    .filter(({ unverified }) => unverified === word)
    .map(({ name }) => `\`${name}\``)
    .join(', ');

function describeVerified([table, { of, not = {} }]: [string, Verified]): string {
  const gaps = Object.entries(not).map(
    ([reason, columns]) =>
      `${columns.map((column) => (column === 'row' ? 'that a row is removed' : `\`${column}\``)).join(', ')}: ${reason}`,
  );
  return `| \`${table}\` | ${of?.[1] ?? 'all'} | ${gaps.join('. ') || '–'} |`;
}

function describeTable({ name, columns, appendOnly, holds, about, removed, shown }: Table): string {
  const facts = [
    `${holds}.`,
    ...(about ? [`About: ${OWNERS[about]}.`] : []),
    ...(removed ? [`Removed: ${removed}.`] : []),
    ...(appendOnly ? ['Append-only.'] : []),
    `Shown to: ${shown}.`,
  ];
  const rows = columns
    .filter(({ entry }) => !isListed(entry!))
    .map(({ name: column, entry }) => {
      const [category, whose, purpose] = entry!;
      return `| \`${column}\` | ${category} | ${OWNERS[whose]} | ${purpose} |`;
    });
  const table =
    rows.length > 0 ? [`| column | category | whose | what for |\n|---|---|---|---|\n${rows.join('\n')}`] : [];
  const lists = LISTED.flatMap((category) => {
    const names = columns.filter(({ entry }) => entry![0] === category).map((column) => `\`${column.name}\``);
    return names.length > 0 ? [`${category[0]!.toUpperCase()}${category.slice(1)}: ${names.join(', ')}.`] : [];
  });
  return [`### ${name}`, facts.join(' '), ...table, lists.join('\n')].filter(Boolean).join('\n\n');
}
