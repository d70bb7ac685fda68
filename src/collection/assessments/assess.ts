import { refuseAgency } from '../../platform/access/bounds.ts';
import { refuseShared } from '../../platform/access/owned.ts';
import type { Call } from '../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../platform/change/commit.ts';
import { guard, step } from '../../platform/change/step.ts';
import { transition } from '../../platform/change/transition.ts';
import { sql } from '../../platform/database/sql.ts';
import { allows } from '../../kernel/lifecycle.ts';
import { refuseBecause, refuseValue, refuseValues } from '../../kernel/refusal.ts';
import { feeAt, tariffAt } from '../catalogue/fees.ts';
import { demandOf, notifyPayer } from '../citizens/messages/queue.ts';
import { type Assessment, getAssessment } from './find.ts';
import { hasExemption, listInForce, useExemptions, waive } from './exemptions/apply.ts';
import { assessmentLifecycle } from './lifecycle.ts';
import { dueOnOf, refuseOthers } from './lines/due.ts';
import {
  type PricedLine,
  type PricedService,
  areCurrent,
  currencyOfLine,
  findPriceMistakes,
  priceLine,
  pricesOf,
  requireTotal,
} from './lines/pricing.ts';
import { trackAssessment } from './snapshot.ts';

interface CurrentService extends PricedService {
  readonly offered: boolean;
}

/** Lines, with what their services charge; without these, all are at plain fees. */
interface Priced {
  readonly lines: readonly PricedLine[];
  readonly services?: ReadonlyMap<string, PricedService>;
}

/** Prices a Draft again and freezes it, and has its payer told where its agency asks for that. An Assessed one stays as it is. */
export function assess(call: Call, name: string, notify = false): Promise<Assessment> {
  return retryUntilSettled(async () => {
    const draft = await getAssessment(call, name);
    if (draft.status === 'Assessed') return draft;
    if (!allows(assessmentLifecycle.assess, draft.status)) {
      throw refuseBecause('not_draft', `${name} is ${draft.status}; only a Draft can be assessed`);
    }
    refuseShared(call.viewer, draft.lines);
    if (notify) refuseOthers(call.viewer, draft.lines, 'notify');
    for (const { idx, mda } of draft.lines) refuseAgency(call.viewer, mda, `lines[${idx - 1}].service`);
    // A Draft shows current fees, so what it shows is nearly always what is to be frozen; the statement makes sure of
    // it, and that nobody is exempt. What a tariff computed is computed again.
    const frozen = draft.lines.every(({ category }) => category === null) && (await freeze(call, draft, draft, notify));
    return frozen || freeze(call, draft, await reprice(call, draft), notify);
  });
}

async function reprice(call: Call, draft: Assessment): Promise<Priced> {
  const at = call.now();
  const rows = await call.db.rows<CurrentService>(sql`
    select s.name, s.service_name as "serviceName", s.mda, ${feeAt('s', at)} as "feeAmount", ${tariffAt('s', at)} as tariff,
      s.currency, s.status = 'Active' and m.status = 'Active' as offered
    from service s join mda m on m.name = s.mda where s.name = any(${draft.lines.map(({ service }) => service)})`);
  const services = new Map(rows.map((row) => [row.name, row]));
  const lines = draft.lines.map((line) => {
    const service = services.get(line.service)!;
    const path = `lines[${line.idx - 1}]`;
    const mistakes = service.offered ? findPriceMistakes(call.viewer, service, line, path) : [];
    if (mistakes.length > 0) throw refuseValues(mistakes);
    if (!service.offered || currencyOfLine(service, line) !== draft.currency)
      throw refuseValue(`${path}.service`, 'is no longer offered; create a new assessment', 'service_not_offered');
    return priceLine(line.idx, service, line);
  });
  return { lines: waive(lines, await listInForce(call, draft.citizen), draft.currency), services };
}

/**
 * Freezes a Draft at these prices, or answers undefined: they are not the current ones, or the Draft is not what was
 * read.
 */
async function freeze(
  call: Call,
  draft: Assessment,
  { lines, services }: Priced,
  notify: boolean,
): Promise<Assessment | undefined> {
  const at = call.now();
  const { name, currency } = draft;
  const dueOn = services ? await dueOnOf(call, lines, services, draft.dueOn) : draft.dueOn;
  const assessed: Assessment = {
    ...draft,
    status: assessmentLifecycle.assess.to,
    totalAmount: requireTotal(lines),
    dueOn,
    revision: draft.revision + 1,
    assessedAt: at,
    updatedAt: at,
    lines: lines.map((line) => ({ ...line, assessment: name })),
  };
  const prices = pricesOf(lines, { currency, services });
  const exemptions = useExemptions(assessed.lines, at);
  const changed = guard`
    update assessment set status = ${assessed.status}::assessment_status, total_amount = ${assessed.totalAmount},
      due_on = ${dueOn}::date, revision = ${assessed.revision}, assessed_at = ${at}, updated_at = ${at}
    where name = ${name} and revision = ${draft.revision}
      and status = any(${assessmentLifecycle.assess.from}::assessment_status[])
      and ${areCurrent(prices, at)} and ${services ? exemptions.held : sql`not ${hasExemption(draft.citizen)}`}
    returning name`;
  const repriced = step('repriced')`
    update assessment_line l set rate = p.rate, amount = p.amount, category = p.category, waived = p.waived, exemption = p.exemption
    from ${changed}, ${prices} p where l.assessment = ${changed}.name and l.idx = p.idx
      and (l.rate, l.category, l.exemption) is distinct from (p.rate, p.category, p.exemption)`;
  const demanded = notify ? await notifyPayer(call, changed, [demandOf(assessed)], at) : [];
  const done = await commit(call, {
    subject: name,
    guard: changed,
    steps: [repriced, ...exemptions.counted(changed), ...demanded],
    trace: [
      transition(trackAssessment(assessed), assessmentLifecycle.assess, draft.status, {
        total_amount: assessed.totalAmount,
        currency,
      }),
    ],
  });
  return done ? assessed : undefined;
}
