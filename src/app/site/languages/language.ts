import { parseCookie, stringifySetCookie } from 'cookie';
import type { IncomingMessage } from 'node:http';
import Negotiator from 'negotiator';

/** The languages of pages, by their code, each by its own name. */
export const LANGUAGES = { en: 'English', fr: 'Français', sw: 'Kiswahili', lg: 'Luganda' } as const;

export type Language = keyof typeof LANGUAGES;

/** How days and moments are written in a language: in English as East Africa has them, the day first. */
export const localeOf = (language: string): string => (language === 'en' ? 'en-GB' : language);

const COOKIE = 'language';
const YEAR_SECONDS = 365 * 86_400;

export function isLanguage(word: string): word is Language {
  return Object.hasOwn(LANGUAGES, word);
}

/** The language of whoever asks: the one that they chose, or else the first that their browser prefers and pages have. */
export function languageOf(req: Pick<IncomingMessage, 'headers'>): Language {
  const chosen = req.headers.cookie && parseCookie(req.headers.cookie)[COOKIE];
  if (chosen && isLanguage(chosen)) return chosen;
  const [preferred] = new Negotiator(req).languages(Object.keys(LANGUAGES));
  return preferred !== undefined && isLanguage(preferred) ? preferred : 'en';
}

/** A `Set-Cookie` that keeps the language that somebody chose. */
export function keepLanguage(language: Language): string {
  return stringifySetCookie({
    name: COOKIE,
    value: language,
    maxAge: YEAR_SECONDS,
    path: '/',
    httpOnly: true,
    secure: true,
    sameSite: 'lax',
  });
}
