import { LOCK } from '../../identity/attempts/attempts.ts';
import type { Detail, Refusal } from '../../kernel/refusal.ts';
import type { Words } from '../../kernel/text/said.ts';
import { wordFailure } from '../languages/failures.ts';
import { type Translated, translate } from '../languages/said.ts';
import type { Texts } from '../languages/texts.ts';
import { type Filled, MISSING } from '../operations/fields.ts';
import { fieldAt } from '../operations/filled.ts';

/** A mistake, and the field of a form that has it. */
export interface Mistake extends Translated {
  readonly field: string | null;
}

/** Reasons of a refusal, in the language of the reader if pages know them; of what a form said, where it is known. */
export function mistakesOf({ code, said, details, quota }: Refusal, texts: Texts, filled: Filled = {}): Mistake[] {
  const { t, duration } = texts;
  const about = (text: string, lang: 'en' | null = null): Mistake[] => [{ field: null, text, lang }];
  if (code === 'rate_limited' && quota) return about(t(`refusal.${code}`, { wait: duration(quota.resetSeconds) }));
  if (quota?.name === LOCK) return about(t('refusal.login_locked', { wait: duration(quota.resetSeconds) }));
  if (details.length > 0) return details.map((detail) => mistakeOf(detail, texts, filled));
  const { text, lang } = sayWhy(code, said, texts);
  return about(text, lang);
}

function mistakeOf({ path, code, message }: Detail, texts: Texts, filled: Filled): Mistake {
  const { t } = texts;
  const { name: field, label } = nameField(path, texts, filled);
  if (label !== null && String(message) === MISSING)
    return { field, text: t('refusal.missing', { field: label }), lang: null };
  const { text, lang, whole } = sayWhy(code, message, texts);
  return { field, text: whole ? text : t('refusal.ofField', { field: label ?? path, mistake: text }), lang };
}

/** The field that a path leads to, and what it is called: the second of several is `Percent (2)`. */
function nameField(path: string, { t, has }: Texts, filled: Filled) {
  if (has(`field.${path}`)) return { name: path, label: t(`field.${path}`) };
  const field = fieldAt(filled, path);
  if (!field) return { name: null, label: null };
  const family = ['member', 'field'].find((one) => has(`${one}.${field.own}`));
  const label = family ? t(`${family}.${field.own}`) : field.own;
  return { name: field.name, label: field.within === null ? label : `${label} (${field.within})` };
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
