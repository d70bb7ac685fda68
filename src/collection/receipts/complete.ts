import { getWithPayer } from '../assessments/find.ts';
import { raiseRevisions } from '../assessments/update.ts';
import type { Call } from '../../platform/call/call.ts';
import { commit } from '../../platform/change/commit.ts';
import { guard, step } from '../../platform/change/step.ts';
import { sql } from '../../platform/database/sql.ts';
import { say } from '../../kernel/text/said.ts';
import { DAY_MS } from '../../kernel/time.ts';
import { type Receipt, proofOf, receiptColumns } from './find.ts';
import { forgetSigner } from './keys.ts';
import type { ReceiptContents, ReceivedPart } from './payload.ts';
import { draftReceipt, messageOf, traceOf } from './steps.ts';

const BATCH = 200;

/** Once this is applied, no process runs that confirms and reverses payments without receipts. */
const LAST_OF_FORMER = '0018_contract_account_webhooks';

/**
 * Issues and voids the receipts of payments that processes of a version before confirmed and reversed, which know none;
 * how many.
 */
export async function completeReceipts(call: Call): Promise<number> {
  const until = new Date(call.now().getTime() - DAY_MS);
  const gone = await call.db.row(sql`
    select from _prisma_migrations where migration_name = ${LAST_OF_FORMER} and finished_at < ${until}`);
  return gone ? 0 : (await issueMissing(call)) + (await voidReversed(call));
}

interface Missing
  extends
    Pick<ReceiptContents, 'kind' | 'paidAt' | 'channel' | 'currency'>,
    Pick<Receipt, 'intent' | 'assessment' | 'integrator' | 'proof'> {}

/** What was confirmed before the first key of receipts was made has none. */
async function issueMissing(call: Call): Promise<number> {
  let issued = 0;
  for (let after = '', full = true; full;) {
    const missing = await call.db.rows<Missing>(sql`
      select i.name as intent, i.assessment, i.integrator, i.channel, i.currency, i.confirmed_at as "paidAt", ${proofOf(sql`i.name`)} as proof,
        case when a.cancelled_at <= i.confirmed_at then 'late' when p.intent is null then 'duplicate' else 'payment' end as kind
      from payment_intent i join assessment a on a.name = i.assessment left join paying_intent p on p.intent = i.name
      where i.status = 'Confirmed' and i.name > ${after} and not exists (select from receipt r where r.intent = i.name)
        and i.confirmed_at >= (select min(created_at) from signing_key where use = 'receipt')
      order by i.name limit ${BATCH}`);
    if (missing.length > 0) forgetSigner(call);
    for (const one of missing) if (await issue(call, one)) issued++;
    after = missing.at(-1)?.intent ?? after;
    full = missing.length === BATCH;
  }
  return issued;
}

async function issue(call: Call, paid: Missing): Promise<boolean> {
  const at = call.now();
  const { payerName, utcOffset, revision, lines } = await getWithPayer(call, paid.assessment, paid.paidAt);
  const services = lines.map(({ serviceName }) => serviceName);
  const parts = await call.db.rows<ReceivedPart>(sql`
    select mda, amount, name as event from payment_event where intent = ${paid.intent} and kind = 'payment'
    order by amount desc, mda`);
  const draft = await draftReceipt(call, { ...paid, payerName, utcOffset, services, parts }, at);
  const held = step('held')`
    select a.name as assessment from assessment a, ${draft.key}
    where a.name = ${paid.assessment} and a.revision = ${revision}
      and not exists (select from receipt where intent = ${paid.intent}) for no key update of a`;
  const changed = guard`${raiseRevisions(sql`${held}`, at)}`;
  return commit(call, { subject: null, guard: changed, ...draft.write(changed) });
}

async function voidReversed(call: Call): Promise<number> {
  const reversed = await call.db.rows<Receipt>(sql`
    select ${receiptColumns} from receipt r
    where r.status = 'Issued' and r.intent in (select intent from payment_event where kind = 'reversal')`);
  let voided = 0;
  for (const receipt of reversed) {
    const at = call.now();
    const after: Receipt = { ...receipt, status: 'Void', voidedAt: at, updatedAt: at };
    const changed = guard`
      update receipt r set status = 'Void', voided_at = ${at}, updated_at = ${at}
      where r.name = ${receipt.name} and r.status = 'Issued' returning r.name`;
    const trace = [traceOf(after, say`Receipt ${receipt.name} is void`)];
    if (await commit(call, { subject: null, guard: changed, trace, messages: [messageOf(call, after)] })) voided++;
  }
  return voided;
}
