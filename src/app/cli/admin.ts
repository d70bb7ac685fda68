import { Command, InvalidArgumentError } from 'commander';
import { GraphQLError } from 'graphql';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { CSV, PARQUET, exported, pagesOf } from '../../../rest/exports.ts';
import { loadEndpoints } from '../../../rest/load.ts';
import { ROLES, SCOPES, commandLine } from '../../platform/access/viewer.ts';
import { loadProfile, readProfile, shippedProfiles } from '../../collection/catalogue/load.ts';
import { type Rail, callOf, inBackground } from '../../platform/call/call.ts';
import { ConfigError, readConfig } from '../../platform/config/config.ts';
import { Docnames } from '../../platform/database/docnames.ts';
import { schema } from '../schema.ts';
import { type KeyHolder, issueKey } from '../../accounts/integrators/issue-key.ts';
import { rollOverTerms } from '../../accounts/integrators/terms.ts';
import type { AskedGrants } from '../../accounts/keys/grants.ts';
import { createLog } from '../../kernel/log.ts';
import { readAudit } from '../../accounts/requests/read.ts';
import { openRail } from '../open.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { type HistoryOptions, seedHistory } from '../sandbox/history.ts';
import { readHeads } from '../../oversight/seals/heads.ts';
import { chainLine, findingLines, verificationJson } from '../../oversight/seals/report.ts';
import { verifyLedger } from '../../oversight/seals/verify.ts';
import { addStaff } from '../../counter/staff/add.ts';

interface Output {
  readonly json?: boolean;
}

/** Runs an operator's command on the database that the rail uses, beside a running rail or without one. */
async function withRail(run: (rail: Rail) => Promise<void>): Promise<void> {
  const { rail, close } = await openRail({ ...readConfig(process.env), databasePool: 2 }, createLog('error'));
  try {
    await run(inBackground(rail));
  } finally {
    await close();
  }
}

interface KeyOptions extends AskedGrants {
  readonly scopes: readonly string[];
  readonly integrator?: string;
  readonly organisation?: string;
  readonly email?: string;
  readonly label?: string;
}

function print(value: object | readonly object[], { json }: Output): void {
  if (json) process.stdout.write(`${JSON.stringify(value)}\n`);
  else
    for (const row of [value].flat())
      process.stdout.write(
        `${Object.entries(row)
          .map(([name, one]) => `${name.padEnd(14)} ${String(one)}\n`)
          .join('')}\n`,
      );
}

const program = new Command('npm run admin --').description('Operate a rail: the same DATA_DIR or DATABASE_URL, beside a running one or without it.');

program
  .command('key:issue')
  .description('Issue a bearer key; its plaintext is shown this once.')
  .requiredOption('--scopes <list>', `comma-separated, of ${SCOPES.join(', ')}`, listed)
  .option('--integrator <code>', 'an integrator that there is')
  .option('--organisation <name>', 'makes a new, Active integrator; needs --email')
  .option('--email <address>', "the new integrator's contact")
  .option('--label <text>', 'what the key is for')
  .option('--supervises <list>', 'the agencies whose counters it supervises: codes, comma-separated, or "*" for all', listed)
  .option('--counters <list>', 'the agencies at whose counters it may take cash: codes, comma-separated, or "*" for all', listed)
  .option('--manages-account', 'it may change the account; the first key of a new one may')
  .option('--json', 'print one JSON value and nothing else')
  .action(async (options: KeyOptions & Output) => {
    const { integrator, organisation, email, label, scopes, json: _json, ...grants } = options;
    if (!integrator && !(organisation && email)) throw new ConfigError('give --integrator, or --organisation with --email');
    const holder: KeyHolder = integrator ? { integrator } : { organisation: organisation!, email: email! };
    await withRail(async (rail) => {
      const { managesAccount, ...issued } = await issueKey(rail, holder, scopes, label, grants);
      print({ ...issued, manages_account: managesAccount }, options);
    });
  });

