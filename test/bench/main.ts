import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { measureFlows } from './flows/flows.ts';
import { measureGraphql } from './graphql/graphql.ts';
import { measureGrowth } from './growth/growth.ts';
import { measurePages } from './growth/pages.ts';
import { measureParts } from './growth/parts.ts';
import { measureLoad } from './load/load.ts';
import { measurePropagation } from './load/propagation.ts';
import { measureOversight } from './oversight/oversight.ts';
import { measureReferences } from './growth/references.ts';
import { measureReads } from './reads.ts';
import { Report, writeMarkdown } from './report.ts';
import { Setting } from './setting.ts';

const USAGE = `npm run bench -- [a] [b] [c] [e] [propagation] [--seconds 2] [--json FILE] [--record]
npm run bench -- growth [--assessments 1000000] [--keep DIR] [--only REGEX] [--json FILE] [--record]
npm run bench -- pages [--assessments 1000000 | --events 5000000] [--keep DIR] [--json FILE] [--record]
npm run bench -- oversight [--events 200000] [--keep DIR] [--json FILE] [--record]
npm run bench -- parts [--events 100000000] [--json FILE]
npm run bench -- references [--seconds 2] [--keep DIR] [--json FILE] [--record]

a            reads over REST beside Fastify and pg; where the rail remembers an answer, also beside one that does
b            questions over GraphQL beside PostGraphile, and beside Yoga, Pothos and Prisma as their guides have them, all
             bare and all with keys, limits, audit and log
c            whole flows of many citizens and services beside the rows that they leave behind, through pg alone, sent in
             two ways; what a payment writes to PostgreSQL's log, also as the client library sends it; a payment after
             15 s of silence
e            what becomes of callers at half, at all and at twice of what can be borne; memory, rest, start
propagation  whether agencies are told as fast as payments come
growth       lists, searches, filters and figures: how much longer they take on a long history than on a short one
pages        pages of staff on a long history, from the request to the last byte
oversight    named operations, drawn questions and pages, the copy of facts, and what payments notice of them (a whole
             run has 5,000,000 events)
references   look-ups at a payment point among 5,000,000 payment references next to a bare indexed read
parts        questions about as many payment parts as a country has, in the columnar copy alone

Measures the rail beside what else could be picked, in turns, and prints what was seen and whether it is enough. Without
a part, all parts that need no long history are measured. --keep leaves the databases of a history in a folder, and takes
them from there the next time. --json keeps all figures in a file, --record in the documentation; parts that are not
measured stay as they are there.
`;

/** Making a history up is not what is measured. */
const BULK = ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off', 'max_wal_size=4GB', 'shared_buffers=1GB'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '2' },
    events: { type: 'string' },
    assessments: { type: 'string', default: '1000000' },
    keep: { type: 'string' },
    only: { type: 'string', default: '' },
    json: { type: 'string' },
    record: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h' },
  },
});

interface Part {
  /** True if it is measured when no part is named. */
  readonly byDefault: boolean;
  measure(report: Report): Promise<void>;
}

const seconds = Number(values.seconds);
const PARTS: Readonly<Record<string, Part>> = {
  a: { byDefault: true, measure: (report) => measureReads(report, seconds) },
  b: { byDefault: true, measure: (report) => measureGraphql(report, seconds) },
  c: { byDefault: true, measure: (report) => measureFlows(report, seconds) },
  e: { byDefault: true, measure: measureLoad },
  propagation: { byDefault: true, measure: measurePropagation },
  references: onHistory((report, setting) => measureReferences(report, setting, seconds)),
  growth: onHistory((report, setting) =>
    measureGrowth(report, setting.cluster, Number(values.assessments), new RegExp(values.only)),
  ),
  pages: onHistory((report, { cluster: bulk }) =>
    measurePages(
      report,
      bulk,
      values.events ? { events: Number(values.events) } : { assessments: Number(values.assessments) },
    ),
  ),
  oversight: onHistory(async (report, { cluster: bulk }) => {
    const events = Number(values.events ?? 200_000);
    await measureOversight(report, bulk, events);
    await measurePages(report, bulk, { events });
  }),
  parts: { byDefault: false, measure: (report) => measureParts(report, Number(values.events ?? 100_000_000)) },
};

/** A part that makes a long history up first. */
function onHistory(measure: (report: Report, setting: Setting) => Promise<void>): Part {
  return {
    byDefault: false,
    measure: async (report) => {
      const setting = await Setting.open({ settings: BULK, keep: values.keep });
      try {
        await measure(report, setting);
      } finally {
        await setting.close();
      }
    },
  };
}

/** The file of the last result, and the heading of the page that shows it. */
const RECORD = { json: 'docs/performance.json', page: 'docs/performance.md', heading: '\n## Last result\n' };

/** Puts what is recorded of all parts into the documentation. */
function writeRecord(parts: Parameters<typeof writeMarkdown>[0]): void {
  const [before] = readFileSync(RECORD.page, 'utf8').split(RECORD.heading);
  writeFileSync(RECORD.page, `${before}${RECORD.heading}\n${writeMarkdown(parts)}`);
}

async function main(): Promise<boolean> {
  const unknown = positionals.find((name) => !(name in PARTS));
  if (values.help || unknown !== undefined) {
    process.stdout.write(unknown === undefined ? USAGE : `There is no part ${unknown}\n\n${USAGE}`);
    return unknown === undefined;
  }
  const report = new Report();
  for (const [name, { byDefault, measure }] of Object.entries(PARTS)) {
    if (positionals.length === 0 ? byDefault : positionals.includes(name)) await measure(report);
  }
  const met = report.end();
  if (values.json) report.keep(values.json);
  if (values.record) writeRecord(report.keep(RECORD.json));
  return met;
}

process.exitCode = (await main()) ? 0 : 1;
