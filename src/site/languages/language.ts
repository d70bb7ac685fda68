import type { IncomingMessage } from 'node:http';
import Negotiator from 'negotiator';
import { LANGUAGE_COOKIE, cookieOf, setCookie } from '../../platform/access/cookies.ts';
import type { Call } from '../../platform/call/call.ts';

/** The languages of pages, by their code, each by its own name. */
export const LANGUAGES = { en: 'English', fr: 'Français', sw: 'Kiswahili', lg: 'Luganda' } as const;

export type Language = keyof typeof LANGUAGES;

/** Locale of days and moments in a language: English as East Africa has it, the day first. */
export const localeOf = (language: string): string => (language === 'en' ? 'en-GB' : language);

const YEAR_SECONDS = 365 * 86_400;

export function isLanguage(word: string): word is Language {
  return Object.hasOwn(LANGUAGES, word);
}

/** The language of the reader: the one that they chose, or else the first that their browser prefers and pages have. */
export function languageOf(call: Pick<Call, 'origin'>, req: Pick<IncomingMessage, 'headers'>): Language {
  const chosen = cookieOf(call, req.headers, LANGUAGE_COOKIE);
  if (chosen && isLanguage(chosen)) return chosen;
  const [preferred] = new Negotiator(req).languages(Object.keys(LANGUAGES));
  return preferred !== undefined && isLanguage(preferred) ? preferred : 'en';
}

/** A `Set-Cookie` that keeps the language that somebody chose. */
export function keepLanguage(call: Pick<Call, 'origin'>, language: Language): string {
  return setCookie(call, LANGUAGE_COOKIE, language, YEAR_SECONDS);
}
