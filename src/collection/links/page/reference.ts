import type { Call } from '../../../platform/call/call.ts';
import { refuseValue } from '../../../kernel/refusal.ts';
import { say } from '../../../kernel/text/said.ts';
import { DEFAULT_DAYS, issueReference } from '../../references/issue.ts';
import { type PayPage, getPayPage, requirePayable } from './find.ts';
import { isPaidByNumber } from './ways.ts';
import { withdrawOthers } from './withdraw-others.ts';

/** Shows the payer a number to pay by at a bank, at an agent or by a code on a phone. */
export async function showReference(call: Call): Promise<PayPage> {
  const page = await getPayPage(call);
  if (page.state === 'paid') return page;
  requirePayable(page);
  if (!(await isPaidByNumber(page))) throw refuseValue('channel', say`is not open for this link`, 'channel_closed');
  const alone = await withdrawOthers(call, page, null);
  if (alone.state === 'paid') return alone;
  await issueReference(page.as, { assessment: page.link.assessment, expiresInDays: DEFAULT_DAYS });
  return getPayPage(call);
}
