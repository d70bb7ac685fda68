import { type Assessment, getAssessment } from '../../assessments/find.ts';
import type { Call } from '../../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../../platform/change/commit.ts';
import { LONGEST_REASON, requireText } from '../../../kernel/text/free-text.ts';
import { askForReplacement } from './replacement-approval.ts';
import { type AskedTerms, type Terms, planReplacement, readTerms } from './replacement.ts';

/**
 * Replaces an Assessed assessment by others, or by instalments: it is Cancelled, and they are Assessed. On a live rail
 * that is asked for where less is owed then, or later, and the assessment answered as it is.
 */
export function replaceAssessment(
  call: Call,
  input: AskedTerms & { readonly name: string; readonly reason: string },
): Promise<Assessment> {
  const reason = requireText('reason', input.reason, LONGEST_REASON);
  return retryUntilSettled(async () => {
    const before = await getAssessment(call, input.name);
    const terms = await readTerms(call, before, input);
    if (terms.takesApproval) {
      await askForReplacement(call, before, terms, { ...input, reason });
      return before;
    }
    const { after, change } = await planReplacement(call, before, terms, reason);
    return (await commit(call, change)) ? after : undefined;
  });
}

/** What an assessment would be replaced by. */
export async function previewReplacement(call: Call, name: string, asked: AskedTerms): Promise<Terms> {
  return readTerms(call, await getAssessment(call, name), asked);
}
