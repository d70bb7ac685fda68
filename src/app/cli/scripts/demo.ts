import { join } from 'node:path';
import { addressOf } from '../../address.ts';
import { readConfig } from '../../../platform/config/config.ts';
import { walkCharges } from '../../../sandbox/demo/money/charges.ts';
import { walkCitizen } from '../../../sandbox/demo/citizen.ts';
import { walkCounterDay } from '../../../sandbox/demo/counter-day.ts';
import { walkFlow } from '../../../sandbox/demo/flow.ts';
import { walkLiveAccess } from '../../../sandbox/demo/live-access/walk.ts';
import { walkLive } from '../../../sandbox/demo/live.ts';
import { walkRefund } from '../../../sandbox/demo/money/refund.ts';
import { walkSettlement } from '../../../sandbox/demo/money/settlement.ts';
import { walkTools } from '../../../sandbox/demo/tools.ts';
import { fillWithStory } from './fill-with-story.ts';
import { runHourly } from './run-hourly.ts';
import { SANDBOX_DIR, readOptions } from './options.ts';

const HELP = `npm run demo [-- --tools | --citizen | --refund | --charges | --settlement | --counter | --live | --live-access | --story]

Walks the typical flow against a running rail, and prints each call with its answer: sign up, verify the code from the mail, have an
operator's key register a citizen, assess what they owe to two agencies, collect it by mobile money, receive the signed webhook (from a
rail with WEBHOOK_ALLOW_PRIVATE=on), and see the proof and the log.

  --tools     shows what integrators have at hand, by the client library: a reference, two webhook endpoints with filters (of a rail with
              WEBHOOK_ALLOW_PRIVATE=on), events to fetch, and a clock that lets a payment expire
  --citizen   walks what a citizen sees: a number to pay by, a bank that takes the money, the receipt with its QR code, verified offline
              and on its page, and void once the payment is reversed
  --refund    walks a payment that was made twice: the second one is given back, a line first, although the provider's answers
              are lost; one receipt is void then, and one valid. Money that was too much at a bank pays what it was for, and the rest
              goes back
  --charges   walks charges as the law has them: a return that is stated and paid at a bank, an authority's own assessment,
              a certificate by category, rates in instalments, and 1,000 bills of a file, sent twice
  --settlement  walks whether the money of a week arrived, in a sandbox with a story: statements of three banks as camt.053, MT940 and CSV,
              what is short, missing and explained by hand, a day that is signed and proved, and the quarter
  --counter   walks a day at a counter instead: log in, open a shift, 30 collections, a cancellation, the count, and its review;
              prints the closing sheet
  --live      walks a mobile-money and a card payment by the protocols of real providers, on a rail that npm run sandbox started:
              splits, a lost callback that heals by itself, the tax authority told over mTLS, and the signed webhooks
  --live-access  starts its own rail in live mode, on a new database (that of DATABASE_URL, or one of its own), and shows who gets
              in and who does not: sign up, refused, approved, live key, pay by mobile money, cash refused outside a shift, an agency's
              token, an officer's wall, a leaver locked out
  --story     fills a new sandbox with a month of work, or with as many days as --days says, after two years of payments in twelve
              districts, so that every page has something to show; while a rail runs or not

Otherwise it takes the address and the data folder from the same environment as npm start (--live: npm run sandbox), and reads its mail
where a rail without a mail server leaves it.
`;

interface Values {
  readonly tools: boolean;
  readonly citizen: boolean;
  readonly refund: boolean;
  readonly charges: boolean;
  readonly settlement: boolean;
  readonly counter: boolean;
  readonly live: boolean;
  readonly 'live-access': boolean;
  readonly story: boolean;
  readonly days: string;
}

async function walk({
  tools,
  citizen,
  refund,
  charges,
  settlement,
  counter,
  live,
  'live-access': liveAccess,
  story,
  days,
}: Values): Promise<void> {
  if ([tools, citizen, refund, charges, settlement, counter, live, liveAccess, story].filter(Boolean).length > 1)
    throw new Error(
      'Give one of --tools, --citizen, --refund, --charges, --settlement, --counter, --live, --live-access and --story',
    );
  // Also for the commands that it runs.
  if (live) process.env['DATA_DIR'] ||= SANDBOX_DIR;
  const config = readConfig(process.env);
  if (liveAccess) return walkLiveAccess(process.env, config.databaseUrl);
  if (story) return fillWithStory(config, Number(days));
  const base = addressOf(config);
  await fetch(`${base}/healthz`).catch((error: unknown) => {
    const reason = `No rail answers at ${base} (${explain(error)})`;
    throw new Error(`${reason}. Start one with npm start, or set DATA_DIR, BASE_URL or PORT to those of one`);
  });
  const mailFolder = join(config.dataDir, 'mail');
  const walkIt = tools
    ? walkTools
    : citizen
      ? walkCitizen
      : refund
        ? walkRefund
        : charges
          ? walkCharges
          : live
            ? walkLive
            : walkFlow;
  if (settlement) return walkSettlement(base, (mda) => runHourly(config, mda));
  await (counter ? walkCounterDay(base) : walkIt(base, mailFolder));
}

/** The message of an error, and those of its causes: `fetch` says only there that a connection was refused, or cut. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${explain(error.cause)}` : error.message;
}

const values = readOptions({
  options: {
    help: { type: 'boolean', short: 'h' },
    tools: { type: 'boolean', default: false },
    citizen: { type: 'boolean', default: false },
    refund: { type: 'boolean', default: false },
    charges: { type: 'boolean', default: false },
    settlement: { type: 'boolean', default: false },
    counter: { type: 'boolean', default: false },
    live: { type: 'boolean', default: false },
    'live-access': { type: 'boolean', default: false },
    story: { type: 'boolean', default: false },
    days: { type: 'string', default: '30' },
  },
});
if (values.help) process.stdout.write(HELP);
else {
  walk(values).catch((error: unknown) => {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  });
}
