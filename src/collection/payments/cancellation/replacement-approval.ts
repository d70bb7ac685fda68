import { isDeepStrictEqual } from 'node:util';
import { requestApproval } from '../../approvals/ask.ts';
import { defineApproval } from '../../approvals/kinds.ts';
import { type Assessment, getAssessment } from '../../assessments/find.ts';
import type { Call } from '../../../platform/call/call.ts';
import { Decimal } from '../../../kernel/money.ts';
import { refuseBecause } from '../../../kernel/refusal.ts';
import { formatDay } from '../../../kernel/time.ts';
import { z } from '../../../kernel/zod.ts';
import { agenciesBySize } from '../splits.ts';
import { type AskedTerms, type Terms, planReplacement, readTerms, sumOf } from './replacement.ts';

const declared = z.preprocess(
  (value) => (value === null ? null : new Decimal(value as string)),
  z.instanceof(Decimal).nullable(),
);
const line = z.object({
  service: z.string(),
  quantity: z.number(),
  category: z.string().nullable(),
  base_amount: declared,
  stated_amount: declared,
  period: z.string().nullable(),
});
const form = z.object({
  /** What is owed now, and then. */
  amount: z.string(),
  new_amount: z.string(),
  currency: z.string(),
  number: z.number(),
  first_due_on: z.string(),
  last_due_on: z.string(),
  parts: z.array(z.object({ due_on: z.string(), amount: z.string() })),
  /** The time between instalments; or of others, the lines of each part. */
  every: z.enum(['month', 'week']).optional(),
  lines: z.array(z.array(line)).optional(),
});

/** Approval of a replacement by which less is owed, or later. */
export const replacementApproval = defineApproval({
  kind: 'replacement',
  proposal: form,
  needs: 'money.write',
  carryOut: async (call, { subject, proposal, askedReason }, held) => {
    const before = await getAssessment(call, subject);
    const terms = await readTerms(call, before, askedOf(proposal));
    if (!isDeepStrictEqual(partsOf(terms), proposal.parts))
      throw refuseBecause('charges_changed', `${subject} would be replaced by other amounts now: ask again`);
    return (await planReplacement(call, before, terms, askedReason!, held)).change;
  },
});

/** Asks for a replacement. */
export async function askForReplacement(
  call: Call,
  { name, totalAmount, currency, lines }: Assessment,
  terms: Terms,
  { instalments, reason }: AskedTerms & { readonly reason: string },
): Promise<void> {
  const parts = partsOf(terms);
  const days = parts.map(({ due_on: day }) => day).toSorted();
  const asked = terms.parts.map((part) =>
    part.lines.map(({ service, quantity, category, baseAmount, statedAmount, period }) => {
      return { service, quantity, category, base_amount: baseAmount, stated_amount: statedAmount, period };
    }),
  );
  const proposal = {
    amount: String(totalAmount),
    new_amount: String(sumOf(terms.parts)),
    currency,
    number: parts.length,
    first_due_on: days[0]!,
    last_due_on: days.at(-1)!,
    parts,
    ...(instalments ? { every: instalments.every } : { lines: asked }),
  };
  const mdas = agenciesBySize(lines);
  await requestApproval(call, replacementApproval, { subject: name, about: [], mdas, proposal, reason });
}

function partsOf({ parts }: Terms) {
  return parts.map(({ dueOn, totalAmount }) => ({ due_on: formatDay(dueOn), amount: String(totalAmount) }));
}

function askedOf({ number: count, first_due_on: first, every, lines = [], parts }: z.infer<typeof form>): AskedTerms {
  if (every) return { instalments: { count, firstDueOn: new Date(first), every } };
  return {
    parts: parts.map(({ due_on: day }, index) => ({
      dueOn: new Date(day),
      lines: lines[index]!.map(({ base_amount: baseAmount, stated_amount: statedAmount, ...rest }) => {
        return { ...rest, baseAmount, statedAmount };
      }),
    })),
  };
}
