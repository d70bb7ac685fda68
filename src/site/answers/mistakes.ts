import { LOCK } from '../../identity/attempts/attempts.ts';
import type { Detail, Refusal } from '../../kernel/refusal.ts';
import type { Words } from '../../kernel/text/said.ts';
import { wordFailure } from '../languages/failures.ts';
import { type Translated, translate } from '../languages/said.ts';
import type { Texts } from '../languages/texts.ts';
import { MISSING } from '../operations/fields.ts';

/** A mistake, and the field of a form that has it. */
export interface Mistake extends Translated {
  readonly field: string | null;
}

/** Reasons of a refusal, in the language of the reader if pages know them. */
export function mistakesOf({ code, said, details, quota }: Refusal, texts: Texts): Mistake[] {
  const { t, duration } = texts;
  const about = (text: string, lang: 'en' | null = null): Mistake[] => [{ field: null, text, lang }];
  if (code === 'rate_limited' && quota) return about(t(`refusal.${code}`, { wait: duration(quota.resetSeconds) }));
  if (quota?.name === LOCK) return about(t('refusal.login_locked', { wait: duration(quota.resetSeconds) }));
  if (details.length > 0) return details.map((detail) => mistakeOf(detail, texts));
  const { text, lang } = sayWhy(code, said, texts);
  return about(text, lang);
}

function mistakeOf({ path, code, message }: Detail, texts: Texts): Mistake {
  const { t, has } = texts;
  const label = has(`field.${path}`) ? t(`field.${path}`) : null;
  const field = label === null ? null : path;
  if (label !== null && String(message) === MISSING)
    return { field, text: t('refusal.missing', { field: label }), lang: null };
  const { text, lang, whole } = sayWhy(code, message, texts);
  return { field, text: whole ? text : t('refusal.ofField', { field: label ?? path, mistake: text }), lang };
}

/** Says a reason: whole, or as what is wrong with a field, which the text does not name. */
function sayWhy(code: string | undefined, message: Words, texts: Texts) {
  const { t, has } = texts;
  const reason = `refusal.${code}`;
  if (code !== undefined && has(reason)) {
    const { text, note } = wordFailure(String(message), texts);
    return { text: t(reason, { reason: note === null ? text : `${text} (${note})` }), lang: null, whole: true };
  }
  return { ...translate(message, texts), whole: false };
}
