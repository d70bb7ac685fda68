import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Folders that may write a table in addition to its own, with the reason. `*` stands for the rest of a name. */
const AGREED: readonly {
  readonly tables: readonly string[];
  readonly writers: readonly string[];
  readonly because: string;
}[] = [
  {
    tables: ['counter_shift'],
    writers: ['collection/payments'],
    because: 'a payment counts in its shift, in the statement that confirms it',
  },
  {
    tables: ['counter_shift'],
    writers: ['collection/assessments'],
    because: 'what is entered in a shift raises its revision, in the statement that enters it',
  },
  {
    tables: ['integrator'],
    writers: ['accounts/endpoints'],
    because: 'the account of operators is entered with its first endpoint, in the statement that sets it',
  },
  {
    tables: ['staff'],
    writers: [
      'identity/grants',
      'identity/links',
      'identity/passwords',
      'identity/second-factor',
      'identity/single-sign-on',
    ],
    because: 'what changes how somebody logs in begins a new generation of their sessions, in the same statement',
  },
  {
    tables: ['fact_change', 'people_waiting'],
    writers: ['definitions/feed', 'definitions/feed_*'],
    because: 'what changes a fact leaves it to the copy, and the steps of people, to follow',
  },
  {
    tables: ['fact_feed'],
    writers: ['definitions/feed_time_zone', 'definitions/remake_copies'],
    because: 'what changes every fact has copies made again',
  },
  {
    tables: ['oversight_tail'],
    writers: ['definitions/queue_anomalies', 'definitions/queue_payment_events'],
    because: 'what is new waits for the stream, from any writer',
  },
  {
    tables: ['unsealed_event'],
    writers: ['definitions/queue_payment_events'],
    because: 'what is new waits for its seal, from any writer',
  },
  {
    tables: ['alert_waiting'],
    writers: ['definitions/queue_alerts'],
    because: 'what is raised waits for the rules about it, from any writer',
  },
  {
    tables: ['outbox_queue'],
    writers: ['definitions/queue_message'],
    because: 'a message is queued in the statement that writes it',
  },
  {
    tables: ['assessment', 'assessment_line'],
    writers: ['definitions/reprice_drafts'],
    because: 'drafts follow the fee of their service, in the statement that sets it',
  },
  {
    tables: ['payment_reference'],
    writers: ['definitions/follow_assessment'],
    because: 'a reference follows its assessment, in the statement that changes it',
  },
  {
    tables: ['audit_archive'],
    writers: ['definitions/archive_audit_partition'],
    because: 'a month leaves the log in the statement that notes its file',
  },
  {
    tables: ['webhook_delivery', 'webhook_queue'],
    writers: ['definitions/give_up_deliveries'],
    because: 'what waits for an endpoint is given up with it, also what other statements add meanwhile',
  },
];

/**
 * Code that changes rows in several statements, and the locks that it takes first: rows that one statement joins and
 * another changes may have changed in between. A definition that takes no lock itself says so here too.
 */
const HELD: Readonly<Record<string, string>> = {
  'prisma/definitions/functions/give_up_deliveries.sql':
    'nothing: it gives up what it takes out of the queue, in one statement',
  'prisma/definitions/functions/reprice_drafts.sql': 'the Drafts of the services, in the order of their names',
  'src/app/cli/commands/targets-load.ts': 'nothing: each of its statements sets one target, which it reads nowhere',
  'src/collection/catalogue/loading/operate.ts': 'the agencies and services of the profile, as each is set',
  'src/collection/payments/refunds/request.ts': 'the assessment of the payment, in the first of its statements',
  'src/collection/reconciliation/bank/upload.ts':
    'nothing: it inserts statements and their lines, and a second time waits for the first by their key',
  'src/collection/reconciliation/run.ts': 'nothing: it inserts a run and its items, and has intents enquired about',
  'src/oversight/events/place.ts': 'the only place in the queue, by an advisory lock',
  'src/oversight/seals/seal.ts': 'the chain of the agency, by an advisory lock',
  'src/oversight/seals/verify.ts': 'nothing: it reads one snapshot',
};

