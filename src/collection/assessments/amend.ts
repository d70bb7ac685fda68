import type { Call } from '../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../platform/change/commit.ts';
import { guard } from '../../platform/change/step.ts';
import { json } from '../../platform/database/sql.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { say } from '../../kernel/text/said.ts';
import { type Assessment, getAssessment } from './find.ts';
import { readLabels } from './labels.ts';

/** Replaces the metadata of an assessment in any state: that of its own account alone. */
export function replaceMetadata(call: Call, name: string, given: unknown): Promise<Assessment> {
  const { metadata } = readLabels({ metadata: given });
  return retryUntilSettled(async () => {
    const assessment = await getAssessment(call, name);
    if (call.viewer.kind === 'agency' || call.viewer.integrator !== assessment.integrator)
      throw new Refusal('forbidden', say`Only the account that made an assessment may change its metadata`);
    const at = call.now();
    const revision = assessment.revision + 1;
    const changed = guard`
      update assessment set metadata = ${metadata && json(metadata)}::jsonb, revision = ${revision}, updated_at = ${at}
      where name = ${name} and revision = ${assessment.revision} returning name`;
    const done = await commit(call, {
      subject: name,
      guard: changed,
      trace: [{ kind: 'assessment.update', assessment: name, doc: name, summary: say`Metadata changed` }],
    });
    return done ? { ...assessment, metadata, revision, updatedAt: at } : undefined;
  });
}