program
  .command('integrator:list')
  .description('List the integrators, newest first.')
  .option('--json', 'print one JSON value and nothing else')
  .action(async (options: Output) => {
    await withRail(async ({ prisma }) => {
      const rows = await prisma.integrator.findMany({ orderBy: { createdAt: 'desc' }, include: { _count: { select: { keys: true } } } });
      print(
        rows.map(({ code, organisation, contactEmail, tier, status, createdAt, _count }) => ({
          code,
          organisation,
          contact_email: contactEmail,
          tier,
          status,
          keys: _count.keys,
          created_at: createdAt,
        })),
        options,
      );
    });
  });

program
  .command('catalogue:load')
  .description('Bring agencies and services in line with a country profile, or with those that come with the rail.')
  .option('--file <path>', 'a country profile; its form is that of prisma/catalogue/*.json')
  .action(async ({ file }: { file?: string }) => {
    const profiles = file ? [readProfile(readFileSync(file, 'utf8'))] : shippedProfiles();
    await withRail(async ({ transaction, now }) => {
      for (const profile of profiles) {
        await transaction((db) => loadProfile(db, new Docnames(db), profile, now()));
        const services = profile.agencies.reduce((sum, agency) => sum + agency.services.length, 0);
        process.stdout.write(`${profile.name}: ${profile.agencies.length} agencies, ${services} services\n`);
      }
    });
  });

program
  .command('staff:add')
  .description('Make a member of staff, or give one new roles, name and password; what sessions they have end.')
  .requiredOption('--email <address>', 'what they log in by')
  .requiredOption('--name <text>', 'what they are called')
  .requiredOption('--role <list>', `comma-separated, of ${ROLES.join(', ')}`)
  .option('--password <text>', 'at least 12 characters; left out, one is made up and shown this once')
  .option('--json', 'print one JSON value and nothing else')
  .action(async ({ role, ...options }: { email: string; name: string; role: string; password?: string } & Output) => {
    const roles = role.split(',').map((one) => one.trim());
    await withRail(async (rail) => {
      const { password, ...added } = await addStaff(rail, { ...options, roles });
      print({ ...added, ...(password !== null && { password }) }, options);
    });
  });

program
  .command('staff:list')
  .description('List the staff, newest first.')
  .option('--json', 'print one JSON value and nothing else')
  .action(async (options: Output) => {
    await withRail(async ({ prisma }) => {
      const rows = await prisma.staff.findMany({ orderBy: { createdAt: 'desc' } });
      print(
        rows.map(({ email, name, roles, active, createdAt }) => ({ email, name, roles, active, created_at: createdAt })),
        options,
      );
    });
  });

program
  .command('tos:rollover')
  .description('Make TOS_VERSION count for sign-ups under way too: those that accepted another version have to sign up again.')
  .option('--json', 'print one JSON value and nothing else')
  .action(async (options: Output) => {
    await withRail(async (rail) => print({ version: rail.config.tosVersion, voided: await rollOverTerms(rail) }, options));
  });

program
  .command('audit:read')
  .description('Print the audit log of some days in the order of time, archived months included: a JSON object a line.')
  .requiredOption('--from <date>', 'the first day (UTC), YYYY-MM-DD', day)
  .requiredOption('--to <date>', 'the last day (UTC), YYYY-MM-DD', day)
  .option('--integrator <code>', 'only the requests of this integrator')
  .option('--json', 'print one JSON array instead')
  .action(async ({ from, to, integrator, json }: { from: Date; to: Date; integrator?: string } & Output) => {
    if (to < from) throw new ConfigError('--to: is before --from');
    const span = { from, to: new Date(to.getTime() + 86_400_000), integrator: integrator ?? null };
    await withRail(async (rail) => {
      let lead = json ? '[' : '';
      for await (const entry of readAudit(rail, span)) {
        await put(`${lead}${JSON.stringify(entry)}`);
        lead = json ? ',\n' : '\n';
      }
      await put(json ? `${lead === '[' ? '[' : ''}]\n` : lead);
    });
  });