/** Tables whose rows change with payments: readers of a verb find there which triggers run with it. */
const HOT = [
  'anomaly',
  'assessment',
  'assessment_line',
  'counter_shift',
  'payment_event',
  'payment_intent',
  'payment_reference',
  'propagation',
  'receipt',
  'split_rule',
  'webhook_delivery',
];

/** Tables that no statement here writes. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  oversight_salt: 'the migration that makes it, once',
};

/** Files that write tables whose names they put together: which these are. */
const BUILT: Readonly<Record<string, string>> = {
  'src/platform/change/purge.ts': 'that of each purge, which is seen where it is called',
  'src/platform/analytics/tables.ts': 'facts of the copy, which is no part of the database',
  'src/platform/analytics/views.ts': 'views of the copy, which is no part of the database',
};

/** The floor that makes up years of history, in bulk and in the past, which no verb does. */
const EXEMPT = 'sandbox';

/** All tables, but for the parts of others. */
const tables = globSync('prisma/migrations/*/migration.sql', { cwd: ROOT }).flatMap((migration) =>
  [
    ...textOf(migration).matchAll(
      /^create (?:unlogged )?table (?:if not exists )?(?:public\.)?"?([a-z_]+)"?(?! partition of)\b/gim,
    ),
  ].map(([, table]) => table!),
);

/** The folder of `src` that a file is a part of: its floor and the folder in it; of SQL, the definition. */
function writerOf(file: string): string {
  if (file.endsWith('.sql')) return `definitions/${basename(file, '.sql')}`;
  return file.split('/').slice(1, -1).slice(0, 2).join('/');
}

/** The code of a file, without comments. */
function codeOf(file: string): string {
  const comments = file.endsWith('.sql') ? /--.*$/gm : /^\s*(?:\/\*\*|\*|\/\/).*$/gm;
  return textOf(file).replaceAll(comments, '');
}

const VERB = String.raw`\b(?:insert\s+into|update|delete\s+from|merge\s+into|truncate|copy)\s+(?:only\s+|table\s+)*`;
const PURGE = String.raw`\bpurgeRows\(\w+, '`;
const WRITE = new RegExp(String.raw`(?:${VERB}(?:public\.)?"?|${PURGE})(${tables.join('|')})\b`, 'gi');
/** A name that stands in no text: an interpolation, the rest of a sum, or a place of `format`. */
const BUILT_WRITE = new RegExp(String.raw`${VERB}(?:public\.)?"?(?:\$\{|%[\dIs$]|['"\x60]\s*(?:\+|\|\|))`, 'gi');

const sources = globSync('{src,rest}/**/*.ts', { cwd: ROOT, exclude: ['src/generated/**'] });
const files = [...sources, ...globSync('prisma/definitions/**/*.sql', { cwd: ROOT })];
const writes = files.flatMap((file) =>
  [...codeOf(file).matchAll(WRITE)].map(([, table]) => ({ table: table!.toLowerCase(), writer: writerOf(file) })),
);

type Write = (typeof writes)[number];

const stands = (agreed: string, writer: string) =>
  agreed.endsWith('*') ? writer.startsWith(agreed.slice(0, -1)) : agreed === writer;
const agreements = AGREED.flatMap(({ tables: of, writers }) => writers.map((writer) => ({ of, writer })));
const isAgreed = ({ table, writer }: Write) =>
  agreements.some((agreed) => agreed.of.includes(table) && stands(agreed.writer, writer));

