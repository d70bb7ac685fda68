import type { Call } from '../../../platform/call/call.ts';
import { type Step, guard } from '../../../platform/change/step.ts';
import type { Agency } from '../../../generated/prisma/client.ts';
import { Decimal } from '../../../kernel/money.ts';
import { z } from '../../../kernel/zod.ts';
import { askWith, withdraw } from '../../approvals/ask.ts';
import { defineApproval, takesApproval } from '../../approvals/kinds.ts';
import { countryLoader, getAgency } from '../find.ts';

type Limits = Pick<Agency, 'cashLimit' | 'shiftCashLimit'>;

/** Approval of more cash for an agency: its new bounds, null for those of its country. */
const cashApproval = defineApproval({
  kind: 'cash',
  proposal: z.object({
    currency: z.string(),
    cash_amount: z.string().nullable(),
    shift_cash_amount: z.string().nullable(),
  }),
  needs: 'operations.write',
  carryOut: async (call, { subject, proposal }, held) => {
    const before = await getAgency(call, subject);
    const [cash, shiftCash] = [proposal.cash_amount, proposal.shift_cash_amount];
    const changed = guard`
      update mda m set cash_limit = ${cash}::decimal, shift_cash_limit = ${shiftCash}::decimal, revision = revision + 1,
        updated_at = ${call.now()}
      from ${held} where m.name = ${subject} and m.revision = ${before.revision} returning m.name`;
    return {
      subject,
      guard: changed,
      operated: {
        action: 'agency.approve_cash',
        subject,
        before: { cash_limit: before.cashLimit, shift_cash_limit: before.shiftCashLimit },
        after: { cash_limit: cash, shift_cash_limit: shiftCash },
        reason: null,
      },
    };
  },
});

/** True if bounds allow more cash than before, which takes two people on a live rail. */
export async function widensCash(call: Call, before: Agency, after: Limits): Promise<boolean> {
  if (!takesApproval(call)) return false;
  const country = await countryLoader.load(call, before.country);
  return (['cashLimit', 'shiftCashLimit'] as const).some((limit) => {
    const [was, is] = [before[limit] ?? country?.[limit] ?? null, after[limit] ?? country?.[limit] ?? null];
    return was !== null && (is === null || is.greaterThan(was));
  });
}

/** The step that asks for them, with a change of an agency. */
export async function askForCash(call: Call, changed: Step, agency: Agency, reason: string | null): Promise<Step> {
  const country = await countryLoader.load(call, agency.country);
  const text = (limit: Decimal | null) => limit && String(limit);
  return askWith(call, cashApproval, changed, {
    subject: agency.name,
    about: [],
    mdas: [agency.name],
    proposal: {
      currency: country!.currency!,
      cash_amount: text(agency.cashLimit),
      shift_cash_amount: text(agency.shiftCashLimit),
    },
    reason,
  });
}

/** The step that takes back what an agency waits for, since its bounds were set meanwhile. */
export function withdrawCash(call: Call, changed: Step, agency: string): Step {
  return withdraw(call, cashApproval, changed, agency, 'Other bounds were set');
}