program
  .command('seed:history')
  .description('Fill a sandbox with a history of payments that could have been, for trying oversight out. It makes people up.')
  .option('--events <number>', 'how many payment events, about', count, 100_000)
  .option('--years <number>', 'over how many years up to today', count, 3)
  .option('--agencies <number>', 'how many agencies there are to be', count, 60)
  .option('--seed <number>', 'the same number makes the same history', count, 1)
  .action(async (options: HistoryOptions) => {
    await withRail(async (rail) => {
      if (rail.config.mode === 'live') throw new ConfigError('MODE: a live rail gets no made-up history');
      const started = Date.now();
      for await (const { months, ofMonths, events } of seedHistory(rail, options)) {
        const seconds = Math.round((Date.now() - started) / 1_000);
        process.stdout.write(`${months} of ${ofMonths} months, ${events.toLocaleString('en')} events, ${seconds} s\n`);
      }
      process.stdout.write('A running rail seals them by and by; ledger:verify says how far it is.\n');
    });
  });

program
  .command('export')
  .description('Write what oversight sees to a file: all payment-events, or revenue in groups (without days, of the last 30).')
  .argument('<what>', 'payment-events or revenue')
  .requiredOption('--out <path>', 'the file; .csv or .parquet says what it is')
  .option('--from <date>', 'the first day (UTC), YYYY-MM-DD', day)
  .option('--to <date>', 'the last day (UTC), YYYY-MM-DD', day)
  .option('--mda <code>', 'only this agency')
  .option('--group-by <list>', 'of revenue: comma-separated, such as mda,month', 'mda,month')
  .option('--bom', 'begin a CSV file with a byte order mark, by which some spreadsheets know UTF-8')
  .action(async (what: string, options: { out: string; from?: Date; to?: Date; mda?: string; groupBy: string; bom?: true }) => {
    const { endpoints } = loadEndpoints(schema);
    const endpoint = endpoints.find(({ path, exports }) => exports !== null && path === `/v1/oversight/${what}`);
    if (!endpoint) throw new ConfigError('export: give payment-events or revenue');
    const format = options.out.endsWith('.parquet') ? PARQUET : options.out.endsWith('.csv') ? CSV : null;
    if (!format) throw new ConfigError('--out: must end in .csv or .parquet');
    const isoDay = (at: Date | undefined) => at?.toISOString().slice(0, 10);
    const variables = {
      from_date: isoDay(options.from),
      to_date: isoDay(options.to),
      mda: options.mda,
      ...(what === 'revenue' && { group_by: options.groupBy.split(',') }),
    };
    await withRail(async (rail) => {
      const call = callOf(rail, { ...commandLine, scopes: new Set(['oversight.read']) }, randomUUID());
      await pipeline(
        exported(endpoint, format, await pagesOf(schema, endpoint, call, variables), { bom: options.bom ?? false }),
        createWriteStream(options.out),
      );
      process.stdout.write(`${options.out}\n`);
    });
  });

program
  .command('ledger:verify')
  .description(
    'Recompute every chain of seals, and lay intents, payment events, seals and sums beside one another; names what does not fit, ends with 1 where anything does not, and says what it cannot prove.',
  )
  .option('--heads <path>', 'JSON that was kept outside: the answer of GET /v1/oversight/seals, or what this printed with --json')
  .option('--json', 'print one JSON value and nothing else')
  .action(async (options: { heads?: string } & Output) => {
    const heads = options.heads === undefined ? [] : readHeads(options.heads);
    await withRail(async (rail) => {
      const say = (line: string) => void (options.json || process.stdout.write(`${line}\n`));
      const verification = await verifyLedger(rail, heads, (report) => say(chainLine(report)));
      for (const line of findingLines(verification)) say(line);
      if (options.json) print(verificationJson(verification), options);
      if (!verification.right) process.exitCode = 1;
    });
  });

/** Words between commas. */
function listed(text: string): string[] {
  return text.split(',').map((word) => word.trim());
}

/** A whole number of at least 1. */
function count(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('must be a whole number of at least 1');
  return Number(text);
}

/** A UTC day. */
function day(text: string): Date {
  const at = new Date(`${text}T00:00:00Z`);
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(at.getTime())) throw new InvalidArgumentError('must be a day, YYYY-MM-DD');
  return at;
}

/** Writes, and waits where the reader is slower. */
async function put(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

program.parseAsync().catch((error: unknown) => {
  const known = error instanceof Refusal || error instanceof ConfigError || error instanceof GraphQLError;
  process.stderr.write(`${known ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