describe('each table', () => {
  it('is written by one folder or definition, but for what was agreed', () => {
    const own = writes.filter((write) => write.writer.split('/')[0] !== EXEMPT && !isAgreed(write));
    const writers = Map.groupBy(own, ({ table }) => table);
    const shared = [...writers]
      .map(([table, by]) => [table, ...new Set(by.map(({ writer }) => writer))])
      .filter(({ length }) => length > 2);
    expect(shared).toEqual([]);
    expect(tables.filter((table) => !writers.has(table)).toSorted()).toEqual(Object.keys(ELSEWHERE).toSorted());
  });

  it('has no agreement that nobody needs', () => {
    const needed = (of: string, agreed: string) =>
      writes.some(({ table, writer }) => table === of && stands(agreed, writer));
    expect(agreements.filter(({ of, writer }) => !of.some((table) => needed(table, writer)))).toEqual([]);
    expect(
      AGREED.flatMap(({ tables: of, writers }) =>
        of.filter((table) => !writers.some((writer) => needed(table, writer))),
      ),
    ).toEqual([]);
  });

  it('is named where it is written, and no name is put together', () => {
    const built = files.filter((file) => codeOf(file).match(BUILT_WRITE));
    expect(built).toEqual(Object.keys(BUILT));
  });

  it('is written in SQL that names it, and not by way of Prisma, where this would not be seen', () => {
    // A demo calls the API by the client library.
    const others = sources.filter((file) => !file.startsWith('src/sandbox/demo/'));
    const byPrisma = others.filter((file) =>
      /\.(?:create|createMany|update|updateMany|upsert|delete|deleteMany)\(\{|\$executeRaw/.test(codeOf(file)),
    );
    expect(byPrisma).toEqual([]);
  });

  it('is rid of what is old in batches', () => {
    const whole = sources.filter((file) => /\bdelete from \w+ (?:\w+ )?where [a-z_]+ <=? /.test(codeOf(file)));
    expect(whole).toEqual([]);
  });

  it('says above each `do nothing` why nothing is lost by it', () => {
    const silent = files.flatMap((file) =>
      [...textOf(file).matchAll(/(.*)\n.*\bon\s+conflict\b(?:(?!\bon\s+conflict\b)[^;`])*?\bdo\s+nothing\b/gi)]
        .filter(([, above]) => !/^\s*-- \S/.test(above!))
        .map(() => file),
    );
    expect(silent).toEqual([]);
  });
});

describe('the triggers of a table', () => {
  const defined = globSync('prisma/definitions/triggers/*.sql', { cwd: ROOT }).flatMap((file) =>
    [...textOf(file).matchAll(/^create (?:constraint )?trigger (\w+)/gm)].map(([, name]) => ({
      table: basename(file, '.sql'),
      name: `${basename(file, '.sql')}.${name}`,
    })),
  );
  const listed = sources.flatMap((file) =>
    [...textOf(file).matchAll(/^ \* - `([a-z_]+\.[a-z_]+)`: /gm)].map(([, name]) => name!),
  );

  it('are listed where its verbs are, if those change rows often', () => {
    const often = new Set(listed.map((name) => name.split('.')[0]!));
    expect(HOT.filter((table) => !often.has(table))).toEqual([]);
    expect(listed.toSorted()).toEqual(
      defined
        .filter(({ table }) => often.has(table))
        .map(({ name }) => name)
        .toSorted(),
    );
  });
});

describe('what takes several statements', () => {
  const definitions = files.filter((file) => file.startsWith('prisma/definitions/functions/'));
  const CHANGE = /\b(?:update\s+[a-z_]+\s+(?:[a-z]+\s+)?set|delete\s+from|merge\s+into|do\s+update)\b/gi;
  // One changing statement among inserts cannot change rows that another statement has read.
  const changes = (file: string) => [...codeOf(file).matchAll(CHANGE)].length > 1;
  const isTransaction = (file: string) => /\btransaction\((?:async )?\(db\)/.test(codeOf(file));
  const several = [
    ...definitions.filter(changes),
    ...sources.filter((file) => isTransaction(file) && file.split('/')[1] !== EXEMPT),
  ];

  it('says what it holds meanwhile', () => {
    expect(several.toSorted()).toEqual(Object.keys(HELD).toSorted());
  });

  it('holds that before it changes anything, where it is held by the database', () => {
    const LOCK = /\bfor (?:no key )?update\b|\bfor (?:key )?share\b|\block table\b|advisory_xact_lock/i;
    const late = definitions.filter((file) => {
      const code = codeOf(file);
      const locked = code.search(LOCK);
      return changes(file) && !HELD[file]?.startsWith('nothing: ') && (locked < 0 || locked > code.search(CHANGE));
    });
    expect(late).toEqual([]);
  });
});
